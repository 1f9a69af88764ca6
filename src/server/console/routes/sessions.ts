import type { JsonObject } from '../../../json/value.ts';
import type { ResourceView } from '../../../mock/control/record-browser.ts';
import { defaultSession } from '../../../mock/request/read-session.ts';
import type { ControlParts, ControlRoute } from '../../control/control-parts.ts';
import { done, json } from '../../control/control-response.ts';
import { count, exactly, list, name, orNull } from '../../control/control-schemas.ts';
import { checkSession } from '../../control/fields.ts';
import { sessionOf } from '../../journal/session-of.ts';

const sessionView = exactly({ name, records: orNull(count), exchanges: count });

/** The isolated copies of the mock's state. */
export const sessionRoutes: readonly ControlRoute[] = [
  {
    id: 'listSessions',
    method: 'GET',
    path: '/sessions',
    summary:
      'Every session that has records of its own or exchanges, that of requests which name none first, and how large each is; null where nobody counts its records',
    answers: {
      200: { description: 'The sessions', schema: exactly({ sessions: list(sessionView) }) },
    },
    answer: async ({ parts }) => json({ sessions: await showSessions(parts) }),
  },
  {
    id: 'dropSession',
    method: 'DELETE',
    path: '/sessions/{name}',
    summary: 'Forgets the records of a session, how far its scenarios have come, and its exchanges',
    answers: { 204: { description: 'It is as if it had never been' } },
    answer: async ({ parts, path }) => {
      const session = checkSession(path['name'] ?? '');
      await parts.mock.reset(session);
      parts.journal.clear(session);
      return done();
    },
  },
];

async function showSessions({ mock, journal }: ControlParts): Promise<JsonObject[]> {
  const exchanges = new Map<string, number>();
  for (const { request } of journal.list()) {
    const session = sessionOf(request);
    if (session !== undefined) exchanges.set(session, (exchanges.get(session) ?? 0) + 1);
  }
  const names = new Set([defaultSession, ...(await mock.sessions()), ...exchanges.keys()]);
  return Promise.all(
    [...names].map(async (each) => {
      const resources = await mock.records.resources(each);
      return { name: each, records: sumOf(resources), exchanges: exchanges.get(each) ?? 0 };
    }),
  );
}

/** What shows the records of another kind adds none. */
function sumOf(resources: readonly ResourceView[]): number | null {
  return resources
    .filter(({ name: own, collection }) => own === collection)
    .reduce<number | null>(
      (sum, { count: counted }) => (sum === null || counted === undefined ? null : sum + counted),
      0,
    );
}

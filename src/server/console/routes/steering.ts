import { wordsIn } from '../../../words-in.ts';
import { pickOrNull } from '../../../json/value.ts';
import { suggestWord, usage } from '../../../errors.ts';
import type { ResourceView } from '../../../mock/control/record-browser.ts';
import type { Mock } from '../../../mock/mock.ts';
import { defaultSession } from '../../../mock/request/request-context.ts';
import { parseDelay } from '../../../mock/scenarios/delay.ts';
import { type NetworkFault, networkFaultKinds } from '../../../mock/scenarios/scenario.ts';
import type { ControlCall, ControlParts, ControlRoute } from '../../control/control-parts.ts';
import { checkSession, done, type Fields, json, readFields } from '../../control/fields.ts';
import {
  anyOf,
  count,
  exactly,
  list,
  name,
  orNull,
  shows,
  text,
} from '../../control/control-schemas.ts';
import type { Disturbance } from '../../disturbance.ts';
import { sessionOf } from '../../journal/journal-entry.ts';
import type { FaultSetting, SessionBrief } from '../console-api.ts';

const kind = { enum: [...networkFaultKinds] };
const members = {
  bytesPerSecond: orNull({ type: 'integer', minimum: 1 }),
  status: orNull({ type: 'integer', minimum: 400, maximum: 599 }),
  fault: orNull(kind),
  share: { type: 'number', exclusiveMinimum: 0, maximum: 1 },
  operation: orNull(text),
};
const answers = { 200: shows('What disturbs the responses', { delayMs: count, ...members }) };

/** What disturbs the responses of all sessions, besides scenarios. */
export const faultRoutes: readonly ControlRoute[] = [
  {
    id: 'getFaults',
    method: 'GET',
    path: '/faults',
    summary: 'The delay, the speed, and the error or the network fault that responses get',
    answers,
    answer: async ({ parts }) => json(showFaults(parts.disturbance)),
  },
  {
    id: 'setFaults',
    method: 'PUT',
    path: '/faults',
    summary:
      'Gives all responses, or those of one operation, a delay, a speed, and an error or a ' +
      'network fault; requests are still carried out',
    body: anyOf({ delay: { anyOf: [text, count] }, ...members }),
    answers,
    answer: setFaults,
  },
  {
    id: 'clearFaults',
    method: 'DELETE',
    path: '/faults',
    summary: 'Sets all of that back to none',
    answers,
    answer: async ({ parts }) => {
      parts.disturbance.clear();
      return json(showFaults(parts.disturbance));
    },
  },
];

async function setFaults({
  parts: { disturbance, mock },
  request,
}: ControlCall): ReturnType<ControlRoute['answer']> {
  const fields = readFields(request.body, ['delay', ...Object.keys(members)]);
  const setting = {
    delayMs: readDelay(fields),
    bytesPerSecond: readCount(fields, 'bytesPerSecond', { minimum: 1, maximum: 1_000_000_000 }),
    status: readCount(fields, 'status', { minimum: 400, maximum: 599 }),
    fault: readFault(fields),
    share: readShare(fields),
    operation: readOperation(fields, mock),
  };
  const { delayMs, bytesPerSecond, status, fault } = setting;
  if (status !== undefined && fault !== undefined)
    throw usage('The body has a status and a fault: set one, the other null.');
  if (delayMs === 0 && (bytesPerSecond ?? status ?? fault) === undefined) disturbance.clear();
  else disturbance.set(setting);
  return json(showFaults(disturbance));
}

function readCount(
  fields: Fields,
  member: string,
  { minimum, maximum }: { readonly minimum: number; readonly maximum: number },
): number | undefined {
  const given = fields.value(member) === null ? undefined : fields.count(member);
  if (given === undefined || (given >= minimum && given <= maximum)) return given;
  throw usage(
    `${member} must be a whole number from ${String(minimum)} to ${String(maximum)}, or null.`,
  );
}

function readOperation(fields: Fields, { options }: Mock): string | undefined {
  const id = fields.value('operation') === null ? undefined : fields.text('operation');
  const known = options.contract.operations.map((operation) => operation.id);
  if (id === undefined || known.includes(id)) return id;
  throw usage(`The contract has no operation ${id.slice(0, 80)}.`, {
    hint: suggestWord(id, known),
  });
}

function readDelay(fields: Fields): number {
  const written = fields.value('delay');
  if (written === undefined || written === null || written === '') return 0;
  const delayMs = parseDelay(written);
  if (delayMs !== undefined) return delayMs;
  throw usage(
    'delay must be such as 200ms, 2s or a number of milliseconds, and ten minutes at most.',
  );
}

function readFault(fields: Fields): NetworkFault | undefined {
  const written = fields.value('fault');
  if (written === undefined || written === null) return undefined;
  const found = networkFaultKinds.find((each) => each === written);
  if (found === undefined)
    throw usage('fault must be the name of a network fault, or null.', {
      hint: suggestWord(String(written), networkFaultKinds),
    });
  return withDefaults(found);
}

/** The defaults of a fault without settings, as in scenarios. */
function withDefaults(found: NetworkFault['kind']): NetworkFault {
  if (found === 'hang') return { kind: found, forMs: 60_000 };
  if (found === 'wrong-length') return { kind: found, by: -1 };
  return found === 'dribble' ? { kind: found, bytes: 1, everyMs: 100 } : { kind: found };
}

function readShare(fields: Fields): number {
  const share = fields.value('share') ?? 1;
  if (typeof share === 'number' && share > 0 && share <= 1) return share;
  throw usage('share must be a number above 0 and up to 1: 0.1 is every tenth answer.');
}

function showFaults({ setting }: Disturbance): FaultSetting {
  return {
    ...pickOrNull(setting, wordsIn('delayMs bytesPerSecond status')),
    fault: setting.fault?.kind ?? null,
    ...pickOrNull(setting, wordsIn('share operation')),
  };
}

const sessionView = exactly({ name, records: orNull(count), exchanges: count });

/** The isolated copies of the mock's state. */
export const sessionRoutes: readonly ControlRoute[] = [
  {
    id: 'listSessions',
    method: 'GET',
    path: '/sessions',
    summary:
      'Every session that has records of its own or exchanges, that of requests which name ' +
      'none first, and how large each is; null where they are too many to count. `browser` is ' +
      'the one of requests with the User-Agent of this one, if the start page gave it one',
    answers: { 200: shows('The sessions', { sessions: list(sessionView), browser: orNull(text) }) },
    answer: async ({ parts, request }) =>
      json({
        sessions: await showSessions(parts),
        browser: parts.browsers.sessionOf(request) ?? null,
      }),
  },
  {
    id: 'dropSession',
    method: 'DELETE',
    path: '/sessions/{name}',
    summary: 'Forgets the records of a session, how far its scenarios have come, and its exchanges',
    answers: { 204: 'The session is dropped' },
    answer: async ({ parts, path }) => {
      const session = checkSession(path['name'] ?? '');
      await parts.mock.reset(session);
      parts.journal.clear(session);
      return done();
    },
  },
];

async function showSessions({ mock, journal }: ControlParts): Promise<SessionBrief[]> {
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

/** The number of records of all resources; views of another resource are not counted twice. */
function sumOf(resources: readonly ResourceView[]): number | null {
  return resources
    .filter(({ name: own, collection }) => own === collection)
    .reduce<number | null>(
      (sum, { count: counted }) => (sum === null || counted === undefined ? null : sum + counted),
      0,
    );
}

import { usage } from '../../../errors.ts';
import type { HttpResponse } from '../../../http/message.ts';
import type { JsonObject } from '../../../json/value.ts';
import { readSnapshot, type Snapshot } from '../../../mock/control/snapshot.ts';
import type { ControlCall, ControlParts, ControlRoute, NamedSnapshot } from '../control-parts.ts';
import { done, json, readFields, readJson, unknownName } from '../fields.ts';
import {
  anyOf,
  count,
  exactly,
  list,
  name,
  shows,
  snapshotDocument,
  text,
} from '../control-schemas.ts';

const snapshotView = exactly({
  name,
  takenAt: { type: 'string', format: 'date-time' },
  sessions: list(text),
  records: count,
});
const missing = { 404: 'There is no such snapshot' };

/** Takes and restores snapshots of records. */
export const snapshotRoutes: readonly ControlRoute[] = [
  {
    id: 'listSnapshots',
    method: 'GET',
    path: '/snapshots',
    summary: 'Every snapshot that was taken',
    answers: {
      200: shows('The snapshots, in the order of their taking', { snapshots: list(snapshotView) }),
    },
    answer: async ({ parts }) => json({ snapshots: parts.snapshots.list().map(showSnapshot) }),
  },
  {
    id: 'takeSnapshot',
    method: 'POST',
    path: '/snapshots',
    summary:
      'Keeps the records as they are under a name: of one session, or of all. ' +
      'One of the same name is replaced',
    body: { ...anyOf({ name, session: name }), required: ['name'] },
    answers: { 201: { description: 'It was taken', schema: snapshotView } },
    answer: takeNamed,
  },
  {
    id: 'getSnapshot',
    method: 'GET',
    path: '/snapshots/{name}',
    summary: 'A snapshot as a document, to be kept in a file',
    answers: { 200: { description: 'The snapshot', schema: snapshotDocument }, ...missing },
    answer: ofSnapshot(async ({ found }) => json(found.snapshot)),
  },
  {
    id: 'putSnapshot',
    method: 'PUT',
    path: '/snapshots/{name}',
    summary: 'Takes in a snapshot from a document; the contract must allow its records',
    body: snapshotDocument,
    answers: { 200: { description: 'It was taken in', schema: snapshotView } },
    answer: async ({ parts, path, request }) => {
      const snapshot = readSnapshot(readJson(request.body), parts.mock.options.contract);
      return json(keep(parts, path['name'], snapshot));
    },
  },
  {
    id: 'restoreSnapshot',
    method: 'POST',
    path: '/snapshots/{name}/restore',
    summary:
      'Puts the records of a snapshot back, and every scenario to its first ' +
      'step: for one session, or for all',
    body: anyOf({ session: name }),
    bodyOptional: true,
    answers: { 204: 'It is done', ...missing },
    answer: ofSnapshot(async ({ parts, request, found }) => {
      await parts.mock.restore(
        found.snapshot,
        readFields(request.body, ['session'], true).session(),
      );
      return done();
    }),
  },
  {
    id: 'deleteSnapshot',
    method: 'DELETE',
    path: '/snapshots/{name}',
    summary: 'Forgets a snapshot',
    answers: { 204: 'It is forgotten', ...missing },
    answer: ofSnapshot(async ({ parts, found }) => {
      parts.snapshots.remove(found.name);
      return done();
    }),
  },
];

async function takeNamed({ parts, request }: ControlCall): Promise<HttpResponse> {
  const fields = readFields(request.body, ['name', 'session']);
  const wanted = fields.text('name');
  const session = fields.session();
  checkName(wanted);
  return json(keep(parts, wanted, await parts.mock.snapshot(session)), 201);
}

function ofSnapshot(
  answer: (call: ControlCall & { readonly found: NamedSnapshot }) => Promise<HttpResponse>,
): ControlRoute['answer'] {
  return async (call) => {
    const { name: wanted = '' } = call.path;
    const found = call.parts.snapshots.find(wanted);
    return found === undefined
      ? unknownName(
          'snapshot',
          wanted,
          call.parts.snapshots.list().map((named) => named.name),
        )
      : answer({ ...call, found });
  };
}

function keep(
  { snapshots }: ControlParts,
  wanted: string | undefined,
  snapshot: Snapshot,
): JsonObject {
  const named = { name: checkName(wanted), takenAt: new Date(), snapshot };
  snapshots.add(named);
  return showSnapshot(named);
}

function checkName(wanted: string | undefined): string {
  if (wanted !== undefined && /^[A-Za-z0-9._-]{1,64}$/.test(wanted)) return wanted;
  throw usage('A snapshot is named by 1 to 64 letters, digits, dots, underscores and hyphens.', {
    hint: 'Send {"name": "before-checkout"}.',
  });
}

function showSnapshot({ name: given, takenAt, snapshot }: NamedSnapshot): JsonObject {
  const dumps = Object.values(snapshot.sessions).flatMap(({ collections }) =>
    Object.values(collections),
  );
  return {
    name: given,
    takenAt: takenAt.toISOString(),
    sessions: Object.keys(snapshot.sessions),
    records: dumps.reduce((sum, { records }) => sum + records.length, 0),
  };
}

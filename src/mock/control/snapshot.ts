import type { Contract, Resource } from '../../contract/model.ts';
import { suggestWord, usage, type VouchError } from '../../errors.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { CollectionDump, SessionDump, Store, StoredRecord } from '../../store/store.ts';
import { isMark, markDump, collectionOwner } from '../records/collection-name.ts';
import { readSession } from '../request/request-context.ts';

/**
 * The records of one session, or of all with changes, at one time. Plain JSON with exact integers:
 * write it with `stringifyJson`, and read it with `parseJson`.
 */
export type Snapshot = {
  readonly version: 1;
  readonly sessions: { readonly [session: string]: SessionDump };
};

/** Takes a snapshot of one session, or of all. */
export async function takeSnapshot(store: Store, session?: string): Promise<Snapshot> {
  const names = session === undefined ? await store.sessions() : [session];
  const dumps = await Promise.all(
    names.map(async (name) => [name, await store.dump(name)] as const),
  );
  return { version: 1, sessions: Object.fromEntries(dumps) };
}

/**
 * Restores a snapshot. For one session: its own records in the snapshot, or the only ones in it.
 * For all: resets every session that the snapshot does not contain. Throws `usage` if the snapshot
 * has nothing for the session, and `store-full` if it exceeds the limits of the store; then nothing
 * changes.
 */
export async function restoreSnapshot(
  store: Store,
  snapshot: Snapshot,
  session?: string,
): Promise<void> {
  if (session !== undefined) return store.restore(session, dumpFor(session, snapshot));
  const before = await takeSnapshot(store);
  try {
    await replaceAll(store, snapshot);
  } catch (error) {
    await replaceAll(store, before);
    throw error;
  }
}

/** Removes all sessions first, because the snapshot may need their room. */
async function replaceAll(store: Store, { sessions }: Snapshot): Promise<void> {
  await store.reset();
  for (const [name, dump] of Object.entries(sessions)) await store.restore(name, dump);
}

function dumpFor(session: string, { sessions }: Snapshot): SessionDump {
  const names = Object.keys(sessions);
  const dump = Object.hasOwn(sessions, session)
    ? sessions[session]
    : names.length === 1
      ? sessions[names[0] ?? '']
      : undefined;
  if (dump === undefined)
    throw usage(`The snapshot has no session ${session}.`, {
      hint: `It has: ${names.join(', ') || 'none'}.`,
    });
  return dump;
}

/**
 * Reads a snapshot from a document. Throws `usage` if it is invalid, or contains a record that the
 * contract does not allow.
 */
export function readSnapshot(
  value: JsonValue,
  { resources }: Pick<Contract, 'resources'>,
): Snapshot {
  const { version, sessions } = membersOf(value, 'The snapshot', ['version', 'sessions']);
  if (version !== 1) throw wrong('The snapshot must have the version 1.');
  if (!isJsonObject(sessions)) throw wrong('sessions must be an object.');
  const known = new Map(resources.map((resource) => [resource.name, resource]));
  const read = Object.entries(sessions).map(
    ([session, dump]) => [checkName(session), readDump(dump, session, known)] as const,
  );
  return { version: 1, sessions: Object.fromEntries(read) };
}

function readDump(
  value: JsonValue,
  session: string,
  resources: ReadonlyMap<string, Resource>,
): Snapshot['sessions'][string] {
  const { collections } = membersOf(value, `The session ${session}`, ['collections']);
  if (!isJsonObject(collections))
    throw wrong(`collections of the session ${session} must be an object.`);
  const read = Object.entries(collections).map(([name, dump]) => {
    if (isMark(name)) return [name, markDump] as const;
    const resource = resources.get(collectionOwner(name));
    if (resource === undefined)
      throw wrong(
        `The contract has no resource ${name.slice(0, 80)}.`,
        suggestWord(name, [...resources.keys()]),
      );
    return [name, readCollection(dump, resource)] as const;
  });
  return { collections: Object.fromEntries(read) };
}

function readCollection(value: JsonValue, resource: Resource): CollectionDump {
  const { records, greatest } = membersOf(value, `The collection ${resource.name}`, [
    'records',
    'greatest',
  ]);
  if (typeof greatest !== 'string' || !/^-?\d{1,40}$/.test(greatest))
    throw wrong(`greatest of ${resource.name} must be an integer, written as a text.`);
  if (!isJsonArray(records)) throw wrong(`records of ${resource.name} must be a list.`);
  const seen = new Set<string>();
  return {
    greatest,
    records: records.map((record, index) =>
      readRecord(record, `${resource.name}[${String(index)}]`, { resource, seen }),
    ),
  };
}

function readRecord(
  value: JsonValue,
  place: string,
  { resource, seen }: { readonly resource: Resource; readonly seen: Set<string> },
): StoredRecord {
  const { id, record } = membersOf(value, place, ['id', 'record']);
  if (typeof id !== 'string' || !isJsonObject(record))
    throw wrong(`${place} must have an id, which is a text, and a record, which is an object.`);
  if (seen.has(id)) throw wrong(`Two records of ${resource.name} have the id ${id.slice(0, 80)}.`);
  seen.add(id);
  const [issue] = resource.record.validate(record, 'response');
  if (issue !== undefined)
    throw wrong(
      `The contract does not allow ${place}: ` +
        `${issue.at === '' ? 'the record' : issue.at} ${issue.message}.`,
    );
  return { id, record };
}

function membersOf(value: JsonValue, place: string, known: readonly string[]): JsonObject {
  if (!isJsonObject(value)) throw wrong(`${place} must be an object.`);
  const strange = Object.keys(value).find((name) => !known.includes(name));
  if (strange !== undefined)
    throw wrong(
      `${place} has the member ${strange.slice(0, 80)}, which means nothing here.`,
      suggestWord(strange, known),
    );
  return value;
}

/** A session of a client, or the one with the records of scenarios beside it: `NAME+SCENARIO`. */
function checkName(session: string): string {
  const [own = '', ...scenarios] = session.split('+');
  if (typeof readSession([['Vouch-Session', own]]) === 'string' && !scenarios.includes(''))
    return session;
  throw wrong('A session is named by 1 to 64 letters, digits, dots, underscores and hyphens.');
}

function wrong(message: string, hint?: string): VouchError {
  return usage(message, hint === undefined ? {} : { hint });
}

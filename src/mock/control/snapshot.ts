import { VouchError } from '../../errors.ts';
import type { SessionDump, Store } from '../../store/store.ts';

/**
 * The records of one session, or of all that changed something, at one moment. Plain JSON, integers
 * exact: `stringifyJson` writes it, and `parseJson` reads it back.
 */
export interface Snapshot {
  readonly version: 1;
  readonly sessions: { readonly [session: string]: SessionDump };
}

/** Takes a snapshot of one session, or of all. */
export async function takeSnapshot(store: Store, session?: string): Promise<Snapshot> {
  const names = session === undefined ? await store.sessions() : [session];
  const dumps = await Promise.all(
    names.map(async (name) => [name, await store.dump(name)] as const),
  );
  return { version: 1, sessions: Object.fromEntries(dumps) };
}

/**
 * Puts a snapshot back. For one session: its own records in the snapshot, or the only ones in it.
 * For all: every session that the snapshot does not have is as at the start. Throws `usage` where
 * the snapshot has nothing for the session, and `store-full` where it is more than the store may
 * hold; then everything is as before.
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

/**
 * The sessions go first, all of them: what they give up may be the room that the snapshot needs.
 */
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
    throw new VouchError('usage', `The snapshot has no session ${session}.`, {
      hint: `It has: ${names.join(', ') || 'none'}.`,
    });
  return dump;
}

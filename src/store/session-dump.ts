import { equalJson } from '../json/equal-json.ts';
import type { FixtureCollection, FixtureCollections } from './fixture-collection.ts';
import { greaterOf } from './fixture-collection.ts';
import { freezeRecord } from './field-values.ts';
import type { Change, SessionOverlay, SessionChanges, CollectionChanges } from './overlay.ts';
import { type CollectionDump, refuseLong, type SessionDump } from './store.ts';

/** All records of one collection in a session. */
export function dumpCollection(overlay: SessionOverlay): CollectionDump {
  return { records: overlay.list(), greatest: String(overlay.greatest) };
}

/** The changes of a session that make it as it was dumped. */
export function planRestore(
  { collections }: SessionDump,
  fixtures: FixtureCollections,
): SessionChanges {
  return new Map(
    Object.entries(collections).map(([name, dump]) => [
      name,
      planRestoring(fixtures.of(name), dump),
    ]),
  );
}

/**
 * The changes that turn the fixtures into the dumped records, in their order; unchanged fixtures
 * need none.
 */
function planRestoring(
  base: FixtureCollection,
  { records, greatest }: CollectionDump,
): CollectionChanges {
  const changes: Change[] = [];
  const kept = new Set<string>();
  let [reached, turn] = [-1, 0];
  for (const { id, record } of records) {
    const position = base.position(id);
    // A fixture after its original position, or after an added record, was deleted and added again.
    const stays = position !== undefined && position > reached && turn === 0;
    if (stays) reached = position;
    if (stays) kept.add(id);
    if (stays && equalJson(record, base.get(id) ?? null)) continue;
    changes.push({ id, record: freezeRecord(record), turn: stays ? undefined : turn });
    if (!stays) turn += 1;
  }
  const named = new Set(changes.map(({ id }) => id));
  const gone = base.records
    .filter(({ id }) => !kept.has(id) && !named.has(id))
    .map(({ id }): Change => ({ id, record: undefined, turn: undefined }));
  const least = records.reduce((max, { id }) => greaterOf(max, id), base.greatest);
  return {
    changes: [...gone, ...changes],
    greatest: BigInt(greatest) > least ? BigInt(greatest) : least,
  };
}

/**
 * Throws if a record that a session changes is longer than allowed. Unchanged fixtures may be
 * longer.
 */
export function refuseLongChanges(changes: SessionChanges, max: number): void {
  for (const { id, record } of [...changes.values()].flatMap((collection) => collection.changes)) {
    if (record !== undefined) refuseLong({ id, record }, max);
  }
}

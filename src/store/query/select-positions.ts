import type { FixtureShelf } from '../fixture-shelf.ts';
import type { Condition, StoredRecord } from '../store.ts';
import type { Matcher } from './match-record.ts';
import { sortPositions } from './record-order.ts';
import { readSelection, type Selection } from './selection.ts';

/** Below this an index is not worth its making. */
const fewRecords = 256;

/** The positions of the records that a query selects, in its order. */
export function selectPositions(shelf: FixtureShelf, selection: Selection): Uint32Array {
  const { matches, order } = selection;
  if (matches === undefined)
    return sortPositions(
      shelf.records,
      Uint32Array.from(shelf.records, (_stored, position) => position),
      selection.sortKeys,
    );
  const found = keepMatches(shelf.records, candidates(shelf, selection.where), matches);
  return order === undefined ? found : sortSome(shelf, found, selection);
}

/**
 * The positions among which all matches are: those of the condition that leaves the fewest, or all.
 */
function candidates(shelf: FixtureShelf, where: readonly Condition[]): Uint32Array | undefined {
  if (shelf.records.length < fewRecords) return undefined;
  const exact = where.flatMap((condition) =>
    condition.op === 'in'
      ? [{ index: shelf.index(condition.field), values: condition.values }]
      : [],
  );
  const [first, ...rest] = exact.map((one) => ({ ...one, size: one.index.size(one.values) }));
  if (first === undefined) return undefined;
  const fewest = rest.reduce((least, one) => (one.size < least.size ? one : least), first);
  return fewest.size < shelf.records.length ? fewest.index.candidates(fewest.values) : undefined;
}

function keepMatches(
  records: readonly StoredRecord[],
  among: Uint32Array | undefined,
  matches: Matcher,
): Uint32Array {
  const found = new Uint32Array(among?.length ?? records.length);
  let count = 0;
  for (let index = 0; index < found.length; index += 1) {
    const position = among === undefined ? index : (among[index] ?? 0);
    const stored = records[position];
    if (stored === undefined || !matches(stored.record)) continue;
    found[count] = position;
    count += 1;
  }
  return found.slice(0, count);
}

/** Sorting many is dearer than picking them out of all, which are sorted once for every filter. */
function sortSome(shelf: FixtureShelf, found: Uint32Array, { sortKeys }: Selection): Uint32Array {
  const { records } = shelf;
  if (found.length < 4096 || found.length * 16 < records.length)
    return sortPositions(records, found, sortKeys);
  const all = shelf.select(readSelection({ where: [], order: sortKeys, offset: 0 }));
  const isFound = new Uint8Array(records.length);
  for (const position of found) isFound[position] = 1;
  return all === undefined ? found : all.filter((position) => isFound[position] === 1);
}

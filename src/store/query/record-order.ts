import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { SortKey, StoredRecord } from '../store.ts';
import { compareJson } from './compare-json.ts';
import { fieldValue, parseField } from '../field-values.ts';

/** Which of two records comes first by some keys; 0 where they leave it open. */
export type RecordOrder = (left: JsonObject, right: JsonObject) => number;

/** Reads the order of a query once, for many records; undefined where it has none. */
export function makeOrder(keys: readonly SortKey[]): RecordOrder | undefined {
  const orders = keys.map(({ field, descending }): RecordOrder => {
    const path = parseField(field);
    return (left, right) =>
      compareSorted(fieldValue(left, field, path), fieldValue(right, field, path), descending);
  });
  const [first, second] = orders;
  if (second === undefined) return first;
  return (left, right) => firstDecision(orders, (order) => order(left, right));
}

/** Sorts positions by the records there, in place; equal ones by position. */
export function sortPositions(
  records: readonly StoredRecord[],
  positions: Uint32Array,
  keys: readonly SortKey[],
): Uint32Array {
  // A walk over the records for each comparison would cost more than all else, where they are many.
  const columns = keys.map(({ field, descending }) => ({
    values: readColumn(records, positions, field),
    descending,
  }));
  const [first, second] = columns;
  if (first === undefined) return positions;
  const rows = Uint32Array.from(positions, (_position, row) => row);
  const { values, descending } = first;
  if (second === undefined)
    rows.sort(
      (left, right) => compareSorted(values[left], values[right], descending) || left - right,
    );
  else
    rows.sort(
      (left, right) =>
        firstDecision(columns, (column) =>
          compareSorted(column.values[left], column.values[right], column.descending),
        ) || left - right,
    );
  return rows.map((row) => positions[row] ?? 0);
}

function readColumn(
  records: readonly StoredRecord[],
  positions: Uint32Array,
  field: string,
): (JsonValue | undefined)[] {
  const path = parseField(field);
  const values: (JsonValue | undefined)[] = [];
  for (const position of positions) {
    const stored = records[position];
    values.push(stored && fieldValue(stored.record, field, path));
  }
  return values;
}

/** What is absent or null comes last, whichever way the others are sorted. */
function compareSorted(
  left: JsonValue | undefined,
  right: JsonValue | undefined,
  descending: boolean,
): number {
  const order = compareJson(left, right);
  const isAbsent = left === undefined || left === null || right === undefined || right === null;
  return descending && !isAbsent ? -order : order;
}

function firstDecision<Item>(items: readonly Item[], decide: (item: Item) => number): number {
  for (const item of items) {
    const decision = decide(item);
    if (decision !== 0) return decision;
  }
  return 0;
}

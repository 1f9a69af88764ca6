import { compareDecimals, isDecimalText } from '../json/decimal.ts';
import { equalJson } from '../json/equal-json.ts';
import { lenientLimits, parseJson } from '../json/parse-json.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { isJsonArray, isJsonObject, isNumeric, stringifyJson } from '../json/value.ts';
import type { SortKey, StoredRecord } from './store.ts';

/**
 * A total order of JSON values: numbers by exact value, then texts by their UTF-16 code units, then
 * false and true, then arrays, then objects; null and undefined are equal and last. Otherwise
 * 0 exactly if `equalJson` is true.
 */
export function compareJson(left: JsonValue | undefined, right: JsonValue | undefined): number {
  if (typeof left === 'string' && typeof right === 'string')
    return left === right ? 0 : left < right ? -1 : 1;
  if (isNumeric(left) && isNumeric(right)) return left < right ? -1 : Number(left > right);
  const rank = rankOf(left) - rankOf(right);
  if (rank !== 0 || left === undefined || right === undefined) return rank;
  if (typeof left === 'boolean') return Number(left) - Number(right);
  if (equalJson(left, right)) return 0;
  const [before, after] = [canonicalText(left), canonicalText(right)];
  return before < after ? -1 : Number(before > after);
}

function rankOf(value: JsonValue | undefined): number {
  if (value === undefined || value === null) return 5;
  if (isNumeric(value)) return 0;
  if (typeof value === 'string') return 1;
  if (typeof value === 'boolean') return 2;
  return isJsonArray(value) ? 3 : 4;
}

/**
 * A text that is the same for equal values, regardless of the order of members and the form of
 * numbers.
 */
function canonicalText(value: JsonValue): string {
  return stringifyJson(canonicalValue(value));
}

function canonicalValue(value: JsonValue): JsonValue {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (isJsonArray(value)) return value.map(canonicalValue);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(
    ([key, member]) => [key, canonicalValue(member)] as const,
  );
  return Object.fromEntries(
    members.sort(([left], [right]) => (left < right ? -1 : Number(left > right))),
  );
}

/** Compares two records by sort keys; 0 if they are equal. */
export type RecordOrder = (left: JsonObject, right: JsonObject) => number;

/** Reads the order of a query once, for many records; undefined where it has none. */
export function makeOrder(keys: readonly SortKey[]): RecordOrder | undefined {
  const orders = keys.map((key): RecordOrder => {
    const { field } = key;
    const path = parseField(field);
    return (left, right) =>
      compareSorted(fieldValue(left, field, path), fieldValue(right, field, path), key);
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
  // Reading the fields again in each comparison would dominate the cost for many records.
  const columns = keys.map((key) => ({ values: readColumn(records, positions, key.field), key }));
  const [first, second] = columns;
  if (first === undefined) return positions;
  const rows = Uint32Array.from(positions, (_position, row) => row);
  const { values, key: firstKey } = first;
  if (second === undefined)
    rows.sort(
      (left, right) => compareSorted(values[left], values[right], firstKey) || left - right,
    );
  else
    rows.sort(
      (left, right) =>
        firstDecision(columns, (column) =>
          compareSorted(column.values[left], column.values[right], column.key),
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

/** Missing and null values are last in either direction, unless they are lower than all others. */
function compareSorted(
  left: JsonValue | undefined,
  right: JsonValue | undefined,
  { descending, isNullLowest = false, isAmount = false }: SortKey,
): number {
  const order =
    isAmount && isDecimalText(left) && isDecimalText(right)
      ? compareDecimals(left, right)
      : compareJson(left, right);
  const isAbsent = left === undefined || left === null || right === undefined || right === null;
  if (isAbsent && isNullLowest) return descending ? order : -order;
  return descending && !isAbsent ? -order : order;
}

function firstDecision<Item>(items: readonly Item[], decide: (item: Item) => number): number {
  for (const item of items) {
    const decision = decide(item);
    if (decision !== 0) return decision;
  }
  return 0;
}

/** A record with its position in insertion order, which is internal. Frozen. */
export class StoredEntry implements StoredRecord {
  readonly id: string;
  readonly record: JsonObject;
  readonly #place: number;
  readonly #bytes: number;

  /** The record must be frozen. */
  constructor({ id, record }: StoredRecord, place: number, bytes = 0) {
    this.id = id;
    this.record = record;
    this.#place = place;
    this.#bytes = bytes;
    Object.freeze(this);
  }

  /** About what the record takes in memory; 0 for a fixture. */
  get bytes(): number {
    return this.#bytes;
  }

  get place(): number {
    return this.#place;
  }
}

/** The path of a field: its name, or the parts of a dotted name. */
export type FieldPath = readonly string[];

/** Reads a field's name once, for many records. */
export function parseField(field: string): FieldPath {
  return field.includes('.') ? field.split('.') : [field];
}

/**
 * The value of a field; undefined if the record has none. A field with the whole dotted name has
 * precedence.
 */
export function fieldValue(
  record: JsonObject,
  field: string,
  path: FieldPath = parseField(field),
): JsonValue | undefined {
  if (path.length === 1 || Object.hasOwn(record, field)) return own(record, field);
  let value: JsonValue | undefined = record;
  for (const name of path) {
    if (!isJsonObject(value)) return undefined;
    value = own(value, name);
  }
  return value;
}

/** Every value of a field: the items of a list, and the values below lists on its path. */
export function fieldValues(
  record: JsonObject,
  field: string,
  path: FieldPath = parseField(field),
): readonly JsonValue[] {
  if (path.length > 1 && !Object.hasOwn(record, field)) return reach(record, path);
  const value = own(record, field);
  if (value === undefined) return [];
  return isJsonArray(value) ? value : [value];
}

function reach(value: JsonValue | undefined, path: FieldPath): readonly JsonValue[] {
  if (value === undefined) return [];
  if (isJsonArray(value))
    return value.flatMap((item) => (path.length === 0 ? [item] : reach(item, path)));
  const [name, ...rest] = path;
  if (name === undefined) return [value];
  return isJsonObject(value) ? reach(own(value, name), rest) : [];
}

function own(record: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** A deep-frozen copy of a record. */
export function freezeRecord(record: JsonObject): JsonObject {
  // To copy all members at once takes a fraction of the time of one after the other; `__proto__` is
  // a member like any other then.
  const copy: Record<string, JsonValue> = { ...record };
  // `for…in` makes no list of the members.
  for (const name in copy) {
    const value = copy[name];
    if (typeof value === 'object' && value !== null && Object.hasOwn(copy, name))
      copy[name] = freezeValue(value);
  }
  return Object.freeze(copy);
}

function freezeValue(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  // `Array.isArray` does not narrow a readonly array.
  if (Array.isArray(value)) return Object.freeze(value.map((item: JsonValue) => freezeValue(item)));
  return freezeRecord(value as JsonObject);
}

/** Parses a record that a driver wrote, which was valid then. Throws if it is not a record. */
export function parseStored(text: string): JsonObject {
  const reading = parseJson(text, lenientLimits);
  if (!reading.ok) throw new Error(`a record cannot be read: ${reading.problem.reason}`);
  if (!isJsonObject(reading.value)) throw new Error('a record is no object');
  return reading.value;
}

/** Negative if the left one is first, 0 if both are equal. */
export type Comparator<Item> = (left: Item, right: Item) => number;

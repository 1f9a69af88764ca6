import type { JsonObject, JsonValue } from '../../src/json/value.ts';
import type { Condition, FieldCondition, Query, StoredRecord } from '../../src/store/store.ts';

/**
 * A query answered in the plainest way, to hold the stores against. It knows the fields that
 * `queries` asks for.
 */
export function plainQuery(
  records: readonly StoredRecord[],
  query: Query,
): { ids: string[]; total: number; offset: number } | undefined {
  const found = records.filter(
    ({ record }) =>
      query.where.every((condition) => fits(record, condition)) && seeks(record, query),
  );
  const sorted = found
    .map((stored, index) => ({ stored, index }))
    .sort((left, right) => {
      for (const { field, descending } of query.order) {
        const [a, b] = [sortable(left.stored.record, field), sortable(right.stored.record, field)];
        if (a === undefined || b === undefined) {
          if (a !== b) return a === undefined ? 1 : -1;
          continue;
        }
        // oxlint-disable-next-line eqeqeq -- a bigint and a number may be equal
        if (a[0] !== b[0] || a[1] != b[1])
          return (a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]) ? -1 : 1) * (descending ? -1 : 1);
      }
      return left.index - right.index;
    });
  const ids = sorted.map(({ stored }) => stored.id);
  const begin = query.after === undefined ? 0 : ids.indexOf(query.after) + 1;
  if (query.after !== undefined && begin === 0) return undefined;
  const offset = begin + query.offset;
  return {
    ids: ids.slice(offset, query.limit === undefined ? undefined : offset + query.limit),
    total: ids.length,
    offset,
  };
}

function read(record: JsonObject, field: string): JsonValue | undefined {
  if (field !== 'owner.name') return record[field];
  const owner = record['owner'];
  return typeof owner === 'object' && owner !== null && 'name' in owner ? owner['name'] : undefined;
}

function fits(record: JsonObject, condition: Condition): boolean {
  if (condition.op === 'not in') return !fits(record, { ...condition, op: 'in' });
  if ('of' in condition) {
    const count = condition.of.filter((one) => fits(record, one)).length;
    if (condition.op === 'all') return count === condition.of.length;
    return condition.op === 'any' ? count > 0 : count === 0;
  }
  const held = read(record, condition.field);
  if (condition.op === 'null') return (held ?? null) === null;
  if (held === undefined) return false;
  const items: readonly JsonValue[] = Array.isArray(held) ? held : [held];
  return items.some((item) =>
    condition.op === 'in'
      ? condition.values.some((value) => same(item, value))
      : within(item, condition),
  );
}

function same(left: JsonValue, right: JsonValue): boolean {
  const numbers = [typeof left, typeof right].every(
    (type) => type === 'number' || type === 'bigint',
  );
  // oxlint-disable-next-line eqeqeq -- a bigint and a number may be equal
  return numbers ? left == right : left === right;
}

type Compared = Extract<FieldCondition, { readonly value: JsonValue }>;

function within(held: JsonValue, { op, value }: Compared): boolean {
  if (
    (typeof held === 'string') !== (typeof value === 'string') ||
    [held, value].some((one) => one === null || typeof one === 'boolean' || typeof one === 'object')
  )
    return false;
  // Of one type, as the line above saw.
  const [a, b] = [held, value] as [string, string];
  if (op === 'contains' || op === 'starts' || op === 'ends') {
    if (typeof held !== 'string') return false;
    const at = op === 'starts' ? a.slice(0, b.length) : op === 'ends' ? a.slice(-b.length) : a;
    return b === '' || (op === 'contains' ? a.split(b).length > 1 : at === b);
  }
  return op === 'gte' ? a >= b : op === 'gt' ? a > b : op === 'lte' ? a <= b : a < b;
}

function seeks(record: JsonObject, { search }: Query): boolean {
  if (search === undefined || search.text === '') return true;
  const texts = (value: JsonValue): string[] =>
    typeof value === 'string'
      ? [value]
      : typeof value === 'object' && value !== null
        ? Object.values(value).flatMap(texts)
        : [];
  const searched =
    search.fields === undefined
      ? texts(record)
      : search.fields.flatMap((field) => texts(read(record, field) ?? null));
  return searched.some((text) => text.toLowerCase().includes(search.text.toLowerCase()));
}

/** A value as two keys that `<` can compare: its kind, then itself. */
function sortable(
  record: JsonObject,
  field: string,
): readonly [number, number | bigint | string] | undefined {
  const value = read(record, field);
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return [1, value];
  if (typeof value === 'boolean') return [2, Number(value)];
  return typeof value === 'object' ? [3, JSON.stringify(value)] : [0, value];
}

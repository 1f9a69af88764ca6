import { compareDecimals, isDecimalText } from '../../json/decimal.ts';
import { equalJson } from '../../json/equal-json.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { isJsonArray, isJsonObject, stringifyJson } from '../../json/value.ts';
import type { Comparator, StoredEntry, RecordOrder } from '../field-values.ts';
import { compareJson, fieldValues, makeOrder, parseField } from '../field-values.ts';
import type { Condition, FieldCondition, Query, Search, SortKey } from '../store.ts';

/** The records and order of a query, without its page. */
export interface Selection {
  /**
   * The same for queries that select the same; `''` for all records in the order of their adding.
   */
  readonly key: string;
  readonly where: readonly Condition[];
  /** Undefined where every record is selected. */
  readonly matches: Matcher | undefined;
  /** Undefined for the order of insertion. */
  readonly order: RecordOrder | undefined;
  readonly sortKeys: readonly SortKey[];
  readonly compare: Comparator<StoredEntry>;
}

/** Entries without a position are last, sorted by identifier. */
const byPlace: Comparator<StoredEntry> = (left, right) =>
  left.place - right.place || (left.id < right.id ? -1 : Number(left.id > right.id));

/** All records in the order of their adding. */
export const everything: Selection = {
  key: '',
  where: [],
  matches: undefined,
  order: undefined,
  sortKeys: [],
  compare: byPlace,
};

/** What makes two queries select the same. */
export function selectionKey({ where, search, order }: Query): string {
  if (where.length === 0 && order.length === 0 && (search === undefined || search.text === ''))
    return everything.key;
  const sought =
    search === undefined
      ? null
      : [search.text, ...(search.fields === undefined ? [] : [search.fields])];
  return stringifyJson([
    where,
    sought,
    order.map(({ field, descending, isNullLowest = false, isAmount = false }) => [
      ...[field, descending, isNullLowest, isAmount],
    ]),
  ]);
}

/** Reads what a query selects. */
export function readSelection(query: Query, key: string = selectionKey(query)): Selection {
  if (key === everything.key) return everything;
  const order = makeOrder(query.order);
  const compare: Comparator<StoredEntry> =
    order === undefined
      ? byPlace
      : (left, right) => order(left.record, right.record) || byPlace(left, right);
  return {
    key,
    where: query.where,
    matches: makeMatcher(query),
    order,
    sortKeys: query.order,
    compare,
  };
}

/** Whether a record matches a query. */
export type Matcher = (record: JsonObject) => boolean;

/** Reads the conditions of a query once, for many records; undefined if there are none. */
function makeMatcher({ where, search }: Pick<Query, 'where' | 'search'>): Matcher | undefined {
  const rules = [
    ...where.map(conditionRule),
    ...(search === undefined || search.text === '' ? [] : [searchRule(search)]),
  ];
  const [first, second] = rules;
  if (second === undefined) return first;
  return (record) => rules.every((rule) => rule(record));
}

const joins: Readonly<
  Record<'all' | 'any' | 'none', (rules: readonly Matcher[], record: JsonObject) => boolean>
> = {
  all: (rules, record) => rules.every((rule) => rule(record)),
  any: (rules, record) => rules.some((rule) => rule(record)),
  none: (rules, record) => !rules.some((rule) => rule(record)),
};

function conditionRule(condition: Condition): Matcher {
  if (!('of' in condition)) return fieldRule(condition);
  const join = joins[condition.op];
  const rules = condition.of.map(conditionRule);
  return (record) => join(rules, record);
}

function fieldRule(condition: FieldCondition): Matcher {
  const { field } = condition;
  const path = parseField(field);
  if (condition.op === 'null')
    return (record) => fieldValues(record, field, path).every((held) => held === null);
  const fits = changedBy(
    condition.by,
    condition.op === 'in' || condition.op === 'not in'
      ? (held) => condition.values.some((value) => equalJson(held, value))
      : valueRule(condition.op, condition.value),
  );
  return condition.op === 'not in'
    ? (record) => !fieldValues(record, field, path).some(fits)
    : (record) => fieldValues(record, field, path).some(fits);
}

const changes = {
  lower: (text: string) => text.toLowerCase(),
  upper: (text: string) => text.toUpperCase(),
  length: (text: string) => [...text].length,
};

/** A rule of what is compared of texts, as a rule of them. */
function changedBy(
  by: keyof typeof changes | undefined,
  fits: (held: JsonValue) => boolean,
): (held: JsonValue) => boolean {
  if (by === undefined) return fits;
  const change = changes[by];
  return (held) => typeof held === 'string' && fits(change(held));
}

const bounds: Readonly<Record<'gte' | 'gt' | 'lte' | 'lt', (order: number) => boolean>> = {
  gte: (order) => order >= 0,
  gt: (order) => order > 0,
  lte: (order) => order <= 0,
  lt: (order) => order < 0,
};

const parts = {
  contains: (text: string, part: string) => text.includes(part),
  starts: (text: string, part: string) => text.startsWith(part),
  ends: (text: string, part: string) => text.endsWith(part),
};

function valueRule(
  op: keyof typeof bounds | keyof typeof parts,
  value: JsonValue,
): (held: JsonValue) => boolean {
  if (op !== 'contains' && op !== 'starts' && op !== 'ends') return rangeRule(op, value);
  const isPart = parts[op];
  return (held) => typeof held === 'string' && typeof value === 'string' && isPart(held, value);
}

function rangeRule(op: keyof typeof bounds, bound: JsonValue): (held: JsonValue) => boolean {
  const within = bounds[op];
  if (typeof bound === 'number' || typeof bound === 'bigint')
    return (held) =>
      typeof held === 'number' || typeof held === 'bigint'
        ? within(compareJson(held, bound))
        : isDecimalText(held) &&
          isDecimalText(String(bound)) &&
          within(compareDecimals(held, String(bound)));
  if (typeof bound !== 'string') return () => false;
  const moment = momentOf(bound);
  return (held) => {
    if (typeof held !== 'string') return false;
    if (isDecimalText(bound) && isDecimalText(held)) return within(compareDecimals(held, bound));
    const other = moment === undefined ? undefined : momentOf(held);
    return within(
      moment === undefined || other === undefined ? compareJson(held, bound) : other - moment,
    );
  };
}

const date = /^\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[-+]\d\d:\d\d))?$/;

/** The moment of a date (its first, in UTC) or date-time of RFC 3339, in milliseconds. */
function momentOf(text: string): number | undefined {
  if (!date.test(text)) return undefined;
  const moment = Date.parse(text.toUpperCase().replace(' ', 'T'));
  return Number.isNaN(moment) ? undefined : moment;
}

function searchRule({ text, fields }: Search): Matcher {
  const needle = text.toLowerCase();
  if (fields === undefined) return (record) => holdsText(record, needle);
  const paths = fields.map((field) => ({ field, path: parseField(field) }));
  return (record) =>
    paths.some(({ field, path }) =>
      fieldValues(record, field, path).some((value) => holdsText(value, needle)),
    );
}

function holdsText(value: JsonValue, needle: string): boolean {
  if (typeof value === 'string') return value.toLowerCase().includes(needle);
  if (isJsonArray(value)) return value.some((item) => holdsText(item, needle));
  return isJsonObject(value) && Object.values(value).some((member) => holdsText(member, needle));
}

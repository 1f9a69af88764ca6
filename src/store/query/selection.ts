import { compareDecimals, isDecimalText } from '../../json/decimal.ts';
import { equalJson } from '../../json/equal-json.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  stringifyJson,
} from '../../json/value.ts';
import {
  type Comparator,
  compareJson,
  type Entry,
  fieldValues,
  makeOrder,
  parseField,
  type RecordOrder,
} from '../field-values.ts';
import type { Condition, Query, Search, SortKey } from '../store.ts';

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
  readonly compare: Comparator<Entry>;
}

/** Entries without a position are last, sorted by identifier. */
const byPlace: Comparator<Entry> = (left, right) =>
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
  const conditions = where.map((condition): JsonValue => [
    condition.op,
    condition.field,
    'values' in condition ? condition.values : condition.value,
  ]);
  return stringifyJson([
    conditions,
    sought,
    order.map(({ field, descending }) => [field, descending]),
  ]);
}

/** Reads what a query selects. */
export function readSelection(query: Query, key: string = selectionKey(query)): Selection {
  if (key === everything.key) return everything;
  const order = makeOrder(query.order);
  const compare: Comparator<Entry> =
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

function conditionRule(condition: Condition): Matcher {
  const { field } = condition;
  const path = parseField(field);
  if (condition.op === 'not in') {
    const isOne = equalsOne(condition.values);
    return (record) => !fieldValues(record, field, path).some(isOne);
  }
  const fits =
    condition.op === 'in' ? equalsOne(condition.values) : rangeRule(condition.op, condition.value);
  return (record) => fieldValues(record, field, path).some(fits);
}

function equalsOne(values: readonly JsonValue[]): (held: JsonValue) => boolean {
  return (held) => values.some((value) => equalJson(held, value));
}

const bounds: Readonly<Record<'gte' | 'gt' | 'lte' | 'lt', (order: number) => boolean>> = {
  gte: (order) => order >= 0,
  gt: (order) => order > 0,
  lte: (order) => order <= 0,
  lt: (order) => order < 0,
};

function rangeRule(op: keyof typeof bounds, bound: JsonValue): (held: JsonValue) => boolean {
  const within = bounds[op];
  if (typeof bound === 'number' || typeof bound === 'bigint')
    return (held) =>
      (typeof held === 'number' || typeof held === 'bigint') && within(compareJson(held, bound));
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

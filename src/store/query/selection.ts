import { stringifyJson } from '../../json/stringify-json.ts';
import type { JsonValue } from '../../json/value.ts';
import type { Condition, Query, SortKey } from '../store.ts';
import type { Entry } from './entry.ts';
import { makeMatcher, type Matcher } from './match-record.ts';
import { makeOrder, type RecordOrder } from './record-order.ts';
import type { Comparator } from './sorted-list.ts';

/** Which records a query selects and in which order, apart from the page that it asks for. */
export interface Selection {
  /**
   * The same for queries that select the same; `''` for all records in the order of their adding.
   */
  readonly key: string;
  readonly where: readonly Condition[];
  /** Undefined where every record is selected. */
  readonly matches: Matcher | undefined;
  /** Undefined where the order is that of adding. */
  readonly order: RecordOrder | undefined;
  readonly sortKeys: readonly SortKey[];
  readonly compare: Comparator<Entry>;
}

/** Those that have no place of their own share one, and stand there by their identifiers. */
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
    condition.op === 'in' ? condition.values : condition.value,
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

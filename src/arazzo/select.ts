import type { LocatedValue } from '../contract/read/cursor.ts';
import { type JsonPath, parseJsonPath } from '../contract/json-path/json-path.ts';
import { pointerOf } from '../contract/json-path/path-node.ts';
import { valueAt } from '../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';
import { WorkBudget, WorkBudgetExceeded } from '../json/work-budget.ts';

/** Why a text is not a JSONPath that vouch runs, as a clause; undefined if it is one. */
export function queryFault(query: string): string | undefined {
  const read = readQuery(query);
  return 'fault' in read ? read.fault : undefined;
}

interface Query {
  readonly path: JsonPath;
  /** Whether it filters a list that has only the value. */
  readonly filters: boolean;
}

/**
 * Parses a query. Many documents compare what a query selects, `$.status == 'sold'`, which is no
 * JSONPath: it is read as a filter of the value, `?@.status == 'sold'`.
 */
function readQuery(query: string): Query | { readonly fault: string } {
  const path = parseJsonPath(query);
  if (!('fault' in path)) return { path, filters: false };
  if (!/^\s*\$.*[=<>]/s.test(query)) return path;
  const filter = parseJsonPath(`$[?@${query.trim().slice(1)}]`);
  return 'fault' in filter ? path : { path: filter, filters: true };
}

/**
 * What a JSONPath (RFC 9535) selects; or a clause that says why it has no result. The work is
 * bounded.
 */
export function select(
  value: JsonValue,
  query: string,
): { readonly found: readonly LocatedValue[] } | { readonly fault: string } {
  const read = readQuery(query);
  if ('fault' in read) return read;
  const { path, filters } = read;
  try {
    const nodes = path.select(filters ? [value] : value, new WorkBudget());
    return {
      found: nodes.map((node) => ({
        value: node.value,
        // The filter is of a list that has only the value.
        pointer: pointerOf(node).slice(filters ? '/0'.length : 0),
      })),
    };
  } catch (error) {
    if (!(error instanceof WorkBudgetExceeded)) throw error;
    return { fault: 'is too much work for this value' };
  }
}

/** The object with which Arazzo 1.1 selects a part of a value (Selector Object). */
export interface Selector {
  readonly context: string;
  readonly selector: string;
  readonly by: 'jsonpath' | 'jsonpointer' | 'xpath';
}

/** Reads a Selector Object; undefined for any other value. */
export function readSelector(value: JsonValue): Selector | undefined {
  if (!isJsonObject(value)) return undefined;
  const { context, selector, type } = value;
  const by = isJsonObject(type) ? type['type'] : type;
  if (typeof context !== 'string' || typeof selector !== 'string') return undefined;
  if (!context.startsWith('$')) return undefined;
  return by === 'jsonpath' || by === 'jsonpointer' || by === 'xpath'
    ? { context, selector, by }
    : undefined;
}

/** The part of a value that a selector selects: the only one, or the list of all. */
export function selectPart(value: JsonValue, { selector, by }: Selector): JsonValue | undefined {
  if (by === 'jsonpointer') return valueAt(value, selector);
  const result = by === 'jsonpath' ? select(value, selector) : { found: [] };
  if ('fault' in result || result.found.length === 0) return undefined;
  const values = result.found.map((each) => each.value);
  return values.length === 1 ? values[0] : values;
}

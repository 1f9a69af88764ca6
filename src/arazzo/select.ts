import { exec, type JsonValue as QueriedValue } from 'jsonpath-rfc9535';
import parseQuery from 'jsonpath-rfc9535/parser';
import { measureBacktracking } from '../contract/pattern/safe-pattern.ts';
import { joinPointer, type Pointer, valueAt } from '../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonValue, setMember } from '../json/value.ts';

/** A place that a JSONPath selects. */
export interface Selected {
  readonly value: JsonValue;
  readonly pointer: Pointer;
}

/** Why a text is not a JSONPath that vouch runs, as a clause; undefined if it is one. */
export function queryFault(query: string): string | undefined {
  if (query.length > longestQuery) return `has more than ${String(longestQuery)} characters`;
  const read = readQuery(query);
  if ('fault' in read) return read.fault;
  return patternsIn(read.parsed).every(({ pattern }) => pattern !== undefined)
    ? undefined
    : 'has a pattern in match() or search() that is not a literal';
}

interface Query {
  readonly text: string;
  readonly parsed: unknown;
  /** Whether it filters a list that has only the value. */
  readonly filters: boolean;
}

/**
 * Parses a query. Many documents compare what a query selects, `$.status == 'sold'`, which is no
 * JSONPath: it is read as a filter of the value, `?@.status == 'sold'`.
 */
function readQuery(query: string): Query | { readonly fault: string } {
  try {
    return { text: query, parsed: parseQuery(query), filters: false };
  } catch (cause) {
    const filter = `$[?@${query.trim().slice(1)}]`;
    try {
      if (/^\s*\$.*[=<>]/s.test(query))
        return { text: filter, parsed: parseQuery(filter), filters: true };
    } catch {
      // Then the text as it is written is at fault.
    }
    const { location } = cause as { readonly location?: { readonly start: { offset: number } } };
    const at = location === undefined ? '' : ` at character ${String(location.start.offset + 1)}`;
    return { fault: `is not a JSONPath of RFC 9535${at}` };
  }
}

const longestQuery = 4_000;
/** The most nodes that a query may visit, and the most attempts of one of its patterns. */
const maxVisits = 20_000_000;
const maxAttempts = 1_000_000;

/**
 * What a JSONPath (RFC 9535) selects; or a clause that says why it is not run. The work is bounded:
 * a query that visits too many nodes of a value, or a pattern that may backtrack too far, is not
 * run.
 */
export function select(
  value: JsonValue,
  query: string,
): { readonly found: readonly Selected[] } | { readonly fault: string } {
  const invalid = queryFault(query);
  if (invalid !== undefined) return { fault: invalid };
  const read = readQuery(query);
  if ('fault' in read) return read;
  const { parsed, text, filters } = read;
  const { nodes, longest } = sizeOf(value);
  if (nodes ** Math.max(1, passes(parsed)) > maxVisits)
    return { fault: 'visits too many nodes of the value' };
  const isSlow = patternsIn(parsed).some(
    ({ pattern = '' }) => measureBacktracking(pattern).attempts(longest) > maxAttempts,
  );
  if (isSlow) return { fault: 'has a pattern that may take too long' };
  // The library compares no bigints: the values are read from the original by their pointers.
  const queried = withoutBigints(value) as QueriedValue;
  const found: Selected[] = [];
  try {
    exec(filters ? [queried] : queried, text, (_each, tokens) => {
      const pointer = joinPointer('', ...(filters ? tokens.slice(1) : tokens));
      const selected = valueAt(value, pointer);
      if (selected !== undefined) found.push({ value: selected, pointer });
    });
  } catch {
    return { fault: 'cannot be evaluated' };
  }
  return { found };
}

function withoutBigints(value: JsonValue): JsonValue {
  if (typeof value === 'bigint') return Number(value);
  if (isJsonArray(value)) return value.map(withoutBigints);
  if (!isJsonObject(value)) return value;
  const members: Record<string, JsonValue> = {};
  for (const [name, member] of Object.entries(value))
    setMember(members, name, withoutBigints(member));
  return members;
}

/** How often a query may go through all nodes, one time within another. */
function passes(parsed: unknown): number {
  return [...partsOf(parsed)].filter(
    (part) =>
      part['type'] === 'DescendantSegment' ||
      (part['type'] === 'FilterQuery' && typeOf(part['value']) === 'JsonPathQuery'),
  ).length;
}

function patternsIn(parsed: unknown): { readonly pattern: string | undefined }[] {
  return [...partsOf(parsed)].flatMap((part) => {
    if (part['type'] !== 'FunctionExpr') return [];
    if (part['name'] !== 'match' && part['name'] !== 'search') return [];
    const given: unknown = (part['arguments'] as readonly unknown[])[1];
    const literal = typeOf(given) === 'Literal' ? (given as { value: unknown }).value : undefined;
    return [{ pattern: typeof literal === 'string' ? literal : undefined }];
  });
}

type Part = Readonly<Record<string, unknown>>;

function typeOf(part: unknown): unknown {
  return typeof part === 'object' && part !== null ? (part as Part)['type'] : undefined;
}

/** Every object of a syntax tree. */
function* partsOf(tree: unknown): Generator<Part> {
  if (typeof tree !== 'object' || tree === null) return;
  if (!Array.isArray(tree)) yield tree as Part;
  for (const part of Object.values(tree)) yield* partsOf(part);
}

function sizeOf(value: JsonValue): { readonly nodes: number; readonly longest: number } {
  let [nodes, longest] = [0, 0];
  const open: JsonValue[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    nodes += 1;
    if (typeof next === 'string') longest = Math.max(longest, next.length);
    else if (isJsonArray(next)) for (const item of next) open.push(item);
    else if (isJsonObject(next)) for (const item of Object.values(next)) open.push(item);
  }
  return { nodes, longest };
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

import { type HeaderList, headerValue } from '../http/message.ts';
import { decodePercent } from '../http/target.ts';
import { remember } from '../remember.ts';
import type { Method, Operation } from './model.ts';
import type { QueryCondition, Query, SegmentMatcher } from './path-template.ts';
import { meetsConditions, makeSegmentMatcher, readTemplate } from './path-template.ts';
import { selectMediaType } from './select-response.ts';

/** An operation with the values of its path parameters. */
export interface MatchedOperation {
  readonly operation: Operation;
  readonly path: ReadonlyMap<string, string>;
}

/** The operation for a path and a method, with the path values as in the (decoded) segments. */
export type RouteResult =
  /**
   * `rivals` are all candidates for method, path and query, if there are several: `disambiguate`
   * chooses.
   */
  | ({
      readonly kind: 'operation';
      readonly rivals?: readonly MatchedOperation[];
    } & MatchedOperation)
  | { readonly kind: 'wrong-method'; readonly allow: readonly Method[] }
  | { readonly kind: 'no-path' };

/**
 * Finds operations by method and path segments; the query counts only for templates with conditions
 * on it.
 */
export interface Router {
  route(method: string, segments: readonly string[], query?: Query): RouteResult;
}

interface Node {
  readonly literal: Map<string, Node>;
  readonly templates: {
    readonly template: string;
    readonly matcher: SegmentMatcher;
    readonly node: Node;
  }[];
  /**
   * By method; several if templates differ only in their conditions on the query, those with the
   * most conditions first.
   */
  readonly operations: Map<string, Entry[]>;
}

/** An operation at the end of its path, with the names of the path parameters. */
interface Entry {
  readonly operation: Operation;
  readonly names: readonly string[];
  readonly conditions: readonly QueryCondition[];
}

/**
 * A segment router over path templates. A literal segment has priority over a template, and a
 * template with more literal text over one with less (OpenAPI 3.1, section 4.8.8.2). Segments are
 * compared exactly: case and a trailing slash count. If two templates differ only in their names,
 * the first in the document wins.
 */
export function makeRouter(
  entries: Iterable<readonly [path: string, operation: Operation]>,
): Router {
  const root = makeNode();
  for (const [path, operation] of entries) addPath(root, path, operation);
  return { route: (method, segments, query = []) => findRoute(root, { method, segments, query }) };
}

function makeNode(): Node {
  return { literal: new Map(), templates: [], operations: new Map() };
}

function addPath(root: Node, path: string, operation: Operation): void {
  const { segments, conditions } = readTemplate(path);
  let node = root;
  for (const written of segments) {
    const segment = decodeLiterals(written);
    node = /\{[^{}]+\}/.test(segment)
      ? templateNode(node, segment, operation)
      : remember(node.literal, segment, makeNode);
  }
  const known = node.operations.get(operation.method) ?? [];
  // Two servers with one base path.
  if (known.some((entry) => entry.operation === operation)) return;
  known.push({
    operation,
    conditions,
    names: segments.flatMap((segment) =>
      [...segment.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] ?? ''),
    ),
  });
  known.sort((left, right) => right.conditions.length - left.conditions.length);
  node.operations.set(operation.method, known);
}

/** A document may write a literal in the encoded form of a URL: `/a%20b` is `a b`. */
function decodeLiterals(segment: string): string {
  if (!segment.includes('%')) return segment;
  return segment.replaceAll(/\{[^{}]+\}|[^{}]+/g, (piece) =>
    piece.startsWith('{') ? piece : (decodePercent(piece) ?? piece),
  );
}

/** Paths may name one segment differently and still share the rest. */
function templateNode(parent: Node, segment: string, operation: Operation): Node {
  const template = segment.replaceAll(/\{[^{}]+\}/g, '{}');
  const known = parent.templates.find((entry) => entry.template === template);
  if (known !== undefined) return known.node;
  const node = makeNode();
  parent.templates.push({
    template,
    matcher: makeSegmentMatcher(segment, segment.includes('}{') ? choicesOf(operation) : undefined),
    node,
  });
  parent.templates.sort((left, right) => right.matcher.literalLength - left.matcher.literalLength);
  return node;
}

/** The texts that the path parameters of an operation are limited to. */
function choicesOf({ parameters }: Operation): ReadonlyMap<string, readonly string[]> {
  const limited = parameters.flatMap(({ in: location, name, schema }) => {
    const values = location === 'path' ? (schema.flatten().node.enum ?? []) : [];
    return [[name, values.filter((value) => typeof value === 'string')] as const];
  });
  return new Map(limited);
}

interface RouteRequest {
  readonly method: string;
  readonly segments: readonly string[];
  readonly query: Query;
}

function findRoute(root: Node, asked: RouteRequest): RouteResult {
  const passed: Node[] = [];
  const found = walk(root, asked, { index: 0, values: [] }, passed);
  if (found !== undefined) return found;
  if (passed.length === 0) return { kind: 'no-path' };
  // The names of the map are methods of the contract.
  return {
    kind: 'wrong-method',
    allow: [...new Set(passed.flatMap(({ operations }) => [...operations.keys()]))],
  };
}

/** The progress of a walk: the index of the next segment, and the path values so far. */
interface Progress {
  readonly index: number;
  readonly values: readonly string[];
}

/**
 * The first operation of the method that the segments match, the most literal path first; `passed`
 * collects the ends of all paths.
 */
function walk(
  node: Node,
  asked: RouteRequest,
  { index, values }: Progress,
  passed: Node[],
): RouteResult | undefined {
  if (index === asked.segments.length) return matchOperation(node, asked, values, passed);
  const segment = asked.segments[index] ?? '';
  const literal = node.literal.get(segment);
  const found = literal && walk(literal, asked, { index: index + 1, values }, passed);
  if (found !== undefined) return found;
  for (const { matcher, node: next } of node.templates) {
    const matched = matcher.match(segment);
    const through =
      matched && walk(next, asked, { index: index + 1, values: [...values, ...matched] }, passed);
    if (through !== undefined) return through;
  }
  return undefined;
}

function matchOperation(
  node: Node,
  { method, query }: RouteRequest,
  values: Progress['values'],
  passed: Node[],
): RouteResult | undefined {
  if (node.operations.size > 0) passed.push(node);
  const candidates = node.operations.get(method);
  // If the query meets no condition, the first operation represents the path.
  const chosen =
    candidates?.find(({ conditions }) => meetsConditions(query, conditions)) ?? candidates?.[0];
  if (chosen === undefined || candidates === undefined) return undefined;
  const isSure =
    candidates.length === 1 ||
    (chosen.conditions.length > 0 && meetsConditions(query, chosen.conditions));
  const { operation, path } = toMatched(chosen, values, query);
  if (isSure) return { kind: 'operation', operation, path };
  const rivals = [chosen, ...candidates.filter((candidate) => candidate !== chosen)].map(
    (candidate) => toMatched(candidate, values, query),
  );
  return { kind: 'operation', operation, path, rivals };
}

function toMatched(
  { operation, names, conditions }: Entry,
  values: Progress['values'],
  query: Query,
): MatchedOperation {
  const path = new Map<string, string>();
  for (const [index, name] of names.entries()) path.set(name, values[index] ?? '');
  for (const { name, parameter } of conditions) {
    const given = query.find(([key]) => key === name);
    if (parameter !== undefined && given !== undefined) path.set(parameter, given[1]);
  }
  return { operation, path };
}

/** What a request contains besides its method and path. */
export interface RequestHints {
  readonly query: Query;
  readonly headers: HeaderList;
}

/**
 * Selects one of several operations with the same method and path: the text of a template after `#`
 * or `?` may be in the query or in a header; otherwise the type of the body decides. Undefined if
 * nothing distinguishes them.
 */
export function disambiguate(
  rivals: readonly MatchedOperation[],
  { query, headers }: RequestHints,
): MatchedOperation | undefined {
  const signs: Query = [...query, ...headers];
  const marked = rivals.find(({ operation: { path } }) => {
    const conditions = readTemplate(path).conditions.map((condition) => ({
      ...condition,
      name: nameIn(headers, condition.name),
    }));
    return conditions.length > 0 && meetsConditions(signs, conditions);
  });
  const type = headerValue(headers, 'content-type');
  return (
    marked ??
    rivals.find(({ operation: { requestBody } }) =>
      type === undefined
        ? requestBody === undefined
        : requestBody !== undefined && selectMediaType(requestBody.content, type) !== undefined,
    )
  );
}

/** A name as the request writes it: header names are case-insensitive. */
function nameIn(headers: HeaderList, name: string): string {
  return headers.find(([given]) => given.toLowerCase() === name.toLowerCase())?.[0] ?? name;
}

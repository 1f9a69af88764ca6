import { type HeaderList, headerValue } from '../http/message.ts';
import { decodePercent } from '../http/target.ts';
import type { Method, Operation } from './model.ts';
import {
  type Condition,
  meetsConditions,
  makeSegmentMatcher,
  type Query,
  readTemplate,
  type SegmentMatcher,
} from './path-template.ts';
import { selectMediaType } from './select-response.ts';

/** An operation with the values of its path. */
export interface MatchedOperation {
  readonly operation: Operation;
  readonly path: ReadonlyMap<string, string>;
}

/**
 * An operation that a path and a method lead to, with the path's values as they stand in the
 * (decoded) segments.
 */
export type RouteResult =
  /**
   * `rivals` are all that method, path and query may mean, where that is more than one: `tellApart`
   * chooses.
   */
  | ({
      readonly kind: 'operation';
      readonly rivals?: readonly MatchedOperation[];
    } & MatchedOperation)
  | { readonly kind: 'wrong-method'; readonly allow: readonly Method[] }
  | { readonly kind: 'no-path' };

/**
 * Finds operations by method and path segments; the query counts only for templates that ask for
 * something in it.
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
   * By method; several where templates differ only in what they ask of the query, those that ask
   * most first.
   */
  readonly operations: Map<string, Entry[]>;
}

/** An operation at the end of its path, with the names of the parameters on the way. */
interface Entry {
  readonly operation: Operation;
  readonly names: readonly string[];
  readonly conditions: readonly Condition[];
}

/**
 * A segment router over path templates. A literal segment beats a template, and a template with
 * more literal text beats one with less (OpenAPI 3.1, section 4.8.8.2). Segments are compared
 * exactly: case counts, and so does a trailing slash. Where two templates are the same but for
 * their names, the first in the document wins.
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
    node = /\{[^{}]+\}/.test(segment) ? templateNode(node, segment) : literalNode(node, segment);
  }
  const known = node.operations.get(operation.method) ?? [];
  // Two servers of one base path.
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

/** A document may write what no URL holds as it is in the form of a URL: `/a%20b` is `a b`. */
function decodeLiterals(segment: string): string {
  if (!segment.includes('%')) return segment;
  return segment.replaceAll(/\{[^{}]+\}|[^{}]+/g, (piece) =>
    piece.startsWith('{') ? piece : (decodePercent(piece) ?? piece),
  );
}

function literalNode(parent: Node, segment: string): Node {
  const known = parent.literal.get(segment);
  if (known !== undefined) return known;
  const node = makeNode();
  parent.literal.set(segment, node);
  return node;
}

/** Paths may name one and the same segment differently, and still go on together. */
function templateNode(parent: Node, segment: string): Node {
  const template = segment.replaceAll(/\{[^{}]+\}/g, '{}');
  const known = parent.templates.find((entry) => entry.template === template);
  if (known !== undefined) return known.node;
  const node = makeNode();
  parent.templates.push({ template, matcher: makeSegmentMatcher(segment), node });
  parent.templates.sort((left, right) => right.matcher.literalLength - left.matcher.literalLength);
  return node;
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

/** How far a walk has come: the index of the next segment, and the values of the path so far. */
interface Progress {
  readonly index: number;
  readonly values: readonly string[];
}

/**
 * The first operation of the method that the segments lead to, the most literal way first; `passed`
 * gathers the ends of all ways.
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
      matched &&
      walk(
        next,
        asked,
        { index: index + 1, values: [...values, ...matched.map(([, value]) => value)] },
        passed,
      );
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
  // Where the query names none of them, the first still stands for the path.
  const chosen =
    candidates?.find(({ conditions }) => meetsConditions(query, conditions)) ?? candidates?.[0];
  if (chosen === undefined || candidates === undefined) return undefined;
  const isSure =
    candidates.length === 1 ||
    (chosen.conditions.length > 0 && meetsConditions(query, chosen.conditions));
  return {
    kind: 'operation',
    ...toMatched(chosen, values, query),
    ...(isSure
      ? {}
      : {
          rivals: [chosen, ...candidates.filter((candidate) => candidate !== chosen)].map(
            (candidate) => toMatched(candidate, values, query),
          ),
        }),
  };
}

function toMatched(
  { operation, names, conditions }: Entry,
  values: Progress['values'],
  query: Query,
): MatchedOperation {
  const path = new Map(names.map((name, index) => [name, values[index] ?? ''] as const));
  for (const { name, parameter } of conditions) {
    const given = query.find(([key]) => key === name);
    if (parameter !== undefined && given !== undefined) path.set(parameter, given[1]);
  }
  return { operation, path };
}

/** What a request says of itself beside its method and path. */
export interface RequestHints {
  readonly query: Query;
  readonly headers: HeaderList;
}

/**
 * Of several operations of one method on one path, the one that a request means: what a template
 * writes behind `#` or `?` may stand in the query or in a header; else the type of the body
 * decides. Undefined where nothing tells them apart.
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

/** A name as the request writes it: case does not count in those of headers. */
function nameIn(headers: HeaderList, name: string): string {
  return headers.find(([given]) => given.toLowerCase() === name.toLowerCase())?.[0] ?? name;
}

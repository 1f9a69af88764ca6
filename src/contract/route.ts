import type { Method, Operation } from './model.ts';

/** An operation that a path and a method lead to, with the path's values as they stand in the (decoded) segments. */
export type RouteResult =
  | { readonly kind: 'operation'; readonly operation: Operation; readonly path: ReadonlyMap<string, string> }
  | { readonly kind: 'wrong-method'; readonly allow: readonly Method[] }
  | { readonly kind: 'no-path' };

/** Finds operations by method and path segments. */
export interface Router {
  route(method: string, segments: readonly string[]): RouteResult;
}

interface Node {
  readonly literal: Map<string, Node>;
  readonly templates: { readonly pattern: RegExp; readonly names: readonly string[]; readonly template: string; readonly node: Node }[];
  readonly operations: Map<string, Operation>;
}

/**
 * A segment router over path templates. A literal segment beats a template, and a template with more literal text beats one
 * with less (OpenAPI 3.1, section 4.8.8.2). Segments are compared exactly: case counts, and so does a trailing slash.
 */
export function makeRouter(entries: Iterable<readonly [path: string, operation: Operation]>): Router {
  const root = makeNode();
  for (const [path, operation] of entries) addPath(root, path.split('/').slice(1), operation);
  return { route: (method, segments) => find(root, method, segments) };
}

function makeNode(): Node {
  return { literal: new Map(), templates: [], operations: new Map() };
}

function addPath(root: Node, segments: readonly string[], operation: Operation): void {
  let node = root;
  for (const segment of segments) node = segment.includes('{') ? templateNode(node, segment) : literalNode(node, segment);
  if (!node.operations.has(operation.method)) node.operations.set(operation.method, operation);
}

function literalNode(parent: Node, segment: string): Node {
  const known = parent.literal.get(segment);
  if (known !== undefined) return known;
  const node = makeNode();
  parent.literal.set(segment, node);
  return node;
}

function templateNode(parent: Node, template: string): Node {
  const known = parent.templates.find((entry) => entry.template === template);
  if (known !== undefined) return known.node;
  const names = [...template.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] ?? '');
  const source = template.split(/\{[^{}]+\}/).map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('(.+?)');
  const node = makeNode();
  parent.templates.push({ pattern: new RegExp(`^${source}$`, 's'), names, template, node });
  parent.templates.sort((left, right) => literalLength(right.template) - literalLength(left.template));
  return node;
}

function literalLength(template: string): number {
  return template.replaceAll(/\{[^{}]+\}/g, '').length;
}

interface Found {
  readonly node: Node;
  readonly values: ReadonlyMap<string, string>;
}

function find(root: Node, method: string, segments: readonly string[]): RouteResult {
  const found = [...walk(root, segments, 0, new Map())];
  for (const { node, values } of found) {
    const operation = node.operations.get(method);
    if (operation !== undefined) return { kind: 'operation', operation, path: values };
  }
  if (found.length === 0) return { kind: 'no-path' };
  const allow = [...new Set(found.flatMap(({ node }) => [...node.operations.values()].map((operation) => operation.method)))];
  return { kind: 'wrong-method', allow };
}

/** Every node that the segments lead to, the most literal first. */
function* walk(node: Node, segments: readonly string[], index: number, values: ReadonlyMap<string, string>): Generator<Found> {
  if (index === segments.length) {
    if (node.operations.size > 0) yield { node, values };
    return;
  }
  const segment = segments[index] ?? '';
  const literal = node.literal.get(segment);
  if (literal !== undefined) yield* walk(literal, segments, index + 1, values);
  for (const { pattern, names, node: next } of node.templates) {
    const match = pattern.exec(segment);
    if (match === null) continue;
    const more = new Map(values);
    names.forEach((name, position) => more.set(name, match[position + 1] ?? ''));
    yield* walk(next, segments, index + 1, more);
  }
}

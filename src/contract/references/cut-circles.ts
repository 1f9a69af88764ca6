import { joinPointer, type Pointer } from '../../json/pointer.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { isJsonArray, isJsonObject, arrayOf } from '../../json/value.ts';
import type { Dialect } from '../model.ts';
import { locateReference } from '../read/cursor.ts';
import type { RepairedReference, RepairedReferences } from './repair-references.ts';
import { takeAnything } from './repair-references.ts';

/**
 * Cuts references by which a schema is a condition of itself (`A: { allOf: [{ $ref: B }] }` and the
 * same of B): judging a value by it would never end (JSON Schema 2020-12, core, section 9.4.1).
 * Such a reference is read as what it leads to, without what leads back. `texts` are all of them.
 * Returns the document itself if there is none, otherwise a copy.
 */
export function cutCircles(
  document: JsonObject,
  texts: Iterable<string>,
  dialect: Dialect,
): RepairedReferences {
  const places = [...texts];
  if (circularIn(document, places).length === 0) return { document, repairs: [] };
  const copy = structuredClone(document);
  const repairs: RepairedReference[] = [];
  // A cut leaves fewer references in the circle, so this ends.
  for (let found = circularIn(copy, places); found.length > 0; found = circularIn(copy, places)) {
    const circular = new Set(found.map(({ holder }) => holder));
    // A parent names its children as alternatives, and each of them includes it: it stays whole.
    const inclusions = found.filter(({ by }) => by === 'allOf');
    for (const edge of inclusions.length > 0 ? inclusions : found) {
      repairs.push(cut(copy, edge, { circular, dialect }));
      circular.add(edge.holder);
    }
  }
  return { document: copy, repairs };
}

/** A reference that is a condition of the schema around it. */
interface Edge {
  readonly holder: JsonObject;
  readonly text: string;
  readonly pointer: Pointer;
  readonly to: Pointer;
  /** The nearest keyword around it. */
  readonly by: string;
}

/** The references that lead back to the schema that they are a condition of. */
function circularIn(document: JsonObject, texts: readonly string[]): Edge[] {
  const graph = new Map<Pointer, Edge[]>();
  for (const text of texts) {
    const target = locateReference(document, text);
    if (target === undefined || graph.has(target.pointer)) continue;
    const edges = [...edgesOf(target.value, target.pointer, document)];
    if (edges.length > 0) graph.set(target.pointer, edges);
  }
  removeEnds(graph);
  const circles = circlesIn(graph);
  return [...graph].flatMap(([from, edges]) =>
    edges.filter(({ to }) => circles.get(to) === circles.get(from)),
  );
}

/** The number of the circle of each schema: two have the same if each leads to the other. */
function circlesIn(graph: ReadonlyMap<Pointer, readonly Edge[]>): Map<Pointer, number> {
  const back = new Map<Pointer, Pointer[]>();
  const targets = (at: Pointer): Pointer[] =>
    (graph.get(at) ?? []).flatMap(({ to }) => (graph.has(to) ? [to] : []));
  for (const from of graph.keys())
    for (const to of targets(from)) back.set(to, (back.get(to) ?? []).concat(from));
  const order: Pointer[] = [];
  const seen = new Set<Pointer>();
  for (const from of graph.keys())
    visit(from, { next: targets, seen, leave: (at) => order.push(at) });
  const found = new Map<Pointer, number>();
  const left = new Set<Pointer>();
  for (const [index, from] of order.reverse().entries())
    visit(from, {
      next: (at) => back.get(at) ?? [],
      seen: left,
      leave: (at) => found.set(at, index),
    });
  return found;
}

interface Visit {
  readonly next: (at: Pointer) => readonly Pointer[];
  readonly seen: Set<Pointer>;
  /** Called after all that a place leads to. */
  readonly leave: (at: Pointer) => unknown;
}

function visit(from: Pointer, { next, seen, leave }: Visit): void {
  const open = [{ at: from, isLeft: false }];
  for (let top = open.pop(); top !== undefined; top = open.pop()) {
    const { at, isLeft } = top;
    if (isLeft) leave(at);
    if (isLeft || seen.has(at)) continue;
    seen.add(at);
    open.push({ at, isLeft: true }, ...next(at).map((to) => ({ at: to, isLeft: false })));
  }
}

/** Leaves only the schemas from which references lead on without an end: mostly none. */
function removeEnds(graph: Map<Pointer, Edge[]>): void {
  for (let size = -1; size !== graph.size;) {
    size = graph.size;
    for (const [from, edges] of graph)
      if (!edges.some(({ to }) => graph.has(to))) graph.delete(from);
  }
}

const alternatives = ['anyOf', 'oneOf'] as const;
const lists = ['allOf', ...alternatives] as const;
const singles = ['not', 'if', 'then', 'else'] as const;
const applied = [...lists, ...singles] as const;

/** The references that a schema applies to the same value. */
function* edgesOf(
  schema: JsonValue,
  pointer: Pointer,
  document: JsonObject,
  by = '',
): Generator<Edge> {
  if (!isJsonObject(schema)) return;
  const text = schema['$ref'];
  const to = typeof text === 'string' ? locateReference(document, text)?.pointer : undefined;
  if (typeof text === 'string' && to !== undefined)
    yield { holder: schema, text, pointer: joinPointer(pointer, '$ref'), to, by };
  for (const key of lists) {
    const parts = schema[key];
    if (!isJsonArray(parts)) continue;
    for (const [index, part] of parts.entries())
      yield* edgesOf(part, joinPointer(pointer, key, index), document, key);
  }
  for (const key of singles) {
    const part = schema[key];
    if (part !== undefined) yield* edgesOf(part, joinPointer(pointer, key), document, key);
  }
}

interface Cutting {
  readonly circular: ReadonlySet<JsonObject>;
  readonly dialect: Dialect;
}

type Keeping = Pick<Cutting, 'circular'> & Pick<Edge, 'by'>;

/** Puts what a reference leads to in its place, without what leads back. */
function cut(
  document: JsonObject,
  { holder, text, pointer, by }: Edge,
  { circular, dialect }: Cutting,
): RepairedReference {
  const target = locateReference(document, text)?.value;
  const part = target === undefined ? {} : withoutCircular(target, { circular, by });
  // A schema that forbids itself means to forbid nothing.
  const kept = by === 'not' ? { not: {} } : part;
  takeAnything({ holder, key: '$ref', text, pointer, isMapping: false }, dialect);
  // The holder is part of a copy.
  const members = holder as Record<string, JsonValue>;
  const parts = members['allOf'];
  members['allOf'] = [...arrayOf(parts), kept];
  return {
    pointer,
    message:
      `The reference ${text} makes its schema a part of itself; ` +
      'it is read without the circle.',
    hint: 'Move what the schemas share to one that refers to none of them.',
  };
}

/**
 * A copy of a schema without the references of a circle. An alternative that leads back adds
 * nothing to the others; what a child includes of its parent is no choice among its siblings.
 */
function withoutCircular(schema: JsonValue, { circular, by }: Keeping): JsonValue {
  if (!isJsonObject(schema)) return schema;
  const isEnd = (part: JsonValue): boolean => isJsonObject(part) && circular.has(part);
  const leads = (part: JsonValue): boolean =>
    isEnd(part) ||
    (isJsonObject(part) && applied.some((key) => [part[key] ?? []].flat().some(leads)));
  const kept = Object.entries(schema).flatMap(([key, value]): [string, JsonValue][] => {
    if (key === '$ref') return isEnd(schema) ? [] : [[key, value]];
    if (
      key === 'discriminator' &&
      alternatives.some((each) => [schema[each] ?? []].flat().some(leads))
    )
      return [];
    if (key === 'allOf' && isJsonArray(value)) {
      const parts = value.filter((part) => !isEnd(part));
      return [[key, parts.map((part) => withoutCircular(part, { circular, by }))]];
    }
    if (by !== 'allOf' && isJsonArray(value) && alternatives.some((each) => each === key)) {
      const others = value.filter((part) => !leads(part));
      return others.length === 0 ? [] : [[key, structuredClone(others)]];
    }
    const isCut = applied.some((each) => each === key) && [value].flat().some(leads);
    return isCut ? [] : [[key, structuredClone(value)]];
  });
  return Object.fromEntries(kept);
}

import { joinPointer, type Pointer } from '../../json/pointer.ts';
import type { FlatSchema, Schema, SchemaNode } from '../model.ts';

/**
 * How a value is laid out on the wire; `either` is a list or a single value, `open` is whatever
 * comes.
 */
export type Layout = 'text' | 'list' | 'members' | 'either' | 'open';

/** What a schema lets a parameter be, as far as text must be read by it. */
export interface ExpectedValue {
  readonly types: ReadonlySet<string>;
  readonly layout: Layout;
  /**
   * The names of declared properties; an object without any takes every name, unless it is closed.
   */
  readonly names: ReadonlySet<string>;
  readonly isClosed: boolean;
  item(index: number): ExpectedValue;
  member(name: string): ExpectedValue;
}

const countOfTypes = 7;
const scalarTypes = ['boolean', 'integer', 'number', 'string'];

const known = new WeakMap<Schema, ExpectedValue>();

/**
 * Reads from a schema what values to expect; where it names no type, from the branches of its
 * `anyOf` and `oneOf`. The answer is kept for as long as the schema is.
 */
export function expectedValue(schema: Schema): ExpectedValue {
  const expected = known.get(schema) ?? expectedAt(schema, schema.node, schema.pointer);
  known.set(schema, expected);
  return expected;
}

function expectedAt(schema: Schema, node: SchemaNode, pointer: Pointer): ExpectedValue {
  const inside = new Map<Pointer, ExpectedValue>();
  const expectedInside = ([part, at]: Located): ExpectedValue => {
    const expected = inside.get(at) ?? expectedAt(schema, part, at);
    inside.set(at, expected);
    return expected;
  };
  const views = plainViews(schema, node, pointer, new Set());
  const types = new Set(views.flatMap((view) => view.types));
  return {
    types,
    layout: layoutOf(types),
    names: new Set(views.flatMap((view) => [...view.properties.keys()])),
    isClosed: views.every((view) => view.node.additionalProperties === false),
    item: (index) => expectedInside(itemOf(views, index)),
    member: (name) => expectedInside(memberOf(views, name)),
  };
}

/** The schema's own view, or those of its branches. `seen` ends a schema that is its own branch. */
function plainViews(
  schema: Schema,
  node: SchemaNode,
  pointer: Pointer,
  seen: Set<Pointer>,
): FlatSchema[] {
  const flat = schema.flatten(node, pointer);
  const branches = branchesOf(flat);
  if (flat.types.length < countOfTypes || branches.length === 0) return [flat];
  if (seen.has(flat.pointer)) return [];
  seen.add(flat.pointer);
  const views = branches.flatMap(([branch, at]) => plainViews(schema, branch, at, seen));
  return views.length > 0 ? views : [flat];
}

function branchesOf({ node, pointer }: FlatSchema): [SchemaNode, Pointer][] {
  return (['anyOf', 'oneOf'] as const).flatMap((keyword) =>
    (node[keyword] ?? []).map((branch, index): [SchemaNode, Pointer] => [
      branch,
      joinPointer(pointer, keyword, index),
    ]),
  );
}

function layoutOf(types: ReadonlySet<string>): Layout {
  if (types.size === countOfTypes) return 'open';
  const hasScalar = scalarTypes.some((type) => types.has(type));
  if (types.has('array')) return hasScalar ? 'either' : 'list';
  return types.has('object') && !hasScalar ? 'members' : 'text';
}

type Located = [node: SchemaNode, pointer: Pointer];

function itemOf(views: readonly FlatSchema[], index: number): Located {
  for (const { node, pointer } of views) {
    const prefixed = node.prefixItems?.[index];
    if (prefixed !== undefined) return [prefixed, joinPointer(pointer, 'prefixItems', index)];
    if (node.items !== undefined) return [node.items, joinPointer(pointer, 'items')];
  }
  return anything();
}

function memberOf(views: readonly FlatSchema[], name: string): Located {
  for (const { properties } of views) {
    const property = properties.get(name);
    if (property !== undefined) return [property.node, property.pointer];
  }
  for (const { node, pointer } of views) {
    if (typeof node.additionalProperties === 'object')
      return [node.additionalProperties, joinPointer(pointer, 'additionalProperties')];
  }
  return anything();
}

/** What a schema says nothing of. */
function anything(): Located {
  return [true, ''];
}

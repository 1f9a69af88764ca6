import type { LocatedNode, Schema } from '../../../contract/model.ts';
import { joinPointer, type Pointer } from '../../../json/pointer.ts';
import { isJsonArray, isJsonObject } from '../../../json/value.ts';

/**
 * What a schema names, whichever of its forms holds: all members, and what the items of an array
 * are.
 */
export interface ObjectShape {
  readonly members: ReadonlyMap<string, readonly LocatedNode[]>;
  readonly items: readonly LocatedNode[];
  /**
   * Whether it says something of members that it does not name: that they may be there, of what
   * kind they are, or that there are none.
   */
  readonly open: boolean;
}

interface Gathering {
  readonly schema: Schema;
  readonly members: Map<string, LocatedNode[]>;
  readonly items: LocatedNode[];
  readonly seen: Set<Pointer>;
  open: boolean;
}

const known = new WeakMap<object, ObjectShape>();

/**
 * Gathers what a schema names over `$ref`, `allOf`, `oneOf`, `anyOf`, `if` and the like (JSON
 * Schema 2020-12, section 10).
 */
export function objectShape(schema: Schema, place: LocatedNode): ObjectShape {
  if (!isJsonObject(place.node)) return { members: new Map(), items: [], open: true };
  const before = known.get(place.node);
  if (before !== undefined) return before;
  const gathering: Gathering = {
    schema,
    members: new Map(),
    items: [],
    seen: new Set(),
    open: false,
  };
  gather(gathering, place);
  const { members, items, open } = gathering;
  const shape = { members, items, open };
  known.set(place.node, shape);
  return shape;
}

/** Where a schema says which members there are, in parts of its own. */
const alternatives = ['allOf', 'oneOf', 'anyOf'] as const;
const conditions = ['if', 'then', 'else'] as const;

function gather(gathering: Gathering, { node, pointer }: LocatedNode): void {
  if (!isJsonObject(node) || gathering.seen.has(pointer)) return;
  gathering.seen.add(pointer);
  const child = (...tokens: (string | number)[]): Pointer => joinPointer(pointer, ...tokens);
  if (node['$ref'] !== undefined) gather(gathering, gathering.schema.follow(node, pointer));
  for (const keyword of alternatives)
    each(node[keyword], (part, index) =>
      gather(gathering, { node: part, pointer: child(keyword, index) }),
    );
  for (const keyword of conditions)
    if (isJsonObject(node[keyword]))
      gather(gathering, { node: node[keyword], pointer: child(keyword) });
  members(node['dependentSchemas'], (part, name) =>
    gather(gathering, { node: part, pointer: child('dependentSchemas', name) }),
  );
  members(node['properties'], (part, name) =>
    gathering.members.set(name, [
      ...(gathering.members.get(name) ?? []),
      { node: part, pointer: child('properties', name) },
    ]),
  );
  if (isJsonObject(node['items']))
    gathering.items.push({ node: node['items'], pointer: child('items') });
  each(node['prefixItems'], (part, index) =>
    gathering.items.push({ node: part, pointer: child('prefixItems', index) }),
  );
  // What a discriminator leads to may stand anywhere in the contract.
  gathering.open ||= [
    'additionalProperties',
    'patternProperties',
    'unevaluatedProperties',
    'discriminator',
    'propertyNames',
  ].some((keyword) => node[keyword] !== undefined);
}

function each(parts: unknown, take: (part: LocatedNode['node'], index: number) => void): void {
  if (isJsonArray(parts)) parts.forEach((part, index) => isJsonObject(part) && take(part, index));
}

function members(parts: unknown, take: (part: LocatedNode['node'], name: string) => void): void {
  if (!isJsonObject(parts)) return;
  for (const [name, part] of Object.entries(parts))
    if (isJsonObject(part) || part === true) take(part, name);
}

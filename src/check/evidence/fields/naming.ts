import type { LocatedNode, Schema } from '../../../contract/model.ts';
import { joinPointer, type Pointer } from '../../../json/pointer.ts';
import { isJsonArray, isJsonObject } from '../../../json/value.ts';

/**
 * What the schemas that a value may be meant by name, taken together: every object of every answer
 * is held against one of these.
 */
export class Naming {
  readonly places: readonly LocatedNode[];
  /** Whether they name members, and say nothing of others. */
  readonly isClosed: boolean;
  readonly #schema: Schema;
  readonly #named = new Map<string, readonly LocatedNode[]>();
  readonly #members = new Map<string, Naming>();
  #items: Naming | undefined;

  constructor(schema: Schema, places: readonly LocatedNode[]) {
    const shapes = places.map((place) => objectShape(schema, place));
    this.#schema = schema;
    this.places = places;
    this.isClosed =
      shapes.every(({ open }) => !open) && shapes.some(({ members }) => members.size > 0);
    for (const { members } of shapes)
      for (const [name, named] of members)
        this.#named.set(name, [...(this.#named.get(name) ?? []), ...named]);
  }

  /** Where the first of them stands, behind its references. */
  get pointer(): Pointer {
    const [first] = this.places;
    return this.#schema.flatten(first?.node, first?.pointer).pointer;
  }

  /** Whether one of them names a member. */
  names(member: string): boolean {
    return this.#named.has(member);
  }

  /** The same for the value of a member; undefined where none of them names it. */
  member(name: string): Naming | undefined {
    let member = this.#members.get(name);
    if (
      member === undefined &&
      (member = namingAt(this.#schema, this.#named.get(name) ?? [])) !== undefined
    )
      this.#members.set(name, member);
    return member;
  }

  /** The same for the items of an array; undefined where none of them says anything of items. */
  items(): Naming | undefined {
    return (this.#items ??= namingAt(
      this.#schema,
      this.places.flatMap((place) => objectShape(this.#schema, place).items),
    ));
  }
}

/** What a schema names, made once. */
export function namingOf(schema: Schema): Naming {
  let naming = wholes.get(schema);
  if (naming === undefined) wholes.set(schema, (naming = new Naming(schema, [schema])));
  return naming;
}

const wholes = new WeakMap<Schema, Naming>();

/**
 * The naming of schemas at several places of one contract, made once; undefined where there are
 * none.
 */
function namingAt(schema: Schema, named: readonly LocatedNode[]): Naming | undefined {
  const places = distinct(schema, named);
  const [first] = places;
  if (first === undefined) return undefined;
  const key = isJsonObject(first.node) ? first.node : first;
  const alike = known.get(key) ?? [];
  let naming = alike.find(
    (other) =>
      other.places.length === places.length &&
      other.places.every(
        ({ node, pointer }, index) =>
          node === places[index]?.node && pointer === places[index]?.pointer,
      ),
  );
  if (naming === undefined) known.set(key, [...alike, (naming = new Naming(schema, places))]);
  return naming;
}

/**
 * Alternatives often refer to one schema: without this a recursive one has them by the power of the
 * depth.
 */
function distinct(schema: Schema, places: readonly LocatedNode[]): readonly LocatedNode[] {
  if (places.length < 2) return places;
  const byPointer = new Map<Pointer, LocatedNode>();
  for (const place of places) {
    const { pointer } = schema.flatten(place.node, place.pointer);
    if (!byPointer.has(pointer)) byPointer.set(pointer, place);
  }
  return [...byPointer.values()];
}

// A schema may refer to itself, so there is no end to the places of its members; of the schemas
// there is one.
const known = new WeakMap<object, readonly Naming[]>();

/**
 * What a schema names, whichever of its forms holds: all members, and what the items of an array
 * are.
 */
interface ObjectShape {
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

const knownShapes = new WeakMap<object, ObjectShape>();

/**
 * Gathers what a schema names over `$ref`, `allOf`, `oneOf`, `anyOf`, `if` and the like (JSON
 * Schema 2020-12, section 10).
 */
function objectShape(schema: Schema, place: LocatedNode): ObjectShape {
  if (!isJsonObject(place.node)) return { members: new Map(), items: [], open: true };
  const before = knownShapes.get(place.node);
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
  knownShapes.set(place.node, shape);
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
  eachMember(node['dependentSchemas'], (part, name) =>
    gather(gathering, { node: part, pointer: child('dependentSchemas', name) }),
  );
  eachMember(node['properties'], (part, name) =>
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

function eachMember(parts: unknown, take: (part: LocatedNode['node'], name: string) => void): void {
  if (!isJsonObject(parts)) return;
  for (const [name, part] of Object.entries(parts))
    if (isJsonObject(part) || part === true) take(part, name);
}

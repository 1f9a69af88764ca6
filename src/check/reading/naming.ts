import { wordsIn } from '../../words-in.ts';
import { Derived } from '../../contract/lazy.ts';
import type { LocatedNode, Schema } from '../../contract/model.ts';
import { joinPointer, type Pointer } from '../../json/pointer.ts';
import { isJsonArray, isJsonObject } from '../../json/value.ts';

/**
 * The schemas that may describe a value, combined: every object of every response is compared with
 * one of these.
 */
export class Naming {
  readonly places: readonly LocatedNode[];
  /** Whether they declare members and leave open whether there are others. */
  readonly isClosed: boolean;
  readonly #schema: Schema;
  readonly #named = new Map<string, readonly LocatedNode[]>();
  readonly #members = new Map<string, Naming>();
  readonly #derived = new Derived<Naming>();
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

  /** Memoises a function of this naming. */
  derive<Made>(read: (naming: Naming) => Made): Made {
    return this.#derived.of(this, read);
  }

  /** The place of the first schema, with its references resolved. */
  get pointer(): Pointer {
    const [first] = this.places;
    return this.#schema.flatten(first).pointer;
  }

  /** Whether one of them declares a member. */
  names(member: string): boolean {
    return this.#named.has(member);
  }

  /** The same for the value of a member; undefined if none of them declares it. */
  member(name: string): Naming | undefined {
    let member = this.#members.get(name);
    if (
      member === undefined &&
      (member = namingAt(this.#schema, this.#named.get(name) ?? [])) !== undefined
    )
      this.#members.set(name, member);
    return member;
  }

  /** The same for the items of an array; undefined if none of them describes items. */
  items(): Naming | undefined {
    return (this.#items ??= namingAt(
      this.#schema,
      this.places.flatMap((place) => objectShape(this.#schema, place).items),
    ));
  }
}

/** The members that a schema declares, computed once. */
export function namingOf(schema: Schema): Naming {
  return schema.derive(nameWhole);
}

function nameWhole(schema: Schema): Naming {
  return new Naming(schema, [schema]);
}

/**
 * The combined members of schemas at several places of one contract, computed once; undefined
 * without places.
 */
function namingAt(schema: Schema, named: readonly LocatedNode[]): Naming | undefined {
  const places = distinct(schema, named);
  const [first] = places;
  if (first === undefined) return undefined;
  const alike = schema.part(first).derive(newNamings);
  let naming = alike.find(
    (other) =>
      other.places.length === places.length &&
      other.places.every(
        ({ node, pointer }, index) =>
          node === places[index]?.node && pointer === places[index]?.pointer,
      ),
  );
  if (naming === undefined) alike.push((naming = new Naming(schema, places)));
  return naming;
}

/**
 * Alternatives often refer to one schema: without this, a recursive schema has exponentially many.
 */
function distinct(schema: Schema, places: readonly LocatedNode[]): readonly LocatedNode[] {
  if (places.length < 2) return places;
  const byPointer = new Map<Pointer, LocatedNode>();
  for (const place of places) {
    const { pointer } = schema.flatten(place);
    if (!byPointer.has(pointer)) byPointer.set(pointer, place);
  }
  return [...byPointer.values()];
}

/**
 * The combined members that begin with one schema, which holds them. A schema may refer to itself,
 * so the places of its members are unlimited; the number of schemas is not.
 */
const newNamings = (): Naming[] => [];

/** What a schema declares in any of its alternatives: all members, and the items of an array. */
interface ObjectShape {
  readonly members: ReadonlyMap<string, readonly LocatedNode[]>;
  readonly items: readonly LocatedNode[];
  /** Whether it describes undeclared members: allows them, gives them a schema, or forbids them. */
  readonly open: boolean;
}

interface Gathering {
  readonly schema: Schema;
  readonly members: Map<string, LocatedNode[]>;
  readonly items: LocatedNode[];
  readonly seen: Set<Pointer>;
  open: boolean;
}

/**
 * Collects what a schema declares through `$ref`, `allOf`, `oneOf`, `anyOf`, `if` and the like
 * (JSON Schema 2020-12, section 10).
 */
function objectShape(schema: Schema, place: LocatedNode): ObjectShape {
  if (!isJsonObject(place.node)) return { members: new Map(), items: [], open: true };
  return schema.part(place).derive(readShape);
}

function readShape(schema: Schema): ObjectShape {
  const gathering: Gathering = {
    schema,
    members: new Map(),
    items: [],
    seen: new Set(),
    open: false,
  };
  gather(gathering, schema);
  const { members, items, open } = gathering;
  return { members, items, open };
}

/** The keywords whose subschemas declare members of the same object. */
const alternatives = ['allOf', 'oneOf', 'anyOf'] as const;
const conditions = ['if', 'then', 'else'] as const;

function gather(gathering: Gathering, { node, pointer }: LocatedNode): void {
  if (!isJsonObject(node) || gathering.seen.has(pointer)) return;
  gathering.seen.add(pointer);
  const child = (...tokens: (string | number)[]): Pointer => joinPointer(pointer, ...tokens);
  if (node['$ref'] !== undefined) gather(gathering, gathering.schema.follow({ node, pointer }));
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
  // The schemas of a discriminator may be anywhere in the contract.
  gathering.open ||= wordsIn(
    'additionalProperties patternProperties unevaluatedProperties discriminator',
    'propertyNames',
  ).some((keyword) => node[keyword] !== undefined);
}

function each(parts: unknown, take: (part: LocatedNode['node'], index: number) => void): void {
  if (isJsonArray(parts)) parts.forEach((part, index) => isJsonObject(part) && take(part, index));
}

function eachMember(parts: unknown, take: (part: LocatedNode['node'], name: string) => void): void {
  if (!isJsonObject(parts)) return;
  for (const [name, part] of Object.entries(parts))
    if (isJsonObject(part) || part === true) take(part, name);
}

import type { LocatedNode, Schema } from '../../../contract/model.ts';
import type { Pointer } from '../../../json/pointer.ts';
import { isJsonObject } from '../../../json/value.ts';
import { objectShape } from './object-shape.ts';

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

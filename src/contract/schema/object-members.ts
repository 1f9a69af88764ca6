import { joinPointer, type Pointer } from '../../json/pointer.ts';
import { type JsonValue, stringifyJson } from '../../json/value.ts';
import { remember } from '../../remember.ts';
import type { FlatSchema, LocatedNode, Schema, SchemaNode } from '../model.ts';
import { writeReference } from '../read/cursor.ts';

/**
 * The members of an object that may have one of several forms (`oneOf`, `anyOf`), taken together.
 */
export interface ObjectMembers {
  readonly properties: ReadonlyMap<string, LocatedNode>;
  /** The members that every form requires. */
  readonly required: ReadonlySet<string>;
  /** The members that every form has. */
  readonly common: ReadonlySet<string>;
}

const maxDepth = 3;

/**
 * The members of an object schema: its own, and those of its alternatives, if all of them are
 * objects. A member that the forms define differently may match any of the definitions.
 */
export function objectMembers(schema: Schema, place: LocatedNode = schema): ObjectMembers {
  return readMembers(schema, place, maxDepth);
}

/** A cache of members by flattened view. */
const newMembersCache = (): Map<FlatSchema, ObjectMembers> => new Map();

function readMembers(schema: Schema, place: LocatedNode, depth: number): ObjectMembers {
  const flat = schema.flatten(place);
  return remember(schema.derive(newMembersCache), flat, () => {
    const { properties, required } = flat;
    const forms = depth === 0 ? [] : alternativesOf(schema, flat, depth);
    return forms.length === 0
      ? { properties, required, common: new Set(properties.keys()) }
      : joinForms(flat, forms);
  });
}

/** The forms of an object; none if it has only one, or may be something other than an object. */
function alternativesOf(schema: Schema, flat: FlatSchema, depth: number): ObjectMembers[] {
  const { node } = flat;
  const keyword = Array.isArray(node.oneOf) ? 'oneOf' : 'anyOf';
  const branches = (
    Array.isArray(node[keyword]) ? (node[keyword] as readonly SchemaNode[]) : []
  ).map((branch, index) => ({
    node: branch,
    pointer: joinPointer(flat.pointerOf(keyword), index),
  }));
  const objects = branches.filter((branch) => !isNull(schema.flatten(branch)));
  const forms = objects.map((branch) => readMembers(schema, branch, depth - 1));
  return forms.every(({ properties }) => properties.size > 0) ? forms : [];
}

function isNull({ types }: FlatSchema): boolean {
  return types.length === 1 && types[0] === 'null';
}

function joinForms(flat: FlatSchema, forms: readonly ObjectMembers[]): ObjectMembers {
  const names = new Set([
    ...flat.properties.keys(),
    ...forms.flatMap(({ properties }) => [...properties.keys()]),
  ]);
  const inAll = (pick: (form: ObjectMembers) => { has(name: string): boolean }) => (name: string) =>
    forms.every((form) => pick(form).has(name));
  return {
    properties: new Map(
      [...names].flatMap((name) => {
        const places = [
          flat.properties.get(name) ?? [],
          ...forms.map(({ properties }) => properties.get(name) ?? []),
        ].flat();
        const joined =
          flat.properties.get(name) ??
          joinPlaces(places, joinPointer(flat.pointer, 'oneOf', 'members', name));
        return joined === undefined ? [] : [[name, joined] as const];
      }),
    ),
    required: new Set(
      [...names].filter(
        (name) => flat.required.has(name) || inAll(({ required }) => required)(name),
      ),
    ),
    common: new Set(
      [...names].filter((name) => flat.properties.has(name) || inAll(({ common }) => common)(name)),
    ),
  };
}

/**
 * One place for a member: that of the first form if all forms agree; otherwise any of them, under a
 * new pointer.
 */
function joinPlaces(places: readonly LocatedNode[], pointer: Pointer): LocatedNode | undefined {
  // A node is JSON, as in the document.
  const distinct = new Map(places.map((place) => [stringifyJson(place.node as JsonValue), place]));
  const [first] = distinct.values();
  if (distinct.size < 2) return first;
  const anyOf = [...distinct.values()].flatMap(
    // Nothing stands at the pointer of a place that was joined itself.
    (place) => joinedIn(place.node) ?? [{ $ref: writeReference(place.pointer) }],
  );
  const node = { anyOf };
  joinedForms.set(node, anyOf);
  return { node, pointer };
}

/** The alternatives of each node that was joined here. */
const joinedForms = new WeakMap<object, readonly SchemaNode[]>();

function joinedIn(node: SchemaNode): readonly SchemaNode[] | undefined {
  return typeof node === 'object' ? joinedForms.get(node) : undefined;
}

/** Whether an object may have no members but those that its schema names. */
export function isClosed({ node }: Pick<FlatSchema, 'node'>): boolean {
  return node.additionalProperties === false || node.unevaluatedProperties === false;
}

export function schemaOfItems(schema: Schema): Schema | undefined {
  const { items } = schema.flatten();
  return items && schema.part(items);
}

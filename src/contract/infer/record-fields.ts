import { oncePer, once } from '../lazy.ts';
import type { FlatSchema, LocatedNode, Resource, Schema } from '../model.ts';
import { shapeOf } from '../schema/flatten-schema.ts';
import { objectMembers } from '../schema/object-members.ts';
import { groupsOf, layoutOf } from './record-view.ts';
import { plainName } from './infer-names.ts';

/** A scalar field of a record, a list of scalars, or a scalar of each object of a list. */
export interface RecordField {
  /** Dotted if nested in an object of the record, or in those of a list: `owner.name`. */
  readonly name: string;
  /** The name without the group in which a record keeps its fields: `title` of `attributes.title`. */
  readonly own: string;
  /** `own` as names are compared. */
  readonly plain: string;
  /** The scalar types that it, or each of its items, may have. */
  readonly types: readonly string[];
  readonly many: boolean;
  readonly flat: FlatSchema;
  readonly place: LocatedNode;
}

/** The fields of a record that a parameter can refer to: its own, then those of nested objects. */
export const recordFields = once((record: Schema): readonly RecordField[] => {
  const group = groupsOf(record)?.group;
  const own = [...objectMembers(record).properties];
  const inner = own.flatMap(([name, place]): Placed[] => {
    const flat = record.flatten(place);
    const { items } = flat;
    const many = isList(flat) && items !== undefined;
    const view = many ? record.flatten(items) : flat;
    return view.types.includes('object') && view.types.length <= 2
      ? [...view.properties].map(([part, inside]) => [`${name}.${part}`, inside, many])
      : [];
  });
  const outer = own.map(([name, place]): Placed => [name, place, false]);
  return [...outer, ...inner].flatMap(([name, place, isInList]) => {
    const flat = record.flatten(place);
    const types = scalarTypes(record, flat);
    const short = group !== undefined && name.startsWith(`${group}.`);
    const called = short ? name.slice(group.length + 1) : name;
    const many = isInList || isList(flat);
    return types.length === 0
      ? []
      : [{ name, own: called, plain: plainName(called), types, many, flat, place }];
  });
});

/** A member of a record or of its objects; whether there may be several of these. */
type Placed = readonly [name: string, place: LocatedNode, isInList: boolean];

/** The name of a field without the group in which the record keeps it; the same if in none. */
export function ownName(record: Schema, field: string): string {
  return recordFields(record).find(({ name }) => name === field)?.own ?? field;
}

/**
 * Memoises a function of resources. The schema of the records holds the result, so both are freed
 * together.
 */
export function oncePerResource<Made>(
  read: (resource: Resource) => Made,
): (resource: Resource) => Made {
  const readOnce = oncePer((_: Schema, resource: Resource) => read(resource));
  return (resource) => readOnce(resource.record, resource);
}

/** The scalar types that a value, or each item of a list, may have. */
export function scalarTypes(schema: Schema, flat: FlatSchema): string[] {
  const { items } = flat;
  if (isList(flat)) return items === undefined ? [] : scalarTypes(schema, schema.flatten(items));
  const types = flat.types.filter(
    (type) => type === 'string' || type === 'integer' || type === 'number' || type === 'boolean',
  );
  return types.join() === 'string' && isDigits(flat) ? ['string', 'integer'] : types;
}

/** Whether a text is a whole number in digits, as many services write all of them. */
export function isDigits({ node: { pattern, enum: words } }: FlatSchema): boolean {
  if (words !== undefined) return words.every((word) => /^\d+$/.test(String(word)));
  return typeof pattern === 'string' && /^\^-?\??(?:\[0-9\]|\\d)[+*]\$$/.test(pattern);
}

/** Whether a schema allows only a list, or a list and null. */
export function isList({ types }: FlatSchema): boolean {
  return types.includes('array') && types.length <= 2;
}

/** Whether an operation of a resource lists or creates its records. */
export function listsOrMakes({ kind, operations }: Pick<Resource, 'kind' | 'operations'>): boolean {
  return (
    kind === 'collection' && (operations.list !== undefined || operations.create !== undefined)
  );
}

/** Whether a client can learn which records exist, on this path or on another one to the same set. */
export function hasKnownRecords(
  resource: Pick<Resource, 'kind' | 'operations' | 'isFed'>,
): boolean {
  return listsOrMakes(resource) || resource.isFed === true;
}

/**
 * Whether every identifier of its schema may name a record of a resource: no operation lists or
 * makes them. `GET /weather/{city}` answers for any city, and `PATCH /sign_ups/{id}` changes what
 * was made elsewhere.
 */
export function existsUnmade(
  { kind, collection }: Pick<Resource, 'kind' | 'collection'>,
  resources: readonly Resource[],
): boolean {
  return (
    kind === 'collection' &&
    resources
      .filter((other) => other.collection === collection)
      .every(({ operations: { list, create }, namedCreate, byValue }) =>
        [list, create, namedCreate, byValue[0]].every((maker) => maker === undefined),
      )
  );
}

/**
 * Whether a singleton is there as long as its parent is: no operation makes or removes it, as those
 * of `/orgs/{id}/settings` only read and change it.
 */
export function staysWithParent({ kind, operations }: Resource): boolean {
  const { create, replace, delete: remove } = operations;
  const makes = replace?.responses.some(({ status }) => status === '201') === true;
  return kind === 'singleton' && create === undefined && remove === undefined && !makes;
}

/**
 * Whether a client cannot learn the identifiers of records: nothing lists or changes them, no
 * schema shows them, and a create neither returns a record nor documents Location. A request for
 * one then means a record that the contract describes, not a missing one.
 */
export function hidesIdentifiers(resource: Resource): boolean {
  const { kind, operations, namedCreate, byValue, conventions } = resource;
  const { read, create, ...more } = operations;
  const isUnshown = conventions.some(
    (id) => id === 'identifier.undeclared' || id === 'identifier.hidden',
  );
  return (
    kind === 'collection' &&
    read !== undefined &&
    Object.keys(more).length === 0 &&
    namedCreate === undefined &&
    byValue.length === 0 &&
    isUnshown &&
    (create === undefined ||
      (conventions.some((id) => /^creation\.(without-answer|by-word)$/.test(id)) &&
        !create.responses.some(({ headers }) => headers.some(isLocation))))
  );
}

function isLocation({ name }: { readonly name: string }): boolean {
  return /^(location|content-location|link)$/i.test(name);
}

/**
 * Whether two schemas describe the same record: they are the same, or have the same members; a
 * document may write one record several times.
 */
export function describesSame(left: Schema, right: Schema): boolean {
  if (isSameSchema(left, right)) return true;
  const [one, other] = [left.flatten().properties, right.flatten().properties];
  return (
    one.size > 0 && one.size === other.size && [...one.keys()].every((name) => other.has(name))
  );
}

/**
 * Whether two schemas are the same: written once and referenced twice, or written out alike where
 * at least one of them has no name, as generators do that know no components.
 */
export function isSameSchema(left: Schema, right: Schema): boolean {
  const placeOf = (schema: Schema): string => layoutOf(schema)?.of ?? schema.follow(schema).pointer;
  const [one, other] = [placeOf(left), placeOf(right)];
  if (one === other) return true;
  if (![one, other].some((place) => place.startsWith('/paths/'))) return false;
  const shape = left.derive(shapeOfRecord);
  return shape !== undefined && shape === right.derive(shapeOfRecord);
}

/** Fewer members may be alike by chance: `id` and `name`. */
const fewestMembers = 3;

/** The content of an object of some members; undefined for any other schema. */
function shapeOfRecord(schema: Schema): string | undefined {
  if (layoutOf(schema) !== undefined) return undefined;
  const { properties } = schema.flatten();
  if (properties.size < fewestMembers) return undefined;
  return shapeOf(schema, ($ref, from) => schema.follow({ node: { $ref }, pointer: from }))?.hash;
}

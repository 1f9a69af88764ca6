import { joinPointer, type Pointer } from '../../json/pointer.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { isJsonArray, isJsonObject, objectOf, memberOf } from '../../json/value.ts';
import type {
  FlatSchema,
  LocatedNode,
  RecordLayout,
  Schema,
  SchemaNode,
  SchemaObject,
} from '../model.ts';
import { writeReference } from '../read/cursor.ts';
import { plainName } from './infer-names.ts';

/** The keyword that marks the schema of a record whose fields stand in groups. */
const layoutKeyword = 'x-vouch-layout';

/** The layout of a record's schema; undefined for nearly all, whose fields stand at the top. */
export function layoutOf(schema: Schema): RecordLayout | undefined {
  return typeof schema.node === 'object' ? layoutIn(schema.node) : undefined;
}

function layoutIn(node: SchemaObject): RecordLayout | undefined {
  // Only this file writes the keyword.
  return node[layoutKeyword] as RecordLayout | undefined;
}

/** The layout of a record that keeps its fields in a group, whether its schema is opened or not. */
export function groupsOf(schema: Schema): RecordLayout | undefined {
  return layoutOf(schema) ?? schema.derive(readGroups);
}

function readGroups(schema: Schema): RecordLayout | undefined {
  const view = recordNode(schema, schema);
  return view && layoutIn(view);
}

/**
 * A record as its fields, without the groups in which a body keeps them: `title` for
 * `attributes.title`, and the identifier that a relationship names for the relationship. Members
 * beside the groups, such as `id`, stay, whatever a group has under their names.
 */
export function openRecord(
  { group, own: names, relations }: RecordLayout,
  record: JsonObject,
): JsonObject {
  const { [group]: fields, ...rest } = record;
  const { [relations?.member ?? '']: linked, ...beside } = rest;
  const own = names.flatMap((name) =>
    Object.hasOwn(beside, name) ? [[name, beside[name] ?? null] as const] : [],
  );
  return {
    ...beside,
    ...objectOf(fields),
    ...(isJsonObject(linked) ? linkedFields(linked) : {}),
    ...Object.fromEntries(own),
  };
}

/** A record by its fields, which its schema may keep in a group. */
export function openedRecord(schema: Schema, record: JsonObject): JsonObject {
  const layout = groupsOf(schema);
  return layout === undefined ? record : openRecord(layout, record);
}

function linkedFields(linked: JsonObject): JsonObject {
  const found = Object.entries(linked).flatMap(([name, link]) => {
    const data = memberOf(link, 'data');
    if (data === undefined) return [];
    return [[name, isJsonArray(data) ? data.map(identifierIn) : identifierIn(data)] as const];
  });
  return Object.fromEntries(found);
}

function identifierIn(linkage: JsonValue): JsonValue {
  return isJsonObject(linkage) ? (linkage['id'] ?? null) : linkage;
}

/** The opposite of `openRecord`: a record as a body writes it. */
export function closeRecord(
  { group, own, relations, required }: RecordLayout,
  fields: JsonObject,
): JsonObject {
  const record: Record<string, JsonValue> = {};
  const grouped: Record<string, JsonValue> = {};
  const linked: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(fields)) {
    const relation = relations?.types[name];
    if (own.includes(name)) record[name] = value;
    else if (relation === undefined) grouped[name] = value;
    else linked[name] = { data: linkageOf(value, relation) };
  }
  const parts = { [group]: grouped, ...(relations && { [relations.member]: linked }) };
  for (const [name, part] of Object.entries(parts))
    if (Object.keys(part).length > 0 || required.includes(name)) record[name] = part;
  return record;
}

function linkageOf(value: JsonValue, type: string): JsonValue {
  if (isJsonArray(value)) return value.map((item) => linkageOf(item, type));
  return value === null ? null : { type, id: value };
}

/** How deep a record stands in a body: `/data/0`. */
const deepest = 2;

/** Members of a body that hold no record of the operation. */
const beside = /^_?(links?|meta|included|errors?|jsonapi)$/i;

/**
 * The schema of a body in which each record is described by its fields, as `openRecord` shows it;
 * undefined if no record keeps its fields in groups.
 */
export function openedSchema(schema: Schema, groups?: Groups): Schema | undefined {
  const node = openNode(schema, schema, { depth: 0, ...(groups && { groups }) });
  if (node === undefined) return undefined;
  // What is written once is the same schema wherever it is opened.
  const { pointer } = schema.follow(schema);
  return schema.part({ node, pointer: joinPointer(pointer, 'x-vouch-open') });
}

interface Opening {
  readonly depth: number;
  readonly groups?: Groups;
}

function openNode(schema: Schema, place: LocatedNode, opening: Opening): SchemaObject | undefined {
  const flat = schema.flatten(place);
  const view = recordNode(schema, place, opening.groups);
  if (view !== undefined || opening.depth > deepest) return view;
  const { items } = flat.node;
  const within = { ...opening, depth: opening.depth + 1 };
  if (items !== undefined && flat.types.includes('array')) {
    const inner = openNode(schema, { node: items, pointer: flat.pointerOf('items') }, within);
    return inner && { ...flat.node, items: inner };
  }
  const opened = [...flat.properties].flatMap(([name, property]) => {
    const inner = beside.test(name) ? undefined : openNode(schema, property, within);
    return inner === undefined ? [] : [[name, inner] as const];
  });
  if (opened.length === 0) return undefined;
  const { allOf: _allOf, $ref: _ref, ...own } = flat.node;
  return { ...own, properties: { ...refersTo(flat.properties), ...Object.fromEntries(opened) } };
}

function refersTo(properties: ReadonlyMap<string, LocatedNode>): Record<string, SchemaNode> {
  return Object.fromEntries(
    [...properties].map(([name, { pointer }]) => [name, { $ref: writeReference(pointer) }]),
  );
}

/** The groups that a create fills alone, by the places of the records that it answers. */
export type Groups = ReadonlyMap<Pointer, string>;

/**
 * The schema of a record by its fields, if it keeps them in one group beside its identifier or type
 * (JSON:API 1.1, section 7.2), and its references in another.
 */
export function recordNode(
  schema: Schema,
  place: LocatedNode,
  groups?: Groups,
): SchemaObject | undefined {
  const flat = schema.flatten(place);
  const filled = groups?.get(schema.follow(place).pointer);
  const shape = filled === undefined ? shapeOf(schema, flat) : filledShape(flat, filled);
  if (shape === undefined) return undefined;
  const { group, links, own } = shape;
  const fields = schema.flatten(group.place);
  const references = links === undefined ? [] : referencesIn(schema, links.place);
  const parts: readonly Part[] = [
    {
      member: group.name,
      names: [...fields.properties.keys()],
      required: [...fields.required],
    },
    {
      member: links?.name ?? '',
      names: references.map(({ name }) => name),
      required: references.flatMap(({ name, isRequired }) => (isRequired ? [name] : [])),
    },
  ];
  const names = [...own.keys(), ...parts.flatMap((part) => part.names)];
  if (new Set(names).size < names.length) return undefined;
  const isAlways = ({ member }: Part): boolean => flat.required.has(member);
  const layout: RecordLayout = {
    of: schema.follow(place).pointer,
    group: group.name,
    own: [...own.keys()],
    required: [...flat.required].filter((name) => !own.has(name)),
    ...(links === undefined
      ? {}
      : {
          relations: {
            member: links.name,
            types: Object.fromEntries(references.map(({ name, type }) => [name, type])),
          },
        }),
  };
  const dependent = parts.filter((part) => !isAlways(part)).flatMap(dependentsOf);
  return {
    type: 'object',
    properties: {
      ...refersTo(own),
      ...refersTo(fields.properties),
      ...Object.fromEntries(references.map(({ name, node }) => [name, node])),
    },
    required: [
      ...[...flat.required].filter((name) => own.has(name)),
      ...parts.filter(isAlways).flatMap(({ required }) => required),
    ],
    ...(dependent.length === 0 ? {} : { dependentRequired: Object.fromEntries(dependent) }),
    ...(fields.node.additionalProperties === false ? { additionalProperties: false } : {}),
    'x-vouch-view': true,
    [layoutKeyword]: layout,
  };
}

/** A group of a record, and the fields in it. */
interface Part {
  readonly member: string;
  readonly names: readonly string[];
  readonly required: readonly string[];
}

/** What each field of a group needs beside it, where the record may lack the whole group. */
function dependentsOf({ names, required }: Part): [string, string[]][] {
  return names.flatMap((name): [string, string[]][] => {
    const others = required.filter((other) => other !== name);
    return others.length === 0 ? [] : [[name, others]];
  });
}

interface NamedPlace {
  readonly name: string;
  readonly place: LocatedNode;
}

/** The parts of a record that keeps its fields in a group. */
interface GroupedShape {
  readonly group: NamedPlace;
  readonly links: NamedPlace | undefined;
  readonly own: ReadonlyMap<string, LocatedNode>;
}

/** The same where a create fills one group: what stands beside it is the service's. */
function filledShape({ properties }: FlatSchema, name: string): GroupedShape | undefined {
  const place = properties.get(name);
  const own = new Map([...properties].filter(([each]) => each !== name));
  return place && { group: { name, place }, links: undefined, own };
}

function shapeOf(schema: Schema, flat: FlatSchema): GroupedShape | undefined {
  if (
    !flat.types.includes('object') ||
    flat.node.oneOf !== undefined ||
    flat.node.anyOf !== undefined
  )
    return undefined;
  const groups: NamedPlace[] = [];
  let links: NamedPlace | undefined;
  const own = new Map<string, LocatedNode>();
  // A feature has a geometry beside its fields (RFC 7946, section 3.2).
  const isFeature = ['geometry', 'properties'].every((name) => flat.properties.has(name));
  for (const [name, place] of flat.properties) {
    const part = schema.flatten(place);
    const isGroup = part.types.includes('object') && part.properties.size > 0 && !beside.test(name);
    if (!isGroup || (isFeature && name !== 'properties')) own.set(name, place);
    else if (holdsLinks(schema, part)) links = { name, place };
    else if (holdsScalar(schema, part)) groups.push({ name, place });
    else own.set(name, place);
  }
  const [group, ...others] = groups;
  if (group === undefined || others.length > 0) return undefined;
  if (isFeature) return { group, links, own };
  const naming = [...own.keys()].filter((name) => identifying.test(plainName(name)));
  const isAlone = [...own].every(
    ([name, place]) => beside.test(name) || namesRecord(schema, name, place),
  );
  return isAlone && naming.length > 0 ? { group, links, own } : undefined;
}

/** Members by which a record beside a group is known. */
const identifying = /^_?(id|lid|uuid|guid|type|kind)$/;

/** Whether a member beside the group says which record it is, or is set by the service. */
function namesRecord(schema: Schema, name: string, place: LocatedNode): boolean {
  const { node, types } = schema.flatten(place);
  if (types.includes('object') || types.includes('array')) return node.readOnly === true;
  return (
    identifying.test(plainName(name)) ||
    node.readOnly === true ||
    node.const !== undefined ||
    node.enum?.length === 1
  );
}

/** Whether an object has a field of its own, and not only parts. */
function holdsScalar(schema: Schema, { properties }: FlatSchema): boolean {
  return [...properties.values()].some((place) => {
    const { types } = schema.flatten(place);
    return !types.includes('object') && !types.includes('array');
  });
}

/** Whether each member of an object refers to records (JSON:API 1.1, section 7.2.2.2). */
function holdsLinks(schema: Schema, { properties }: FlatSchema): boolean {
  return [...properties.values()].every((place) => linkageIn(schema, place) !== undefined);
}

interface Reference {
  readonly name: string;
  readonly node: SchemaObject;
  /** The type of the records that it names; `''` if the contract does not say. */
  readonly type: string;
  readonly isRequired: boolean;
}

function referencesIn(schema: Schema, place: LocatedNode): Reference[] {
  const { properties, required } = schema.flatten(place);
  return [...properties].flatMap(([name, member]): Reference[] => {
    const linkage = linkageIn(schema, member);
    if (linkage === undefined) return [];
    const { identifier, type, form } = linkage;
    const one: SchemaObject = { $ref: writeReference(identifier) };
    const forms: Readonly<Record<typeof form, SchemaObject>> = {
      one,
      nullable: { anyOf: [one, { type: 'null' }] },
      many: { type: 'array', items: one },
    };
    return [{ name, node: forms[form], type, isRequired: required.has(name) }];
  });
}

interface Linkage {
  readonly identifier: Pointer;
  readonly type: string;
  readonly form: 'one' | 'nullable' | 'many';
}

/** What `{ "data": { "type": …, "id": … } }` names, or a list of such. */
function linkageIn(schema: Schema, place: LocatedNode): Linkage | undefined {
  const data = schema.flatten(place).properties.get('data');
  if (data === undefined) return undefined;
  const flat = schema.flatten(data);
  const { items } = flat.node;
  const isMany = items !== undefined && flat.types.includes('array');
  const named = isMany
    ? { node: items, pointer: flat.pointerOf('items') }
    : [data, ...alternativesOf(flat)].find((one) => schema.flatten(one).properties.size > 0);
  const members = named && schema.flatten(named).properties;
  const [identifier, type] = [members?.get('id'), members?.get('type')];
  if (identifier === undefined || type === undefined) return undefined;
  const { node } = schema.flatten(type);
  const [word] = node.const === undefined ? (node.enum ?? []) : [node.const];
  const isNullable = flat.types.includes('null') || named !== data;
  return {
    identifier: identifier.pointer,
    type: typeof word === 'string' ? word : '',
    form: isMany ? 'many' : isNullable ? 'nullable' : 'one',
  };
}

function alternativesOf(flat: FlatSchema): LocatedNode[] {
  return (['oneOf', 'anyOf'] as const).flatMap((keyword) =>
    (Array.isArray(flat.node[keyword]) ? (flat.node[keyword] as readonly SchemaNode[]) : []).map(
      (node, index) => ({ node, pointer: joinPointer(flat.pointerOf(keyword), index) }),
    ),
  );
}

import { findRecord, recordPlace } from '../../../contract/infer/conventions/envelope-styles.ts';
import { plainName } from '../../../contract/infer/infer-names.ts';
import { groupsOf } from '../../../contract/infer/record-view.ts';
import { lastWord } from '../../../contract/infer/conventions/path-styles.ts';
import { once } from '../../../contract/lazy.ts';
import type { Resource, Schema } from '../../../contract/model.ts';
import { bodySchema } from '../../../contract/model/operation.ts';
import { holdsBinary } from '../../../contract/content/write-content.ts';
import { valueAt } from '../../../json/pointer.ts';
import type { JsonArray, JsonObject, JsonValue } from '../../../json/value.ts';
import { isJsonObject, setMember } from '../../../json/value.ts';
import type { OperationPlan, ValidRequest } from '../../model/request.ts';
import { oncePerPlan } from '../find-record.ts';
import { fieldsOf, type SchemaField, type SchemaFields, shapeOf } from '../record-fields.ts';

/**
 * The members of the body to store: without readOnly members, which the service sets, and writeOnly
 * members, which are never shown.
 */
export function givenMembers(request: ValidRequest, resource: Resource): JsonObject {
  return keptMembers(toldMembers(request, resource), request.plan, resource);
}

/** All members of the body, as the record would hold them. */
export function toldMembers(request: ValidRequest, resource: Resource): JsonObject {
  const body = unwrapBody(request, resource);
  if (!isJsonObject(body)) return {};
  return placeMembers(inNamesOfRecord(body, resource), request.plan, resource);
}

/** The record that the contract shows in the response to exactly this request. */
export function pairedRecord(
  { paired, plan }: ValidRequest,
  { record }: Resource,
): JsonObject | undefined {
  if (paired === undefined) return undefined;
  const place = recordPlace(plan.operation, record);
  const shown = place && valueAt(paired, place.at);
  return isJsonObject(shown) ? shown : undefined;
}

/** A changed record with what the contract shows that the service sets for exactly this request. */
export function withPaired(
  record: JsonObject,
  request: ValidRequest,
  resource: Resource,
): JsonObject {
  const shown = pairedRecord(request, resource);
  if (shown === undefined) return record;
  const sent = requestFields(request.plan);
  const isClients = (name: string): boolean => {
    const field = sent.get(name);
    return name === resource.identifier.field || (field !== undefined && !field.readOnly);
  };
  const own = Object.entries(shown).filter(([name]) => !isClients(name));
  return { ...record, ...Object.fromEntries(own) };
}

/**
 * The members of a request under the names that records have: form fields may be `FriendlyName`
 * where records have `friendly_name`.
 */
function inNamesOfRecord(body: JsonObject, resource: Resource): JsonObject {
  const names = Object.keys(body);
  const renamed = names.map((name) => nameInRecord(name, resource));
  if (renamed.every((name, index) => name === names[index])) return body;
  const members: Record<string, JsonValue> = {};
  for (const [index, name] of names.entries()) {
    const other = renamed[index] ?? name;
    setMember(members, Object.hasOwn(body, other) ? name : other, body[name] ?? null);
  }
  return members;
}

/** The field of records with the name of a member, in whichever case; else the name itself. */
function nameInRecord(name: string, resource: Resource): string {
  const { fields } = shapeOf(resource);
  if (fields.has(name)) return name;
  const plain = plainName(name);
  const same = [...fields.values()].filter(({ normalised }) => normalised === plain);
  return same.length === 1 ? (same[0]?.name ?? name) : name;
}

/** The defaults of omitted request fields: assumed ones, otherwise the contract's. */
export function defaultMembers(plan: OperationPlan, resource: Resource): JsonObject {
  const declared = [...requestFields(plan).values()].flatMap(({ name, flat }) =>
    flat.node.default === undefined ? [] : [[name, flat.node.default] as const],
  );
  const members = { ...Object.fromEntries(declared), ...plan.assumption?.default };
  return keptMembers(placeMembers(members, plan, resource), plan, resource);
}

/**
 * The members of a request at their place in the record: JSON:API-like services accept them at the
 * top and return them within `attributes`.
 */
function placeMembers(members: JsonObject, plan: OperationPlan, resource: Resource): JsonObject {
  const container = containerOf(members, plan, resource);
  if (container === undefined) return members;
  const inside = fieldsOf(container.schema);
  const { field: identifier } = resource.identifier;
  const isInside = (name: string): boolean => inside.has(name) && name !== identifier;
  const entries = Object.entries(members);
  const moved = entries.filter(([name]) => isInside(name));
  if (moved.length === 0) return members;
  return {
    ...Object.fromEntries(entries.filter(([name]) => !isInside(name))),
    [container.name]: Object.fromEntries(moved),
  };
}

/**
 * The member of a record that holds the request's top-level members; undefined if there is none.
 */
function containerOf(
  members: JsonObject,
  plan: OperationPlan,
  resource: Resource,
): SchemaField | undefined {
  // Without declared members, the fields of the request decide.
  return requestFields(plan).size === 0
    ? findContainer(Object.keys(members), resource)
    : declaredContainer(plan, resource);
}

const declaredContainer = oncePerPlan((plan, resource) =>
  findContainer([...requestFields(plan).keys()], resource),
);

/** Names of members in which records hold the client's fields. */
const containing = /^(attributes|properties|fields|spec|settings|profile|details)$/;

function findContainer(names: readonly string[], resource: Resource): SchemaField | undefined {
  const { fields } = shapeOf(resource);
  const isOwn = (name: string): boolean => name !== resource.identifier.field;
  const own = names.filter(isOwn);
  const atTop = own.filter((name) => fields.has(name)).length;
  const shares = [...fields.values()]
    .filter(({ name, flat }) => !own.includes(name) && flat.types.includes('object'))
    .map((field) => {
      const inside = fieldsOf(field.schema);
      return { field, shared: own.filter((name) => inside.has(name)).length };
    })
    .filter(
      ({ field, shared }) =>
        shared > atTop ||
        (shared > 0 && atTop === 0) ||
        (shared > 0 && containing.test(field.name)),
    )
    .sort((left, right) => right.shared - left.shared);
  return shares[0]?.field;
}

function keptMembers(members: JsonObject, plan: OperationPlan, resource: Resource): JsonObject {
  const { keeping, others } = keepingsOf(plan, resource);
  const names = Object.keys(members);
  const group = groupsOf(resource.record)?.group;
  const kept = (name: string): JsonValue | undefined => {
    const how = keeping.get(name) ?? others;
    const value = keep(how, members[name]);
    return name === group && typeof how === 'object' ? ofClient(value, how, plan) : value;
  };
  // A fast path for the most common bodies.
  if (names.every((name) => kept(name) === members[name])) return members;
  const left: Record<string, JsonValue> = {};
  for (const name of names) {
    const value = kept(name);
    if (value !== undefined) setMember(left, name, value);
  }
  return left;
}

/**
 * What happens to a member: it is stored without secrets, stored unchanged, or left to the service.
 */
type Keeping = SchemaField | 'whole' | 'dropped';

function keep(keeping: Keeping, value: JsonValue | undefined): JsonValue | undefined {
  if (keeping === 'dropped' || value === undefined) return undefined;
  return keeping === 'whole' ? value : withoutSecrets(keeping.schema, inObject(keeping, value));
}

/** A text or number for a field that holds it in the only member which its object must have. */
function inObject({ schema, flat }: SchemaField, value: JsonValue): JsonValue {
  if (typeof value === 'object' || flat.types.length !== 1 || flat.types[0] !== 'object')
    return value;
  const [only, ...others] = [...fieldsOf(schema).values()].filter(({ required }) => required);
  return only !== undefined && others.length === 0 && only.schema.accepts(value, 'response')
    ? { [only.name]: value }
    : value;
}

/** The fields of a record that stand in a group, such as `attributes`, without read-only ones. */
function ofClient(
  fields: JsonValue | undefined,
  group: SchemaField,
  plan: OperationPlan,
): JsonValue | undefined {
  if (!isJsonObject(fields)) return fields;
  const declared = fieldsOf(group.schema);
  const own = Object.entries(fields).filter(([name]) => {
    const field = declared.get(name);
    return field?.readOnly !== true || !isOfService(field, plan, group.name);
  });
  return own.length === Object.keys(fields).length ? fields : Object.fromEntries(own);
}

/** By name, and for all unknown names. */
interface Keepings {
  readonly keeping: ReadonlyMap<string, Keeping>;
  readonly others: Keeping;
}

const keepingsOf = oncePerPlan(readKeepings);

function readKeepings(plan: OperationPlan, resource: Resource): Keepings {
  const [sent, { fields: kept, open }] = [requestFields(plan), shapeOf(resource)];
  const decide = (name: string): Keeping => {
    const [inRequest, inRecord] = [sent.get(name), kept.get(name)];
    const isClients = inRequest?.readOnly !== true && inRequest?.writeOnly !== true;
    if (inRecord === undefined)
      // An uploaded file is not stored if the record has no field for it.
      return isClients && open && !(inRequest !== undefined && holdsBinary(inRequest.schema))
        ? 'whole'
        : 'dropped';
    const isOnlyRead = inRequest === undefined && inRecord.readOnly;
    return !isClients || isOnlyRead || inRecord.writeOnly ? 'dropped' : inRecord;
  };
  const names = [...sent.keys(), ...kept.keys()];
  return {
    keeping: new Map(names.map((name) => [name, decide(name)])),
    others: open ? 'whole' : 'dropped',
  };
}

/** Some contracts wrap the request body in one member, such as `{ "item": { … } }`. */
function unwrapBody({ body, plan }: ValidRequest, resource: Resource): JsonValue | undefined {
  if (!isJsonObject(body)) return body;
  const { fields } = shapeOf(resource);
  const wrapper = wrapperOf(plan, resource);
  const wrapped = wrapper && body[wrapper.name];
  if (isJsonObject(wrapped)) return wrapped;
  const names = Object.keys(body);
  const inner = names.length === 1 ? body[names[0] ?? ''] : undefined;
  if (!isJsonObject(inner)) return body;
  return !sharesNames(names, fields) && sharesNames(Object.keys(inner), fields) ? inner : body;
}

/** The member of a request's body that holds the record; undefined if the body is the record. */
export const wrapperOf = oncePerPlan(findWrapper);

function findWrapper({ operation }: OperationPlan, resource: Resource): SchemaField | undefined {
  const schema = bodySchema(operation);
  const word = lastWord(resource.collectionPath);
  const place = schema && findRecord(schema, { word, known: resource.record });
  const [, name] = place?.at.split('/') ?? [];
  if (schema === undefined || name === undefined) return undefined;
  const declared = fieldsOf(schema);
  const { fields } = shapeOf(resource);
  const wrapper = declared.get(name);
  if (wrapper === undefined) return undefined;
  const shared = (names: Iterable<string>): number =>
    [...names].filter((each) => fields.has(each)).length;
  // An untyped member such as `data` of an event is not a wrapper.
  const inner = fieldsOf(wrapper.schema);
  return inner.size === 0
    ? fields.size === 0 || declared.size === 1 || shared(declared.keys()) === 0
      ? wrapper
      : undefined
    : shared(inner.keys()) > shared(declared.keys()) || isContained(inner, fields)
      ? wrapper
      : undefined;
}

/** Whether the wrapped fields are at the same place in the record, such as in `attributes`. */
function isContained(inner: SchemaFields, fields: SchemaFields): boolean {
  return [...inner.keys()].some((name) => containing.test(name) && fields.has(name));
}

/** The fields of a record that the operation declares in its request body, wrapped or not. */
export const requestFields = once((plan: OperationPlan): SchemaFields => {
  const { operation, role } = plan;
  const schema = operation.requestBody?.content.find((entry) => entry.schema !== undefined)?.schema;
  const declared: SchemaFields = schema === undefined ? new Map() : fieldsOf(schema);
  const wrapper = role && wrapperOf(plan, role.resource);
  if (role === undefined) return declared;
  const fields =
    wrapper === undefined ? unwrapFields(declared, role.resource) : fieldsOf(wrapper.schema);
  return new Map(
    [...fields].map(([name, field]) => {
      const own = nameInRecord(name, role.resource);
      return [fields.has(own) ? name : own, field] as const;
    }),
  );
});

function unwrapFields(declared: SchemaFields, resource: Resource): SchemaFields {
  const [only, ...others] = declared.values();
  const { fields } = shapeOf(resource);
  if (only === undefined || others.length > 0 || fields.has(only.name)) return declared;
  const inner = fieldsOf(only.schema);
  return sharesNames([...inner.keys()], fields) ? inner : declared;
}

function sharesNames(names: readonly string[], fields: SchemaFields): boolean {
  return names.some((name) => fields.has(name));
}

/**
 * Whether the service sets a field instead of the client: the body does not declare it, or as
 * readOnly. What a body declares for itself counts more than what answers say of theirs. A field in
 * a group of the record may stand in that group of the body too, or at its top.
 */
export function isOfService(field: SchemaField, plan: OperationPlan, group?: string): boolean {
  const sent = requestFields(plan);
  const grouped = group === undefined ? undefined : sent.get(group);
  const fields = grouped === undefined ? sent : fieldsOf(grouped.schema);
  const isOpen = grouped !== undefined && fields.size === 0;
  return isOpen ? field.readOnly : fields.get(field.name)?.readOnly !== false;
}

/** Removes writeOnly members at any depth, because responses must not show them. */
function withoutSecrets(schema: Schema, value: JsonValue): JsonValue {
  if (isJsonObject(value)) {
    const fields = fieldsOf(schema);
    if (fields.size === 0) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, member]) => {
        const field = fields.get(name);
        if (field === undefined) return [[name, member] as const];
        return field.writeOnly ? [] : [[name, withoutSecrets(field.schema, member)] as const];
      }),
    );
  }
  return Array.isArray(value) ? withoutSecretsInItems(schema, value as JsonArray) : value;
}

function withoutSecretsInItems(schema: Schema, items: JsonArray): JsonValue {
  const place = schema.flatten().items;
  if (place === undefined) return items;
  const part = schema.part(place);
  return items.map((item) => withoutSecrets(part, item));
}

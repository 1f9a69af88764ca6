import type { Operation, Resource } from '../../contract/model.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { ValidRequest } from '../behaviour.ts';
import type { OperationPlan } from '../operation-plan.ts';
import { fitMember } from './fit-member.ts';
import { shapeOf } from './record-shapes.ts';
import { fieldsOf, type SchemaField, type SchemaFields } from './schema-fields.ts';
import { withoutSecrets } from './without-secrets.ts';

/** The members of the body that a record keeps: what is readOnly is the service's to set, what is writeOnly is never shown. */
export function givenMembers(request: ValidRequest, resource: Resource): JsonObject {
  const before = given.get(request);
  if (before !== undefined) return before;
  const body = unwrapBody(request.body, resource);
  const members = isJsonObject(body) ? keptMembers(body, request, resource) : {};
  given.set(request, members);
  return members;
}

/** Several steps ask for them, and an operation has one resource. */
const given = new WeakMap<ValidRequest, JsonObject>();
const defaults = new WeakMap<OperationPlan, JsonObject>();

/** What request fields have where they are left out: as assumed, else as the contract says. */
export function defaultMembers(request: ValidRequest, resource: Resource): JsonObject {
  const before = defaults.get(request.plan) ?? readDefaults(request, resource);
  defaults.set(request.plan, before);
  return before;
}

function readDefaults(request: ValidRequest, resource: Resource): JsonObject {
  const declared = [...requestFields(request).values()].flatMap(({ name, flat }) => (flat.node.default === undefined ? [] : [[name, flat.node.default] as const]));
  return keptMembers({ ...Object.fromEntries(declared), ...request.plan.assumption?.default }, request, resource);
}

function keptMembers(members: JsonObject, request: ValidRequest, resource: Resource): JsonObject {
  const asked = requestFields(request);
  const { fields: kept, open } = shapeOf(resource);
  const keep = (name: string, value: JsonValue): JsonValue | undefined => {
    const [inRequest, inRecord] = [asked.get(name), kept.get(name)];
    const isClients = inRequest?.readOnly !== true && inRequest?.writeOnly !== true;
    if (inRecord === undefined) return isClients && open ? value : undefined;
    if (!isClients || inRecord.readOnly || inRecord.writeOnly) return undefined;
    const fitted = fitMember(inRecord, value);
    return fitted === undefined ? undefined : withoutSecrets(inRecord.schema, fitted);
  };
  const left: [string, JsonValue][] = [];
  for (const [name, value] of Object.entries(members)) {
    const own = keep(name, value);
    if (own !== undefined) left.push([name, own]);
  }
  return Object.fromEntries(left);
}

/** Some contracts wrap what they take in one member, such as `{ "item": { … } }`. */
function unwrapBody(body: JsonValue | undefined, resource: Resource): JsonValue | undefined {
  if (!isJsonObject(body)) return body;
  const [inner, ...others] = Object.values(body);
  const { fields } = shapeOf(resource);
  const wraps = others.length === 0 && isJsonObject(inner) && !sharesNames(Object.keys(body), fields) && sharesNames(Object.keys(inner), fields);
  return wraps ? inner : body;
}

const known = new WeakMap<Operation, SchemaFields>();

/** The fields of a record that the operation declares in its request body, wrapped or plain. */
export function requestFields({ plan: { operation, role } }: ValidRequest): SchemaFields {
  const before = known.get(operation);
  if (before !== undefined) return before;
  const schema = operation.requestBody?.content.find((entry) => entry.schema !== undefined)?.schema;
  const declared: SchemaFields = schema === undefined ? new Map() : fieldsOf(schema);
  const fields = role === undefined ? declared : unwrapFields(declared, role.resource);
  known.set(operation, fields);
  return fields;
}

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

/** Whether the service sets a field, and not the client. */
export function isOfService(field: SchemaField, request: ValidRequest): boolean {
  return field.readOnly || !requestFields(request).has(field.name);
}

import { groupsOf } from '../../../contract/infer/record-view.ts';
import type { Resource, Schema, SchemaIssue } from '../../../contract/model.ts';
import { bodySchema } from '../../../contract/model/operation.ts';
import { bodyTagOf } from '../../../contract/protocols/body-tag.ts';
import { splitPointer } from '../../../json/pointer.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { isJsonObject, setMember, objectOf } from '../../../json/value.ts';
import { relateFields } from '../../../values/relations.ts';
import { firstDefined } from '../../answer/generate-body.ts';
import type { Concern, OperationPlan } from '../../model/request.ts';
import { oncePerPlan } from '../find-record.ts';
import { writeName } from '../identifier/full-name.ts';
import { pathKeyOf } from '../../../contract/infer/path-key.ts';
import { parentTexts, withParents } from '../parent-fields.ts';
import {
  fieldsOf,
  firstRevision,
  type MomentKind,
  nextRevision,
  nextTag,
  onlyValue,
  type SchemaField,
  shapeOf,
  writeMoment,
} from '../record-fields.ts';
import { itemUrl, selfLink } from '../show/item-url.ts';
import { firstTally } from '../tallies.ts';
import { recordSeed, visible } from '../show/present-record.ts';
import { completeValue, firstListed, fitValue, makeMember, withDefaults } from './fit-value.ts';
import { defaultMembers, givenMembers, isOfService, requestFields } from './request-members.ts';

interface RecordSource extends Concern {
  /** The identifier, which is already decided. */
  readonly id: JsonValue;
  /** The result of `givenMembers`, if the caller has it. */
  readonly given?: JsonObject;
}

/**
 * Makes the record of a request body: its members without those that clients may not set, defaults
 * for omitted ones, and fields that the service sets.
 */
export function makeRecord(source: RecordSource): JsonObject {
  const { resource, request, given = givenMembers(request, resource) } = source;
  const { fields, names } = planFor(request.plan, resource);
  const named = resource.kind === 'collection' ? resource.identifier.field : undefined;
  const record: Record<string, JsonValue> = {};
  for (const plan of fields) {
    const value =
      plan.name === named
        ? writeName(resource, source.id, parentTexts(request, resource))
        : memberOf(plan, given, source);
    if (value !== undefined) setMember(record, plan.name, value);
  }
  for (const name of Object.keys(given))
    if (!names.has(name)) setMember(record, name, given[name] ?? null);
  for (const [name, value] of unsendable(source))
    if (name !== '' && !names.has(name)) setMember(record, name, value);
  const related = source.earlier === undefined ? withRelated(record, source, given) : record;
  if (resource.parents.length === 0 && resource.sharing !== 'assumed')
    return keepHidden(related, source);
  const texts = parentTexts(request, resource);
  const placed = withParents(related, resource, texts);
  return resource.sharing === 'assumed' ? { ...placed, '': { [resource.name]: texts } } : placed;
}

/** What a record has and the body of its replacement cannot have, which therefore stays. */
function unsendable({ request, earlier = {} }: RecordSource): [string, JsonValue][] {
  const body = bodySchema(request.plan.operation)?.flatten();
  if (body?.node.additionalProperties !== false) return [];
  return Object.entries(earlier).filter(([name]) => !body.properties.has(name));
}

/** What the client left out agrees with what it sent: a total with its lines, and the like. */
function withRelated(
  record: JsonObject,
  { request, resource }: RecordSource,
  given: JsonObject,
): JsonObject {
  const { made } = planFor(request.plan, resource);
  const mayChange = (name: string): boolean => made.has(name) && !Object.hasOwn(given, name);
  if (!Object.keys(record).some(mayChange)) return record;
  return relateFields(
    record,
    (name, value) => mayChange(name) && made.get(name)?.accepts(value, 'response') === true,
  );
}

/** Hidden members, such as the parents at creation, survive a replacement. */
function keepHidden(record: JsonObject, { earlier, resource }: RecordSource): JsonObject {
  const hidden = resource.identifier.field === '' ? undefined : earlier?.[''];
  return hidden === undefined ? record : { ...record, '': hidden };
}

/** Sorts members: the identifier, the fields of the contract, the rest. */
export function inOrder(members: ReadonlyMap<string, JsonValue>, resource: Resource): JsonObject {
  const order = [resource.identifier.field, ...shapeOf(resource).fields.keys(), ...members.keys()];
  const names = [...new Set(order)].filter((name) => members.has(name));
  // Every name is one of the members.
  return Object.fromEntries(names.map((name) => [name, members.get(name) as JsonValue]));
}

/** How an operation sets one field of its records. */
interface FieldPlan {
  readonly name: string;
  /** Undefined if the contract does not show the identifier. */
  readonly field: SchemaField | undefined;
  readonly isService: boolean;
  readonly moment: MomentKind;
  /** The default of an omitted field; undefined without one. */
  readonly fallback: JsonValue | undefined;
  /** Whether clients send it back, so that a change of another state is refused. */
  readonly isTag: boolean;
  /** What the body declares for it; undefined if it declares nothing. */
  readonly sent: Schema | undefined;
}

interface RecordPlan {
  /** In the order of `inOrder`. */
  readonly fields: readonly FieldPlan[];
  readonly names: ReadonlySet<string>;
  /** The schemas of the fields whose values are made where a client sends none. */
  readonly made: ReadonlyMap<string, Schema>;
}

const planFor = oncePerPlan(planRecord);

function planRecord(plan: OperationPlan, resource: Resource): RecordPlan {
  const shown = shapeOf(resource).fields;
  const defaults = new Map(Object.entries(defaultMembers(plan, resource)));
  const names = new Set([resource.identifier.field, ...shown.keys(), ...defaults.keys()]);
  const sent = requestFields(plan);
  const tag = bodyTagOf(resource)?.field;
  const fields = [...names].map((name) => {
    const field = shown.get(name);
    return {
      name,
      field,
      isService: field?.common === true && isOfService(field, plan),
      moment: field?.moment,
      fallback: defaults.get(name),
      sent: sent.get(name)?.schema,
      isTag: name === tag,
    };
  });
  const made = fields.flatMap(({ name, field, fallback, moment }) => {
    const isDecided = name === resource.identifier.field || fallback !== undefined;
    return field === undefined || isDecided || moment !== undefined
      ? []
      : [[name, field.schema] as const];
  });
  return { fields, names, made: new Map(made) };
}

function memberOf(plan: FieldPlan, given: JsonObject, source: RecordSource): JsonValue | undefined {
  const { name, field, sent } = plan;
  const told = Object.hasOwn(given, name) ? given[name] : plan.fallback;
  const said =
    told === undefined || sent === undefined || field === undefined
      ? told
      : withDefaults(told, { sent, shown: field.schema });
  if (field === undefined) return said;
  const before = plan.isTag ? source.earlier?.[name] : undefined;
  if (before !== undefined) return nextTag(field, before, source.request.requestSeed()) ?? before;
  const value =
    plan.isService && plan.moment === 'change'
      ? writeMoment(field, source.request.now)
      : said === undefined
        ? addedMember(plan, field, source)
        : said;
  if (typeof value !== 'object' || value === null) return value;
  // Nested objects may need members that requests can omit.
  const isGroup = name === groupsOf(source.resource.record)?.group;
  const defaults = objectOf(plan.fallback);
  const whole =
    isGroup && isJsonObject(value) ? withOwn({ ...defaults, ...value }, field, source) : value;
  return completeValue(field.schema, whole, `${source.request.requestSeed()} ${name}`);
}

/**
 * The fields that a record keeps in a group, with the defaults of those that are left out, and with
 * what the service alone sets or the body cannot have: of a record that is replaced, as it was.
 */
function withOwn(given: JsonObject, group: SchemaField, source: RecordSource): JsonObject {
  const { request, resource, earlier } = source;
  const kept = earlier?.[group.name] ?? null;
  const before = objectOf(kept);
  const key = pathKeyOf(resource);
  const named = request.path.get(request.plan.recordParameter ?? '');
  const own = [...fieldsOf(group.schema).values()].flatMap((field) => {
    const { name, flat, moment, readOnly } = field;
    const tallied = { ...field, name: `${group.name}.${name}` };
    const stays = moment !== 'change' && isOfService(field, request.plan, group.name);
    const isKey = tallied.name === key;
    const value = firstDefined(
      () => (stays || isKey ? before[name] : undefined),
      () =>
        isKey && named !== undefined && field.schema.accepts(named, 'response') ? named : undefined,
      () => (moment !== undefined && readOnly ? writeMoment(field, request.now) : undefined),
      () => (readOnly ? firstTally(tallied, resource, request.plan) : undefined),
      () => flat.node.default,
      // What a record must have stays where a replacement leaves it out.
      () => (field.required ? before[name] : undefined),
    );
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(own), ...given };
}

/** A member that the client did not send: set by the service, or generated if it is required. */
function addedMember(
  { isService, moment }: FieldPlan,
  field: SchemaField,
  source: RecordSource,
): JsonValue | undefined {
  // Fields of only some forms are not added to each record.
  if (field.writeOnly || !field.common) return undefined;
  return firstDefined(
    () => (isService ? ownMember(field, moment, source) : onlyValue(field)),
    // What a record must have stays where a replacement leaves it out.
    () => (field.required ? source.earlier?.[field.name] : undefined),
    () => (field.required && isService ? asNew(field, source.request.requestSeed()) : undefined),
    () => (field.required ? makeMember(field, source.request.requestSeed()) : undefined),
  );
}

/**
 * The value that the service sets: the previous one, the only possible one, a timestamp, or the
 * contract's.
 */
function ownMember(
  field: SchemaField,
  moment: MomentKind,
  { request, resource, id, earlier = {} }: RecordSource,
): JsonValue | undefined {
  const before = Object.hasOwn(earlier, field.name) ? earlier[field.name] : undefined;
  if (before !== undefined) return nextRevision(field, before, request.requestSeed()) ?? before;
  return firstDefined(
    () => onlyValue(field),
    () => listedByDefault(field, resource),
    () => (moment === undefined ? field.flat.node.default : writeMoment(field, request.now)),
    () => firstRevision(field),
    () => firstListed(field),
    () => firstTally(field, resource, request.plan),
    () =>
      resource.kind === 'collection'
        ? selfLink(field, () => itemUrl(request, resource, String(id)), { request, resource })
        : undefined,
  );
}

/** What a new record has: nothing that was counted, and nothing that happened but its making. */
function asNew(
  { name, flat, schema }: SchemaField,
  seed: string,
  depth = 0,
): JsonValue | undefined {
  if (flat.types.includes('object') && depth < deepestNew) {
    const parts = [...fieldsOf(schema).values()].flatMap((part) => {
      const value = asNew(part, seed, depth + 1);
      return value === undefined ? [] : [[part.name, value] as const];
    });
    return parts.length === 0
      ? undefined
      : completeValue(schema, Object.fromEntries(parts), `${seed} ${name}`);
  }
  const isFlag = flat.types.includes('boolean');
  const isCount = flat.types.includes('integer') && /(?:_c|C)ount$/.test(name);
  const value = isFlag ? /active|enabled|available|visible|valid|open|member/i.test(name) : 0;
  return (isFlag || isCount) && schema.accepts(value, 'response') ? value : undefined;
}

/** How deep the objects are whose counts are those of a new record. */
const deepestNew = 3;

/** The default filter value of a list, with which new records match: `?state=active`. */
function listedByDefault({ name, schema }: SchemaField, { list }: Resource): JsonValue | undefined {
  const filter = list?.filters.find(({ field }) => field === name);
  const value = filter?.parameter.schema.flatten().node.default;
  if (filter === undefined || value === undefined || filter.any?.includes(value)) return undefined;
  return schema.validate(value, 'response').length === 0 ? value : undefined;
}

/** The form that a record must satisfy: the fullest one in responses. */
export function fullestForm(resource: Resource): Schema {
  return shapeOf(resource).forms[0] ?? resource.record;
}

/**
 * Repairs a record until it is valid. A valid request must neither be refused nor produce an
 * invalid record: a member in the form of requests is converted or keeps its old value, and missing
 * required members are added. Members that the client removed or added on its own are left to
 * validation.
 */
export function repairRecord(record: JsonObject, repair: Concern): JsonObject {
  const issues = fullestForm(repair.resource).validate(visible(record), 'response');
  if (issues.length === 0) return record;
  const { resource, request, earlier = {} } = repair;
  const members = new Map<string, JsonValue>(Object.entries(record));
  const { fields } = shapeOf(resource);
  const seed = recordSeed(request, record);
  const concerned = issues.some(isOfWhole)
    ? [...members.keys(), ...fields.keys()]
    : issues.flatMap(concernedMember);
  const before = (name: string): JsonValue | undefined =>
    Object.hasOwn(earlier, name) ? earlier[name] : undefined;
  const missing = new Set(
    issues.filter(({ keyword }) => keyword === 'required').flatMap(concernedMember),
  );
  for (const name of new Set(concerned)) {
    const field = fields.get(name);
    const value = members.get(name);
    const isTaken =
      value === undefined ? before(name) !== undefined : !isRepairable(name, value, repair);
    if (field === undefined || isTaken || name === resource.identifier.field) continue;
    const fitted =
      (value === undefined ? undefined : fitValue(field.schema, value, `${seed} ${name}`)) ??
      before(name) ??
      (missing.has(name) || field.required ? makeMember(field, seed) : undefined);
    if (fitted === undefined) members.delete(name);
    else members.set(name, fitted);
  }
  return asSomeForm(inOrder(members, resource), repair);
}

/** A new record of several possible forms, with the required members of the nearest one. */
function asSomeForm(record: JsonObject, { resource, request, earlier }: Concern): JsonObject {
  const form = fullestForm(resource);
  const fitted =
    earlier === undefined ? fitValue(form, record, recordSeed(request, record)) : undefined;
  return isJsonObject(fitted) ? fitted : record;
}

/** A record that matches none of its forms has no single invalid member. */
function isOfWhole({ at, keyword }: SchemaIssue): boolean {
  return at === '' && (keyword === 'oneOf' || keyword === 'anyOf');
}

/** The member of the record that is invalid or missing. */
function concernedMember({ at, keyword, property }: SchemaIssue): string[] {
  const [first] = splitPointer(at);
  return first !== undefined
    ? [first]
    : keyword === 'required' && property !== undefined
      ? [property]
      : [];
}

/**
 * Whether a member may be repaired: the contract declares it for requests, or the mock set or kept
 * it.
 */
function isRepairable(name: string, value: JsonValue, { request, earlier }: Concern): boolean {
  if (earlier === undefined || value === earlier[name]) return true;
  return !Array.isArray(request.body) && requestFields(request.plan).has(name);
}

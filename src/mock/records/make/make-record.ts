import type { Resource, Schema, SchemaIssue } from '../../../contract/model.ts';
import { splitPointer } from '../../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue, setMember } from '../../../json/value.ts';
import { plainValue } from '../../../values/plain-value.ts';
import { firstDefined } from '../../answer/generate-body.ts';
import type { ValidRequest } from '../../model/behaviour.ts';
import type { OperationPlan } from '../../model/operation-plan.ts';
import { parentTexts, withParents } from '../parent-fields.ts';
import {
  firstRevision,
  momentKind,
  type MomentKind,
  nextRevision,
  onlyValue,
  type SchemaField,
  shapeOf,
  writeMoment,
} from '../record-fields.ts';
import { recordSeed } from '../show/present-record.ts';
import { completeValue, fitValue } from './fit-value.ts';
import { defaultMembers, givenMembers, isOfService, requestFields } from './request-members.ts';

/** What a record is made from. */
interface RecordSource {
  readonly request: ValidRequest;
  readonly resource: Resource;
  /** The record that is replaced; undefined where a new one is made. */
  readonly earlier?: JsonObject;
  /** The identifier, which the request has no say in any more. */
  readonly id: JsonValue;
  /** What `givenMembers` says of the request, where the caller has asked it already. */
  readonly given?: JsonObject;
}

/**
 * The record that a request body leads to: its members but those that are not the client's to set,
 * what was left out with its default, and what the service adds.
 */
export function makeRecord(source: RecordSource): JsonObject {
  const { resource, request, given = givenMembers(request, resource) } = source;
  const { fields, names } = planFor(request, resource);
  const named = resource.kind === 'collection' ? resource.identifier.field : undefined;
  const record: Record<string, JsonValue> = {};
  for (const plan of fields) {
    const value = plan.name === named ? source.id : memberOf(plan, given, source);
    if (value !== undefined) setMember(record, plan.name, value);
  }
  for (const name of Object.keys(given))
    if (!names.has(name)) setMember(record, name, given[name] ?? null);
  return resource.parents.length === 0
    ? record
    : withParents(record, resource, parentTexts(request, resource));
}

/**
 * Members in the order in which people look for them: the identifier, what the contract names, the
 * rest.
 */
export function inOrder(members: ReadonlyMap<string, JsonValue>, resource: Resource): JsonObject {
  const order = [resource.identifier.field, ...shapeOf(resource).fields.keys(), ...members.keys()];
  const names = [...new Set(order)].filter((name) => members.has(name));
  // Every name is one of the members'.
  return Object.fromEntries(names.map((name) => [name, members.get(name) as JsonValue]));
}

/** What an operation does about one field of the records that it makes. */
interface FieldPlan {
  readonly name: string;
  /** Undefined where the contract shows the identifier nowhere. */
  readonly field: SchemaField | undefined;
  readonly isService: boolean;
  readonly moment: MomentKind;
  /** What it holds where the client leaves it out; undefined where nothing is said of that. */
  readonly fallback: JsonValue | undefined;
}

interface RecordPlan {
  /** In the order of `inOrder`. */
  readonly fields: readonly FieldPlan[];
  readonly names: ReadonlySet<string>;
}

/** An operation makes records of one resource. */
const plans = new WeakMap<OperationPlan, RecordPlan>();

function planFor(request: ValidRequest, resource: Resource): RecordPlan {
  const known = plans.get(request.plan);
  if (known !== undefined) return known;
  const shown = shapeOf(resource).fields;
  const defaults = new Map(Object.entries(defaultMembers(request, resource)));
  const names = new Set([resource.identifier.field, ...shown.keys(), ...defaults.keys()]);
  const fields = [...names].map((name) => {
    const field = shown.get(name);
    return {
      name,
      field,
      isService: field?.common === true && isOfService(field, request),
      moment: field && momentKind(field),
      fallback: defaults.get(name),
    };
  });
  const plan = { fields, names };
  plans.set(request.plan, plan);
  return plan;
}

function memberOf(plan: FieldPlan, given: JsonObject, source: RecordSource): JsonValue | undefined {
  const { name, field } = plan;
  const said = Object.hasOwn(given, name) ? given[name] : plan.fallback;
  if (field === undefined) return said;
  const value =
    plan.isService && plan.moment === 'change'
      ? writeMoment(field, source.request.now)
      : said === undefined
        ? addedMember(plan, field, source)
        : said;
  // What a request may leave out of an object in it, answers may have to show.
  return typeof value === 'object' && value !== null
    ? completeValue(field.schema, value, `${source.request.requestSeed()} ${name}`)
    : value;
}

/** A member that nobody gave: what the service knows of it, or a value that a record must have. */
function addedMember(
  { isService, moment }: FieldPlan,
  field: SchemaField,
  { request, earlier }: RecordSource,
): JsonValue | undefined {
  // What only some forms of a record have is not added to each.
  if (field.writeOnly || !field.common) return undefined;
  const own = isService ? ownMember(field, moment, { request, earlier }) : onlyValue(field);
  return own === undefined ? required(field, request) : own;
}

/**
 * What the service knows of a field: what it had, what it can only be, when it came to be, what the
 * contract says.
 */
function ownMember(
  field: SchemaField,
  moment: MomentKind,
  {
    request,
    earlier = {},
  }: { readonly request: ValidRequest; readonly earlier: JsonObject | undefined },
): JsonValue | undefined {
  const before = Object.hasOwn(earlier, field.name) ? earlier[field.name] : undefined;
  if (before !== undefined) return nextRevision(field, before, request.requestSeed()) ?? before;
  return firstDefined(
    () => onlyValue(field),
    () => (moment === undefined ? field.flat.node.default : writeMoment(field, request.now)),
    () => firstRevision(field),
  );
}

/** A value for a field that a record must have and that nobody gave. */
function required(field: SchemaField, { requestSeed }: ValidRequest): JsonValue | undefined {
  if (!field.required) return undefined;
  const result = plainValue(field.schema, {
    seed: `${requestSeed()} ${field.name}`,
    direction: 'response',
    required: 'only',
    name: field.name,
  });
  return result.ok ? result.value : undefined;
}

/** A record that a request led to, and what it was before. */
interface Mending {
  readonly request: ValidRequest;
  readonly resource: Resource;
  readonly earlier?: JsonObject;
}

/** The form that a record must keep: the fullest in which answers show it. */
export function fullestForm(resource: Resource): Schema {
  return shapeOf(resource).forms[0] ?? resource.record;
}

/**
 * A record that keeps its schema. What the contract lets a client say is no reason to break the
 * record, or to refuse the request: a member in a form that only requests have is put into the
 * record's own, or stays as it was. What the record never had and must have is added. What the
 * client was not asked for, or took away, is left to be judged.
 */
export function mendRecord(record: JsonObject, mending: Mending): JsonObject {
  const issues = fullestForm(mending.resource).validate(record, 'response');
  if (issues.length === 0) return record;
  const { resource, request, earlier = {} } = mending;
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
      value === undefined ? before(name) !== undefined : !isMendable(name, value, mending);
    if (field === undefined || isTaken || name === resource.identifier.field) continue;
    const fitted =
      (value === undefined ? undefined : fitValue(field.schema, value, `${seed} ${name}`)) ??
      before(name) ??
      (missing.has(name) || field.required ? make(field, seed) : undefined);
    if (fitted === undefined) members.delete(name);
    else members.set(name, fitted);
  }
  return asSomeForm(inOrder(members, resource), mending);
}

/** A new record of several possible forms, with what the one that it comes nearest to requires. */
function asSomeForm(record: JsonObject, { resource, request, earlier }: Mending): JsonObject {
  const form = fullestForm(resource);
  const fitted =
    earlier === undefined ? fitValue(form, record, recordSeed(request, record)) : undefined;
  return isJsonObject(fitted) ? fitted : record;
}

/** A record that has none of its forms does not say which member is to blame. */
function isOfWhole({ at, keyword }: SchemaIssue): boolean {
  return at === '' && (keyword === 'oneOf' || keyword === 'anyOf');
}

/** The member of the record that breaks a rule, or that is missing. */
function concernedMember({ at, keyword, property }: SchemaIssue): string[] {
  const [first] = splitPointer(at);
  return first !== undefined
    ? [first]
    : keyword === 'required' && property !== undefined
      ? [property]
      : [];
}

/**
 * Whether a member is not what a client said of its own accord: the contract asks for it, or the
 * mock made or kept it.
 */
function isMendable(name: string, value: JsonValue, { request, earlier }: Mending): boolean {
  if (earlier === undefined || value === earlier[name]) return true;
  return !Array.isArray(request.body) && requestFields(request).has(name);
}

function make({ name, schema }: SchemaField, seed: string): JsonValue | undefined {
  const made = plainValue(schema, {
    seed: `${seed} ${name}`,
    direction: 'response',
    required: 'only',
    name,
  });
  return made.ok ? made.value : undefined;
}

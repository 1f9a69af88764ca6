import type { Resource, Schema, SchemaIssue } from '../../../contract/model.ts';
import { splitPointer } from '../../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { plainValue } from '../../../values/plain-value.ts';
import type { ValidRequest } from '../../model/behaviour.ts';
import { fitValue } from './fit-value.ts';
import { inOrder } from './make-record.ts';
import { shapeOf } from './record-shapes.ts';
import { requestFields } from './request-members.ts';
import type { SchemaField } from '../schema-fields.ts';
import { recordSeed } from '../show/present-record.ts';

/** A record that a request led to, and what it was before. */
export interface Mending {
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
    : issues.flatMap(memberOf);
  const before = (name: string): JsonValue | undefined =>
    Object.hasOwn(earlier, name) ? earlier[name] : undefined;
  const missing = new Set(issues.filter(({ keyword }) => keyword === 'required').flatMap(memberOf));
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
function memberOf({ at, keyword, property }: SchemaIssue): string[] {
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

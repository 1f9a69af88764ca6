import type { Resource } from '../../contract/model.ts';
import { equalJson } from '../../json/equal-json.ts';
import { valueAt } from '../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject } from '../../json/value.ts';
import type { Answer } from '../model/step.ts';
import { isUnguessable } from '../model/is-safe.ts';
import { jsonOf } from './read-answer.ts';

/**
 * The records in a list's response; undefined if its body does not have them where the contract
 * declares them.
 */
export function listedRecords(
  resource: Resource,
  answer: Answer,
): readonly JsonObject[] | undefined {
  if (resource.list === undefined || answer.kind !== 'json') return undefined;
  const records = valueAt(answer.value, resource.list.records);
  if (!isJsonArray(records)) return undefined;
  return records.every(isJsonObject) ? records : records.filter(isJsonObject);
}

/**
 * The record that a response shows: the body, or the one member of it that is the record, as in `{
 * "data": { … } }`.
 */
export function shownRecord(resource: Resource, answer: Answer): JsonObject | undefined {
  const value = jsonOf(answer);
  if (!isJsonObject(value)) return undefined;
  const {
    kind,
    identifier: { field },
  } = resource;
  if (Object.hasOwn(value, field) || (kind === 'singleton' && hasFieldsOf(resource, value)))
    return value;
  const inside = onlyMember(value, (member) =>
    kind === 'singleton' ? hasFieldsOf(resource, member) : Object.hasOwn(member, field),
  );
  // An envelope may use one of the record's names, such as `status`, for itself.
  return inside !== undefined &&
    (!hasFieldsOf(resource, value) || fieldsIn(resource, inside) > fieldsIn(resource, value))
    ? inside
    : value;
}

/**
 * The one object among the members of another that is a record; undefined if none or several are.
 */
function onlyMember(
  value: JsonObject,
  isRecord: (member: JsonObject) => boolean,
): JsonObject | undefined {
  let found: JsonObject | undefined;
  for (const name in value) {
    const member = value[name];
    if (!isJsonObject(member) || !isRecord(member)) continue;
    if (found !== undefined) return undefined;
    found = member;
  }
  return found;
}

function fieldsIn({ record }: Resource, value: JsonObject): number {
  const { properties } = record.flatten();
  return Object.keys(value).filter((name) => properties.has(name)).length;
}

/** Whether an object has a member that the contract declares for the records of a resource. */
export function hasFieldsOf({ record, identifier }: Resource, value: JsonObject): boolean {
  const { properties } = record.flatten();
  return (
    Object.hasOwn(value, identifier.field) ||
    Object.keys(value).some((name) => properties.has(name))
  );
}

/**
 * Whether a request has the record in a member that records do not have: what stands beside it,
 * such as a `status`, chooses how the record is changed.
 */
export function wrapsRecord(resource: Resource, body: JsonObject): boolean {
  const { properties } = resource.record.flatten();
  return Object.entries(body).some(
    ([name, value]) => !properties.has(name) && isJsonObject(value) && hasFieldsOf(resource, value),
  );
}

/** A text that a run has marked: no other client sends it. */
const marked = /vouch-[0-9a-f]{6}/;

/**
 * Whether two identities that read one identifier were shown the same record. If each client has
 * separate identifiers, another record may have the identifier: then its values differ.
 */
export function isSameRecord(
  { identifier: { field } }: Resource,
  one: JsonObject,
  other: JsonObject,
): boolean {
  const named = one[field];
  if (named === undefined || String(named) !== String(other[field])) return false;
  if (isUnguessable(named)) return true;
  const shared = Object.keys(one).filter((name) => name !== field && Object.hasOwn(other, name));
  const alike = shared.filter((name) => equalJson(one[name] ?? null, other[name] ?? null));
  const isMarked = alike.some((name) => {
    const value = one[name];
    return typeof value === 'string' && marked.test(value);
  });
  return isMarked || (alike.length > 0 && alike.length === shared.length);
}

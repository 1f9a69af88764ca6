import type { Resource } from '../../../contract/model.ts';
import { valueAt } from '../../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { jsonOf, type Answer } from '../answer/read-answer.ts';

/** The records of a list's answer, or undefined where its body does not hold them as the contract says. */
export function listedRecords(resource: Resource, answer: Answer): JsonObject[] | undefined {
  if (resource.list === undefined) return undefined;
  const records = valueAt(jsonOf(answer), resource.list.records);
  // Array.isArray does not narrow a readonly array out of a union.
  return Array.isArray(records) ? (records as readonly JsonValue[]).filter(isJsonObject) : undefined;
}

/** The record that an answer shows: the body, or the one member of it that holds the record, as in `{ "data": { … } }`. */
export function shownRecord(resource: Resource, answer: Answer): JsonObject | undefined {
  const value = jsonOf(answer);
  if (!isJsonObject(value) || hasFieldsOf(resource, value)) return isJsonObject(value) ? value : undefined;
  const { field } = resource.identifier;
  const inside = Object.values(value).filter(isJsonObject).filter((member) => (resource.kind === 'singleton' ? hasFieldsOf(resource, member) : Object.hasOwn(member, field)));
  return inside.length === 1 ? inside[0] : value;
}

/** Whether an object has a member that the contract gives to the records of a resource. */
export function hasFieldsOf({ record, identifier }: Resource, value: JsonObject): boolean {
  const { properties } = record.flatten();
  return Object.hasOwn(value, identifier.field) || Object.keys(value).some((name) => properties.has(name));
}

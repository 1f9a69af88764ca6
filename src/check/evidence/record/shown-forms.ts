import { successSchema } from '../../../contract/infer/infer-list.ts';
import type { Operation, Resource, Schema } from '../../../contract/model.ts';
import type { Pointer } from '../../../json/pointer.ts';

const known = new WeakMap<Resource, readonly Schema[]>();

/**
 * The forms in which the answers of a resource's operations show one record: its entry in a list,
 * and what others answer, wrapped or plain.
 */
export function shownForms(resource: Resource): readonly Schema[] {
  const before = known.get(resource);
  if (before !== undefined) return before;
  const { list: _list, delete: _deletion, ...others } = resource.operations;
  const forms = [
    resource.record,
    ...Object.values(others).flatMap((operation) => formOf(operation, resource) ?? []),
  ];
  known.set(resource, forms);
  return forms;
}

/**
 * Whether the success of an operation is a record of a resource: an answer of another shape may use
 * the same words for something else.
 */
export function answersRecord(operation: Operation, { record }: Resource): boolean {
  if (!successes.has(operation))
    successes.set(operation, successSchema(operation)?.flatten().pointer);
  return successes.get(operation) === record.flatten().pointer;
}

const successes = new WeakMap<Operation, Pointer | undefined>();

/** An answer shows a record where it, or one of its members, has the record's identifier. */
function formOf(
  operation: Operation,
  { kind, identifier: { field } }: Resource,
): Schema | undefined {
  const schema = successSchema(operation);
  if (schema === undefined || kind === 'singleton' || schema.flatten().properties.has(field))
    return schema;
  const members = [...schema.flatten().properties.values()].map((place) => schema.part(place));
  return members.find((member) => member.flatten().properties.has(field));
}

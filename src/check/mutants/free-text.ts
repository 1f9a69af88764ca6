import type { Resource } from '../../contract/model.ts';
import { recordFieldsOf } from './open-bodies.ts';

/** The texts of a run are shorter, so that a word more still fits. */
const longEnough = 40;

/** Whether a field of the records may have nearly any text. */
export function isFreeText(resource: Resource, field: string): boolean {
  const record = recordFieldsOf(resource);
  const located = record.flatten().properties.get(field);
  if (located === undefined) return false;
  const { node } = record.flatten(located);
  return (
    node.enum === undefined &&
    node.format === undefined &&
    node.pattern === undefined &&
    (node.maxLength ?? Infinity) >= longEnough
  );
}

/** Whether records have a text of which the contract says nothing, beside their identifier. */
export function hasFreeText(resource: Resource): boolean {
  const record = recordFieldsOf(resource);
  return [...record.flatten().properties].some(
    ([name, located]) =>
      name !== resource.identifier.field &&
      record.part(located).flatten().types.includes('string') &&
      isFreeText(resource, name),
  );
}

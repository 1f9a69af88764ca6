import { recordFields } from '../infer/record-fields.ts';
import type { LocatedNode, Resource, Schema } from '../model.ts';
import { fieldSays } from './facts.ts';

/**
 * The fields of a record that keep the value of its create: those whose description says so, or
 * that carry `x-google-immutable`, `x-immutable` or the field behavior `IMMUTABLE` (AIP-203), in
 * the record or in one of the bodies that write it.
 */
export function immutableFields(
  { record, identifier }: Resource,
  bodies: readonly (Schema | undefined)[],
): string[] {
  const schemas = [record, ...bodies.filter((schema) => schema !== undefined)];
  const own = recordFields(record).flatMap(({ name, many, flat }) =>
    many || name.includes('.') || name === identifier.field || flat.node.readOnly === true
      ? []
      : [name],
  );
  return own.filter((name) =>
    schemas.some((schema) => {
      const place = schema.flatten().properties.get(name);
      return place !== undefined && isImmutable(schema, place);
    }),
  );
}

function isImmutable(schema: Schema, place: LocatedNode): boolean {
  const flat = schema.flatten(place);
  const { node } = flat;
  const behavior = node['x-google-field-behavior'];
  const behaviors: readonly unknown[] = Array.isArray(behavior) ? behavior : [behavior];
  return (
    node['x-google-immutable'] === true ||
    node['x-immutable'] === true ||
    behaviors.includes('IMMUTABLE') ||
    fieldSays(place, 'never-changes') ||
    fieldSays(flat, 'never-changes')
  );
}

import type { Schema } from '../model.ts';

/** Whether two schemas are one: written once and referred to twice. */
export function isSameSchema(left: Schema, right: Schema): boolean {
  const placeOf = (schema: Schema): string => schema.follow(schema.node, schema.pointer).pointer;
  return placeOf(left) === placeOf(right);
}

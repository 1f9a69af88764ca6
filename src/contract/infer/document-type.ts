import type { Schema } from '../model.ts';
import { memberSchema } from '../schema/member-schema.ts';

/** The only type that the resource object of a JSON:API document may have, if it is stated. */
export function documentType(whole: Schema): string | undefined {
  const { const: value, enum: listed = [] } = memberSchema(whole, ['data', 'type'])?.node ?? {};
  const only = value ?? (listed.length === 1 ? listed[0] : undefined);
  return typeof only === 'string' ? only : undefined;
}

import type { FlatSchema, Schema } from '../model.ts';

/** The schema of a member of a body, if the body declares it. */
export function memberSchema(whole: Schema, names: readonly string[]): FlatSchema | undefined {
  let flat = whole.flatten();
  for (const name of names) {
    const place = flat.properties.get(name);
    if (place === undefined) return undefined;
    flat = whole.flatten(place.node, place.pointer);
  }
  return flat;
}

/** The only type that the resource object of a JSON:API document may have, if it is stated. */
export function documentType(whole: Schema): string | undefined {
  const { const: value, enum: listed = [] } = memberSchema(whole, ['data', 'type'])?.node ?? {};
  const only = value ?? (listed.length === 1 ? listed[0] : undefined);
  return typeof only === 'string' ? only : undefined;
}

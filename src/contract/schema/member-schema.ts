import type { FlatSchema, Schema } from '../model/schema.ts';

/** The schema of a member, by the names that lead to it; undefined if one is not declared. */
export function memberSchema(whole: Schema, names: readonly string[]): FlatSchema | undefined {
  let flat = whole.flatten();
  for (const name of names) {
    const place = flat.properties.get(name);
    if (place === undefined) return undefined;
    flat = whole.flatten(place);
  }
  return flat;
}

/** The schema of the items of a list; undefined if none is declared. */
export function itemSchema(list: Schema): Schema | undefined {
  const { items } = list.flatten();
  return items && list.part(list.follow(items));
}

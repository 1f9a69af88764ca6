import { isJsonArray, isJsonObject, type JsonValue } from './value.ts';

/** The members of a mapping, in order. */
export type Entries = readonly (readonly [key: string, value: JsonValue])[];

/**
 * The members that a merge key (`<<`) brings: those of a mapping, or of each in a list, of which
 * the first that has a name counts. The key is of YAML 1.1, and authors who share members between
 * parts of a document write it to this day. Undefined for anything else.
 */
export function mergedEntries(value: JsonValue): Entries | undefined {
  const sources = isJsonArray(value) ? value : [value];
  const members = new Map<string, JsonValue>();
  for (const source of sources) {
    if (!isJsonObject(source)) return undefined;
    for (const [name, member] of Object.entries(source))
      if (!members.has(name)) members.set(name, member);
  }
  return [...members];
}

/**
 * A mapping's members with those that were merged into it: its own count for more, and the order is
 * that of the document.
 */
export function withMerged(own: Entries, merged: Entries): Entries {
  const given = new Set(own.map(([name]) => name));
  return [...merged.filter(([name]) => !given.has(name)), ...own];
}

import { joinPointer, type Pointer } from '../../json/pointer.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { isJsonArray, isJsonObject, mapMembers } from '../../json/value.ts';
import { WorkBudget } from '../../json/work-budget.ts';
import type { LocatedNode, Schema } from '../model/schema.ts';

/** A value in a body whose schema is one of the requested ones. */
export interface RuledValue {
  readonly at: Pointer;
  readonly value: JsonValue;
  /** The schema of the value. */
  readonly place: LocatedNode;
  /** The requested pointers at which its schema is, or which its schema includes by `allOf`. */
  readonly found: readonly Pointer[];
}

const deepest = 16;
const maxValues = 10_000;

/** Finds the values in a body whose schemas are at given pointers, the outermost first. */
export function findRuledValues(
  schema: Schema,
  body: JsonValue,
  pointers: { has(pointer: Pointer): boolean },
): readonly RuledValue[] {
  const search: Search = { schema, pointers, found: [], left: maxValues, budget: new WorkBudget() };
  visit({ at: '', value: body, place: schema, depth: 0 }, search);
  return search.found;
}

/** Whether a schema, or a schema below it, is at one of the pointers. */
export function leadsTo(schema: Schema, pointers: ReadonlySet<Pointer>): boolean {
  const seen = new Set<Pointer>();
  const search = (place: LocatedNode): boolean => {
    if (seen.has(place.pointer)) return false;
    seen.add(place.pointer);
    const flat = schema.flatten(place);
    if (flat.places.some((pointer) => pointers.has(pointer))) return true;
    const { properties, items, others, branches } = flat;
    return [...properties.values(), items, others, ...branches].some(
      (part) => part !== undefined && search(part),
    );
  };
  return search(schema);
}

interface Search {
  readonly schema: Schema;
  readonly pointers: { has(pointer: Pointer): boolean };
  readonly found: RuledValue[];
  /** How many more values are visited. */
  left: number;
  /** For the branches of all values. */
  readonly budget: WorkBudget;
}

interface Visit extends Pick<RuledValue, 'at' | 'value' | 'place'> {
  readonly depth: number;
}

function visit({ at, value, place, depth }: Visit, search: Search): void {
  if (depth > deepest || search.left === 0) return;
  search.left -= 1;
  const flat = search.schema.flatten(place);
  const found = flat.places.filter((pointer) => search.pointers.has(pointer));
  if (found.length > 0) search.found.push({ at, value, place, found });
  for (const branch of flat.branches)
    if (search.schema.part(branch).accepts(value, 'response', search.budget))
      visit({ at, value, place: branch, depth: depth + 1 }, search);
  if (isJsonArray(value)) visitItems(value, { at, place, depth }, search);
  else if (isJsonObject(value)) visitMembers(value, { at, place, depth }, search);
}

type Around = Omit<Visit, 'value'>;

function visitItems(values: readonly JsonValue[], around: Around, search: Search): void {
  const { items: place } = search.schema.flatten(around.place);
  if (place === undefined) return;
  values.forEach((value, index) => {
    visit({ at: joinPointer(around.at, index), value, place, depth: around.depth + 1 }, search);
  });
}

function visitMembers(object: JsonObject, around: Around, search: Search): void {
  const flat = search.schema.flatten(around.place);
  for (const [name, value] of Object.entries(object)) {
    const place = flat.properties.get(name) ?? flat.others;
    if (place === undefined || typeof value !== 'object' || value === null) continue;
    visit({ at: joinPointer(around.at, name), value, place, depth: around.depth + 1 }, search);
  }
}

/**
 * A JSON value in the form that CEL takes. If the schema says `number`, it is a double; any other
 * integer has 64 bits, without loss of digits.
 */
export function toCel(value: JsonValue, schema?: Schema, place?: LocatedNode): unknown {
  if (typeof value === 'number') return isInteger(value, schema, place) ? BigInt(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  const flat = schema?.flatten(place);
  if (isJsonArray(value)) {
    const part = flat?.items;
    return value.map((item) => toCel(item, part && schema, part));
  }
  return mapMembers(value, (member, name) => {
    const part = flat?.properties.get(name);
    return toCel(member, part && schema, part);
  });
}

function isInteger(value: number, schema?: Schema, place?: LocatedNode): boolean {
  if (!Number.isSafeInteger(value)) return false;
  if (schema === undefined || place === undefined) return true;
  const { types } = schema.flatten(place);
  return types.includes('integer') || !types.includes('number');
}

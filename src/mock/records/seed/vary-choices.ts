import type { FlatSchema, Schema } from '../../../contract/model.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { fieldsOf } from '../record-fields.ts';

/** How deep members of members are varied. */
const deepest = 3;

/** What the choices of a record depend on. */
export interface Varying {
  readonly index: number;
  /** Other schemas that show the record: a value that they do not allow is not chosen. */
  readonly shownAs: readonly Schema[];
}

/**
 * The record of an index with other choices in its members: true or false, and the values of an
 * enum. The first record keeps the usual ones; the next ones have all of them in turn, so that a
 * filter of a list selects some records and not others; one of six has no values that it need
 * not have. The record as it is, where its schema does not allow another choice.
 */
export function varyChoices(
  record: JsonObject,
  schema: Schema,
  { index, shownAs }: Varying,
): JsonObject {
  if (index === 0) return record;
  const varied = vary(record, schema, { index, shownAs, depth: 0 });
  const sparse = index % sparseIn === firstSparse ? [withoutValues(varied, schema)] : [];
  return [...sparse, varied].find((one) => schema.validate(one, 'response').length === 0) ?? record;
}

/** One of so many records has as few values as its schema allows. */
const sparseIn = 6;
const firstSparse = 3;

/** The record without its optional members, and with null in those that may be null. */
function withoutValues(record: JsonObject, schema: Schema): JsonObject {
  const { properties, required } = schema.flatten();
  const members = Object.entries(record).flatMap(([name, value]): [string, JsonValue][] => {
    const located = properties.get(name);
    if (located === undefined) return [[name, value]];
    const { types } = schema.part(located).flatten();
    const isNullable = types.includes('null') && types.length > 1;
    if (isNullable) return [[name, null]];
    return required.has(name) ? [[name, value]] : [];
  });
  return Object.fromEntries(members);
}

interface Place extends Varying {
  readonly depth: number;
}

function vary(
  record: JsonObject,
  schema: Schema,
  { index, shownAs: around, depth }: Place,
): JsonObject {
  const { node, properties } = schema.flatten();
  // A member may say which alternative the object is.
  const isOpen = node.oneOf === undefined && node.anyOf === undefined;
  if (!isOpen || depth > deepest) return record;
  let varying = 0;
  const members = Object.entries(record).map(([name, value]): [string, JsonValue] => {
    const located = properties.get(name);
    const part = located && schema.part(located);
    if (part === undefined) return [name, value];
    const shownAs = around.flatMap((other) => fieldsOf(other).get(name)?.schema ?? []);
    if (isJsonObject(value)) return [name, vary(value, part, { index, shownAs, depth: depth + 1 })];
    const choices = choicesOf(part.flatten()).filter((choice) =>
      shownAs.every((other) => other.accepts(choice, 'response')),
    );
    if (choices.length < 2) return [name, value];
    varying += 1;
    return [name, choose(choices, value, stepOf(index, varying))];
  });
  return Object.fromEntries(members);
}

function choicesOf({ node, types }: FlatSchema): readonly JsonValue[] {
  if (node.const !== undefined) return [];
  if (node.enum !== undefined) return node.enum.filter((value) => value !== null);
  return types.includes('boolean') && types.every((type) => type === 'boolean' || type === 'null')
    ? [true, false]
    : [];
}

/** Members vary in different steps, so that their values are combined in several ways. */
function stepOf(index: number, varying: number): number {
  const half = index >> 1;
  return [index, half, index ^ half][(varying - 1) % 3] ?? index;
}

function choose(choices: readonly JsonValue[], usual: JsonValue, step: number): JsonValue {
  const first = Math.max(0, choices.indexOf(usual));
  return choices[(first + step) % choices.length] ?? usual;
}

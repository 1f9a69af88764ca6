import { itemSchema } from '../../../contract/schema/member-schema.ts';
import { startsUnspecified } from '../../../contract/protocols/unspecified.ts';
import type { Schema } from '../../../contract/model.ts';
import { fromInteger } from '../../../json/decimal.ts';
import type { JsonArray, JsonObject, JsonValue } from '../../../json/value.ts';
import { isJsonArray, isJsonObject } from '../../../json/value.ts';
import { plainValue } from '../../../values/plain-value.ts';
import { relateFields } from '../../../values/relations.ts';
import { fieldsOf, type SchemaField } from '../record-fields.ts';

/** The fields that identify an object by a text or number, best first. */
const naming = 'login slug username name key code label title id uuid number email'.split(' ');

const deepest = 4;

/** The location of a value, on which generated values depend. */
interface Place {
  readonly seed: string;
  readonly depth: number;
}

/**
 * Converts a value from the form of requests to the form of responses: `"a"` for `{ "name": "a" }`,
 * `"a,b"` for a list, an empty text for none, an object without members that only responses have.
 * Undefined if no part of it is valid.
 */
export function fitValue(schema: Schema, value: JsonValue, seed: string): JsonValue | undefined {
  return fit(schema, value, { seed, depth: 0 });
}

function fit(schema: Schema, value: JsonValue, place: Place): JsonValue | undefined {
  if (place.depth > deepest) return undefined;
  const keeps = (candidate: JsonValue | undefined): boolean =>
    candidate !== undefined && schema.validate(candidate, 'response').length === 0;
  if (keeps(value)) return value;
  const ways = [
    () => completeValue(schema, value, place.seed),
    () => (value === '' ? null : undefined),
    () => inOtherType(value),
    () => inOtherPrecision(value),
    () => fitInside(schema, value, place),
    () => fitBranch(schema, value, place),
  ];
  for (const way of ways) {
    const candidate = way();
    if (keeps(candidate)) return candidate;
  }
  return undefined;
}

/** The integer that a text writes, or the text of a number. */
function inOtherType(value: JsonValue): JsonValue | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return typeof value === 'string' && /^-?(0|[1-9]\d{0,30})$/.test(value)
    ? fromInteger(BigInt(value))
    : undefined;
}

/** The first moment of a day, or the day of a moment. */
function inOtherPrecision(value: JsonValue): JsonValue | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d(T|$)/.test(value)) return undefined;
  return value.length === 10 ? `${value}T00:00:00Z` : value.slice(0, 10);
}

function fitInside(schema: Schema, value: JsonValue, place: Place): JsonValue | undefined {
  if (isJsonArray(value)) return fitItems(schema, value, place);
  if (typeof value === 'string' && schema.flatten().types.includes('array'))
    return fitItems(schema, value.match(/[^\s,](?:[^,]*[^\s,])?/g) ?? [], place);
  if (isJsonObject(value))
    return completeValue(schema, fitMembers(schema, value, place), place.seed);
  return value === null ? undefined : nameObject(schema, value, place.seed);
}

function fitItems(schema: Schema, items: JsonArray, { seed, depth }: Place): JsonArray | undefined {
  const part = itemSchema(schema);
  if (part === undefined) return undefined;
  // The seed contains the text and not its location, so that equal texts give equal objects.
  return items.flatMap(
    (item) =>
      fit(part, item, {
        seed: typeof item === 'object' ? seed : `${seed} ${String(item)}`,
        depth: depth + 1,
      }) ?? [],
  );
}

function fitMembers(schema: Schema, value: JsonObject, { seed, depth }: Place): JsonObject {
  const fields = fieldsOf(schema);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const field = fields.get(name);
      const fitted =
        field === undefined
          ? member
          : fit(field.schema, member, { seed: `${seed} ${name}`, depth: depth + 1 });
      return fitted === undefined ? [] : [[name, fitted] as const];
    }),
  );
}

/** The object that a text or number identifies, with the members that the schema requires. */
function nameObject(schema: Schema, value: JsonValue, seed: string): JsonValue | undefined {
  const fields = fieldsOf(schema);
  const named = naming
    .flatMap((name) => fields.get(name) ?? [])
    .filter(({ schema: own }) => own.validate(value, 'response').length === 0);
  const field = named.find(({ required }) => required) ?? named[0];
  return field && completeValue(schema, { [field.name]: value }, seed);
}

function fitBranch(
  schema: Schema,
  value: JsonValue,
  { seed, depth }: Place,
): JsonValue | undefined {
  for (const branch of schema.flatten().branches) {
    const part = schema.part(schema.follow(branch));
    const fitted = fit(part, value, { seed, depth: depth + 1 });
    if (fitted !== undefined && schema.validate(fitted, 'response').length === 0) return fitted;
  }
  return undefined;
}

/**
 * Adds required members to the objects in a value at any depth: their default, null if it is
 * allowed, or what agrees with the members beside them.
 */
export function completeValue(schema: Schema, value: JsonValue, seed: string): JsonValue {
  if (isJsonObject(value)) return completeObject(schema, value, seed);
  if (!isJsonArray(value) || value.length === 0) return value;
  const part = itemSchema(schema);
  if (part === undefined) return value;
  return value.map((item, index) => completeValue(part, item, `${seed} ${String(index)}`));
}

function completeObject(schema: Schema, value: JsonObject, seed: string): JsonObject {
  const fields = [...fieldsOf(schema).values()];
  if (fields.length === 0) return value;
  const members = Object.entries(value).map(([name, member]) => {
    const field = fieldsOf(schema).get(name);
    return [
      name,
      field === undefined ? member : completeValue(field.schema, member, `${seed} ${name}`),
    ] as const;
  });
  const missing = fields.filter(
    ({ name, required, writeOnly }) => required && !writeOnly && !Object.hasOwn(value, name),
  );
  const added = missing.flatMap((field) => {
    const made = makeMember(field, seed);
    return made === undefined ? [] : [[field.name, made] as const];
  });
  const whole = Object.fromEntries([...members, ...added]);
  if (added.length === 0) return whole;
  const own = new Map(missing.map((field) => [field.name, field.schema]));
  return relateFields(whole, (name, other) => own.get(name)?.accepts(other, 'response') === true);
}

/** What a body declares, and how responses show it. */
interface Declared {
  readonly sent: Schema;
  readonly shown: Schema;
}

/** A value that a client sent, with the defaults of what it left out of the objects in it. */
export function withDefaults(value: JsonValue, { sent, shown }: Declared): JsonValue {
  if (isJsonArray(value)) {
    const [own, known] = [itemSchema(sent), itemSchema(shown)];
    return own === undefined || known === undefined
      ? value
      : value.map((item) => withDefaults(item, { sent: own, shown: known }));
  }
  if (!isJsonObject(value)) return value;
  const [own, known] = [fieldsOf(sent), fieldsOf(shown)];
  const begun = [...known.values()].flatMap((field) => {
    const first = own.size === 0 || own.has(field.name) ? undefined : firstListed(field);
    return first === undefined ? [] : [[field.name, first] as const];
  });
  const members = [...own.values()].flatMap(({ name, schema, flat }) => {
    const told = Object.hasOwn(value, name) ? value[name] : flat.node.default;
    const field = known.get(name);
    return field === undefined || told === undefined
      ? []
      : [[name, withDefaults(told, { sent: schema, shown: field.schema })] as const];
  });
  return { ...Object.fromEntries(begun), ...value, ...Object.fromEntries(members) };
}

/** With what a member begins that only the service sets: the first text that is listed, a state. */
export function firstListed({ flat }: SchemaField): JsonValue | undefined {
  const { enum: listed = [] } = flat.node;
  return listed.slice(Number(startsUnspecified(listed))).find((value) => typeof value === 'string');
}

/** A member that nobody sent: its default, null if it is allowed, otherwise any valid value. */
export function makeMember(
  { name, schema, flat }: SchemaField,
  seed: string,
): JsonValue | undefined {
  if (flat.node.default !== undefined) return flat.node.default;
  if (flat.types.includes('null') && flat.types.length <= 2) return null;
  const made = plainValue(schema, {
    seed: `${seed} ${name}`,
    direction: 'response',
    required: 'only',
    name,
  });
  return made.ok ? made.value : undefined;
}

import type { Resource, Schema } from '../../contract/model.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { ParameterValues } from '../model/request.ts';
import type { SchemaField } from '../records/record-fields.ts';
import { fieldsOf, isIdentifierName, onlyValue, writeMoment } from '../records/record-fields.ts';

/** Generates values that the exchange does not contain. */
export interface Making {
  readonly now: Date;
  readonly makeId: () => string;
}

interface Edit {
  readonly path: readonly string[];
  readonly value: JsonValue;
}

/** The known values of the exchange, and the generator of others. */
export interface KnownValues {
  readonly known: KnownMembers;
  readonly making: Making;
}

const deepest = 4;
const maxEdits = 100;

/**
 * A body with the known values of the exchange in members of the same name, up to a depth of four.
 * Timestamps are the current time, and unknown identifiers are generated. A member stays as it was
 * if the schema does not allow the new value.
 */
export function setKnownMembers(schema: Schema, body: JsonObject, known: KnownValues): JsonObject {
  const edits = collectEdits(known, schema, body, []).slice(0, maxEdits);
  const whole = edits.reduce(apply, body);
  if (schema.validate(whole, 'request').length === 0) return whole;
  return edits.reduce((value, edit) => {
    const next = apply(value, edit);
    return schema.validate(next, 'request').length === 0 ? next : value;
  }, body);
}

function collectEdits(
  known: KnownValues,
  schema: Schema | undefined,
  body: JsonObject,
  path: readonly string[],
): Edit[] {
  const fields = schema === undefined ? new Map<string, SchemaField>() : fieldsOf(schema);
  const names = new Set([...fields.keys(), ...Object.keys(body)]);
  // An event has its own identifier beside that of its record.
  const isEvent = [...fields.values()].some(
    (field) =>
      !isIdentifierName(field) && [...fieldsOf(field.schema).values()].some(isIdentifierName),
  );
  return [...names].flatMap((name): Edit[] => {
    const field = fields.get(name);
    const here = [...path, name];
    const held = body[name];
    const own = field !== undefined && isEvent && isIdentifierName(field);
    const value = own ? makeOwn(field, known.making) : knownValue(name, field, held, known);
    if (value !== undefined) return [{ path: here, value }];
    return isJsonObject(held) && here.length < deepest
      ? collectEdits(known, field?.schema, held, here)
      : [];
  });
}

function knownValue(
  name: string,
  field: SchemaField | undefined,
  held: JsonValue | undefined,
  { known, making }: KnownValues,
): JsonValue | undefined {
  if (field !== undefined && onlyValue(field) !== undefined) return undefined;
  const value = known.get(name);
  if (value !== undefined && sameKind(value, held)) return value;
  return field === undefined ? undefined : makeOwn(field, making);
}

/** A value of another type, such as an object instead of a text, means something else. */
function sameKind(value: JsonValue, held: JsonValue | undefined): boolean {
  return (
    held === undefined ||
    held === null ||
    (typeof value === 'object') === (typeof held === 'object')
  );
}

/** The value that the mock gives a moment or an identifier; undefined for any other field. */
export function makeOwn(field: SchemaField, { now, makeId }: Making): JsonValue | undefined {
  if (field.moment !== undefined) return writeMoment(field, now);
  return isIdentifierName(field) && field.flat.types.includes('string') ? makeId() : undefined;
}

function apply(body: JsonObject, { path, value }: Edit): JsonObject {
  const [name, ...rest] = path;
  if (name === undefined) return body;
  const held = body[name];
  if (rest.length === 0) return { ...body, [name]: value };
  return isJsonObject(held) ? { ...body, [name]: apply(held, { path: rest, value }) } : body;
}

/** The values of an exchange by name. */
export type KnownMembers = ReadonlyMap<string, JsonValue>;

/** The sources of values, most reliable first. */
interface KnownSources {
  readonly responseBody: JsonValue | undefined;
  readonly requestBody: JsonValue | undefined;
  readonly parameters: ParameterValues;
  /** The resource of the operation, if it has one. */
  readonly resource: Resource | undefined;
}

/**
 * The values of an exchange by name. The response precedes the request, outer members precede
 * nested ones, and bodies precede parameters. The identifier of the record is also known by its
 * path parameter.
 */
export function knownMembers({
  responseBody,
  requestBody,
  parameters,
  resource,
}: KnownSources): KnownMembers {
  const known = new Map<string, JsonValue>();
  const learn = (name: string, value: JsonValue): void =>
    void (known.has(name) || known.set(name, value));
  for (const body of [responseBody, requestBody]) {
    if (!isJsonObject(body)) continue;
    const levels = [body, ...Object.values(body).filter(isJsonObject)];
    for (const level of levels) learnIdentifier(level, resource, learn);
    for (const level of levels)
      Object.entries(level).forEach(([name, value]) => learn(name, value));
  }
  for (const place of ['path ', 'query ']) {
    for (const [key, value] of parameters)
      if (key.startsWith(place)) learn(key.slice(place.length), value);
  }
  return known;
}

function learnIdentifier(
  body: JsonObject,
  resource: Resource | undefined,
  learn: (name: string, value: JsonValue) => void,
): void {
  const parameter = resource?.identifier.parameter;
  const id = resource === undefined ? undefined : body[resource.identifier.field];
  if (parameter !== undefined && id !== undefined && typeof id !== 'object') learn(parameter, id);
}

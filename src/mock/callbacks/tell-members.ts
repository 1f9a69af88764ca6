import type { Resource, Schema } from '../../contract/model.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { ParameterValues } from '../model/request.ts';
import {
  fieldsOf,
  isIdentifierName,
  momentKind,
  onlyValue,
  type SchemaField,
  writeMoment,
} from '../records/record-fields.ts';

/** What makes the values that an exchange does not tell. */
export interface Making {
  readonly now: Date;
  readonly makeId: () => string;
}

interface Edit {
  readonly path: readonly string[];
  readonly value: JsonValue;
}

/** What the exchange tells, and what is made where it tells nothing. */
export interface Told {
  readonly known: KnownMembers;
  readonly making: Making;
}

const deepest = 4;
const mostEdits = 100;

/**
 * A body with what the exchange tells in the members of the same name, at any depth down to four;
 * times are the present, and identifiers that nobody knows are made. A member stays as it was where
 * the schema does not take what is told.
 */
export function tellMembers(schema: Schema, body: JsonObject, told: Told): JsonObject {
  const edits = collectEdits(told, { schema, body, path: [] }).slice(0, mostEdits);
  const whole = edits.reduce(apply, body);
  if (schema.validate(whole, 'request').length === 0) return whole;
  return edits.reduce((value, edit) => {
    const next = apply(value, edit);
    return schema.validate(next, 'request').length === 0 ? next : value;
  }, body);
}

function collectEdits(
  told: Told,
  {
    schema,
    body,
    path,
  }: {
    readonly schema: Schema | undefined;
    readonly body: JsonObject;
    readonly path: readonly string[];
  },
): Edit[] {
  const fields = schema === undefined ? new Map<string, SchemaField>() : fieldsOf(schema);
  const names = new Set([...fields.keys(), ...Object.keys(body)]);
  // Around a record stands an event, whose identifier is its own.
  const isEvent = [...fields.values()].some(
    (field) =>
      !isIdentifierName(field) && [...fieldsOf(field.schema).values()].some(isIdentifierName),
  );
  return [...names].flatMap((name): Edit[] => {
    const field = fields.get(name);
    const here = [...path, name];
    const held = body[name];
    const own = field !== undefined && isEvent && isIdentifierName(field);
    const value = own ? makeOwn(field, told.making) : tell(name, field, held, told);
    if (value !== undefined) return [{ path: here, value }];
    return isJsonObject(held) && here.length < deepest
      ? collectEdits(told, { schema: field?.schema, body: held, path: here })
      : [];
  });
}

function tell(
  name: string,
  field: SchemaField | undefined,
  held: JsonValue | undefined,
  { known, making }: Told,
): JsonValue | undefined {
  if (field !== undefined && onlyValue(field) !== undefined) return undefined;
  const value = known.get(name);
  if (value !== undefined && sameKind(value, held)) return value;
  return field === undefined ? undefined : makeOwn(field, making);
}

/** An object in the place of a text, say, is another thing of the same name. */
function sameKind(value: JsonValue, held: JsonValue | undefined): boolean {
  return (
    held === undefined ||
    held === null ||
    (typeof value === 'object') === (typeof held === 'object')
  );
}

function makeOwn(field: SchemaField, { now, makeId }: Making): JsonValue | undefined {
  if (momentKind(field) !== undefined) return writeMoment(field, now);
  return isIdentifierName(field) && field.flat.types.includes('string') ? makeId() : undefined;
}

function apply(body: JsonObject, { path, value }: Edit): JsonObject {
  const [name, ...rest] = path;
  if (name === undefined) return body;
  const held = body[name];
  if (rest.length === 0) return { ...body, [name]: value };
  return isJsonObject(held) ? { ...body, [name]: apply(held, { path: rest, value }) } : body;
}

/** What an exchange tells by name, before a request is made out of it. */
export type KnownMembers = ReadonlyMap<string, JsonValue>;

/** Where an exchange tells values, the surest first. */
interface KnownSources {
  readonly responseBody: JsonValue | undefined;
  readonly requestBody: JsonValue | undefined;
  readonly parameters: ParameterValues;
  /** The resource that the operation acts on, where it does. */
  readonly resource: Resource | undefined;
}

/**
 * The values that an exchange holds by name: what the answer says counts before what the request
 * said, a member before what is inside one, and the body before parameters. The record's identifier
 * is known by its path parameter's name too.
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

import { concreteType } from '../../http/media-type.ts';
import { writeContent } from '../../contract/content/write-content.ts';
import type { MediaTypeSpec, Operation, Parameter } from '../../contract/model.ts';
import { equalJson } from '../../json/equal-json.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { isJsonArray, isJsonObject, stringifyJson } from '../../json/value.ts';
import { plainValue } from '../../values/plain-value.ts';

/** A parameter with a plausible value as it is written in a request; `''` if none can be made. */
export interface ExampleParameter {
  readonly parameter: Parameter;
  readonly value: string;
}

/** A valid body as text with its media type. */
export interface ExampleBody {
  readonly mediaType: string;
  readonly text: string;
}

/** The names of existing records, which a request must have in order to find them. */
export interface ExistingNames {
  /** The text of a parameter by its place and name: `path thingId`. */
  readonly parameters: ReadonlyMap<string, string>;
  /** The values that a member of a body may have, the first for one that has another. */
  readonly members: ReadonlyMap<string, readonly JsonValue[]>;
}

const anyNames: ExistingNames = { parameters: new Map(), members: new Map() };

/**
 * A plausible request of an operation, from the examples of the contract, otherwise from its
 * schemas.
 */
export interface ExampleRequest {
  readonly parameters: readonly ExampleParameter[];
  readonly body: ExampleBody | undefined;
}

/** An example request. Deterministic for operation, seed and the records that it can name. */
export function exampleRequest(
  operation: Operation,
  seed: string,
  existing = anyNames,
): ExampleRequest {
  const content = operation.requestBody?.content ?? [];
  const spec = content.find(({ mediaType }) => /\bjson\b/i.test(mediaType)) ?? content[0];
  return {
    parameters: operation.parameters.map((parameter) => ({
      parameter,
      value:
        existing.parameters.get(`${parameter.in} ${parameter.name}`) ??
        writeParameter(parameter, seed),
    })),
    body: spec && writeBody(spec, seed, existing),
  };
}

function writeParameter(parameter: Parameter, seed: string): string {
  const made = plainValue(parameter.schema, { seed, direction: 'request', name: parameter.name });
  const value = parameter.examples[0]?.value ?? (made.ok ? made.value : undefined);
  return value === undefined ? '' : textOf(value);
}

/** The text for an input field: a comma-separated list, an object as JSON. */
function textOf(value: JsonValue): string {
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object'))
    return value.map(String).join(',');
  return typeof value === 'object' ? stringifyJson(value) : String(value);
}

/** A body of a media type; without text if its schema cannot be filled. */
export function writeBody(spec: MediaTypeSpec, seed: string, existing = anyNames): ExampleBody {
  const value = exampleValue(spec, 'request', seed, existing);
  const type = concreteType(spec.mediaType, typeof value === 'string');
  if (value === undefined) return { mediaType: type, text: '' };
  const { mediaType, bytes } = writeContent(value, { ...spec, mediaType: type });
  return { mediaType, text: new TextDecoder().decode(bytes) };
}

/** An example of a response body as text: that of the contract, or else a generated one. */
export function exampleAnswer(spec: MediaTypeSpec, seed: string, existing = anyNames): string {
  const value = exampleValue(spec, 'response', seed, existing);
  if (value === undefined) return '';
  return typeof value === 'string' ? value : stringifyJson(value);
}

function exampleValue(
  { examples, schema }: MediaTypeSpec,
  direction: 'request' | 'response',
  seed: string,
  { members }: ExistingNames,
): JsonValue | undefined {
  const made = schema && plainValue(schema, { seed, direction });
  const value = examples[0]?.value ?? (made?.ok === true ? made.value : undefined);
  return isJsonObject(value) ? nameExisting(value, members) : value;
}

/** A body whose members name existing records; also one in an envelope. */
function nameExisting(body: JsonObject, members: ExistingNames['members']): JsonObject {
  const [[only = '', inner] = [], ...others] = Object.entries(body);
  if (others.length === 0 && isJsonObject(inner) && !members.has(only))
    return { [only]: nameExisting(inner, members) };
  return [...members].reduce(
    (whole, [field, values]) =>
      Object.hasOwn(whole, field)
        ? nameMember(whole, [field], values)
        : nameMember(whole, field.split('.'), values),
    body,
  );
}

function nameMember(
  object: JsonObject,
  [name = '', ...rest]: readonly string[],
  values: readonly JsonValue[],
): JsonObject {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  if (value === undefined) return object;
  if (rest.length === 0) return { ...object, [name]: existingValue(value, values) };
  return isJsonObject(value) ? { ...object, [name]: nameMember(value, rest, values) } : object;
}

function existingValue(value: JsonValue, values: readonly JsonValue[]): JsonValue {
  const isExisting = (one: JsonValue): boolean => values.some((each) => equalJson(each, one));
  if (isJsonArray(value)) return value.every(isExisting) ? value : values.slice(0, 1);
  return isExisting(value) ? value : (values[0] ?? value);
}

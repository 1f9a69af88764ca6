import { concreteType } from '../../http/media-type.ts';
import { writeContent } from '../../contract/content/write-content.ts';
import type { MediaTypeSpec, Operation, Parameter } from '../../contract/model.ts';
import { type JsonValue, stringifyJson } from '../../json/value.ts';
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

/**
 * A plausible request of an operation, from the examples of the contract, otherwise from its
 * schemas.
 */
export interface ExampleRequest {
  readonly parameters: readonly ExampleParameter[];
  readonly body: ExampleBody | undefined;
}

/** An example request. Deterministic for operation and seed. */
export function exampleRequest(operation: Operation, seed: string): ExampleRequest {
  const content = operation.requestBody?.content ?? [];
  const spec = content.find(({ mediaType }) => /\bjson\b/i.test(mediaType)) ?? content[0];
  return {
    parameters: operation.parameters.map((parameter) => ({
      parameter,
      value: writeParameter(parameter, seed),
    })),
    body: spec && writeBody(spec, seed),
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

/** A body of a media type; undefined without a schema that can be filled. */
export function writeBody(spec: MediaTypeSpec, seed: string): ExampleBody | undefined {
  const made =
    spec.schema === undefined ? undefined : plainValue(spec.schema, { seed, direction: 'request' });
  const value = spec.examples[0]?.value ?? (made?.ok === true ? made.value : undefined);
  const type = concreteType(spec.mediaType, typeof value === 'string');
  if (value === undefined) return { mediaType: type, text: '' };
  const { mediaType, bytes } = writeContent(value, { ...spec, mediaType: type });
  return { mediaType, text: new TextDecoder().decode(bytes) };
}

/** An example of a response body as text: that of the contract, or else a generated one. */
export function exampleAnswer({ examples, schema }: MediaTypeSpec, seed: string): string {
  const made = schema && plainValue(schema, { seed, direction: 'response' });
  const value = examples[0]?.value ?? (made?.ok === true ? made.value : undefined);
  if (value === undefined) return '';
  return typeof value === 'string' ? value : stringifyJson(value);
}

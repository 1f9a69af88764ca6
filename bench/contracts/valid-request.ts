import { placeCredential } from '../../src/check/secrets/credential.ts';
import { contentForm } from '../../src/http/media-type.ts';
import { writeContent } from '../../src/contract/content/write-content.ts';
import type { MediaTypeSpec, Operation, Parameter } from '../../src/contract/model.ts';
import { encodeParameter } from '../../src/contract/parameter/encode-parameter.ts';
import { readTemplate } from '../../src/contract/path-template.ts';
import { emptyBody, type HeaderList, type HttpRequest } from '../../src/http/message.ts';
import { isJsonObject, type JsonValue } from '../../src/json/value.ts';
import { plainValue } from '../../src/values/plain-value.ts';
import { sampleContent } from '../../src/values/sample-content.ts';

/** A valid request of an operation, or the clause that says why none was made. */
export type RequestResult =
  | { readonly ok: true; readonly request: HttpRequest }
  | { readonly ok: false; readonly reason: string };

/** The key that the mock under judgement knows. */
export const key = 'demo-key';

/**
 * What is known to be there: path values by parameter name, and members of the body by field,
 * dotted where it lies deeper.
 */
export interface Known {
  readonly path: ReadonlyMap<string, JsonValue>;
  readonly body: ReadonlyMap<string, JsonValue>;
}

/** Makes a valid request from the contract alone: what it requires and no more, examples first. */
export function validRequest(operation: Operation, known: Known, seed: string): RequestResult {
  const credential = placeCredential(operation, key);
  const query = credential.query.map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  const headers: [string, string][] = [...credential.headers].map(([name, value]) => [name, value]);
  const cookies = credential.cookies.map(([name, value]) => `${name}=${value}`);
  let path = operation.path;
  for (const parameter of operation.parameters.filter(({ required }) => required)) {
    const value =
      (parameter.in === 'path' ? known.path.get(parameter.name) : undefined) ??
      parameterValue(parameter, seed);
    if (value === undefined)
      return {
        ok: false,
        reason: `no valid value of the parameter ${parameter.name} could be made`,
      };
    const encoded = encodeParameter(parameter, value);
    if (encoded.in === 'path') path = path.replaceAll(`{${parameter.name}}`, () => encoded.text);
    if (encoded.in === 'query') query.push(encoded.pairs);
    if (
      encoded.in === 'header' &&
      !headers.some(([name]) => name.toLowerCase() === encoded.name.toLowerCase())
    )
      headers.push([encoded.name, encoded.value]);
    if (encoded.in === 'cookie') cookies.push(encoded.pair);
  }
  const body = requestBody(operation, known, seed);
  if (typeof body === 'string') return { ok: false, reason: body };
  const target = (operation.servers[0]?.basePath ?? '') + targetOf(path, query);
  const fields: HeaderList = [
    ...headers,
    ...(cookies.length === 0 ? [] : [['Cookie', cookies.join('; ')] as const]),
    ...body.headers,
  ];
  return {
    ok: true,
    request: { method: operation.method, target, headers: fields, body: body.bytes },
  };
}

/**
 * The target of a filled template: what stands behind `?` or `#` in it is what it asks of the
 * query.
 */
function targetOf(filled: string, query: readonly string[]): string {
  const { segments, conditions } = readTemplate(filled);
  const path = segments
    .map((segment) => `/${segment}`)
    .join('')
    .replaceAll(/[^\x21-\x7e]/g, encodeURIComponent);
  const required = conditions
    .map(({ name, value = '' }) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .filter((pair) => !query.some((given) => given.startsWith(pair.split('=', 1)[0] ?? '')));
  const pairs = [...required, ...query];
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

/** A valid value of a parameter: an example where the contract shows a valid one. */
export function parameterValue(
  { examples, schema }: Parameter,
  seed: string,
): JsonValue | undefined {
  const example = examples.find(({ value }) => schema.validate(value, 'request').length === 0);
  if (example !== undefined) return example.value;
  const made = plainValue(schema, { seed, direction: 'request' });
  return made.ok ? made.value : undefined;
}

interface WrittenBody {
  readonly headers: HeaderList;
  readonly bytes: Uint8Array;
}

function requestBody(
  { requestBody: body }: Operation,
  known: Known,
  seed: string,
): WrittenBody | string {
  const [media] = [...(body?.content ?? [])].sort((left, right) => rank(left) - rank(right));
  if (body === undefined || media === undefined) return { headers: [], bytes: emptyBody };
  const concrete = { ...media, mediaType: concreteType(media.mediaType) };
  const made = bodyValue(concrete, seed);
  const value =
    made === undefined
      ? undefined
      : [...known.body].reduce(
          (held, [field, member]) => withMember(held, field.split('.'), member),
          made,
        );
  if (value === undefined)
    return body.required
      ? `no valid body of ${media.mediaType} could be made`
      : { headers: [], bytes: emptyBody };
  const { mediaType, bytes } = writeContent(value, concrete);
  // A form without a field is no body; an operation that requires one cannot be requested with it.
  if (bytes.length === 0)
    return body.required
      ? `a body of ${media.mediaType} without a member is empty`
      : { headers: [], bytes: emptyBody };
  return { headers: [['Content-Type', mediaType]], bytes };
}

function rank({ mediaType }: MediaTypeSpec): number {
  return ['json', 'form', 'multipart', 'text'].indexOf(contentForm(concreteType(mediaType))) >>> 0;
}

function concreteType(mediaType: string): string {
  if (!mediaType.includes('*')) return mediaType;
  return mediaType.startsWith('image/')
    ? 'image/png'
    : mediaType.startsWith('text/')
      ? 'text/plain'
      : 'application/json';
}

function bodyValue(
  { mediaType, schema, examples }: MediaTypeSpec,
  seed: string,
): JsonValue | undefined {
  const example = examples.find(
    ({ value }) => schema === undefined || schema.validate(value, 'request').length === 0,
  );
  if (example !== undefined) return example.value;
  const form = contentForm(mediaType);
  if (form === 'binary' || form === 'xml') return sampleContent(mediaType) ?? 'sample';
  if (schema === undefined) return form === 'text' ? 'sample' : {};
  const made = plainValue(schema, { seed, direction: 'request' });
  if (made.ok && !(form === 'form' && isUnsaid(made.value))) return made.value;
  // A form has no way to say that a member is empty.
  const whole = plainValue(schema, { seed, direction: 'request', required: 'all' });
  return whole.ok ? whole.value : undefined;
}

function isUnsaid(value: JsonValue): boolean {
  return (
    isJsonObject(value) &&
    Object.values(value).some(
      (member) => typeof member === 'object' && member !== null && Object.keys(member).length === 0,
    )
  );
}

/** A value with a member replaced, where it is there. */
function withMember(
  value: JsonValue,
  [name = '', ...deeper]: readonly string[],
  member: JsonValue,
): JsonValue {
  if (!isJsonObject(value) || !Object.hasOwn(value, name)) return value;
  return {
    ...value,
    [name]: deeper.length === 0 ? member : withMember(value[name] ?? null, deeper, member),
  };
}

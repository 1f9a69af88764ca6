import type { MediaTypeSpec, Operation, RequestBody, Schema } from '../../contract/model.ts';
import { selectMediaType } from '../../contract/select-response.ts';
import { isJsonMediaType, parseMediaType } from '../../http/media-type.ts';
import { headerValues, type HttpRequest } from '../../http/message.ts';
import { quoteExcerpt } from '../../json/json-problem.ts';
import { parseJson } from '../../json/parse-json.ts';
import type { JsonValue } from '../../json/value.ts';
import { describeIssues } from '../errors/describe-issue.ts';
import { makeFault, type Fault } from '../errors/fault.ts';
import { readForm } from './read-form.ts';

/** The body of a request as read: nothing, a value with the schema that it has to keep, or why it cannot be read. */
export type BodyReading =
  | { readonly kind: 'absent' }
  | { readonly kind: 'value'; readonly value: JsonValue; readonly mediaType: string; readonly schema: Schema | undefined }
  /** Bytes that mean nothing here, such as an image. */
  | { readonly kind: 'opaque' }
  | Fault;

/** Reads a request's body as its media type says; whether a value keeps its schema is left to `judgeBody`. */
export function readBody(operation: Operation, request: HttpRequest): BodyReading {
  const { requestBody } = operation;
  if (requestBody === undefined) return { kind: 'absent' };
  if (request.body.length === 0) return requestBody.required ? missing(requestBody) : { kind: 'absent' };
  const types = headerValues(request.headers, 'content-type');
  const [type] = types;
  if (types.length > 1) return makeFault('target', 'invalid_request', 'The header Content-Type is given twice. Send it once.');
  if (requestBody.content.length === 0) return { kind: 'opaque' };
  if (type === undefined) return wrongType(`The header Content-Type is missing. Send ${nameTypes(requestBody)}.`, requestBody);
  const entry = selectMediaType(requestBody.content, type);
  if (entry === undefined) return wrongType(`The header Content-Type must be ${nameTypes(requestBody)}, but is ${quoteExcerpt(type)}.`, requestBody);
  return readContent(request.body, type, entry, requestBody);
}

function missing(body: RequestBody): Fault {
  return makeFault('body-missing', 'missing_body', `The request has no body, and needs one as ${nameTypes(body)}.`, { issues: [{ place: 'body', name: '', rule: 'required', message: 'The body is required.' }] });
}

/** RFC 9110, section 15.5.16: a 415 says in `Accept` what would have done. */
function wrongType(message: string, body: RequestBody): Fault {
  return makeFault('media-type', 'unsupported_media_type', message, { headers: [['Accept', listTypes(body)]] });
}

function listTypes({ content }: RequestBody): string {
  return content.map(({ mediaType }) => mediaType).join(', ') || '*/*';
}

function nameTypes({ content }: RequestBody): string {
  return content.map(({ mediaType }) => mediaType).join(' or ');
}

function readContent(bytes: Uint8Array, type: string, { schema }: MediaTypeSpec, body: RequestBody): BodyReading {
  const mediaType = parseMediaType(type)?.essence ?? type;
  const charset = parseMediaType(type)?.parameters.get('charset')?.toLowerCase() ?? 'utf-8';
  const isText = isJsonMediaType(mediaType) || mediaType === 'application/x-www-form-urlencoded' || mediaType.startsWith('text/');
  if (!isText) return { kind: 'opaque' };
  if (!['utf-8', 'utf8', 'us-ascii'].includes(charset)) return wrongType(`The charset of the body must be utf-8, but is ${quoteExcerpt(charset)}.`, body);
  if (isJsonMediaType(mediaType)) return readJson(bytes, mediaType, schema);
  const text = decode(bytes);
  if (text === undefined) return makeFault('body-unreadable', 'invalid_body', 'The body is not UTF-8.');
  if (mediaType.startsWith('text/')) return { kind: 'value', value: text, mediaType, schema };
  const form = readForm(text, schema);
  return form.kind === 'fault' ? form : { kind: 'value', value: form.value, mediaType, schema };
}

function readJson(bytes: Uint8Array, mediaType: string, schema: Schema | undefined): BodyReading {
  const reading = parseJson(bytes);
  if (reading.ok) return { kind: 'value', value: reading.value, mediaType, schema };
  return makeFault('body-unreadable', 'invalid_json', `The body is not valid JSON: ${reading.problem.message}.`);
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Why a body is refused, every broken rule at once; undefined where it is not. */
export function judgeBody(reading: BodyReading): Fault | undefined {
  if (reading.kind === 'fault') return reading;
  if (reading.kind !== 'value' || reading.schema === undefined) return undefined;
  const { value } = reading;
  const issues = reading.schema.validate(value, 'request');
  if (issues.length === 0) return undefined;
  const { told, message } = describeIssues(issues, value, { place: 'body', name: '' });
  const code = issues.every(({ keyword }) => keyword === 'required') ? 'missing_field' : 'invalid_value';
  return makeFault('body-value', code, message, { issues: told });
}

import { contentForm } from '../../contract/content/content-form.ts';
import { WorkBudget } from '../../contract/schema/work-meter.ts';
import type {
  MediaTypeSpec,
  Operation,
  RequestBody,
  Schema,
  SchemaIssue,
} from '../../contract/model.ts';
import { selectMediaType } from '../../contract/select-response.ts';
import { parseMediaType } from '../../http/media-type.ts';
import { headerValues, type HttpRequest } from '../../http/message.ts';
import { quoteExcerpt } from '../../json/json-problem.ts';
import { joinPointer } from '../../json/pointer.ts';
import { isJsonArray, type JsonValue } from '../../json/value.ts';
import { describeIssues } from '../errors/describe-issue.ts';
import { makeFault, type Fault } from '../errors/fault.ts';
import { contentReader } from './read-content.ts';

/**
 * `itemSchema` is what each item has to keep, where the body is a sequence of values and its schema
 * speaks of one.
 */
export interface ReadValue {
  readonly kind: 'value';
  readonly value: JsonValue;
  readonly mediaType: string;
  readonly schema: Schema | undefined;
  readonly itemSchema?: Schema | undefined;
}

/**
 * The body of a request as read: nothing, a value with the schema that it has to keep, or why it
 * cannot be read.
 */
export type BodyReading =
  | { readonly kind: 'absent' }
  | ReadValue
  /** Bytes that mean nothing here, such as an image. */
  | { readonly kind: 'opaque' }
  | Fault;

/**
 * Reads a request's body as its media type says; whether a value keeps its schema is left to
 * `judgeBody`.
 */
export function readBody(operation: Operation, request: HttpRequest): BodyReading {
  return bodyReader(operation, request)(request.body);
}

/** Reads bodies that come with the same header fields. */
export type ReadBytes = (bytes: Uint8Array) => BodyReading;

const absent: BodyReading = { kind: 'absent' };

/** What the head of a request says of how its body is to be read. */
export function bodyReader(
  { requestBody }: Operation,
  { headers }: Pick<HttpRequest, 'headers'>,
): ReadBytes {
  if (requestBody === undefined) return () => absent;
  const read = typedReader(requestBody, headers);
  return (bytes) =>
    bytes.length > 0 ? read(bytes) : requestBody.required ? missing(requestBody) : absent;
}

function typedReader(requestBody: RequestBody, headers: HttpRequest['headers']): ReadBytes {
  const types = headerValues(headers, 'content-type');
  const [type] = types;
  if (types.length > 1)
    return () =>
      makeFault(
        'target',
        'invalid_request',
        'The header Content-Type is given twice. Send it once.',
      );
  if (requestBody.content.length === 0) return () => ({ kind: 'opaque' });
  if (type === undefined)
    return () =>
      wrongType(`The header Content-Type is missing. Send ${nameTypes(requestBody)}.`, requestBody);
  const entry = selectMediaType(requestBody.content, type);
  if (entry === undefined)
    return () =>
      wrongType(
        `The header Content-Type must be ${nameTypes(requestBody)}, but is ${quoteExcerpt(type)}.`,
        requestBody,
      );
  const mediaType = parseMediaType(type)?.essence ?? type;
  const { schema, itemSchema } = schemasOf(mediaType, entry);
  const read = contentReader(type, entry);
  return (bytes) => {
    const reading = read(bytes);
    if (reading.kind === 'charset')
      return wrongType(
        `The charset of the body must be utf-8, but is ${quoteExcerpt(reading.charset)}.`,
        requestBody,
      );
    return reading.kind === 'value'
      ? { kind: 'value', value: reading.value, mediaType, schema, itemSchema }
      : reading;
  };
}

function missing(body: RequestBody): Fault {
  return makeFault(
    'body-missing',
    'missing_body',
    `The request has no body, and needs one as ${nameTypes(body)}.`,
    { issues: [{ place: 'body', name: '', rule: 'required', message: 'The body is required.' }] },
  );
}

/** RFC 9110, section 15.5.16: a 415 says in `Accept` what would have done. */
function wrongType(message: string, body: RequestBody): Fault {
  return makeFault('media-type', 'unsupported_media_type', message, {
    headers: [['Accept', listTypes(body)]],
  });
}

function listTypes({ content }: RequestBody): string {
  return content.map(({ mediaType }) => mediaType).join(', ') || '*/*';
}

function nameTypes({ content }: RequestBody): string {
  return content.map(({ mediaType }) => mediaType).join(' or ');
}

/** Before OpenAPI 3.2 had `itemSchema`, the schema of a sequence was often that of one item. */
function schemasOf(
  mediaType: string,
  { schema, itemSchema }: MediaTypeSpec,
): Pick<ReadValue, 'schema' | 'itemSchema'> {
  if (itemSchema !== undefined) return { schema, itemSchema };
  const isSequence = ['json-lines', 'json-sequence'].includes(contentForm(mediaType));
  return isSequence && schema !== undefined && !schema.flatten().types.includes('array')
    ? { schema: undefined, itemSchema: schema }
    : { schema };
}

/** Why a body is refused, every broken rule at once; undefined where it is not. */
export function judgeBody(reading: BodyReading): Fault | undefined {
  if (reading.kind === 'fault') return reading;
  if (reading.kind !== 'value') return undefined;
  const { value } = reading;
  const budget = new WorkBudget();
  const issues = reading.schema?.validate(value, 'request', budget) ?? [];
  for (const issue of judgeItems(reading, budget)) issues.push(issue);
  if (issues.length === 0) return undefined;
  const { told, message } = describeIssues(issues, value, { place: 'body', name: '' });
  const code = issues.every(({ keyword }) => keyword === 'required')
    ? 'missing_field'
    : 'invalid_value';
  return makeFault('body-value', code, message, { issues: told });
}

/** What is wrong with the items of a sequence, which share one budget. */
function judgeItems({ value, itemSchema }: ReadValue, budget: WorkBudget): SchemaIssue[] {
  if (itemSchema === undefined || !isJsonArray(value)) return [];
  const issues: SchemaIssue[] = [];
  for (const [index, item] of value.entries()) {
    for (const issue of itemSchema.validate(item, 'request', budget)) {
      issues.push({ ...issue, at: joinPointer('', index) + issue.at });
    }
    if (issues.length >= mostItemIssues) break;
  }
  return issues;
}

/** What is wrong beyond these is not told. */
const mostItemIssues = 1_000;

import { contentForm, parseMediaType } from '../../http/media-type.ts';
import type {
  MediaTypeSpec,
  ParameterPlace,
  RequestBody,
  SchemaIssue,
} from '../../contract/model.ts';
import { isNeeded } from '../../contract/model/operation.ts';
import { decodeParameter } from '../../contract/parameter/decode-parameter.ts';
import { WorkBudget } from '../../json/work-budget.ts';
import { selectMediaType } from '../../contract/select-response.ts';
import { type HeaderList, headerValues, type HttpRequest } from '../../http/message.ts';
import { quoteExcerpt } from '../../json/json-problem.ts';
import { joinPointer } from '../../json/pointer.ts';
import { isJsonArray, type JsonValue } from '../../json/value.ts';
import { describeIssues, nameParameter } from '../errors/describe-issue.ts';
import { joinSentences } from '../errors/visible-text.ts';
import { type Fault, type FaultIssue, makeFault } from '../model/reply.ts';
import type {
  OperationPlan,
  ParameterValues,
  ParsedBody,
  ReadParameter,
  ReadValue,
  RoutedRequest,
} from '../model/request.ts';
import { contentReader } from './read-content.ts';

const absent: ParsedBody = { kind: 'absent' };

type ReadBody = (bytes: Uint8Array) => ParsedBody;

/** The maximum number and length of media types of an operation whose parsers are kept. */
const maxTypes = 16;
const longestType = 200;

const newReaders = (): Map<string | undefined, ReadBody> => new Map();

/** Parses the body of a request by its media type; `judgeBody` validates the result. */
export function readBody(plan: OperationPlan, { headers, body }: HttpRequest): ParsedBody {
  const { requestBody } = plan.documented;
  if (requestBody === undefined) return absent;
  if (body.length === 0) return requestBody.required ? missing(requestBody) : absent;
  const [type, ...others] = headerValues(headers, 'content-type');
  if (others.length > 0)
    return makeFault(
      'target',
      'invalid_request',
      'The header Content-Type is given twice. Send it once.',
    );
  // To choose a parser takes longer than to parse a body.
  const readers = plan.derive(newReaders);
  const reader = readers.get(type) ?? typedReader(requestBody, type);
  if (readers.size < maxTypes && (type?.length ?? 0) <= longestType) readers.set(type, reader);
  return reader(body);
}

function typedReader(requestBody: RequestBody, type: string | undefined): ReadBody {
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
    {
      issues: [{ location: 'body', name: '', rule: 'required', message: 'The body is required.' }],
    },
  );
}

/** RFC 9110, section 15.5.16: a 415 response lists the supported types in `Accept`. */
function wrongType(message: string, body: RequestBody): Fault {
  return makeFault('media-type', 'unsupported_media_type', message, {
    headers: [['Accept', body.content.map(({ mediaType }) => mediaType).join(', ') || '*/*']],
  });
}

function nameTypes({ content }: RequestBody): string {
  return content.map(({ mediaType }) => mediaType).join(' or ');
}

/** Before OpenAPI 3.2 added `itemSchema`, the schema of a sequence was often that of one item. */
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

/** Every violation in a body; undefined if it is valid. */
export function judgeBody(reading: ParsedBody): Fault | undefined {
  if (reading.kind === 'fault') return reading;
  if (reading.kind !== 'value') return undefined;
  const { value } = reading;
  const budget = new WorkBudget();
  const issues = reading.schema?.validate(value, 'request', budget) ?? [];
  for (const issue of judgeItems(reading, budget)) issues.push(issue);
  if (issues.length === 0) return undefined;
  const { reported, message } = describeIssues(issues, value, { location: 'body', name: '' });
  const code = issues.every(({ keyword }) => keyword === 'required')
    ? 'missing_field'
    : 'invalid_value';
  return makeFault('body-value', code, message, { issues: reported });
}

/** The violations in the items of a sequence, with a common limit. */
function judgeItems({ value, itemSchema }: ReadValue, budget: WorkBudget): SchemaIssue[] {
  if (itemSchema === undefined || !isJsonArray(value)) return [];
  const issues: SchemaIssue[] = [];
  for (const [index, item] of value.entries()) {
    for (const issue of itemSchema.validate(item, 'request', budget)) {
      issues.push({ ...issue, at: joinPointer('', index) + issue.at });
    }
    if (issues.length >= maxItemIssues) break;
  }
  return issues;
}

/** The maximum number of reported violations. */
const maxItemIssues = 1_000;

/** Reads every declared parameter; others are ignored. */
export function readParameters(
  { plan, target, rawPath }: Pick<RoutedRequest, 'plan' | 'target' | 'rawPath'>,
  headers: HeaderList,
): readonly ReadParameter[] {
  const wire = { path: rawPath, rawQuery: target.rawQuery, headers };
  return plan.documented.parameters.map((parameter) => ({
    parameter,
    reading: decodeParameter(parameter, wire),
  }));
}

/** The key of a parameter among the values. */
export function parameterKey({
  in: location,
  name,
}: {
  readonly in: ParameterPlace;
  readonly name: string;
}): string {
  return `${location} ${name}`;
}

/** The values that can be parsed, valid or not. */
export function valuesOf(parameters: readonly ReadParameter[]): ParameterValues {
  const values = new Map<string, JsonValue>();
  for (const { parameter, reading } of parameters)
    if (reading.kind === 'value') values.set(parameterKey(parameter), reading.value);
  return values;
}

/**
 * Every violation in the parameters; an impossible path precedes the others. Undefined if all are
 * valid.
 */
export function judgeParameters(parameters: readonly ReadParameter[]): Fault | undefined {
  const budget = new WorkBudget();
  const issues = parameters.flatMap((read) => judgeParameter(read, budget));
  if (issues.length === 0) return undefined;
  const inPath = issues.filter(({ location }) => location === 'path');
  const reported = inPath.length > 0 ? inPath : issues;
  const code = reported.every(({ rule }) => rule === 'required')
    ? 'missing_parameter'
    : 'invalid_value';
  const isCondition = reported.every(
    ({ location, name, rule }) =>
      location === 'header' && rule === 'required' && /^if-(none-)?match$/i.test(name),
  );
  const cause = isCondition ? 'condition-missing' : 'parameter-value';
  return makeFault(
    inPath.length > 0 ? 'path-value' : cause,
    code,
    joinSentences(reported.map(({ message }) => message)),
    { issues: reported },
  );
}

function judgeParameter(
  { parameter, reading }: ReadParameter,
  budget: WorkBudget,
): readonly FaultIssue[] {
  const place = { location: parameter.in, name: parameter.name };
  if (reading.kind === 'value') {
    const issues = parameter.schema.validate(reading.value, 'request', budget);
    return issues.length === 0 ? none : describeIssues(issues, reading.value, place).reported;
  }
  if (reading.kind === 'unreadable')
    return [{ ...place, rule: 'type', message: `${nameParameter(place)} ${reading.message}.` }];
  // The router guarantees the parameters of the path, except those in its query.
  return isNeeded(parameter)
    ? [{ ...place, rule: 'required', message: `${nameParameter(place)} is required.` }]
    : none;
}

const none: readonly FaultIssue[] = [];

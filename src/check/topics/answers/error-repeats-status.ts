import type { FlatSchema, LocatedNode, MediaTypeSpec, Schema } from '../../../contract/model.ts';
import { selectMediaType, selectResponse } from '../../../contract/select-response.ts';
import { joinPointer, type Pointer } from '../../../json/pointer.ts';
import { isJsonObject, isNumeric, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import type { CheckInput, Violations } from '../../model/knowledge.ts';
import { headerValue } from '../../../http/message.ts';
import { check } from '../check.ts';
import { factIn, fieldSays, fieldTexts } from '../../../contract/words/facts.ts';

const names = ['status', 'statusCode'] as const;

/**
 * A numeric status in an error body equals the status of the response (RFC 9457, section 3.1.2,
 * requires it for problem details), and a member that is a header by its description equals that.
 */
export const errorRepeatsStatus = check({
  id: 'error-repeats-status',
  basis: 'inferred',
  harm: 'form',
  rule:
    'A numeric `status` or `statusCode` in the body of an error, or a member that is the HTTP ' +
    'status or a header of the response by its description, equals that.',
  reason: 'Code that only sees the body takes the wrong branch if the two differ.',
  example: ['> GET /items/0', '< 404 Not Found', '< {"status": 400, "message": "no such item"}'],
  confirm: 'once',
  traits: ['one response', 'shared', 'error bodies'],
  inspect(subject) {
    const { answer } = subject;
    const { response } = subject.exchange;
    if (response === undefined || response.status < 400 || subject.case.intent.kind === 'method')
      return undefined;
    const body = jsonOf(answer);
    if (!isJsonObject(body)) return undefined;
    const found = statusIn(subject, body);
    const header = headerIn(subject, body);
    if (found === undefined) return header;
    const { name, value, pointer } = found;
    const repeated = String(value);
    if (repeated === String(response.status)) return header ?? [];
    return {
      at: pointer ?? joinPointer(subject.operation.pointer, 'responses'),
      message:
        `The server answered ${String(response.status)} with a body whose ` +
        `${name} is ${repeated}.`,
      expected: `${name} is ${String(response.status)}, equal to the status of the response`,
      actual: `${name} is ${repeated}`,
    };
  },
});

/** A member that has a header of the response by its description: `As X-Request-Id`. */
function headerIn(subject: CheckInput, body: JsonObject): Violations {
  const { properties } = declaredMedia(subject)?.schema?.flatten() ?? {};
  const { headers = [] } = subject.exchange.response ?? {};
  const repeated = [...(properties ?? [])].flatMap(([name, place]) => {
    const header = factIn(fieldTexts(place), 'repeats-header')?.value ?? '';
    const [sent, value] = [headerValue(headers, header), body[name]];
    const isBoth = sent !== undefined && typeof value === 'string';
    return isBoth ? [{ name, value, sent, header, at: place.pointer }] : [];
  });
  const other = repeated.find(({ value, sent }) => value !== sent);
  if (other === undefined) return repeated.length === 0 ? undefined : [];
  const { name, value, sent, at } = other;
  return {
    at,
    message: `The ${name} of an error is ${value}; the header ${other.header} is ${sent}.`,
    expected: `${name} is ${sent}`,
    actual: `${name} is ${value}`,
    cause: 'header',
  };
}

/** Other numbers may be codes of the application. */
function isStatus(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 100 && value <= 599;
}

/** A member of the body of an error that repeats the status. */
interface Repeated {
  readonly name: string;
  readonly value: JsonValue;
  readonly pointer: Pointer | undefined;
}

/**
 * A member with the usual name; otherwise one, also within a member, that is the HTTP status by its
 * description, such as the code of `error` (Google AIP-193).
 */
function statusIn(subject: CheckInput, body: JsonObject): Repeated | undefined {
  const media = declaredMedia(subject);
  const isProblem = media?.mediaType.toLowerCase().startsWith('application/problem+') === true;
  for (const name of names) {
    const value = body[name];
    const place = media?.schema?.flatten().properties.get(name);
    const isCertain = isProblem ? place !== undefined : says(media?.schema, place, 'http-status');
    if (value !== undefined && (isStatus(value) || (isNumeric(value) && isCertain)))
      return { name, value, pointer: place?.pointer };
  }
  return media?.schema && told(media.schema, media.schema.flatten(), body);
}

function told(schema: Schema, { properties }: FlatSchema, body: JsonObject): Repeated | undefined {
  for (const [name, place] of properties) {
    const value = body[name];
    if (value === undefined) continue;
    if (isNumeric(value) && says(schema, place, 'is-http-status'))
      return { name, value, pointer: place.pointer };
    const inner = isJsonObject(value) && told(schema, schema.flatten(place), value);
    if (inner) return { ...inner, name: `${name}.${inner.name}` };
  }
  return undefined;
}

function says(
  schema: Schema | undefined,
  place: LocatedNode | undefined,
  fact: 'http-status' | 'is-http-status',
): boolean {
  if (schema === undefined || place === undefined) return false;
  return fieldSays(schema.flatten(place), fact);
}

function declaredMedia({
  operation,
  exchange: { response },
  answer,
}: CheckInput): MediaTypeSpec | undefined {
  if (response === undefined || answer.kind !== 'json') return undefined;
  const documented = selectResponse(operation, response.status);
  return documented && selectMediaType(documented.content, answer.mediaType);
}

import { membersOf } from '../../json/body-members.ts';
import type { Operation, Parameter, ResponseSpec, Schema } from '../../contract/model.ts';
import { selectResponse } from '../../contract/select-response.ts';
import { asksToWait, type HttpResponse, isRefusal } from '../../http/message.ts';
import { type Pointer, splitPointer, valueAt } from '../../json/pointer.ts';
import type { JsonValue } from '../../json/value.ts';
import { withoutMark } from './request-changes.ts';
import { findIdentifier, identifierIn } from './identifiers.ts';
import { controlOf, mediaOf } from '../model/case.ts';
import type { CheckInput } from '../model/knowledge.ts';
import type { RequestTemplate } from '../model/request-template.ts';
import { type Answer, roleOf, type Step } from '../model/step.ts';
import { creatorKey } from './created-record.ts';
import { splitTarget } from '../../http/target.ts';
import { basePartsOf } from '../model/base-url.ts';
import { readPath } from './read-body.ts';

/**
 * The statuses that HTTP defines for faulty requests (RFC 9110, section 15.5; RFC 6585), even if a
 * contract does not document them.
 */
const ownOfHttp = new Set([405, 406, 411, 413, 414, 415, 417, 428, 429, 431]);

/**
 * Whether a status needs no documentation: HTTP defines it for a faulty request, or it requests a
 * later retry.
 */
export function isOwnOfHttp(response: HttpResponse): boolean {
  return ownOfHttp.has(response.status) || asksToWait(response);
}

/**
 * Whether a response has a status that is documented only indirectly: a fault that HTTP itself
 * defines, such as a 414 from a proxy, under `default` or a range. Its body need not conform to the
 * contract's errors.
 */
export function isUnspecific(documented: ResponseSpec, response: HttpResponse): boolean {
  return isOwnOfHttp(response) && !/^\d{3}$/.test(documented.status);
}

/**
 * Whether a status is documented: exactly, by its range, or by `default`, which documents
 * everything except 5xx.
 */
export function isDocumented(operation: Operation, status: number): boolean {
  const response = selectResponse(operation, status);
  return response !== undefined && (response.status !== 'default' || status < 500);
}

/**
 * Whether an operation documents the status of its success; one that documents only `default`
 * leaves it open.
 */
export function documentsSuccess(operation: Operation): boolean {
  return operation.responses.some(({ status }) => /^2(\d\d|XX)$/.test(status));
}

/** Whether a refusal has a readable body. `body-parses` reports an invalid one. */
export function isHonest(answer: Answer): boolean {
  return answer.kind === 'empty' || answer.mediaType !== undefined;
}

/** The documented statuses as a clause: `200 or 401`; `nothing` if there are none. */
export function listStatuses(operation: Operation): string {
  const named = operation.responses.map(({ status }) =>
    status === 'default' ? 'any below 500' : status,
  );
  if (named.length === 0) return 'nothing';
  return named.length === 1
    ? (named[0] ?? '')
    : `${named.slice(0, -1).join(', ')} or ${named.at(-1) ?? ''}`;
}

/**
 * Whether a create is refused because its identifier is that of another record: with 409,
 * regardless of the contract, or with any refusal if the run itself used the identifier before.
 */
export function isNameTaken({
  contract,
  operation,
  sent,
  exchange,
  knowledge,
}: CheckInput): boolean {
  const role = roleOf(contract, operation);
  const status = exchange.response?.status ?? 0;
  if (role?.action !== 'create' || !isRefusal(status)) return false;
  // The record may be in an envelope.
  const path = findIdentifier(sent.body ?? null, role.resource.identifier.field);
  const chosen = path && identifierIn(sent.body ?? null, path);
  return (
    chosen !== undefined &&
    (status === 409 ||
      knowledge.creators.has(creatorKey(role.resource, chosen, { operation, sent })))
  );
}

/** A text of a request, and the text of its control at the same place. */
interface TriedText {
  readonly text: string;
  readonly usual: JsonValue | undefined;
}

/** A shorter text may occur in a message by chance. */
const shortestQuoted = 3;

/**
 * Whether a refusal with a documented status quotes the only made-up text of the request: the
 * contract has no rule and no example for it, so only the service knows which texts are valid. A
 * text that the accepted control request has too is not the reason, and a message that quotes
 * several texts only repeats the request.
 */
export function refusesGuess({
  case: testCase,
  operation,
  sent,
  exchange: { response },
}: CheckInput): boolean {
  if (response === undefined || !documentsStatus(operation, response.status)) return false;
  const said = new TextDecoder().decode(response.body);
  const control = controlOf(testCase);
  const schema = mediaOf(testCase)?.schema;
  const tried = [
    ...textsInBody(sent.body, schema, control),
    ...[...sent.arguments].flatMap(([parameter, value]) =>
      textInArgument(parameter, { value, control }),
    ),
  ].filter(({ text }) => text.length >= shortestQuoted && said.includes(text));
  const [quoted] = tried;
  if (quoted === undefined || new Set(tried.map(({ text }) => text)).size > 1) return false;
  return control === undefined || !isSameText(quoted.text, quoted.usual);
}

/** Whether an operation documents a status exactly or by its range, not by `default`. */
export function documentsStatus(operation: Operation, status: number): boolean {
  const response = selectResponse(operation, status);
  return response !== undefined && response.status !== 'default';
}

function textsInBody(
  body: JsonValue | undefined,
  schema: Schema | undefined,
  control: RequestTemplate | undefined,
): TriedText[] {
  if (body === undefined) return [];
  const usual = control?.body === undefined || control.body.kind === 'bytes' ? null : control.body;
  return membersOf(body).flatMap(({ at, value }): TriedText[] => {
    if (typeof value !== 'string' || !isGuessed(schema && schemaAt(schema, at), value)) return [];
    return [{ text: value, usual: usual === null ? undefined : valueAt(usual.value, at) }];
  });
}

function textInArgument(
  parameter: Parameter,
  { value, control }: { readonly value: JsonValue; readonly control: RequestTemplate | undefined },
): TriedText[] {
  const isRecordName = parameter.in === 'path';
  const isShown = parameter.examples.length > 0;
  if (typeof value !== 'string' || isRecordName || isShown) return [];
  if (!isGuessed(parameter.schema, value)) return [];
  const source = control?.arguments.find((given) => given.parameter === parameter)?.source;
  return [{ text: value, usual: source?.kind === 'value' ? source.value : undefined }];
}

function isSameText(text: string, usual: JsonValue | undefined): boolean {
  return typeof usual === 'string' && withoutMark(text) === withoutMark(usual);
}

/** Keywords that define which texts are valid, or show one. */
const sayingKeywords = ['enum', 'const', 'pattern', 'format', 'default', 'examples', 'example'];

/** Whether a text is a guess: its schema only says that it is a text. */
function isGuessed(schema: Schema | undefined, text: string): boolean {
  const node = schema?.flatten().node ?? {};
  const { length } = text;
  return (
    !sayingKeywords.some((keyword) => Object.hasOwn(node, keyword)) &&
    node['minLength'] !== length &&
    node['maxLength'] !== length
  );
}

/** The schema of a place in a value; undefined if the contract has none for it. */
export function schemaAt(whole: Schema, at: Pointer): Schema | undefined {
  return splitPointer(at).reduce<Schema | undefined>((schema, token) => {
    const flat = schema?.flatten();
    if (schema === undefined || flat === undefined) return undefined;
    const inner = flat.properties.get(token) ?? flat.items;
    return inner && schema.part(inner);
  }, whole);
}

/** Whether a status says something of the client, and nothing of the request that it sent. */
export function isOfClient(status: number): boolean {
  return [401, 403, 429].includes(status);
}

/**
 * Whether the contract describes the answer to a request: not to a method that it does not declare,
 * nor at an address in an answer that leads to the bytes of a file and not to a record.
 */
export function isDescribed({
  case: { intent, operation, request },
  exchange: { baseUrl, request: sent },
  answer,
}: Step): boolean {
  if (intent.kind === 'method') return false;
  if (request.locatedBy === undefined && request.address === undefined) return true;
  if (answer.kind !== 'bytes') return true;
  const { path: base } = basePartsOf(baseUrl);
  const { path } = splitTarget(sent.target);
  return (
    path.startsWith(`${base}/`) && readPath(operation.path, path.slice(base.length)) !== undefined
  );
}

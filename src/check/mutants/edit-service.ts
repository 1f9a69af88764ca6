import { loadContract } from '../../contract/load.ts';
import type { Contract, MediaTypeSpec, Operation } from '../../contract/model.ts';
import { writeContent } from '../../contract/content/write-content.ts';
import { selectMediaType, selectResponse } from '../../contract/select-response.ts';
import { isJsonMediaType, isStream, readJson } from '../../http/media-type.ts';
import {
  headerValue,
  type HttpRequest,
  type HttpResponse,
  isSuccess,
  withHeader,
  withoutHeader,
} from '../../http/message.ts';
import { equalJson } from '../../json/equal-json.ts';
import { joinPointer, type Pointer, splitPointer, valueAt } from '../../json/pointer.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { isJsonArray, isJsonObject, membersWhere, stringifyJson } from '../../json/value.ts';
import { jsonOf, readAnswer } from '../reading/read-answer.ts';
import { readContent } from '../reading/read-content.ts';
import type { Respond, Service } from './mutant.ts';

/** Selects the responses to change: by the operation, the request and the reply. */
export interface Target {
  readonly operation?: Operation;
  /** Only this status, or any at all; the default is any success. */
  readonly status?: number | 'any';
}

/** The same message with a different JSON body. */
export function withJson<Message extends Pick<HttpResponse, 'headers' | 'body'>>(
  message: Message,
  value: JsonValue,
): Message {
  return withBytes(message, new TextEncoder().encode(stringifyJson(value)));
}

/** The same message with one more header, or with another value for it. */
export function setHeader<Message extends Pick<HttpResponse, 'headers'>>(
  message: Message,
  name: string,
  value: string,
): Message {
  return { ...message, headers: withHeader(message.headers, name, value) };
}

/** The same message without a header. */
export function dropHeader<Message extends Pick<HttpResponse, 'headers'>>(
  message: Message,
  name: string,
): Message {
  return { ...message, headers: withoutHeader(message.headers, name) };
}

/** The same message with different bytes, and the length adjusted. */
export function withBytes<Message extends Pick<HttpResponse, 'headers' | 'body'>>(
  message: Message,
  body: Uint8Array,
): Message {
  const sized =
    headerValue(message.headers, 'content-length') === undefined
      ? message.headers
      : withHeader(message.headers, 'Content-Length', String(body.length));
  return { ...message, headers: sized, body };
}

/** The same message with an edited JSON body; undefined if it has none, or nothing changes. */
export function editJson<Message extends Pick<HttpResponse, 'headers' | 'body'>>(
  message: Message,
  edit: (body: JsonValue) => JsonValue | undefined,
): Message | undefined {
  const body = readJson(message);
  const edited = body === undefined ? undefined : edit(body);
  return edited === undefined ? undefined : withJson(message, edited);
}

type MaybeLater<Value> = Value | Promise<Value>;

/** Changes the responses of a service. `edit` returns undefined to leave a response unchanged. */
export function editAnswers(
  service: Service,
  fired: () => void,
  target: Target,
  edit: (response: HttpResponse, request: HttpRequest) => MaybeLater<HttpResponse | undefined>,
): Respond {
  return async (request) => {
    const reply = await service.respond(request);
    const { response } = reply;
    if (response === undefined || !isMeant(service, request, response, target)) return reply;
    const edited = await edit(response, request);
    if (edited === undefined) return reply;
    fired();
    return { ...reply, response: edited };
  };
}

/**
 * The value in the body of a response: JSON, XML that its schema describes, or the items of a
 * sequence.
 */
export function readValue(
  response: HttpResponse,
  operation: Operation | undefined,
): JsonValue | undefined {
  const answer = readAnswer(response, operation);
  if (answer.kind !== 'bytes' || !isStream(answer.mediaType ?? '')) return jsonOf(answer);
  const reading = readContent(answer, mediaOf(response, operation));
  return reading.kind === 'items' ? reading.items : undefined;
}

function mediaOf(
  { status, headers }: HttpResponse,
  operation: Operation | undefined,
): MediaTypeSpec | undefined {
  const content = operation && selectResponse(operation, status)?.content;
  return content && selectMediaType(content, headerValue(headers, 'content-type') ?? '');
}

/**
 * The same response with another value in the same media type; undefined if that cannot be told
 * from a value that conforms: XML and events have texts alone, so 7 and "7" are the same.
 */
export function withValue(
  response: HttpResponse,
  operation: Operation | undefined,
  value: JsonValue,
): HttpResponse | undefined {
  const mediaType = headerValue(response.headers, 'content-type') ?? '';
  const media = mediaOf(response, operation);
  if (media === undefined || isJsonMediaType(mediaType)) return withJson(response, value);
  const edited = withBytes(response, writeContent(value, { ...media, mediaType }).bytes);
  const shown = readValue(edited, operation);
  const isSame = Buffer.compare(edited.body, response.body) === 0;
  return isSame || (shown !== undefined && !equalJson(shown, value)) ? undefined : edited;
}

/**
 * Changes the bodies of responses, in JSON or XML. `edit` returns undefined to leave a body
 * unchanged.
 */
export function editBodies(
  service: Service,
  fired: () => void,
  target: Target,
  edit: (value: JsonValue, request: HttpRequest) => MaybeLater<JsonValue | undefined>,
): Respond {
  return editAnswers(service, fired, target, async (response, request) => {
    const operation = service.operationOf(request);
    const value = readValue(response, operation);
    const edited = value === undefined ? undefined : await edit(value, request);
    return edited === undefined ? undefined : withValue(response, operation, edited);
  });
}

/** Changes the requests to a service. `edit` returns undefined to leave a request unchanged. */
export function editRequests(
  service: Service,
  fired: () => void,
  operation: Operation | undefined,
  edit: (request: HttpRequest) => HttpRequest | undefined,
): Respond {
  return async (request) => {
    const edited =
      operation === undefined || service.operationOf(request) === operation
        ? edit(request)
        : undefined;
    if (edited === undefined) return service.respond(request);
    fired();
    return service.respond(edited);
  };
}

/** Whether a reply is selected. */
function isMeant(
  service: Service,
  request: HttpRequest,
  response: HttpResponse,
  { operation, status }: Target,
): boolean {
  if (operation !== undefined && service.operationOf(request) !== operation) return false;
  return status === undefined
    ? isSuccess(response.status)
    : status === 'any' || response.status === status;
}

/** A member of the document to set or to remove. */
export interface Edit {
  readonly at: Pointer;
  readonly value: JsonValue | undefined;
}

/**
 * Whether the place is in the document itself: a place in converted or referenced parts cannot be
 * edited there.
 */
export function isWritten(
  document: JsonObject,
  at: Pointer,
  value: JsonValue | undefined,
): boolean {
  const holder = valueAt(
    document,
    splitPointer(at)
      .slice(0, -1)
      .reduce((pointer, token) => joinPointer(pointer, token), ''),
  );
  return (
    isJsonObject(holder) &&
    (value !== undefined || Object.hasOwn(holder, splitPointer(at).at(-1) ?? ''))
  );
}

export async function editContract(
  { document }: Contract,
  edits: readonly Edit[],
): Promise<Contract> {
  // loadContract accepts a parsed document; JSON values are its members.
  return loadContract(
    edits.reduce<JsonValue>(
      (edited, edit) => setAt(edited, splitPointer(edit.at), edit.value),
      document,
    ) as JsonObject,
  );
}

function setAt(
  holder: JsonValue,
  [token, ...rest]: readonly string[],
  value: JsonValue | undefined,
): JsonValue {
  if (token === undefined) return value ?? null;
  if (isJsonArray(holder))
    return holder.map((item, index) => (String(index) === token ? setAt(item, rest, value) : item));
  if (!isJsonObject(holder)) return holder;
  if (rest.length > 0) return { ...holder, [token]: setAt(holder[token] ?? {}, rest, value) };
  return value === undefined
    ? membersWhere(holder, (name) => name !== token)
    : { ...holder, [token]: value };
}

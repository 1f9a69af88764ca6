import type { Callback, Operation, OutgoingOperation, Resource } from '../../contract/model.ts';
import { type ExpressionFacts, fillUrl } from '../../contract/runtime-expression.ts';
import { selectMediaType, selectResponse } from '../../contract/select-response.ts';
import { isJsonMediaType, readJson } from '../../http/media-type.ts';
import { headerValue, type HttpResponse } from '../../http/message.ts';
import type { Target } from '../../http/target.ts';
import { parseJson } from '../../json/parse-json.ts';
import type { JsonValue } from '../../json/value.ts';
import { makeSeed, type RequestContext } from '../request/request-context.ts';
import type { MockOptions, CallbackRequest } from '../mock.ts';
import type { ValidRequest } from '../model/request.ts';
import { valuesOf } from '../request/read-request.ts';
import { requestUrl } from '../request/request-url.ts';
import { knownMembers, type Making } from './known-members.ts';
import { type OutgoingFacts, writeOutgoing } from './write-outgoing.ts';

/** A successful exchange that triggers callbacks. */
export interface CallbackOccasion extends Pick<
  ValidRequest,
  'request' | 'path' | 'parameters' | 'body' | 'seed'
> {
  readonly operation: Operation;
  readonly resource: Resource | undefined;
  readonly target: Target;
  readonly response: HttpResponse;
  readonly making: Making;
}

/**
 * The callbacks of an exchange, in the order of the contract. A callback whose URL the exchange
 * does not contain is not due.
 */
function makeCallbacks(occasion: CallbackOccasion): CallbackRequest[] {
  const responseBody = readJson(occasion.response);
  const facts = expressionFacts(occasion, responseBody);
  const known = knownMembers({
    responseBody,
    requestBody: occasion.body,
    parameters: occasion.parameters,
    resource: occasion.resource,
  });
  return occasion.operation.callbacks.flatMap((callback) => {
    const url = fillUrl(callback.url, facts);
    if (url === undefined) return [];
    const seed = `${occasion.seed} ${callback.name}`;
    return makeCallback(callback, url, occasion.operation.id, {
      known,
      headers: occasion.request.headers,
      seed,
      making: occasion.making,
    });
  });
}

function makeCallback(
  callback: Callback,
  url: string,
  operation: string,
  facts: OutgoingFacts,
): CallbackRequest {
  if (!isWebUrl(url))
    return {
      kind: 'unsendable',
      name: callback.name,
      operation,
      reason:
        `has a URL that is none: ${JSON.stringify(url.slice(0, 200))} (it must ` +
        'begin with http:// or https://)',
    };
  return { ...makeRequest(callback, url, facts), operation };
}

/** The request of a callback or a webhook, or why it cannot be made. */
function makeRequest(
  outgoing: OutgoingOperation,
  url: string,
  facts: OutgoingFacts,
): CallbackRequest {
  const { name, method } = outgoing;
  const written = writeOutgoing(outgoing, facts);
  if (written.kind === 'impossible') return { kind: 'unsendable', name, reason: written.reason };
  const { query, headers, body } = written;
  return { kind: 'sendable', name, method, url: withQuery(url, query), headers, body };
}

export function isWebUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

/** Adds query parameters to a URL. */
function withQuery(url: string, query: string): string {
  if (query === '') return url;
  const whole = new URL(url);
  whole.search = whole.search === '' ? query : `${whole.search}&${query}`;
  return whole.href;
}

function expressionFacts(
  { request, target, path, body, response }: CallbackOccasion,
  responseBody: JsonValue | undefined,
): ExpressionFacts {
  return {
    url: requestUrl(request),
    method: request.method,
    request: { headers: request.headers, query: target.query, path, body },
    response: { status: response.status, headers: response.headers, body: responseBody },
  };
}

/** The callbacks of a response; none unless it is a success. Never throws. */
export function callbacksOf(
  context: RequestContext,
  response: HttpResponse,
  options: Pick<MockOptions, 'seed' | 'makeId'>,
): readonly CallbackRequest[] {
  if (response.status < 200 || response.status > 299) return none;
  const { operation } = context.routed.plan;
  try {
    // Callbacks of callbacks are not sent: a mock that calls itself would never stop.
    return headerValue(context.request.headers, 'vouch-callback') === undefined
      ? makeAll(context, response, options)
      : none;
  } catch (error) {
    // The operation has already taken effect: a callback that cannot be made must not fail the
    // request.
    return [
      {
        kind: 'unsendable',
        name: 'callbacks',
        operation: operation.id,
        reason: `cannot be made: ${error instanceof Error ? error.message : String(error)}`,
      },
    ];
  }
}

const none: readonly CallbackRequest[] = [];

function makeAll(
  { routed, request, view, preferences, now }: RequestContext,
  response: HttpResponse,
  { seed, makeId }: Pick<MockOptions, 'seed' | 'makeId'>,
): CallbackRequest[] {
  const { operation, role } = routed.plan;
  const body = view.body();
  return makeCallbacks({
    operation,
    resource: role?.resource,
    request,
    target: routed.target,
    path: routed.path,
    parameters: valuesOf(view.parameters()),
    body: body.kind === 'value' ? body.value : undefined,
    response,
    seed: makeSeed(preferences.seed ?? seed, operation.id, request),
    making: { now, makeId },
  });
}

/** A requested webhook. */
interface WebhookOrder extends Pick<OutgoingFacts, 'body' | 'seed' | 'making'> {
  /** Absolute, `http` or `https`. */
  readonly url: string;
}

/** Makes a webhook from the contract; `unsendable` if no valid body has the required members. */
export function makeWebhook(
  webhook: OutgoingOperation,
  { url, body, seed, making }: WebhookOrder,
): CallbackRequest {
  const own = `${seed} ${webhook.name} ${webhook.method}`;
  return makeRequest(webhook, url, { known: new Map(), headers: [], seed: own, making, body });
}

/** The violations of the contract in a response to a webhook or callback, one sentence each. */
export function judgeAnswer(
  outgoing: OutgoingOperation,
  { status, headers, body }: HttpResponse,
): string[] {
  const response = selectResponse(outgoing, status);
  if (response === undefined) {
    const known = outgoing.responses.map((each) => each.status).join(', ');
    return known === ''
      ? []
      : [`The status ${String(status)} is not documented; there are: ${known}.`];
  }
  if (response.content.length === 0 || body.length === 0) return [];
  const type = headerValue(headers, 'content-type') ?? '';
  const content = selectMediaType(response.content, type);
  if (content === undefined)
    return [
      'The content type ' +
        `${type === '' ? 'is missing' : `${type} is not documented`}; there are: ` +
        `${response.content.map(({ mediaType }) => mediaType).join(', ')}.`,
    ];
  if (content.schema === undefined || !isJsonMediaType(type)) return [];
  const reading = parseJson(body);
  if (!reading.ok) return [`The body is not valid JSON: ${reading.problem.message}.`];
  return content.schema
    .validate(reading.value, 'response')
    .map(({ at, message }) => `The body${at === '' ? '' : ` at ${at}`} ${message}.`);
}

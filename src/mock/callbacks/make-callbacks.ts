import type { Callback, Operation, Resource } from '../../contract/model.ts';
import { type ExpressionFacts, fillUrl } from '../../contract/runtime-expression.ts';
import { isJsonMediaType } from '../../http/media-type.ts';
import { headerValue, type HttpRequest, type HttpResponse } from '../../http/message.ts';
import type { Target } from '../../http/query.ts';
import { originOf, schemeOf } from '../../http/request-origin.ts';
import { parseJson } from '../../json/parse-json.ts';
import type { JsonValue } from '../../json/value.ts';
import type { ParameterValues } from '../model/reading.ts';
import type { CallbackRequest } from './callback-request.ts';
import { knownMembers } from './known-members.ts';
import type { Making } from './tell-members.ts';
import { type OutgoingFacts, writeOutgoing } from './write-outgoing.ts';

/** An exchange that has ended well, out of which callbacks are made. */
export interface CallbackOccasion {
  readonly operation: Operation;
  readonly resource: Resource | undefined;
  readonly request: HttpRequest;
  readonly target: Target;
  readonly path: ReadonlyMap<string, string>;
  readonly parameters: ParameterValues;
  readonly body: JsonValue | undefined;
  readonly response: HttpResponse;
  readonly seed: string;
  readonly making: Making;
}

/**
 * The callbacks that follow from an exchange, in the order of the contract. One whose URL the
 * exchange does not tell is not due: the client asked for none.
 */
export function makeCallbacks(occasion: CallbackOccasion): CallbackRequest[] {
  const responseBody = readResponseBody(occasion.response);
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
    return [
      makeCallback(callback, url, occasion.operation.id, {
        known,
        headers: occasion.request.headers,
        seed,
        making: occasion.making,
      }),
    ];
  });
}

function makeCallback(
  callback: Callback,
  url: string,
  operation: string,
  facts: OutgoingFacts,
): CallbackRequest {
  const { name, method } = callback;
  if (!isWebUrl(url))
    return {
      kind: 'unsendable',
      name,
      operation,
      reason: `has a URL that is none: ${JSON.stringify(url.slice(0, 200))} (it must begin with http:// or https://)`,
    };
  const written = writeOutgoing(callback, facts);
  if (written.kind === 'impossible')
    return { kind: 'unsendable', name, operation, reason: written.reason };
  return {
    kind: 'sendable',
    name,
    operation,
    method,
    url: withQuery(url, written.query),
    headers: written.headers,
    body: written.body,
  };
}

/** Whether a text is a URL that a request can be sent to. */
export function isWebUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

/** A URL with more of a query. */
export function withQuery(url: string, query: string): string {
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
    url: /^https?:\/\//i.test(request.target)
      ? request.target
      : `${originOf(request) ?? `${schemeOf(request)}://localhost`}${request.target}`,
    method: request.method,
    request: { headers: request.headers, query: target.query, path, body },
    response: { status: response.status, headers: response.headers, body: responseBody },
  };
}

function readResponseBody({ headers, body }: HttpResponse): JsonValue | undefined {
  if (body.length === 0 || !isJsonMediaType(headerValue(headers, 'content-type') ?? ''))
    return undefined;
  const reading = parseJson(body);
  return reading.ok ? reading.value : undefined;
}

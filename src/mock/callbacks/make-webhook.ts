import type { OutgoingOperation } from '../../contract/model.ts';
import { selectMediaType, selectResponse } from '../../contract/select-response.ts';
import { isJsonMediaType } from '../../http/media-type.ts';
import { headerValue, type HttpResponse } from '../../http/message.ts';
import { parseJson } from '../../json/parse-json.ts';
import type { JsonValue } from '../../json/value.ts';
import type { CallbackRequest } from './callback-request.ts';
import { withQuery } from './make-callbacks.ts';
import type { Making } from './tell-members.ts';
import { writeOutgoing } from './write-outgoing.ts';

/** A webhook that somebody wants to see sent. */
export interface WebhookOrder {
  /** Absolute, `http` or `https`. */
  readonly url: string;
  /** What the body must hold; the rest is made. */
  readonly body?: JsonValue;
  readonly seed: string;
  readonly making: Making;
}

/**
 * Makes a webhook as the contract has it; `unsendable` where it has no valid body with what was
 * ordered.
 */
export function makeWebhook(
  webhook: OutgoingOperation,
  { url, body, seed, making }: WebhookOrder,
): CallbackRequest {
  const { name, method } = webhook;
  const written = writeOutgoing(webhook, {
    known: new Map(),
    headers: [],
    seed: `${seed} ${name} ${method}`,
    making,
    ...(body === undefined ? {} : { body }),
  });
  if (written.kind === 'impossible') return { kind: 'unsendable', name, reason: written.reason };
  return {
    kind: 'sendable',
    name,
    method,
    url: withQuery(url, written.query),
    headers: written.headers,
    body: written.body,
  };
}

/**
 * How an answer to a webhook or callback breaks what the contract documents for it, a sentence
 * each; empty where it does not.
 */
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
      `The content type ${type === '' ? 'is missing' : `${type} is not documented`}; there are: ${response.content.map(({ mediaType }) => mediaType).join(', ')}.`,
    ];
  if (content.schema === undefined || !isJsonMediaType(type)) return [];
  const reading = parseJson(body);
  if (!reading.ok) return [`The body is not valid JSON: ${reading.problem.message}.`];
  return content.schema
    .validate(reading.value, 'response')
    .map(({ at, message }) => `The body${at === '' ? '' : ` at ${at}`} ${message}.`);
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { VouchError } from '../errors.ts';
import { methods } from '../contract/model.ts';
import { emptyBody, type HttpRequest, type HttpResponse } from '../http/message.ts';
import { problemResponse } from '../http/problem.ts';
import type { Answer, Mock } from '../mock/mock.ts';
import type { CompleteAppOptions } from './app-options.ts';
import { refuse } from './connection/refuse.ts';
import { isControlTarget } from './control/control-target.ts';
import { closing } from './closing.ts';
import { allowReading, answerPreflight } from './cors/cors.ts';
import { delay } from './delay.ts';
import { summarise } from './journal/journal.ts';
import { redactFor } from './journal/redact.ts';
import { readHead, type RequestHead } from './request-head.ts';
import { sendFault } from './send-fault.ts';
import { isFinalStatus, sendResponse } from './send-response.ts';
import { sendSoon } from './send-soon.ts';
import { serveTokens } from './serve-tokens.ts';
import type { ServingParts } from './serving-parts.ts';
import { certificateOf } from './tls/client-certificate.ts';
import { takeRequest } from './take-request.ts';

/** Answers one request, whatever it holds and whatever goes wrong; a fault of our own is a 500 that tells nothing. */
export async function serveExchange(parts: ServingParts, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const arrival = { at: Date.now(), started: performance.now() };
  const head = readHead(incoming);
  try {
    const taken = takeRequest(incoming, head, parts.options.bodyLimit);
    const taking = taken instanceof Promise ? await taken : taken;
    if (taking.kind === 'taken') await exchange(parts, { request: parts.options.clientCertificates ? { ...taking.request, certificate: certificateOf(incoming.socket) } : taking.request, incoming, response, arrival });
    else if (taking.kind === 'refused') await turnAway(parts, taking.refusal, { head, incoming, response, arrival });
  } catch (fault) {
    if (response.headersSent) response.destroy();
    else sendResponse(response, faultResponse());
    record(parts, withoutBody(head), { ...faultResponse(), delayMs: 0 }, arrival);
    report(parts, fault);
  }
}

/** What a client learns of a fault of our own. */
export function faultResponse(): HttpResponse {
  return problemResponse(500, 'vouch failed to answer. This is a fault of its own, not of the request.');
}

/** When a request came: by the machine's clock, for people, and by one that never jumps, for durations. */
interface Arrival {
  readonly at: number;
  readonly started: number;
}

interface Entrance {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly arrival: Arrival;
}

async function turnAway(parts: ServingParts, refused: HttpResponse, { head, incoming, response, arrival }: Entrance & { readonly head: RequestHead }): Promise<void> {
  const refusal = readable(parts, head, { ...refused, delayMs: 0 });
  const sent = refuse(incoming, response, refusal);
  record(parts, withoutBody(head), refusal, arrival);
  return sent;
}

async function exchange(parts: ServingParts, { request, response, arrival }: Entrance & { readonly request: HttpRequest }): Promise<void> {
  const answer = readable(parts, request, checkAnswer(await answerRequest(parts, request)));
  const { callbacks } = answer;
  // Told of before the wait, because a client may hang up during it: what it asked for has happened all the same.
  if (callbacks !== undefined) response.once('close', () => parts.options.callbacks?.send(callbacks));
  const waited = !(answer.delayMs > 0) || (await delay(answer.delayMs, closing(response)));
  if (waited && answer.fault !== undefined) await sendFault(response, answer, answer.fault);
  else if (waited) sendSoon(response, answer, (fault) => report(parts, fault));
  record(parts, request, answer, arrival);
  if (answer.failure !== undefined) report(parts, answer.failure);
}

function answerRequest({ mock, control, options }: ServingParts, request: HttpRequest): Promise<Answer> | Answer {
  if (request.target === '*') return { status: 204, headers: [['Allow', methods.join(', ')]], body: emptyBody, delayMs: 0 };
  const preflight = options.cors && answerPreflight(request, options.cors, mock);
  if (preflight !== undefined) return { ...preflight, delayMs: 0 };
  if (mock.tokens?.isTokenTarget(request.target) === true) return serveTokens(mock.tokens, request, options.host).then((answer) => ({ ...answer, delayMs: 0 }));
  if (isControl(options, request.target)) return control(request).then((answer) => ({ ...answer, delayMs: 0 }));
  return mock.answer(request);
}

/** Whether a request is the control API's, and the control API stands on this port. */
function isControl({ controlApart }: CompleteAppOptions, target: string): boolean {
  return !controlApart && isControlTarget(target);
}

/** An answer that pages of other origins may read, where the user wants that. The control API is never among them. */
function readable({ mock, options }: ServingParts, request: Pick<RequestHead, 'method' | 'target' | 'headers'>, answer: Answer): Answer {
  if (options.cors === undefined || (isControl(options, request.target) && mock.tokens?.isTokenTarget(request.target) !== true)) return answer;
  return allowReading(answer, request, options.cors);
}

function checkAnswer(answer: Answer): Answer {
  if (isFinalStatus(answer.status)) return answer;
  throw new VouchError('internal', `The mock answered with the status ${answer.status}, which ends no exchange.`);
}

function withoutBody({ method, target, headers }: RequestHead): HttpRequest {
  return { method, target, headers, body: emptyBody };
}

function record(parts: ServingParts, request: HttpRequest, answer: Answer, { at, started }: Arrival): void {
  // What goes through the token endpoints is secrets.
  if (isControl(parts.options, request.target) || parts.mock.tokens?.isTokenTarget(request.target) === true) return;
  const happening = { at, request, answer, durationMs: performance.now() - started };
  parts.journal.add(happening);
  const { onExchange } = parts.options;
  if (onExchange === undefined) return;
  try {
    onExchange({ ...summarise(happening), target: redactTarget(parts.mock, request.target) });
  } catch (fault) {
    report(parts, fault);
  }
}

/** Keys and tokens in a query never come as far as a log. */
function redactTarget({ options }: Mock, target: string): string {
  return redactFor(options).target(target);
}

function report({ options }: ServingParts, fault: unknown): void {
  try {
    options.onFault(fault);
  } catch {
    // Who cannot be told of a fault cannot be told of this one either.
  }
}

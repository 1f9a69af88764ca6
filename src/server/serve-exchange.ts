import type { IncomingMessage, ServerResponse } from 'node:http';
import { methods } from '../contract/model.ts';
import { VouchError } from '../errors.ts';
import { isLoopbackHost, originOf } from '../http/host.ts';
import { emptyBody, type HttpRequest, type HttpResponse, headerValue } from '../http/message.ts';
import { problemResponse } from '../http/problem.ts';
import type { Answer } from '../mock/mock.ts';
import type { TokenService } from '../mock/tokens/token-service.ts';
import { type MaybePromise, whenReady } from '../store/store.ts';
import { certificateOf, type Turn } from './connection/connections.ts';
import { refuse } from './connection/refuse.ts';
import { wantsHtml } from './console/pages.ts';
import { refuseRebound } from './control/control-access.ts';
import { controlPrefix } from './control/control-prefix.ts';
import { isWelcome, welcomePage } from './console/welcome.ts';
import { allowReading, answerPreflight } from './cors/cors.ts';
import { summarise } from './journal/journal.ts';
import { readHead, type RequestHead, takeRequest, type Taking } from './guard/guard.ts';
import { sendFault } from './send-fault.ts';
import { isFinalStatus, sendResponse, sendSoon } from './send-response.ts';
import { closing, delay, type Follow, sendStream } from './send-stream.ts';
import type { ServingParts } from './serving-parts.ts';

/**
 * A request after its head, its response, and its turn on the connection, which ends with the
 * response.
 */
export interface Arriving {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly turn: Turn;
}

/** Answers one request. Never throws; an internal error becomes a 500 without details. */
export function serveExchange(parts: ServingParts, { incoming, response, turn }: Arriving): void {
  const arrival = { at: Date.now(), started: performance.now() };
  const head = readHead(incoming);
  const failed = (fault: unknown): void => {
    if (response.headersSent) response.destroy();
    else sendResponse(response, faultResponse());
    if (destinationOf(parts, head) === 'mock')
      record(parts, withoutBody(head), { ...faultResponse(), delayMs: 0 }, arrival);
    report(parts, fault);
  };
  takeRequest(
    { incoming, head, bodyLimit: parts.options.bodyLimit, contract: parts.mock.options.contract },
    (taking) =>
      turn.end(() => serveTaken(parts, taking, { head, incoming, response, arrival }), failed),
  );
}

function serveTaken(
  parts: ServingParts,
  taking: Taking,
  entrance: Entrance & { readonly head: RequestHead },
): MaybePromise<void> {
  if (taking.kind === 'gone') return undefined;
  if (taking.kind === 'refused') return turnAway(parts, taking.refusal, entrance);
  const { request } = taking;
  return exchange(
    parts,
    parts.options.clientCertificates
      ? { ...request, certificate: certificateOf(entrance.incoming.socket) }
      : request,
    entrance,
  );
}

/** The response to an internal error. */
export function faultResponse(): HttpResponse {
  return problemResponse(500, 'vouch failed with an internal error; the request did not cause it.');
}

/**
 * When a request arrived: by the system clock for display, and by the monotonic clock for
 * durations.
 */
interface Arrival {
  readonly at: number;
  readonly started: number;
}

interface Entrance {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly arrival: Arrival;
}

function turnAway(
  parts: ServingParts,
  refused: HttpResponse,
  { head, incoming, response, arrival }: Entrance & { readonly head: RequestHead },
): Promise<void> {
  const destination = destinationOf(parts, head);
  const refusal = readable(parts, head, destination, { ...refused, delayMs: 0 });
  const sent = refuse(incoming, response, refusal);
  if (destination === 'mock') record(parts, withoutBody(head), refusal, arrival);
  return sent;
}

function exchange(
  parts: ServingParts,
  given: HttpRequest,
  { response, arrival }: Entrance,
): MaybePromise<void> {
  const destination = destinationOf(parts, given);
  const request = destination === 'mock' ? parts.browsers.place(given) : given;
  return whenReady(answerRequest(parts, request, destination), (answered) => {
    const shown =
      parts.options.controlApart || destination !== 'mock'
        ? answered
        : keepApart(answered, request);
    const answer = readable(parts, request, destination, checkAnswer(shown));
    const { callbacks } = answer;
    // Sent before the delay, because the request has been executed even if the client disconnects.
    if (callbacks !== undefined)
      response.once('close', () => parts.options.callbacks?.send(callbacks));
    return whenReady(deliver(parts, response, answer), () => {
      if (destination === 'mock') record(parts, request, answer, arrival);
      if (answer.failure !== undefined) report(parts, answer.failure);
    });
  });
}

/** Sends a response after its delay, unless the client has disconnected. */
function deliver(
  parts: ServingParts,
  response: ServerResponse,
  answer: Served,
): MaybePromise<void> {
  if (answer.delayMs > 0)
    return delay(answer.delayMs, closing(response)).then((waited) =>
      waited ? deliver(parts, response, { ...answer, delayMs: 0 }) : undefined,
    );
  if (answer.fault !== undefined) return sendFault(response, answer, answer.fault);
  const { follow } = answer;
  if (follow !== undefined && response.req.method !== 'HEAD')
    return sendStream(response, { ...answer, follow }, parts.ending.signal);
  sendSoon(response, answer, (fault) => report(parts, fault));
}

/** A response of the mock, or one of the control API, which may be streamed. */
type Served = Answer & { readonly follow?: Follow };

function answerRequest(
  { mock, control, options, disturbance, browsers }: ServingParts,
  request: HttpRequest,
  destination: Asked,
): MaybePromise<Served> {
  if (request.target === '*')
    return { status: 204, headers: [['Allow', methods.join(', ')]], body: emptyBody, delayMs: 0 };
  // Pages of other origins may not call the control API.
  const preflight =
    destination === 'control'
      ? undefined
      : options.cors && answerPreflight(request, options.cors, mock);
  if (preflight !== undefined) return { ...preflight, delayMs: 0 };
  if (destination === 'tokens' && mock.tokens !== undefined)
    return serveTokens(mock.tokens, request, options.host).then((answer) => ({
      ...answer,
      delayMs: 0,
    }));
  if (destination === 'welcome')
    return welcomePage(mock).then((answer) => ({ ...answer, delayMs: 0 }));
  if (destination === 'control')
    return control(request).then((answer) => ({ ...answer, delayMs: 0 }));
  const answered = browsers.answer(request, mock);
  return disturbance.isOn
    ? whenReady(answered, (answer) =>
        disturbance.disturb(answer, (error) => mock.writeError(request, error)),
      )
    : answered;
}

/**
 * The handler of a request, by its target. Only requests to the mock are recorded, because those to
 * the token endpoints contain secrets.
 */
type Asked = 'mock' | 'tokens' | 'control' | 'welcome';

/** The control API is only on this port if it has no own one. */
function destinationOf(
  { mock, options: { controlApart } }: ServingParts,
  head: Omit<HttpRequest, 'body'>,
): Asked {
  if (mock.tokens?.isTokenTarget(head.target) === true) return 'tokens';
  if (!controlApart && isWelcome(head, mock)) return 'welcome';
  return !controlApart && isControlTarget(head.target) ? 'control' : 'mock';
}

/** Whether a request target is below the prefix of the control API. */
export function isControlTarget(target: string): boolean {
  if (!target.startsWith(controlPrefix)) return false;
  const next = target.charAt(controlPrefix.length);
  return next === '' || next === '/' || next === '?';
}

/** Adds CORS headers if the user allows them, except for the control API. */
function readable(
  { options }: ServingParts,
  request: Pick<RequestHead, 'method' | 'target' | 'headers'>,
  destination: Asked,
  answer: Served,
): Served {
  if (options.cors === undefined || destination === 'control') return answer;
  return allowReading(answer, request, options.cors);
}

function checkAnswer(answer: Served): Served {
  if (isFinalStatus(answer.status)) return answer;
  throw new VouchError(
    'internal',
    `The mock answered with the status ${answer.status}, which ends no exchange.`,
  );
}

function withoutBody({ method, target, headers }: RequestHead): HttpRequest {
  return { method, target, headers, body: emptyBody };
}

function record(
  parts: ServingParts,
  request: HttpRequest,
  answer: Answer,
  { at, started }: Arrival,
): void {
  const happening = { at, request, answer, durationMs: performance.now() - started };
  parts.journal.add(happening);
  const { onExchange } = parts.options;
  if (onExchange === undefined) return;
  try {
    // Without the keys and tokens of a query.
    onExchange({ ...summarise(happening), target: parts.redact.target(request.target) });
  } catch (fault) {
    report(parts, fault);
  }
}

function report({ options }: ServingParts, fault: unknown): void {
  try {
    options.onFault(fault);
  } catch {
    // An error of the error listener cannot be reported.
  }
}

/**
 * Answers a request to the token endpoints. They need no control token, because clients log in
 * there. Those below the prefix require one of this machine's own names while `host`, the bound
 * address, is a loopback one (DNS rebinding).
 */
async function serveTokens(
  tokens: TokenService,
  request: HttpRequest,
  host: string,
): Promise<HttpResponse> {
  const rebound =
    isControlTarget(request.target) && isLoopbackHost(host)
      ? refuseRebound(request.headers, host)
      : undefined;
  // The URLs in the response use the origin of the request.
  return rebound ?? tokens.answer(request, (originOf(request) ?? 'http://localhost').toLowerCase());
}

/** Media types whose documents can run scripts; without a type, browsers guess one. */
const active = /html|xml|^$/i;
/** The destinations of requests for documents (Fetch, section 2.2.5). */
const documents = /^(?:document|embed|frame|iframe|object)$/i;
/** Scripts and forms work, and the page has an origin of its own (HTML, section 7.1.5). */
const rules = 'sandbox allow-scripts allow-forms allow-modals allow-popups allow-downloads';

/**
 * Keeps a page of the contract apart from the console, which has the same origin: its scripts could
 * send what the console sends. Only for browsers that open it; other clients get what they asked
 * for.
 */
function keepApart<Kept extends HttpResponse>(
  answer: Kept,
  { headers }: Pick<HttpRequest, 'headers'>,
): Kept {
  if (answer.body.length === 0) return answer;
  if (!active.test(headerValue(answer.headers, 'Content-Type') ?? '')) return answer;
  const isOpened =
    wantsHtml(headers) || documents.test(headerValue(headers, 'Sec-Fetch-Dest') ?? '');
  return isOpened
    ? { ...answer, headers: [...answer.headers, ['Content-Security-Policy', rules]] }
    : answer;
}

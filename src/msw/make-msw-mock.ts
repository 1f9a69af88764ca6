import { http, HttpResponse as MswResponse, type RequestHandler } from 'msw';
import type { Contract } from '../contract/model.ts';
import { withHint } from '../errors.ts';
import type { HeaderList, HttpRequest, HttpResponse } from '../http/message.ts';
import { problemResponse, statusTitle } from '../http/problem.ts';
import { type JsonObject, stringifyJson } from '../json/value.ts';
import type { PreparedMock } from '../library/build-mock.ts';
import type { MockHandle, SessionHandle } from '../library/mock-handle.ts';
import { handleOf, sessionHandleOf } from '../library/mock-handle.ts';
import type { Answer, CallbackRequest, Mock } from '../mock/mock.ts';
import type { NetworkFault } from '../mock/scenarios/scenario.ts';
import { loadLatePackages } from '../platform.ts';
import { type ExchangeRecord, Journal, summarise } from '../server/journal/journal.ts';
import { type Redact, redactFor } from '../server/journal/redact.ts';
import { checkBodyLimit, journalLimits } from '../server/limits.ts';
import { contentLength, endToEndHeaders, wireBody } from '../server/send-response.ts';
import { type IsOwn, makeIsOwn, type RequestScope } from './own-requests.ts';

/** The options of the handlers besides those of the mock. */
export interface HandlerOptions extends RequestScope {
  /** The maximum size of a request body, in bytes. Default 1 MiB. */
  readonly bodyLimit?: number;
  /** Called after each exchange. */
  readonly onExchange?: (exchange: ExchangeRecord) => void;
  /** Called with each callback of the contract that a service would send; nothing is sent. */
  readonly onCallback?: (callback: CallbackRequest) => void;
  /** Called for every internal error; the client only gets status 500. Default: `console.error`. */
  readonly onFault?: (fault: unknown) => void;
}

/** The mock of a contract as request handlers of MSW. */
export interface MswMock extends Omit<MockHandle, 'addScenario'> {
  /** For `setupWorker`, `setupServer` and `use`. They share one state. */
  readonly handlers: RequestHandler[];
  readonly contract: Contract;
  /** The credentials that the mock accepts, an unrestricted one first. */
  readonly keys: readonly string[];
  /**
   * A session, with handlers that answer in it without a header in the request. A name has up to
   * 64 letters, digits, `.`, `_` and `-`.
   */
  session(name: string): MswSession;
  /**
   * Adds a scenario, written as in its file. It is not active. The promise waits for the package
   * that computes `{{ … }}` if a page has not loaded it; otherwise the scenario is there at once.
   * Rejects with a VouchError ('scenario-invalid') if it contradicts the contract, or if its name
   * is taken.
   */
  addScenario(name: string, scenario: JsonObject): Promise<void>;
  /** Closes the store. */
  close(): Promise<void>;
}

/** An isolated copy of the mock's records, scenarios and journal: for one test, or one story. */
export interface MswSession extends SessionHandle {
  /** Handlers that put every request without `Vouch-Session` into this session. */
  readonly handlers: RequestHandler[];
}

/** Makes the handlers of a mock. Throws a VouchError for invalid options. */
export function makeMswMock(
  { mock, store, documents, contract, keys }: PreparedMock,
  options: HandlerOptions,
): MswMock {
  const journal = new Journal(journalLimits);
  const parts: HandlerParts = {
    mock,
    journal,
    options,
    bodyLimit: checkBodyLimit(options.bodyLimit),
    isOwn: makeIsOwn(documents, options),
    redact: redactFor(mock.options),
  };
  const handle = handleOf(mock, journal);
  return {
    ...handle,
    contract,
    keys,
    handlers: [makeHandler(parts, {})],
    session: (name) => {
      const session = sessionHandleOf(handle, name);
      return { ...session, handlers: [makeHandler(parts, session.headers)] };
    },
    async addScenario(name, scenario) {
      const loading = loadLatePackages(stringifyJson(scenario));
      if (loading !== undefined) await loading;
      handle.addScenario(name, scenario);
    },
    close: () => store.close(),
  };
}

/** `createMswMock` of an entry point; an error has its hint in the message, which consoles print. */
export async function withHints<Made>(work: Promise<Made>): Promise<Made> {
  return work.catch((error: unknown) => {
    throw withHint(error);
  });
}

interface HandlerParts {
  readonly mock: Mock;
  readonly journal: Journal;
  readonly options: HandlerOptions;
  readonly bodyLimit: number;
  readonly isOwn: IsOwn;
  readonly redact: Redact;
}

/** One handler for all methods and paths: the mock routes by the contract. */
function makeHandler(parts: HandlerParts, given: Readonly<Record<string, string>>): RequestHandler {
  return http.all('*', (intercepted) => answerTo(parts, intercepted, given));
}

/** Answers a request; undefined leaves it to the next handler, or to the network. */
async function answerTo(
  parts: HandlerParts,
  intercepted: Intercepted,
  given: Readonly<Record<string, string>>,
): Promise<Response | undefined> {
  const { mock, isOwn } = parts;
  const { signal } = intercepted.request;
  const url = new URL(intercepted.request.url);
  const target = `${url.pathname}${url.search}`;
  const isToken = mock.tokens?.isTokenTarget(target) === true;
  if (!isOwn(url, isToken || mock.view(target) !== undefined)) return undefined;
  const at = Date.now();
  const started = performance.now();
  const request = await readFetchRequest(intercepted, given);
  const answered = isToken
    ? await answerToken(mock, request, url.origin)
    : await answerRequest(parts, request);
  await wait(answered.delayMs + hangTime(answered), signal);
  // Requests to the token endpoints contain secrets.
  if (!isToken)
    record(parts, { at, request, answer: answered, durationMs: performance.now() - started });
  for (const callback of answered.callbacks ?? []) parts.options.onCallback?.(callback);
  if (answered.failure !== undefined) (parts.options.onFault ?? console.error)(answered.failure);
  return writeFetchResponse(request, answered);
}

async function answerToken(
  { tokens }: Mock,
  request: HttpRequest,
  origin: string,
): Promise<Answer> {
  const response = tokens?.answer(request, origin) ?? problemResponse(404, 'There are no tokens.');
  return { ...(await response), delayMs: 0 };
}

async function answerRequest(
  { mock, bodyLimit }: HandlerParts,
  request: HttpRequest,
): Promise<Answer> {
  if (request.body.length <= bodyLimit) return mock.answer(request);
  return { ...problemResponse(413, `The body has more than ${bodyLimit} bytes.`), delayMs: 0 };
}

function record(
  { journal, options, redact }: HandlerParts,
  happening: Parameters<Journal['add']>[0],
): void {
  journal.add(happening);
  // Without the keys and tokens of a query.
  options.onExchange?.({
    ...summarise(happening),
    target: redact.target(happening.request.target),
  });
}

/** What MSW passes to a handler. */
interface Intercepted {
  readonly request: Request;
  /** The cookies of the request; a page cannot read the field `Cookie`. */
  readonly cookies: Readonly<Record<string, string>>;
}

/**
 * Reads a request of the Fetch standard as the mock takes it, with the fields that a network stack
 * adds (`Host`, `Content-Length`, `Cookie`) and those given. Rejects if the body cannot be read.
 */
async function readFetchRequest(
  { request, cookies }: Intercepted,
  given: Readonly<Record<string, string>>,
): Promise<HttpRequest> {
  const url = new URL(request.url);
  const body = new Uint8Array(await request.arrayBuffer());
  const headers = new Headers(request.headers);
  for (const [name, value] of Object.entries(given))
    if (!headers.has(name)) headers.set(name, value);
  const cookie = Object.entries(cookies).map((pair) => pair.join('='));
  if (cookie.length > 0 && !headers.has('cookie')) headers.set('Cookie', cookie.join('; '));
  headers.set('Host', url.host);
  if (body.length > 0) headers.set('Content-Length', String(body.length));
  return {
    method: request.method,
    target: `${url.pathname}${url.search}`,
    headers: [...headers],
    body,
    scheme: url.protocol === 'https:' ? 'https' : 'http',
  };
}

/** A response of the mock as MSW sends it, with its network fault. */
function writeFetchResponse({ method }: Pick<HttpRequest, 'method'>, answer: Answer): Response {
  const body = wireBody(method, answer);
  const { fault } = answer;
  if (fault === undefined || (body === undefined && fault.kind === 'dribble'))
    return respond(answer, body, lengthOf(method, answer));
  if (fault.kind === 'dribble') return respond(answer, slowly(body ?? empty, fault), []);
  if (!isPartial(fault)) return MswResponse.error();
  return body === undefined ? MswResponse.error() : respond(answer, cut(body, fault), []);
}

/** How long a request with the fault `hang` waits, in milliseconds; 0 without the fault. */
function hangTime({ fault }: Answer): number {
  return fault?.kind === 'hang' ? fault.forMs : 0;
}

const empty = new Uint8Array(0);

function lengthOf(method: string, answer: Answer): HeaderList {
  const length = contentLength(method, answer);
  return length === undefined ? [] : [['Content-Length', length]];
}

function respond(
  message: HttpResponse,
  body: Uint8Array | ReadableStream<Uint8Array> | undefined,
  more: HeaderList,
): Response {
  const headers = new Headers();
  for (const [name, value] of [...endToEndHeaders(message), ...more]) headers.append(name, value);
  const { status } = message;
  // The type excludes shared memory, which the mock does not use.
  return new MswResponse((body ?? null) as ConstructorParameters<typeof MswResponse>[0], {
    status,
    statusText: statusTitle(status),
    headers,
  });
}

/** Faults that damage a response; the others prevent one. */
type PartialFault = Extract<NetworkFault, { readonly after?: number } | { readonly by: number }>;

function isPartial(fault: NetworkFault): fault is PartialFault {
  if (fault.kind === 'reset') return fault.after !== undefined;
  return !['empty', 'garbage', 'hang', 'dribble'].includes(fault.kind);
}

/** The first bytes of a body, and then an error: the client has the status, and reads in vain. */
function cut(body: Uint8Array, fault: PartialFault): ReadableStream<Uint8Array> {
  const wanted = 'after' in fault ? fault.after : undefined;
  const length = Math.min(wanted ?? Math.floor(body.length / 2), Math.max(body.length - 1, 0));
  let isSent = false;
  return new ReadableStream({
    pull(controller) {
      if (isSent || length === 0) controller.error(new TypeError('The connection was closed.'));
      else controller.enqueue(body.slice(0, length));
      isSent = true;
    },
  });
}

/** The complete body, some bytes at a time. */
function slowly(
  body: Uint8Array,
  { bytes, everyMs }: Extract<NetworkFault, { kind: 'dribble' }>,
): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      if (at > 0) await wait(everyMs);
      controller.enqueue(body.slice(at, at + bytes));
      at += bytes;
      if (at >= body.length) controller.close();
    },
    cancel() {
      at = body.length;
    },
  });
}

/** Waits, at most until the signal is aborted. */
async function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (milliseconds <= 0 || signal?.aborted === true) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  signal?.addEventListener('abort', () => resolve(), { once: true });
  await promise;
  clearTimeout(timer);
}

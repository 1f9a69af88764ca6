import { http, type RequestHandler } from 'msw';
import type { Contract } from '../contract/model.ts';
import { withHint } from '../errors.ts';
import type { HttpRequest } from '../http/message.ts';
import { problemResponse } from '../http/problem.ts';
import { type JsonObject, stringifyJson } from '../json/value.ts';
import type { PreparedMock } from '../library/build-mock.ts';
import {
  handleOf,
  type MockHandle,
  type SessionHandle,
  sessionHandleOf,
} from '../library/mock-handle.ts';
import type { Answer, CallbackRequest, Mock } from '../mock/mock.ts';
import { loadLatePackages } from '../platform.ts';
import { type ExchangeRecord, Journal, summarise } from '../server/journal/journal.ts';
import { type Redact, redactFor } from '../server/journal/redact.ts';
import { checkBodyLimit, journalLimits } from '../server/limits.ts';
import {
  hangTime,
  type Intercepted,
  readFetchRequest,
  wait,
  writeFetchResponse,
} from './fetch-messages.ts';
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
  return http.all('*', (intercepted) => answer(parts, intercepted, given));
}

/** Answers a request; undefined leaves it to the next handler, or to the network. */
async function answer(
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

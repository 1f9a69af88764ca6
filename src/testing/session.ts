import { withHint } from '../errors.ts';
import { placeCredential } from '../check/secrets/credential.ts';
import { placeTraffic } from '../check/traffic/place-traffic.ts';
import { emptyBody } from '../http/message.ts';
import { type JsonValue, stringifyJson } from '../json/value.ts';
import { type SessionHandle, sessionHandleOf } from '../library/mock-handle.ts';
import { type RunningMock, startMock, type StartMockOptions } from '../library/start-mock.ts';
import { rememberResponse } from './answer/read-test-answer.ts';

/**
 * A request of a test: the options of `fetch`, a JSON body with exact bigints, and the credential.
 */
export interface SessionRequest extends RequestInit {
  /** The JSON body; sets `Content-Type: application/json` unless given. */
  readonly json?: JsonValue;
  /** A credential, or `false` for none. Default: the first key of the mock. */
  readonly credential?: string | false;
}

/** A session of a served mock: an isolated copy of its records, scenarios and journal. */
export interface MockSession extends SessionHandle {
  /** The base URL of the mock. */
  readonly url: string;
  /**
   * The `fetch` of this session: give it to a client in place of the global one. A relative URL is
   * a path below the base URL of the mock. Adds credentials if the operation requires them.
   */
  readonly fetch: (input: string | URL | Request, init?: SessionRequest) => Promise<Response>;
}

/** Opens a session of a mock; the journal records its name with each exchange. */
export function openSession(mock: RunningMock, name: string): MockSession {
  const session = sessionHandleOf(mock, name);
  return {
    ...session,
    url: mock.url,
    fetch: (input, init = {}) => send(mock, session.headers, input, init),
  };
}

/** `startMock`; an error has its hint in the message, because test runners print only that. */
export async function startTestMock(options: StartMockOptions): Promise<RunningMock> {
  return startMock(options).catch((error: unknown) => {
    throw withHint(error);
  });
}

/** Kept, because a test may replace the global `fetch` by that of its session. */
const sendRequest = globalThis.fetch;

async function send(
  mock: RunningMock,
  own: Readonly<Record<string, string>>,
  input: string | URL | Request,
  init: SessionRequest,
): Promise<Response> {
  const { json, credential, ...rest } = init;
  const given = typeof input === 'object' && 'headers' in input ? input : undefined;
  const url = placeUrl(mock, given === undefined ? String(input) : given.url);
  const { method, headers, ...others } = await readInit(given, rest);
  for (const [name, value] of Object.entries(own)) headers.set(name, value);
  const body = json === undefined ? {} : { body: stringifyJson(json) };
  if (json !== undefined && !headers.has('content-type'))
    headers.set('Content-Type', 'application/json');
  if (credential !== false) logIn(mock, { url, method, headers, key: credential ?? mock.keys[0] });
  return rememberResponse(await sendRequest(url, { ...others, method, headers, ...body }), method);
}

/** The members of a `Request` and those of the init, which replace them. */
async function readInit(
  given: Request | undefined,
  init: RequestInit,
): Promise<RequestInit & { readonly method: string; readonly headers: Headers }> {
  const headers = new Headers(init.headers ?? given?.headers);
  const method = (init.method ?? given?.method ?? 'GET').toUpperCase();
  if (given === undefined) return { ...init, method, headers };
  const { signal, redirect } = given;
  // Bytes instead of a stream, so that the request has a Content-Length.
  const hasBody = given.body !== null && init.body === undefined;
  const body = hasBody ? { body: await given.arrayBuffer() } : {};
  return { signal, redirect, ...body, ...init, method, headers };
}

function placeUrl(mock: RunningMock, target: string): URL {
  return new URL(URL.canParse(target) ? target : `${mock.url}/${target.replace(/^\/+/, '')}`);
}

interface Door {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly key: string | undefined;
}

/** Puts a key where the operation wants it, unless the test has put one there itself. */
function logIn({ contract }: RunningMock, { url, method, headers, key }: Door): void {
  const exchange = {
    baseUrl: url.origin,
    request: { method, target: `${url.pathname}${url.search}`, headers: [], body: emptyBody },
    durationMs: 0,
  };
  const [placed] = placeTraffic(
    contract,
    [{ label: 'a test', bodyRecorded: false, exchange }],
    undefined,
  ).placed;
  if (placed === undefined) return;
  const parts = placeCredential(placed.operation, key);
  for (const [name, value] of parts.headers) if (!headers.has(name)) headers.set(name, value);
  for (const [name, value] of parts.query)
    if (!url.searchParams.has(name)) url.searchParams.set(name, value);
  if (parts.cookies.length > 0 && !headers.has('cookie'))
    headers.set('Cookie', parts.cookies.map((pair) => pair.join('=')).join('; '));
}

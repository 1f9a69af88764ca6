import { HttpResponse as MswResponse } from 'msw';
import { statusTitle } from '../http/problem.ts';
import { type HeaderList, type HttpRequest, type HttpResponse } from '../http/message.ts';
import type { Answer } from '../mock/mock.ts';
import type { NetworkFault } from '../mock/scenarios/scenario.ts';
import { contentLength, endToEndHeaders, wireBody } from '../server/send-response.ts';

/** What MSW passes to a handler. */
export interface Intercepted {
  readonly request: Request;
  /** The cookies of the request; a page cannot read the field `Cookie`. */
  readonly cookies: Readonly<Record<string, string>>;
}

/**
 * Reads a request of the Fetch standard as the mock takes it, with the fields that a network stack
 * adds (`Host`, `Content-Length`, `Cookie`) and those given. Rejects if the body cannot be read.
 */
export async function readFetchRequest(
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
export function writeFetchResponse(
  { method }: Pick<HttpRequest, 'method'>,
  answer: Answer,
): Response {
  const body = wireBody(method, answer);
  const { fault } = answer;
  if (fault === undefined || (body === undefined && fault.kind === 'dribble'))
    return respond(answer, body, lengthOf(method, answer));
  if (fault.kind === 'dribble') return respond(answer, slowly(body ?? empty, fault), []);
  if (!isPartial(fault)) return MswResponse.error();
  return body === undefined ? MswResponse.error() : respond(answer, cut(body, fault), []);
}

/** How long a request with the fault `hang` waits, in milliseconds; 0 without the fault. */
export function hangTime({ fault }: Answer): number {
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
export async function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (milliseconds <= 0 || signal?.aborted === true) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  signal?.addEventListener('abort', () => resolve(), { once: true });
  await promise;
  clearTimeout(timer);
}

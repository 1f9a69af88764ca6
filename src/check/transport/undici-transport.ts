import type { Dispatcher, Pool } from 'undici';
import { emptyBody, type HeaderList, type HttpRequest, type HttpResponse } from '../../http/message.ts';
import type { Exchange } from '../finding.ts';
import { BodyTooLarge, classifyFault, DeadlineOver, isUnsendable, UnsendableRequest, type Fault, type Progress } from './classify-fault.ts';
import type { Send, Transport } from './send.ts';

/** The most bytes that are taken of one body, as it came: 8 MiB. */
export const maxBodyBytes = 8 * 1024 * 1024;

const maxHeaderBytes = 64 * 1024;

/** `timeoutMs` is the whole time that one request may take, from the first byte sent to the last one received. */
export interface TransportOptions {
  readonly timeoutMs: number;
  readonly connections: number;
}

/**
 * HTTP/1.1 over undici: no redirects, no decompression, raw header names, a size limit and a total deadline (undici's own
 * timeouts are idle timers and never end a drip). undici takes 86 ms to load, so it is loaded with the first request.
 */
export function openTransport(options: TransportOptions): Transport {
  const pools = new Map<string, Promise<Pool>>();
  const poolOf = (origin: string): Promise<Pool> => {
    const known = pools.get(origin);
    if (known !== undefined) return known;
    const made = openPool(origin, options);
    pools.set(origin, made);
    return made;
  };
  const send: Send = async (baseUrl, request, signal) => {
    signal.throwIfAborted();
    const pool = await poolOf(new URL(baseUrl).origin);
    const attempt = (): Promise<Outcome> => exchangeOver(pool, request, { signal, timeoutMs: options.timeoutMs });
    const began = performance.now();
    const first = await attempt();
    // A server may close an idle connection just as a request leaves; nothing was received then, and a safe method can go again.
    const outcome = first.fault?.kind === 'connection-reset' && isSafe(request.method) ? await attempt() : first;
    return toExchange(baseUrl, request, outcome, performance.now() - began);
  };
  return { send, close: async () => void (await Promise.all([...pools.values()].map(async (pool) => (await pool).destroy()))) };
}

function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

async function openPool(origin: string, { connections, timeoutMs }: TransportOptions): Promise<Pool> {
  const { Pool } = await import('undici');
  return new Pool(origin, {
    connections,
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: maxHeaderBytes,
    connect: { timeout: timeoutMs },
    headersTimeout: timeoutMs * 2,
    bodyTimeout: timeoutMs * 2,
  });
}

interface Outcome {
  readonly response?: HttpResponse;
  readonly fault?: Fault;
  readonly unsendable?: UnsendableRequest;
}

function toExchange(baseUrl: string, request: HttpRequest, { response, fault }: Outcome, durationMs: number): Exchange {
  return { baseUrl, request, ...(response === undefined ? {} : { response }), ...(fault === undefined ? {} : { fault }), durationMs };
}

interface Limits {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** One attempt. Settles once; what comes later is let go. */
function exchangeOver(pool: Pool, request: HttpRequest, limits: Limits): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const receiver = new Receiver(request.method);
    const settle = (outcome: Outcome): void => {
      clearTimeout(timer);
      limits.signal.removeEventListener('abort', abort);
      if (limits.signal.aborted) reject(limits.signal.reason);
      else resolve(outcome);
    };
    const abort = (): void => {
      receiver.abort(new Error('aborted'));
      settle({});
    };
    const timer = setTimeout(() => {
      const error = new DeadlineOver(`nothing whole came within ${String(limits.timeoutMs)} ms`);
      receiver.abort(error);
      settle({ fault: classifyFault(error, receiver.progress) });
    }, limits.timeoutMs);
    limits.signal.addEventListener('abort', abort, { once: true });
    receiver.done = (outcome) => {
      if (outcome.unsendable !== undefined) reject(outcome.unsendable);
      settle(outcome);
    };
    try {
      pool.dispatch(dispatchOptions(request), receiver);
    } catch (error) {
      receiver.onResponseError(undefined, error);
    }
  });
}

function dispatchOptions(request: HttpRequest): Dispatcher.DispatchOptions {
  return {
    path: request.target,
    method: request.method,
    headers: request.headers.flatMap(([name, value]) => [name, value]),
    body: request.body.length === 0 ? null : request.body,
  };
}

/** Collects one answer: the last status and header, and the body as far as the limit allows. */
class Receiver implements Dispatcher.DispatchHandler {
  done: (outcome: Outcome) => void = () => {};
  #controller: Dispatcher.DispatchController | undefined;
  #reason: Error | undefined;
  #status: number | undefined;
  #headers: HeaderList = [];
  #chunks: Uint8Array[] = [];
  #received = 0;
  readonly #method: string;

  constructor(method: string) {
    this.#method = method;
  }

  get progress(): Progress {
    return { received: this.#received, ...(this.#status === undefined ? {} : { status: this.#status }) };
  }

  abort(reason: Error): void {
    this.#reason = reason;
    this.#controller?.abort(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#reason !== undefined) controller.abort(this.#reason);
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    // 1xx answers come before the one that counts (RFC 9110, section 15.2).
    if (status < 200) return;
    this.#status = status;
    this.#headers = readHeaders(controller.rawHeaders);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#received += chunk.length;
    if (this.#received > maxBodyBytes) {
      controller.abort(new BodyTooLarge(`The body of the answer is larger than ${String(maxBodyBytes / 1024 / 1024)} MiB.`));
      return;
    }
    this.#chunks.push(Uint8Array.from(chunk));
  }

  onResponseEnd(): void {
    const body = this.#method === 'HEAD' || this.#chunks.length === 0 ? emptyBody : new Uint8Array(Buffer.concat(this.#chunks));
    this.done({ response: { status: this.#status ?? 0, headers: this.#headers, body } });
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: unknown): void {
    if (isUnsendable(error)) this.done({ unsendable: new UnsendableRequest(error instanceof Error ? error.message : String(error)) });
    else this.done({ fault: classifyFault(error, this.progress) });
  }
}

/** Header fields as they stood on the wire. undici gives names and values in turn; obsolete bytes are read as Latin-1. */
function readHeaders(raw: Dispatcher.DispatchController['rawHeaders']): HeaderList {
  if (!Array.isArray(raw)) return [];
  const texts = raw.map((part: Buffer | string) => (typeof part === 'string' ? part : part.toString('latin1')));
  return Array.from({ length: Math.floor(texts.length / 2) }, (_unused, index) => [texts[index * 2] ?? '', texts[index * 2 + 1] ?? ''] as const);
}

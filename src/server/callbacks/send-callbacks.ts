import { hostOf } from '../../http/host.ts';
import type { HttpResponse } from '../../http/message.ts';
import type { CallbackRequest, OutgoingRequest } from '../../mock/mock.ts';
import { makeRedactorOf } from '../../redact/redactor.ts';
import { SecretNames } from '../../redact/secret-names.ts';
import { delay } from '../send-stream.ts';
import type { FindAddresses, HostRules, OutgoingClient } from './outgoing-client.ts';
import { makeOutgoingClient, refuseUrl } from './outgoing-client.ts';

/** The result of one attempt to send a callback or webhook, or why none was made. */
export interface CallbackReport {
  /** The name of the callback or webhook in the contract. */
  readonly name: string;
  /** The operation that triggered it; undefined for a webhook. */
  readonly operation?: string;
  readonly method?: string;
  readonly url?: string;
  /**
   * `refused`: the host is not allowed. `dropped`: the request could not be made, or the queue was
   * full or closed.
   */
  readonly outcome: 'answered' | 'failed' | 'refused' | 'dropped';
  /** Counts from 1; 0 if nothing was sent. */
  readonly attempt: number;
  readonly status?: number;
  /** Why there is no status: a clause without a subject. */
  readonly reason?: string;
  /** The next step; only in the first report of a host. */
  readonly hint?: string;
  /** Whether the same host was refused before. */
  readonly repeated?: true;
  /** Set if it is sent again. */
  readonly retryInMs?: number;
  readonly durationMs: number;
}

/** The allowed hosts, the retries and the listener of a sender. */
export interface SenderOptions extends Partial<HostRules> {
  /** The timeout of one attempt. Default 5 s. */
  readonly timeoutMs?: number;
  /** The pause before each further attempt. Default 1 s and 5 s, so three attempts. */
  readonly pausesMs?: readonly number[];
  /** The maximum number of pending requests; more are dropped. Default 100. */
  readonly maxPending?: number;
  /** How long `close` waits for requests in flight. Default 1 s. */
  readonly drainMs?: number;
  readonly findAddresses?: FindAddresses;
  /** Called after every attempt, and for every request that is not sent. */
  readonly onReport?: ((report: CallbackReport) => void) | undefined;
}

const maxReports = 500;

/**
 * Sends callbacks and webhooks, from a queue of its own. Nothing is loaded or started before the
 * first request.
 */
export class CallbackSender {
  readonly #options: SenderOptions;
  /** The allowed hosts. */
  readonly rules: HostRules;
  readonly #client: OutgoingClient;
  readonly #pending = new Set<Promise<void>>();
  readonly #reported = new Set<string>();
  /** Ends pauses, and then the remaining requests in flight. */
  readonly #closing = new AbortController();
  readonly #over = new AbortController();
  #reports: CallbackReport[] = [];

  constructor(options: SenderOptions = {}) {
    this.#options = options;
    this.rules = { allow: options.allow ?? [] };
    this.#client = makeOutgoingClient({
      ...this.rules,
      timeoutMs: options.timeoutMs ?? 5_000,
      findAddresses: options.findAddresses,
    });
  }

  /** Sends each request independently; returns at once. */
  send(requests: readonly CallbackRequest[]): void {
    for (const request of requests) {
      const reason = this.#cannotTake(request);
      if (reason !== undefined)
        this.#report({
          ...namesOf(request),
          outcome: 'dropped',
          attempt: 0,
          reason,
          durationMs: 0,
        });
      else if (request.kind === 'sendable' && !this.#refuse(request)) this.#enqueue(request);
    }
  }

  /**
   * Sends one request once and returns the response, or a clause that says why there is none.
   * Reported like any other.
   */
  async sendOnce(request: OutgoingRequest): Promise<HttpResponse | { readonly problem: string }> {
    const refused = this.#refuse(request);
    if (refused !== undefined)
      return {
        problem: `${refused.reason ?? ''}${refused.hint === undefined ? '' : `. ${refused.hint}`}`,
      };
    const { response, reason } = await this.#attempt(request, 1, undefined);
    return response ?? { problem: reason ?? 'got no answer' };
  }

  /** The last reports, oldest first. */
  reports(): readonly CallbackReport[] {
    return this.#reports;
  }

  /** Deletes the reports. */
  clear(): void {
    this.#reports = [];
  }

  /** Resolves when nothing is pending. */
  async settled(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  /** Drops waiting requests, and waits a limited time for those in flight. Always resolves. */
  async close(): Promise<void> {
    this.#closing.abort();
    const timer = setTimeout(() => this.#over.abort(), this.#options.drainMs ?? 1_000);
    await this.settled();
    clearTimeout(timer);
    await this.#client.close();
  }

  #cannotTake(request: CallbackRequest): string | undefined {
    if (request.kind === 'unsendable') return request.reason;
    if (this.#closing.signal.aborted) return 'is not sent, because the mock stops';
    const max = this.#options.maxPending ?? 100;
    return this.#pending.size >= max
      ? `is not sent, because ${String(max)} others are on their way`
      : undefined;
  }

  #refuse(request: OutgoingRequest): CallbackReport | undefined {
    const url = new URL(request.url);
    const refusal = refuseUrl(url, this.rules);
    if (refusal === undefined) return undefined;
    const host = hostOf(url);
    const report: CallbackReport = {
      ...namesOf(request),
      outcome: 'refused',
      attempt: 0,
      reason: refusal.reason,
      ...(this.#reported.has(host) ? { repeated: true } : hintFor(host, refusal.mayBeAllowed)),
      durationMs: 0,
    };
    // Bounded, because clients can name any number of hosts.
    if (this.#reported.size < maxReports) this.#reported.add(host);
    this.#report(report);
    return { ...report, ...hintFor(host, refusal.mayBeAllowed) };
  }

  #enqueue(request: OutgoingRequest): void {
    const work = this.#deliver(request).finally(() => this.#pending.delete(work));
    this.#pending.add(work);
  }

  async #deliver(request: OutgoingRequest): Promise<void> {
    const pauses = this.#options.pausesMs ?? [1_000, 5_000];
    for (let attempt = 1; ; attempt += 1) {
      const pause = pauses[attempt - 1];
      const { response } = await this.#attempt(request, attempt, pause);
      if (pause === undefined || (response !== undefined && response.status < 500)) return;
      if (await delay(pause, this.#closing.signal)) continue;
      return this.#report({
        ...namesOf(request),
        outcome: 'dropped',
        attempt,
        reason: 'is not sent again, because the mock stops',
        durationMs: 0,
      });
    }
  }

  async #attempt(
    request: OutgoingRequest,
    attempt: number,
    pause: number | undefined,
  ): Promise<{ readonly response?: HttpResponse; readonly reason?: string }> {
    const started = performance.now();
    const note = (
      rest: Pick<CallbackReport, 'outcome' | 'status' | 'reason'>,
      again: boolean,
    ): void =>
      this.#report({
        ...namesOf(request),
        ...rest,
        attempt,
        ...(again && pause !== undefined ? { retryInMs: pause } : {}),
        durationMs: performance.now() - started,
      });
    try {
      const response = await this.#client.send(request, this.#over.signal);
      note({ outcome: 'answered', status: response.status }, response.status >= 500);
      return { response };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      note({ outcome: 'failed', reason }, true);
      return { reason };
    }
  }

  #report(report: CallbackReport): void {
    this.#reports.push(report);
    if (this.#reports.length > 2 * maxReports) this.#reports = this.#reports.slice(-maxReports);
    this.#options.onReport?.(report);
  }
}

/** Addresses come from requests, and may have credentials in them. */
const redactor = makeRedactorOf({ names: new SecretNames() });

function hintFor(host: string, mayBeAllowed: boolean): { readonly hint?: string } {
  return mayBeAllowed ? { hint: `Allow it with --allow-callback-host ${host}` } : {};
}

function namesOf(
  request: CallbackRequest,
): Pick<CallbackReport, 'name' | 'operation' | 'method' | 'url'> {
  const operation = request.operation === undefined ? {} : { operation: request.operation };
  return request.kind === 'sendable'
    ? {
        name: request.name,
        ...operation,
        method: request.method,
        url: redactor.target(request.url),
      }
    : { name: request.name, ...operation };
}

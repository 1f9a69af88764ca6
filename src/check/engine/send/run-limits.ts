import type { Withheld, WithheldCode, Step } from '../../model/step.ts';
import type { Operation } from '../../../contract/model.ts';
import { asksToWait, type HttpResponse, isSuccess } from '../../../http/message.ts';
import type { Case } from '../../model/case.ts';
import type { Stop } from '../../model/stop.ts';
import { isSecured } from '../../../contract/model/operation.ts';
import { longestWaitMs, readRetryAfter, type SendSignals } from '../../transport/retry-send.ts';

export interface RunLimitOptions {
  readonly maxRequests: number;
  readonly maxTimeMs?: number | undefined;
  /** The part of `maxTimeMs` that planning has taken. Default: 0. */
  readonly spentMs?: number;
  /** The time for the whole run: most of it for the plan, the rest for confirmations. */
  readonly budgetMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Aborts the requests in flight when the run ends. */
  readonly hurry?: AbortSignal | undefined;
  readonly clock: () => Date;
  /** The names of the schemes for which an operation has no credential. Default: none. */
  readonly lacking?: (operation: Operation) => readonly string[];
}

/** The share of a request budget that is reserved for confirmations. */
const reserved = 0.1;
/** The same for a time budget. */
const reservedTime = 0.2;
const maxWaitResponses = 3;
const maxTimeouts = 3;

/**
 * How long requests in flight may still take when the run ends: their responses name records that
 * have to be deleted.
 */
const graceMs = 1_000;

/** The share of the maximum time that cleanup may still use after the last request was sent. */
const cleanupShare = 0.1;
const longestCleanupMs = 10_000;

/** Decides whether the next request may be sent, and keeps the reason why the run stopped. */
export class RunLimits {
  readonly #options: RunLimitOptions;
  readonly #stopping = new AbortController();
  readonly #cutting = new AbortController();
  readonly #ending = new AbortController();
  readonly #took = new Set<Operation>();
  readonly #refused = new Set<Operation>();
  readonly #avoided = new Map<Operation, Withheld>();
  readonly #timeouts = new Map<Operation, number>();
  readonly #dead = new Map<string, Withheld>();
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #interrupt = (): void => this.halt({ code: 'interrupted' });
  readonly #cut = (): void => this.#cutting.abort(new Error('the run is over'));
  #stop: Stop | undefined;
  #planOver: boolean | undefined = false;
  #spent = 0;
  #isCleaningUp = false;
  #limit: number;
  /** The operations that requested a pause, and those with a success since one had to be long. */
  #pleas: Operation[] = [];
  readonly #served = new Set<Operation>();

  constructor(options: RunLimitOptions) {
    const { maxRequests, maxTimeMs, spentMs = 0, budgetMs, signal } = options;
    this.#options = options;
    this.#limit = Math.max(1, Math.floor(maxRequests * (1 - reserved)));
    if (signal?.aborted === true) this.#interrupt();
    if (maxTimeMs !== undefined) this.#bound(maxTimeMs, spentMs);
    if (budgetMs !== undefined) this.#budget(budgetMs);
    signal?.addEventListener('abort', this.#interrupt, { once: true });
    options.hurry?.addEventListener('abort', this.#cut, { once: true });
  }

  /** Why the run has to end early; the first reason counts. */
  get stop(): Stop | undefined {
    return this.#stop;
  }

  /** Aborted when the maximum time of the whole run is over, cleanup included. */
  get deadline(): AbortSignal {
    return this.#ending.signal;
  }

  get signals(): SendSignals {
    return { stop: this.#stopping.signal, cut: this.#cutting.signal };
  }

  /** Ends the run: no more requests are sent, and those in flight get a moment to finish. */
  halt(stop: Stop): void {
    this.#stop ??= stop;
    this.abandon();
  }

  /** Ends the run at once: the reader of its events has stopped. */
  abandon(): void {
    if (this.#stopping.signal.aborted) return;
    this.#stopping.abort(new Error('the run is over'));
    this.#timers.push(setTimeout(this.#cut, graceMs));
  }

  /** Sending ends early enough for requests in flight and for cleanup. */
  #bound(limitMs: number, spentMs: number): void {
    const reserveMs = Math.min(limitMs * cleanupShare, longestCleanupMs);
    const halt = (): void => this.halt({ code: 'time-spent', limitMs });
    const end = (): void => {
      this.#ending.abort(new Error('the time of the run is over'));
      this.#cut();
    };
    this.#after(limitMs - reserveMs - spentMs, halt);
    this.#after(limitMs - reserveMs / 2 - spentMs, this.#cut);
    this.#after(limitMs - spentMs, end);
  }

  #after(ms: number, act: () => void): void {
    if (ms <= 0) act();
    else this.#timers.push(setTimeout(act, ms));
  }

  #budget(limitMs: number): void {
    const spent = (): void => {
      // If confirmations have begun, the plan was complete in time.
      if (this.#planOver === undefined) return;
      this.#planOver = true;
      this.#stop ??= { code: 'budget-spent', limitMs };
    };
    this.#timers.push(
      setTimeout(spent, limitMs * (1 - reservedTime)),
      setTimeout(() => this.halt({ code: 'budget-spent', limitMs }), limitMs),
    );
  }

  /** Releases the reserve for confirmations. */
  openReserve(): void {
    this.#planOver = undefined;
    this.#limit = this.#options.maxRequests;
  }

  /** Takes a request out of the budget, or returns the reason why it must not be sent. */
  spend(baseUrl: string): Withheld | undefined {
    const dead = this.#dead.get(baseUrl);
    if (dead !== undefined) return dead;
    if (this.#stopping.signal.aborted) return runOver;
    if (this.#planOver === true) return timeSpent;
    return this.#take() ? undefined : requestsSpent;
  }

  /** Takes a retry of a request out of the budget. False if it must not be sent. */
  spendRetry(): boolean {
    return this.#isCleaningUp || this.#take();
  }

  /** From now on requests are not counted: cleanup ignores budgets. */
  beginCleanup(): void {
    this.#isCleaningUp = true;
  }

  #take(): boolean {
    if (this.#spent < this.#limit) {
      this.#spent += 1;
      return true;
    }
    this.#stop ??= { code: 'requests-spent', limit: this.#options.maxRequests };
    return false;
  }

  /** Stops sending to a server of some operations; `reason` is a clause. */
  giveUp(baseUrl: string, reason: string): void {
    this.#dead.set(baseUrl, { code: 'server-gone', reason });
  }

  /** Sends an operation no more; `reason` is a clause. */
  avoid(operation: Operation, reason: string): void {
    this.#avoided.set(operation, { code: 'no-answers', reason });
  }

  /** Whether an operation has refused the run's credential and never accepted it. */
  refuses(operation: Operation): boolean {
    return this.#refused.has(operation) && !this.#took.has(operation);
  }

  /** Why sending a case would show nothing new. */
  isPointless({ operation, request }: Case): Withheld | undefined {
    const avoided = this.#avoided.get(operation);
    if (avoided !== undefined) return avoided;
    if (request.credential === 'given' && isSecured(operation) && this.refuses(operation)) {
      return { code: 'credential-refused', reason: this.#whyRefused(operation) };
    }
    if ((this.#timeouts.get(operation) ?? 0) < maxTimeouts) return undefined;
    return {
      code: 'no-answers',
      reason: `it did not respond ${String(maxTimeouts)} times in a row`,
    };
  }

  #whyRefused(operation: Operation): string {
    const lacking = this.#options.lacking?.(operation) ?? [];
    if (lacking.length === 0) return 'the target refuses the credential for it';
    return `it requires a credential for ${lacking.join(' or ')}, and none is given`;
  }

  /**
   * Adds a step: whether there was a response, whether the credential was accepted, and whether the
   * server requests a pause.
   */
  note(step: Step): void {
    const { operation, intent, request } = step.case;
    const { response } = step.exchange;
    this.#timeouts.set(
      operation,
      response === undefined ? (this.#timeouts.get(operation) ?? 0) + 1 : 0,
    );
    if (response === undefined) return;
    if (intent.kind === 'valid' && request.credential === 'given' && isSecured(operation)) {
      if (response.status === 401 || response.status === 403) this.#refused.add(operation);
      if (isSuccess(response.status)) this.#took.add(operation);
    }
    if (asksToWait(response)) this.#notePlea(operation, response);
    else if (isSuccess(response.status)) this.#served.add(operation);
  }

  /**
   * Where others had successes since the last plea and none of them pleads, a POST is limited
   * alone, as logins are, and sent no more. Otherwise the run ends, also where a read is limited.
   */
  #notePlea(operation: Operation, response: HttpResponse): void {
    const { method, path } = operation;
    const waitMs = readRetryAfter(response, this.#options.clock());
    const isTooLong = waitMs !== undefined && waitMs > longestWaitMs;
    this.#pleas.push(operation);
    if (!isTooLong && this.#pleas.length < maxWaitResponses) return;
    const { status } = response;
    const areOthersServed = [...this.#served].some((other) => other !== operation);
    const isAlone = isTooLong || this.#pleas.every((other) => other === operation);
    this.#served.clear();
    if (areOthersServed && isAlone && method === 'POST') {
      this.#pleas = this.#pleas.filter((other) => other !== operation);
      this.avoid(operation, `the server limits the rate of its requests (${String(status)})`);
      return;
    }
    const asked = { code: 'rate-limited', status, method, path, longestWaitMs } as const;
    this.halt(isTooLong ? { ...asked, waitMs } : asked);
  }

  /** Releases timers and the user's signal. */
  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#options.signal?.removeEventListener('abort', this.#interrupt);
    this.#options.hurry?.removeEventListener('abort', this.#cut);
  }
}

const endOfRun: ReadonlySet<WithheldCode> = new Set(['run-over', 'requests-spent', 'time-spent']);

/** Whether the request was not sent because the run was ending, and not because of the request. */
export function isEndOfRun({ code }: Withheld): boolean {
  return endOfRun.has(code);
}

export const runOver: Withheld = { code: 'run-over', reason: 'the run ended before' };
const requestsSpent: Withheld = { code: 'requests-spent', reason: 'the request budget is spent' };
export const timeSpent: Withheld = { code: 'time-spent', reason: 'the time budget is spent' };

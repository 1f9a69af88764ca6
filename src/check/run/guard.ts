import type { Operation } from '../../contract/model.ts';
import { isSecured } from '../credential.ts';
import { asksToWait, isSuccess } from '../evidence/refusal.ts';
import type { Stop } from '../judge/verdict.ts';
import type { Step } from '../subject.ts';
import { longestWaitMs } from '../transport/polite-send.ts';
import { readRetryAfter } from '../transport/retry-after.ts';

/** The bounds of a run. */
export interface GuardOptions {
  readonly maxRequests: number;
  readonly maxTimeMs?: number;
  readonly signal?: AbortSignal;
  readonly clock: () => Date;
}

/** What is kept back of a bounded number of requests, so that what was found can be made sure of. */
const reserved = 0.1;
const mostPleas = 3;

/** Says whether the next request may be sent, and remembers why the run had to stop, if it had to. */
export class Guard {
  readonly #options: GuardOptions;
  readonly #controller = new AbortController();
  readonly #took = new Set<Operation>();
  readonly #refused = new Set<Operation>();
  readonly #dead = new Map<string, string>();
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #interrupt = (): void => this.halt({ kind: 'interrupted' });
  #stop: Stop | undefined;
  #spent = 0;
  #limit: number;
  #pleas = 0;

  constructor(options: GuardOptions) {
    const { maxRequests, maxTimeMs, signal } = options;
    this.#options = options;
    this.#limit = Math.max(1, Math.floor(maxRequests * (1 - reserved)));
    if (maxTimeMs !== undefined) this.#timer = setTimeout(() => this.halt({ kind: 'time-spent', limitMs: maxTimeMs }), maxTimeMs);
    if (signal?.aborted === true) this.#interrupt();
    signal?.addEventListener('abort', this.#interrupt, { once: true });
  }

  /** Why the run has to end early; the first reason counts. */
  get stop(): Stop | undefined {
    return this.#stop;
  }

  /** Aborted as soon as nothing more may be sent. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Ends the run: what is under way is cut short. */
  halt(stop: Stop): void {
    this.#stop ??= stop;
    this.#controller.abort(new Error(stop.kind));
  }

  /** Cuts short what is under way, because nobody waits for it any more. */
  abandon(): void {
    this.#controller.abort(new Error('abandoned'));
  }

  /** Lets the reserve be spent: for confirmations. */
  openReserve(): void {
    this.#limit = this.#options.maxRequests;
  }

  /** Takes a request out of the budget, or says in a clause why it may not be sent. */
  spend(baseUrl: string): string | undefined {
    const dead = this.#dead.get(baseUrl);
    if (dead !== undefined) return dead;
    if (this.#spent >= this.#limit) {
      this.#stop ??= { kind: 'requests-spent', limit: this.#options.maxRequests };
      return 'the budget of requests is spent';
    }
    this.#spent += 1;
    return undefined;
  }

  /** Gives a server of some operations up, with the clause that says why. */
  giveUp(baseUrl: string, reason: string): void {
    this.#dead.set(baseUrl, reason);
  }

  /** Whether an operation has refused the run's credential and never taken it. */
  refuses(operation: Operation): boolean {
    return this.#refused.has(operation) && !this.#took.has(operation);
  }

  /** Takes in a step: what it says about the credential, and whether the server asks to be left alone. */
  note(step: Step): void {
    const { response } = step.exchange;
    if (response === undefined) return;
    const { operation, intent, request } = step.case;
    if (intent.kind === 'valid' && request.credential === 'given' && isSecured(operation)) {
      if (response.status === 401 || response.status === 403) this.#refused.add(operation);
      if (isSuccess(response.status)) this.#took.add(operation);
    }
    if (asksToWait(response)) this.#notePlea(step, response);
  }

  #notePlea({ case: { operation } }: Step, response: NonNullable<Step['exchange']['response']>): void {
    this.#pleas += 1;
    const wait = readRetryAfter(response, this.#options.clock());
    const where = `(${String(response.status)} on ${operation.method} ${operation.path})`;
    if (wait !== undefined && wait > longestWaitMs) this.halt({ kind: 'rate-limited', sentence: `The server asked to wait ${String(Math.ceil(wait / 1000))} s ${where}; vouch waits no longer than ${String(longestWaitMs / 1000)} s at a time.` });
    else if (this.#pleas >= mostPleas) this.halt({ kind: 'rate-limited', sentence: `The server kept asking to come back later ${where}, however long it was waited for.` });
  }

  /** Lets the timer and the user's signal go. */
  close(): void {
    clearTimeout(this.#timer);
    this.#options.signal?.removeEventListener('abort', this.#interrupt);
  }
}

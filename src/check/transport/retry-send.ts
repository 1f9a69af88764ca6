import { asksToWait, headerValue, type HttpResponse } from '../../http/message.ts';
import type { Exchange } from '../model/exchange.ts';
import { isBusy, type RequestLimit, type Subject } from './request-limit.ts';
import type { Send, Wait } from './send.ts';

/** The longest pause for a server at one time. */
export const longestWaitMs = 10_000;
const maxAttempts = 4;
const unnamedWaitMs = 1_000;

/** `stop`: no more requests are sent, and waiting ends. `cut`: requests in flight are aborted. */
export interface SendSignals {
  readonly stop: AbortSignal;
  readonly cut: AbortSignal;
}

/**
 * Every exchange of one request, retries included; the last one counts. Rejects when it is stopped
 * before it is sent, or cut. `subject` is what is asked for, see `Subject`.
 */
export type SendWithRetries = (
  baseUrl: string,
  request: Exchange['request'],
  signals: SendSignals,
  subject?: Subject,
) => Promise<readonly [Exchange, ...Exchange[]]>;

/** The dependencies of retries: the send function, its limits, and the clock. */
export interface RetryOptions {
  readonly send: Send;
  readonly pace: Pace;
  /** How many requests may be in flight. */
  readonly limit: RequestLimit;
  readonly clock: () => Date;
  /** Takes a retry out of the run's budget; false if it must not be sent. Default: any number. */
  readonly spendRetry?: () => boolean;
}

/**
 * Sends at the run's rate, as many requests at a time as the limit allows. If the server returns
 * 429, or 503 with `Retry-After`, the whole run waits as long as requested (RFC 9110, section
 * 10.2.3), but at most 10 s at a time and at most three times; then that response counts. Each
 * retry is taken out of the request budget.
 */
export function sendWithRetries({
  send,
  pace,
  limit,
  clock,
  spendRetry = () => true,
}: RetryOptions): SendWithRetries {
  return async (baseUrl, request, { stop, cut }, subject = anything) => {
    let before: readonly Exchange[] = [];
    for (;;) {
      const free = limit.turn();
      if (free !== undefined) await free;
      try {
        const turn = pace.turn(stop);
        if (turn !== undefined) await turn;
        const flight = limit.depart();
        const last = await send(baseUrl, request, cut);
        limit.note(flight, last, subject);
        pace.note(isBusy(last));
        const wait = before.length + 1 < maxAttempts ? retryDelay(last, clock) : undefined;
        if (wait === undefined || wait > longestWaitMs || !spendRetry())
          return withLast(before, last);
        before = [...before, last];
        // The requests that wait for their turn wait for the end of the pause too.
        pace.pause(wait);
      } finally {
        limit.leave();
      }
    }
  };
}

/** The subject of requests that name none. */
const anything: Subject = {};

function withLast(before: readonly Exchange[], last: Exchange): readonly [Exchange, ...Exchange[]] {
  const [first] = before;
  return first === undefined ? [last] : [first, ...before.slice(1), last];
}

function retryDelay({ response }: Exchange, clock: () => Date): number | undefined {
  if (response === undefined || !asksToWait(response)) return undefined;
  return readRetryAfter(response, clock()) ?? unnamedWaitMs;
}

/** Spaces requests, and delays all of them while the server requires it. */
interface Pace {
  /** Resolves when the next request may be sent; undefined if it may be sent at once. */
  turn(signal: AbortSignal): Promise<void> | undefined;
  /** Delays all requests by this many milliseconds. */
  pause(ms: number): void;
  /** Sends more slowly after each answer of a busy service, and faster again after others. */
  note(busy: boolean): void;
}

/** The gap between requests after the first busy answer, and the longest one, in ms. */
const [firstStrain, maxStrain] = [50, 1_000];
/** How long a run waits for a busy service in all: it may always answer so. In ms. */
const maxPatience = 8_000;

/** A rate of this many requests per second, or without a limit. `now` is in milliseconds. */
export function makePace(rate: number | undefined, wait: Wait, now: () => number): Pace {
  const gap = rate === undefined ? 0 : 1000 / rate;
  let next = 0;
  let heldUntil = 0;
  let strain = 0;
  let patience = maxPatience;
  const waitUntil = async (due: number, signal: AbortSignal): Promise<void> => {
    if (due > now()) await wait(due - now(), signal);
  };
  const waitFor = async (due: number, signal: AbortSignal): Promise<void> => {
    await waitUntil(due, signal);
    await waitUntil(heldUntil, signal);
  };
  return {
    turn(signal) {
      signal.throwIfAborted();
      if (gap === 0 && heldUntil === 0 && strain === 0) return undefined;
      const present = now();
      const due = Math.max(next, present);
      const extra = Math.min(Math.max(0, strain - gap), patience);
      patience -= extra;
      next = due + gap + extra;
      return due > present || heldUntil > present ? waitFor(due, signal) : undefined;
    },
    pause(ms) {
      heldUntil = Math.max(heldUntil, now() + ms);
    },
    note(busy) {
      if (busy) strain = Math.min(maxStrain, Math.max(firstStrain, strain * 2));
      else if (strain > 0) strain = strain < firstStrain / 4 ? 0 : strain * 0.8;
    },
  };
}

/**
 * The wait that `Retry-After` requests, in milliseconds; it is written as seconds or as a date (RFC
 * 9110, section 10.2.3).
 */
export function readRetryAfter(response: HttpResponse, now: Date): number | undefined {
  const text = headerValue(response.headers, 'retry-after')?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // Date.parse accepts almost any text; an HTTP date begins with the day's name (RFC 9110, section
  // 5.6.7).
  const date = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}

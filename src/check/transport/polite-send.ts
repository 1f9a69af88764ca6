import { asksToWait } from '../../http/status.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Pace } from './pace.ts';
import { readRetryAfter } from './retry-after.ts';
import type { Send } from './send.ts';

/** The longest that a server is waited for at a time. */
export const longestWaitMs = 10_000;
const mostAttempts = 4;
const unnamedWaitMs = 1_000;

/**
 * `stop`: nothing more is sent, and no turn is waited for. `cut`: what is under way is broken off.
 */
export interface SendSignals {
  readonly stop: AbortSignal;
  readonly cut: AbortSignal;
}

/**
 * Every exchange that one request took, the last one being the one that counts. Rejects when it is
 * stopped before its turn, or cut.
 */
export type SendPolitely = (
  baseUrl: string,
  request: Exchange['request'],
  signals: SendSignals,
) => Promise<readonly [Exchange, ...Exchange[]]>;

/** What politeness needs: a way to send, the pace of the run, the present moment. */
export interface PoliteOptions {
  readonly send: Send;
  readonly pace: Pace;
  readonly clock: () => Date;
  /**
   * Takes a retry out of the run's budget; false where it may not be sent. Any number unless told.
   */
  readonly spendRetry?: () => boolean;
}

/**
 * Sends at the run's pace. Where the server answers 429, or 503 with `Retry-After`, the whole run
 * waits as long as it asks (RFC 9110, section 10.2.3), but no longer than 10 s at a time and no
 * more than three times; then that answer counts. Each retry is taken out of the budget of
 * requests.
 */
export function sendPolitely({
  send,
  pace,
  clock,
  spendRetry = () => true,
}: PoliteOptions): SendPolitely {
  return async (baseUrl, request, { stop, cut }) => {
    let before: readonly Exchange[] = [];
    for (;;) {
      const turn = pace.turn(stop);
      if (turn !== undefined) await turn;
      const last = await send(baseUrl, request, cut);
      const wait = before.length + 1 < mostAttempts ? waitAskedFor(last, clock) : undefined;
      if (wait === undefined || wait > longestWaitMs || !spendRetry())
        return withLast(before, last);
      before = [...before, last];
      pace.pause(wait);
    }
  };
}

function withLast(before: readonly Exchange[], last: Exchange): readonly [Exchange, ...Exchange[]] {
  const [first] = before;
  return first === undefined ? [last] : [first, ...before.slice(1), last];
}

function waitAskedFor({ response }: Exchange, clock: () => Date): number | undefined {
  if (response === undefined || !asksToWait(response)) return undefined;
  return readRetryAfter(response, clock()) ?? unnamedWaitMs;
}

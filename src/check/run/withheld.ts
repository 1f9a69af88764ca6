/** Why a request was not sent. */
export type WithheldCode =
  | 'run-over'
  | 'requests-spent'
  | 'time-spent'
  | 'server-gone'
  | 'credential-refused'
  | 'no-answers'
  | 'unknown-record'
  /** It would change a record that the run did not create, or take the name of one. */
  | 'not-own-record'
  | 'unsendable';

/** A request that was not sent: why, as a code and in a clause for people. */
export interface Withheld {
  readonly code: WithheldCode;
  readonly reason: string;
}

const endOfRun: ReadonlySet<WithheldCode> = new Set(['run-over', 'requests-spent', 'time-spent']);

/**
 * Whether the run withheld the request because it was ending, and not for the request's own sake.
 */
export function isEndOfRun({ code }: Withheld): boolean {
  return endOfRun.has(code);
}

export const runOver: Withheld = { code: 'run-over', reason: 'the run ended before' };
export const requestsSpent: Withheld = {
  code: 'requests-spent',
  reason: 'the budget of requests is spent',
};
export const timeSpent: Withheld = { code: 'time-spent', reason: 'the budget of time is spent' };

/**
 * An exception that the user configures: an operation without requests, or a check whose findings
 * do not count, for one operation or for all.
 */
export interface Skip {
  /** An operation's id; without a check the operation gets no requests. */
  readonly operation?: string;
  readonly check?: string;
  /** The reason: a clause or a sentence. */
  readonly reason: string;
  /** The last day (`YYYY-MM-DD`, UTC) on which it applies; default: no end. */
  readonly until?: string;
}

/** Whether a skip has expired. `today` is a day, `YYYY-MM-DD`. */
export function hasExpired({ until }: Skip, today: string): boolean {
  return until !== undefined && until < today;
}

/** `until 2026-12-31`, or `for good`. */
function untilClause({ until }: Pick<Skip, 'until'>): string {
  return until === undefined ? 'for good' : `until ${until}`;
}

/** Why an operation gets no requests: a clause, or undefined if it is not skipped completely. */
export function whySkipped(skips: readonly Skip[], operation: string): string | undefined {
  const skip = skips.find(
    (candidate) => candidate.operation === operation && candidate.check === undefined,
  );
  return (
    skip && `the configuration skips it ${untilClause(skip)}: ${skip.reason.replace(/\.$/, '')}`
  );
}

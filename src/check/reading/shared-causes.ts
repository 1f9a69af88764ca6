import { type FindingFacts, testSame, testsNothing } from '../model/finding-facts.ts';

/** Explains findings of checks with a trait by the cause of another finding. */
export interface Cause {
  readonly findings: 'statuses' | 'error bodies' | 'methods' | 'inputs' | 'fields';
  readonly leads?: (leader: FindingFacts) => boolean;
  readonly explains: (leader: FindingFacts, other: FindingFacts) => boolean;
  readonly last?: true;
}

/** A status that is wrong for one request is what other checks of the same operation see too. */
export const wrongStatus: Cause = {
  findings: 'statuses',
  explains: (leader, other) =>
    other.operation === leader.operation &&
    other.status === leader.status &&
    (testsNothing(leader) || testSame(leader, other)),
};

/** The error body of such a response does not repeat its status either. */
export const wrongErrorBody: Cause = {
  findings: 'error bodies',
  explains: ({ operation, status }, other) =>
    other.operation === operation && other.status === status,
};

/** HEAD is compared with GET: if GET is wrong, the two differ. */
export const wrongGet: Cause = {
  findings: 'methods',
  explains: ({ operation }, other) =>
    other.operation === operation &&
    other.intent['kind'] !== 'method' &&
    /^(HEAD |no HEAD$)/.test(other.cause),
};

/** A parameter that is ignored has no invalid values either. */
export const ignoredParameter: Cause = {
  findings: 'inputs',
  leads: ({ parameter }) => parameter !== undefined,
  explains: ({ operation, parameter }, other) =>
    other.operation === operation && other.parameter === parameter,
};

/** An invalid value that was accepted or stored appears in later responses. */
export const storedField: Cause = {
  findings: 'fields',
  leads: ({ field }) => field !== undefined,
  explains: ({ check, field, operation, root }, other) =>
    other.field === field &&
    (other.check === check ? other.operation === operation : other.root === root),
  last: true,
};

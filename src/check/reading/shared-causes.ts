import {
  testSame,
  testsNothing,
  type FindingFacts,
  type Explanation,
} from '../model/finding-facts.ts';

/** A status that is wrong for one request is what other checks of the same operation see too. */
export const wrongStatus: Explanation = {
  findings: 'statuses',
  explains: (leader, other) =>
    other.operation === leader.operation &&
    other.status === leader.status &&
    (testsNothing(leader) || testSame(leader, other)),
};

/** The error body of such a response does not repeat its status either. */
export const wrongErrorBody: Explanation = {
  findings: 'error bodies',
  explains: ({ operation, status }, other) =>
    other.operation === operation && other.status === status,
};

/** HEAD is compared with GET: if GET is wrong, the two differ. */
export const wrongGet: Explanation = {
  findings: 'methods',
  explains: ({ operation }, other) =>
    other.operation === operation &&
    other.intent['kind'] !== 'method' &&
    /^(HEAD |no HEAD$)/.test(other.cause),
};

/** What a write did not do is missing wherever several answers are compared after it. */
export const writeLost: Explanation = {
  findings: 'any',
  leads: ({ field, lastWrite }) => field === undefined && lastWrite !== undefined,
  explains: ({ lastWrite = '' }, other) =>
    other.steps.includes(lastWrite) && (comparesAnswers(other) || other.status === 404),
  last: true,
};

/** What a write did not do shows in each comparison that ends with it; a story may go on elsewhere. */
export const writeUndone: Explanation = {
  ...writeLost,
  explains: ({ lastWrite }, other) => other.lastWrite === lastWrite && comparesAnswers(other),
};

function comparesAnswers({ intent: { kind }, steps }: FindingFacts): boolean {
  return (kind === 'relation' || kind === 'condition') && steps.length > 1;
}

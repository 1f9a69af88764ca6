import { VouchError } from '../errors.ts';

/**
 * What the build for browsers has instead of what serves other commands: the words and the gaps of
 * the check, and several contracts on one port. Without the words, fewer operations are
 * known to read.
 */
export function verbality(): number {
  return 0;
}

function nothing(): undefined {
  return undefined;
}

function noText(): string {
  return '';
}

function noItems(): readonly never[] {
  return [];
}

export {
  // Only a check sends requests to a service of others.
  nothing as whyParameterActs,
  nothing as findOwnCredential,
  noItems as explainFacts,
  noItems as findGaps,
  noItems as stateCountsOf,
  // The mock takes batches as the document writes them.
  noItems as filledGroups,
  noItems as batchesAsItems,
  nothing as findListed,
  nothing as groupsFor,
  // No page asks why a parameter filters, what a deletion removes, or what belongs to what.
  noText as explainClearing,
  noItems as explainParameters,
  noItems as explainRelations,
  noItems as explainActions,
  noItems as explainNaming,
  noText as explainUnplaced,
  noText as explainValueOperation,
  // Which states follow each other is read from sentences: the mock of a page takes any.
  noItems as barredChanges,
  // What a list leaves out unless it is asked for is read from sentences too: a page sees all.
  nothing as readUnasked,
  // The console tells what a request nearly matched, and a page has none.
  nothing as findNearMiss,
};

/** The facts that only a check reads: a document may state them, and no words are read as them. */
export const checkedPhrases = Object.fromEntries(
  (
    'all-or-nothing applies-defaults comes-after counts-its-page done-already ' +
    'empty-placed ends-session has-order http-status id-is-of-path is-http-status ' +
    'keeps-bytes links-to-next may-be-repeated may-differ must-be-in-state ' +
    'names-unknown-record newest-first no-other-moves of-one-page of-some oldest-first ' +
    'own-records-only refuses-unknown-references repeats-header set-by-service ' +
    'shows-deleted sorted-unless-asked takes-seconds unasked'
  )
    .split(' ')
    .map((name) => [name, { means: '', in: [], patterns: [] }]),
);

/** A page has the tokens that it is given, and none ends: a service would have to remember them. */
export function isLogout(): false {
  return false;
}

/** The buttons of the start page choose errors, and a page has none. */
export function chosenError(): never {
  throw new VouchError('internal', 'A mock in a browser has no chosen error.');
}

/** A page has one contract. */
export function joinMocks(): never {
  throw new VouchError('internal', 'A mock in a browser has one contract.');
}

/** No request is withheld here: what has a safe method reads. */
export class SafeMethods {
  readonly hasVerbalPaths = false;

  read(): { readonly reads: true; readonly why: string } {
    return { reads: true, why: 'it has a safe method' };
  }
}

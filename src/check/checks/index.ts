import type { Severity } from '../model/finding.ts';
import { answersInTime, answersWithin } from './answers-in-time.ts';
import { bodyMatchesSchema } from './body-matches-schema.ts';
import { bodyParses } from './body-parses.ts';
import { bulkHolds } from './bulk-holds.ts';
import type { Check, Violation } from './check.ts';
import { conditionHolds } from './condition-holds.ts';
import { contentTypeDocumented } from './content-type-documented.ts';
import { criteriaHold } from './criteria-hold.ts';
import { createdIsReadable } from './created-is-readable.ts';
import { createdIsReturned } from './created-is-returned.ts';
import { createdOnce } from './created-once.ts';
import { credentialAccepted } from './credential-accepted.ts';
import { credentialRequired } from './credential-required.ts';
import { defaultIsApplied } from './default-is-applied.ts';
import { deletedIsGone } from './deleted-is-gone.ts';
import { deprecationAnnounced } from './deprecation-announced.ts';
import { errorRepeatsStatus } from './error-repeats-status.ts';
import { fieldsDocumented } from './fields-documented.ts';
import { fileAgrees } from './file-agrees.ts';
import { filterHolds } from './filter-holds.ts';
import { headersMatch } from './headers-match.ts';
import { httpSemantics } from './http-semantics.ts';
import { identityMayNot } from './identity-may-not.ts';
import { identitySeesNothing } from './identity-sees-nothing.ts';
import { idsAreUnique } from './ids-are-unique.ts';
import { invalidRefused } from './invalid-refused.ts';
import { itemEqualsEntry } from './item-equals-entry.ts';
import { jobEnds } from './job-ends.ts';
import { limitHolds } from './limit-holds.ts';
import { methodRefused } from './method-refused.ts';
import { missingRefused } from './missing-refused.ts';
import { noServerError } from './no-server-error.ts';
import { operationAnswers } from './operation-answers.ts';
import { pageHolds } from './page-holds.ts';
import { parentHolds } from './parent-holds.ts';
import { readOnlyIsIgnored } from './read-only-is-ignored.ts';
import { refusalIsHarmless } from './refusal-is-harmless.ts';
import { replacedIsPersisted } from './replaced-is-persisted.ts';
import { rulesHold } from './rules-hold.ts';
import { shownTwiceAgrees } from './shown-twice-agrees.ts';
import { sortHolds } from './sort-holds.ts';
import { stableUnderRepeat } from './stable-under-repeat.ts';
import { statesHold } from './states-hold.ts';
import { statusDocumented } from './status-documented.ts';
import { totalHolds } from './total-holds.ts';
import { transportSound } from './transport-sound.ts';
import { uniqueIsKept } from './unique-is-kept.ts';
import { validAccepted } from './valid-accepted.ts';

/** Every check, in the order in which findings are listed; the union of ids is derived from it. */
export const checks = [
  operationAnswers,
  transportSound,
  noServerError,
  statusDocumented,
  contentTypeDocumented,
  bodyParses,
  bodyMatchesSchema,
  rulesHold,
  criteriaHold,
  headersMatch,
  errorRepeatsStatus,
  credentialRequired,
  credentialAccepted,
  identityMayNot,
  identitySeesNothing,
  validAccepted,
  invalidRefused,
  missingRefused,
  methodRefused,
  createdIsReturned,
  defaultIsApplied,
  readOnlyIsIgnored,
  createdIsReadable,
  createdOnce,
  uniqueIsKept,
  replacedIsPersisted,
  deletedIsGone,
  refusalIsHarmless,
  conditionHolds,
  itemEqualsEntry,
  parentHolds,
  statesHold,
  shownTwiceAgrees,
  fileAgrees,
  jobEnds,
  bulkHolds,
  idsAreUnique,
  filterHolds,
  limitHolds,
  pageHolds,
  sortHolds,
  totalHolds,
  stableUnderRepeat,
  deprecationAnnounced,
  httpSemantics,
  answersInTime,
  fieldsDocumented,
] as const satisfies readonly Check[];

export type CheckId = (typeof checks)[number]['id'];

/** The checks of a run, and the severity of their findings. */
export interface CheckChoice {
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly severities?: Readonly<Record<string, Severity | 'off'>>;
  readonly slowMs?: number;
}

/** The checks of a run, with the severities and the time limit that the user set. */
export function chooseChecks(options: CheckChoice): Check[] {
  const { slowMs, severities = {} } = options;
  const slow = slowMs === undefined ? undefined : answersWithin(slowMs);
  return checks
    .filter(({ id }) => isWanted(id, options))
    .map((check) => {
      const timed = check.id === 'answers-in-time' && slow !== undefined ? slow : check;
      const severity = severities[check.id];
      return severity === undefined || severity === 'off' ? timed : setSeverity(timed, severity);
    });
}

function isWanted(id: CheckId, { only, skip, severities }: CheckChoice): boolean {
  if (skip?.includes(id) === true) return false;
  return only === undefined ? severities?.[id] !== 'off' : only.includes(id);
}

/**
 * The check with the severity that the user set for its errors and warnings. Its notes stay notes:
 * a gap in the contract is never an error.
 */
function setSeverity(check: Check, severity: Severity): Check {
  const set = (violation: Violation): Violation => {
    const own = violation.severity ?? check.severity;
    return {
      ...violation,
      severity: own === 'note' && check.severity !== 'note' ? 'note' : severity,
    };
  };
  return { ...check, severity, inspect: (subject) => check.inspect(subject)?.map(set) };
}

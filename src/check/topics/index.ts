import type { RelationRule } from '../model/case.ts';
import type { Severity } from '../model/finding.ts';
import { amountsAgree } from './relations/amounts-agree.ts';
import { answersInTime } from './http/answers-in-time.ts';
import { batchReadHolds } from './relations/batch-read-holds.ts';
import { bodyMatchesSchema } from './answers/body-matches-schema.ts';
import { bodyParses } from './answers/body-parses.ts';
import { bodyTagHolds } from './conditions/body-tag-holds.ts';
import { bulkHolds } from './relations/bulk-holds.ts';
import type { Violation } from '../model/knowledge.ts';
import type { Trait } from '../model/finding-facts.ts';
import type { Check } from './check.ts';
import { chosenIdHolds } from './records/chosen-id-holds.ts';
import { conditionHolds } from './conditions/condition-holds.ts';
import { contentTypeDocumented } from './answers/content-type-documented.ts';
import { changeIsDated } from './records/change-is-dated.ts';
import { criteriaHold } from './answers/criteria-hold.ts';
import { createdIsReadable } from './records/created-is-readable.ts';
import { createdIsReturned } from './records/created-is-returned.ts';
import { createdOnce } from './records/created-once.ts';
import { credentialAccepted } from './credentials/credential-accepted.ts';
import { credentialRequired } from './credentials/credential-required.ts';
import { defaultIsApplied } from './records/default-is-applied.ts';
import { deletedIsGone } from './records/deleted-is-gone.ts';
import { deprecationAnnounced } from './http/deprecation-announced.ts';
import { errorRepeatsStatus } from './answers/error-repeats-status.ts';
import { fieldsDocumented } from './answers/fields-documented.ts';
import { fileAgrees } from './relations/file-agrees.ts';
import { filterHolds } from './lists/filter-holds.ts';
import { headersMatch } from './answers/headers-match.ts';
import { httpSemantics } from './http/http-semantics.ts';
import { identityMayNot } from './credentials/identity-may-not.ts';
import { identitySeesNothing } from './credentials/identity-sees-nothing.ts';
import { idsAreUnique } from './records/ids-are-unique.ts';
import { expansionHolds } from './relations/expansion-holds.ts';
import { immutableIsKept } from './records/immutable-is-kept.ts';
import { inclusionHolds } from './relations/inclusion-holds.ts';
import { invalidRefused } from './validity/invalid-refused.ts';
import { itemEqualsEntry } from './lists/item-equals-entry.ts';
import { jobEnds } from './relations/job-ends.ts';
import { linkageHolds } from './relations/linkage-holds.ts';
import { linksHold } from './relations/links-hold.ts';
import { jsonApiHolds } from './validity/json-api-holds.ts';
import { limitHolds } from './lists/limit-holds.ts';
import { maskHolds } from './records/mask-holds.ts';
import { methodRefused } from './validity/method-refused.ts';
import { missingRefused } from './validity/missing-refused.ts';
import { noServerError } from './http/no-server-error.ts';
import { operationAnswers } from './http/operation-answers.ts';
import { pageCountHolds } from './lists/page-count-holds.ts';
import { pageHolds } from './lists/page-holds.ts';
import { parentHolds } from './relations/parent-holds.ts';
import { pointerHolds } from './answers/pointer-holds.ts';
import { projectionHolds } from './records/projection-holds.ts';
import { readOnlyIsIgnored } from './records/read-only-is-ignored.ts';
import { refusalIsHarmless } from './records/refusal-is-harmless.ts';
import { replacedIsPersisted } from './records/replaced-is-persisted.ts';
import { rulesHold } from './answers/rules-hold.ts';
import { sessionHolds } from './credentials/session-holds.ts';
import { shownTwiceAgrees } from './relations/shown-twice-agrees.ts';
import { softDeleteHolds } from './records/soft-delete-holds.ts';
import { sortHolds } from './lists/sort-holds.ts';
import { stableUnderRepeat } from './lists/stable-under-repeat.ts';
import { statesHold } from './relations/states-hold.ts';
import { statusDocumented } from './answers/status-documented.ts';
import { tokenHolds } from './lists/token-holds.ts';
import { totalHolds } from './lists/total-holds.ts';
import { transportSound } from './http/transport-sound.ts';
import { trialHolds } from './records/trial-holds.ts';
import { uniqueIsKept } from './records/unique-is-kept.ts';
import { unspecifiedRefused } from './records/unspecified-refused.ts';
import { validAccepted } from './validity/valid-accepted.ts';

/** The rules of relations that a check judges. */
type Judged<One> = One extends { readonly relations: infer Rules } ? keyof Rules : never;

/** The table. It does not compile if no check judges a rule that relates two steps. */
function tableOf<const Table extends readonly Check[]>(
  table: Table & ([Exclude<RelationRule, Judged<Table[number]>>] extends [never] ? unknown : never),
): Table {
  return table;
}

/** Every check, in the order in which findings are listed and requests of a moment are planned. */
export const checks = tableOf([
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
  pointerHolds,
  credentialRequired,
  credentialAccepted,
  sessionHolds,
  identityMayNot,
  identitySeesNothing,
  validAccepted,
  invalidRefused,
  missingRefused,
  methodRefused,
  jsonApiHolds,
  unspecifiedRefused,
  createdIsReturned,
  defaultIsApplied,
  readOnlyIsIgnored,
  createdIsReadable,
  createdOnce,
  uniqueIsKept,
  immutableIsKept,
  replacedIsPersisted,
  changeIsDated,
  maskHolds,
  trialHolds,
  chosenIdHolds,
  projectionHolds,
  inclusionHolds,
  expansionHolds,
  deletedIsGone,
  softDeleteHolds,
  refusalIsHarmless,
  conditionHolds,
  bodyTagHolds,
  itemEqualsEntry,
  parentHolds,
  linkageHolds,
  statesHold,
  shownTwiceAgrees,
  linksHold,
  amountsAgree,
  fileAgrees,
  jobEnds,
  bulkHolds,
  batchReadHolds,
  idsAreUnique,
  filterHolds,
  limitHolds,
  pageHolds,
  tokenHolds,
  sortHolds,
  totalHolds,
  pageCountHolds,
  stableUnderRepeat,
  deprecationAnnounced,
  httpSemantics,
  answersInTime,
  fieldsDocumented,
]);

const traits = new Map<string, readonly Trait[]>(
  checks.map((check: Check) => [check.id, check.traits ?? []]),
);

/** Whether a check, by its id, has a trait. */
export function hasTrait(id: string, trait: Trait): boolean {
  return traits.get(id)?.includes(trait) === true;
}

/** The checks of a run, and the severity of their findings. */
export interface CheckChoice {
  /** Ids of the checks to run, or to leave out. */
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  /**
   * The severity of the findings of a check, by its id; `off` disables the check, unless `only`
   * names it.
   */
  readonly severities?: Readonly<Record<string, Severity | 'off'>>;
  /** The duration in milliseconds from which a response is slow; default: 1,000. */
  readonly slowMs?: number;
}

/** The checks of a run, with the severities and the time limit that the user set. */
export function chooseChecks(options: CheckChoice): Check[] {
  const { slowMs, severities = {} } = options;
  const table: readonly Check[] = checks;
  return table
    .filter(({ id }) => isWanted(id, options))
    .map((check) => {
      const timed = slowMs === undefined ? check : (check.within?.(slowMs) ?? check);
      const severity = severities[check.id];
      return severity === undefined || severity === 'off' ? timed : setSeverity(timed, severity);
    });
}

function isWanted(id: string, { only, skip, severities }: CheckChoice): boolean {
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

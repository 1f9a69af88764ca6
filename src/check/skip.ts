import type { Contract } from '../contract/model.ts';
import { VouchError } from '../errors.ts';
import { defined } from '../json/defined.ts';
import { suggestWord } from '../nearest-word.ts';
import { checks } from './checks/index.ts';
import type { SuspicionGroup } from './judge/group.ts';
import { severityOf, type Suspicion } from './judge/judge.ts';
import type { SkippedFinding } from './model/run-summary.ts';

/**
 * What a user does not want to hear of: an operation that is not to be asked, or a check that is
 * not to count, there or anywhere.
 */
export interface Skip {
  /** An operation's id; without a check nothing is sent to it. */
  readonly operation?: string;
  readonly check?: string;
  /** Why: a clause or a sentence. */
  readonly reason: string;
  /** The last day (`YYYY-MM-DD`, UTC) on which it holds; for good unless told. */
  readonly until?: string;
}

/** Whether a skip has had its time. `today` is a day, `YYYY-MM-DD`. */
export function hasExpired({ until }: Skip, today: string): boolean {
  return until !== undefined && until < today;
}

/** Throws a VouchError ('usage') for a skip that names what there is not, or nothing at all. */
export function refuseStraySkips(skips: readonly Skip[], contract: Contract): void {
  for (const { operation, check } of skips) {
    if (operation === undefined && check === undefined)
      throw new VouchError('usage', 'A skip names neither an operation nor a check.', {
        hint: 'Name what is to be skipped: operation: ID, check: ID, or both.',
      });
    refuse(
      operation,
      contract.operations.map(({ id }) => id),
      'operation',
    );
    refuse(
      check,
      checks.map(({ id }) => id),
      'check',
    );
  }
}

function refuse(word: string | undefined, known: readonly string[], noun: string): void {
  if (word !== undefined && !known.includes(word))
    throw new VouchError('usage', `A skip names the ${noun} ${word}, which does not exist.`, {
      hint: suggestWord(word, known),
    });
}

/** Why nothing is sent to an operation: a clause, or undefined where it is not skipped whole. */
export function whySkipped(skips: readonly Skip[], operation: string): string | undefined {
  const skip = skips.find(
    (candidate) => candidate.operation === operation && candidate.check === undefined,
  );
  return skip === undefined
    ? undefined
    : `the configuration skips it ${untilClause(skip)}: ${skip.reason.replace(/\.$/, '')}`;
}

/** `until 2026-12-31`, or `for good`. */
function untilClause({ until }: Pick<Skip, 'until'>): string {
  return until === undefined ? 'for good' : `until ${until}`;
}

/** Parts what is to be heard from what is skipped; the latter with the skip that names it. */
export function partSkipped(
  suspicions: readonly Suspicion[],
  skips: readonly Skip[],
): {
  readonly reported: readonly Suspicion[];
  readonly skipped: ReadonlyMap<Skip, readonly Suspicion[]>;
} {
  const reported: Suspicion[] = [];
  const skipped = new Map<Skip, Suspicion[]>();
  for (const suspicion of suspicions) {
    const skip = skips.find((candidate) => names(candidate, suspicion));
    if (skip === undefined) reported.push(suspicion);
    else skipped.set(skip, [...(skipped.get(skip) ?? []), suspicion]);
  }
  return { reported, skipped };
}

function names({ operation, check }: Skip, suspicion: Suspicion): boolean {
  if (check !== suspicion.check.id) return false;
  return operation === undefined || suspicion.steps.at(-1)?.case.operation.id === operation;
}

/** A group that a skip names, as it is counted and shown. */
export function toSkippedFinding(
  { suspicions, violation }: SuspicionGroup,
  { reason, until }: Skip,
): SkippedFinding {
  const [first] = suspicions;
  return {
    check: first.check.id,
    severity: severityOf({ check: first.check, violation }),
    operation: first.steps.at(-1)?.case.operation.id ?? '',
    message: violation.message,
    count: suspicions.length,
    reason,
    ...defined({ until }),
  };
}

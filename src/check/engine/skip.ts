import type { Contract } from '../../contract/model.ts';
import { suggestId, usage } from '../../errors.ts';
import { checks } from '../topics/index.ts';
import type { SuspicionGroup } from './judge/group.ts';
import { severityOf, type Suspicion } from './judge/judge.ts';
import type { SkippedFinding } from '../model/run-summary.ts';
import type { Skip } from '../plan/skip.ts';

/** Throws a VouchError ('usage') for a skip that names something unknown, or nothing. */
export function refuseStraySkips(skips: readonly Skip[], contract: Contract): void {
  for (const { operation, check } of skips) {
    if (operation === undefined && check === undefined)
      throw usage('A skip names neither an operation nor a check.', {
        hint: 'Name what is to be skipped: operation: ID, check: ID, or both.',
      });
    refuse(operation, contract.operations, 'operation');
    refuse(check, checks, 'check');
  }
}

function refuse(
  word: string | undefined,
  known: readonly { readonly id: string }[],
  noun: string,
): void {
  if (word !== undefined && !known.some(({ id }) => id === word))
    throw usage(`A skip names the ${noun} ${word}, which does not exist.`, {
      hint: suggestId(word, known),
    });
}

/** Separates findings to report from skipped ones; the latter with the skip that applies. */
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

/** A skipped group as it is counted and shown. */
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
    until,
  };
}

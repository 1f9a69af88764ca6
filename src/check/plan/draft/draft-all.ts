import type { SkippedOperation } from '../../model/plan.ts';
import type { Contract, Operation } from '../../../contract/model.ts';
import { draftRequest, type Draft, type DraftSettings } from '../draft.ts';
import { reasonNotToChange } from './reason-not-to-change.ts';
import { isRestorable } from './restorable.ts';
import { onlyReads, type EffectRules } from '../../effect/effect-rules.ts';
import { pathNames } from './path-names.ts';

/** The drafts of a contract, in its order. */
export interface AllDrafts {
  readonly drafts: readonly Draft[];
  /** Those that may only be sent where what they change is put back. */
  readonly restorable: readonly Draft[];
  readonly skipped: readonly SkippedOperation[];
}

/**
 * What all drafts are made from; `reasons` has the operations that are skipped whatever they ask
 * for.
 */
export interface DraftingSettings extends DraftSettings {
  readonly reasons: ReadonlyMap<Operation, string>;
  readonly rules: EffectRules;
}

/** Drafts every operation of a contract that the run may send, one a step. */
export function* draftAll(
  contract: Contract,
  { reasons, rules, ...settings }: DraftingSettings,
): Generator<void, AllDrafts> {
  const drafts: Draft[] = [];
  const restorable: Draft[] = [];
  const skipped: SkippedOperation[] = [];
  for (const operation of contract.operations) {
    yield;
    const given = new Set(Object.keys(settings.examples?.[operation.id] ?? {}));
    const reason =
      reasons.get(operation) ??
      (isFree(operation, rules) ? undefined : reasonNotToChange(contract, operation, given));
    const drafted =
      reason === undefined
        ? draftRequest(contract, operation, settings)
        : { ok: false as const, reason };
    if (!drafted.ok) skipped.push({ operation, reason: drafted.reason });
    else if (pathNames(contract, operation).length === 0 && isRestorable(contract, operation))
      restorable.push(drafted.draft);
    else drafts.push(drafted.draft);
  }
  return { drafts, restorable, skipped };
}

/** Whether an operation may be sent for any record: it only reads, or the user allows it. */
function isFree(operation: Operation, rules: EffectRules): boolean {
  return onlyReads(operation, rules) || rules.allowed.has(operation);
}

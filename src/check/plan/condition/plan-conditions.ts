import type { Sequence } from '../../model/case.ts';
import type { PlanContext } from '../plan-context.ts';
import { planConditionalChanges } from './conditional-changes.ts';
import { planFailingPatches } from './failing-patches.ts';
import { planRepeatedKeys } from './repeated-keys.ts';

/**
 * Writes that are answered by the state that a record is in, or by what came before: entity tags,
 * keys of creates, tests in a patch. Only what a contract documents is asked for.
 */
export function planConditions(context: PlanContext): Sequence[] {
  return [
    ...planConditionalChanges(context),
    ...planRepeatedKeys(context),
    ...planFailingPatches(context),
  ];
}

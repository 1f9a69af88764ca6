import { isSecured } from '../secrets/credential.ts';
import { makeCase, makeSequence, type Sequence } from '../model/case.ts';
import { isSafe, requestOf, type Draft } from './draft.ts';
import { needsRecord, plainIntent, type PlanContext } from './plan-context.ts';

/**
 * The first request of a run: a plain read that tells whether anybody is there and takes the
 * credential. A secured list is best, because it also shows which records there are. Undefined
 * where the contract has no read that needs no record.
 */
export function probeDraft({ drafts }: PlanContext): Draft | undefined {
  const reads = drafts.filter((draft) => isSafe(draft.operation) && !needsRecord(draft));
  const score = ({ operation, role }: Draft): number =>
    (role?.action === 'list' ? 2 : 0) + (isSecured(operation) ? 1 : 0);
  return reads.reduce<Draft | undefined>(
    (best, draft) => (best === undefined || score(draft) > score(best) ? draft : best),
    undefined,
  );
}

/** The probe as the one sequence of its phase. */
export function planProbe(context: PlanContext): Sequence[] {
  const draft = probeDraft(context);
  if (draft === undefined) return [];
  const { operation } = draft;
  return [
    makeSequence(
      makeCase({
        title: 'a plain request',
        phase: 'probe',
        operation,
        request: requestOf(draft, 'known'),
        intent: plainIntent(draft),
      }),
    ),
  ];
}

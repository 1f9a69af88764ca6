import { makeCase, makeSequence, type Sequence } from '../model/case.ts';
import { isSafe, requestOf } from './draft.ts';
import { plainIntent, type PlanContext } from './plan-context.ts';

/**
 * One plain request to each operation that the user allows by name and that no other part of the
 * plan sends plainly: those without a body that name no record.
 */
export function planAllowed({ drafts, rules }: PlanContext): Sequence[] {
  const isLeftOver = ({ operation, body, names }: PlanContext['drafts'][number]): boolean =>
    rules.allowed.has(operation) && !isSafe(operation) && body === undefined && names.length === 0;
  return drafts.filter(isLeftOver).map((draft) => {
    const { operation } = draft;
    const request = requestOf(draft, 'known');
    const intent = plainIntent(draft);
    return makeSequence(
      makeCase({ title: 'a plain request', phase: 'sequence', operation, request, intent }),
    );
  });
}

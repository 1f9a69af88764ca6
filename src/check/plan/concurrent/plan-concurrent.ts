import { makeSequence, type Sequence } from '../../model/case.ts';
import { makeCreate } from '../boundary.ts';
import { draftOf, plainIntent, type PlanContext } from '../plan-context.ts';

/** Enough that two of them meet in a server that counts its identifiers without a lock. */
const atOnce = 6;

/** The plain create of each resource several times at the same moment. */
export function planConcurrent(context: PlanContext): Sequence[] {
  return context.contract.resources.flatMap(({ operations }) => {
    const create = draftOf(context, operations.create);
    if (create?.body === undefined) return [];
    const { value } = create.body;
    const creates = Array.from({ length: atOnce }, (_one, index) =>
      makeCreate(context, create, {
        title: `a record is created at the same moment as others (${String(index + 1)} of ${String(atOnce)})`,
        value,
        intent: plainIntent(create),
        phase: 'sequence',
      }),
    );
    return [{ ...makeSequence(...creates), concurrent: true as const }];
  });
}

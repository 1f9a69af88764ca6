import { makeCase, makeSequence, type Sequence } from '../../model/case.ts';
import { requestOf } from '../draft.ts';
import { plainIntent, type PlanContext } from '../plan-context.ts';
import { taggedRead } from './tagged-read.ts';

/**
 * Every read that documents 304, asked for twice: the second time with the ETag that it came with.
 */
export function planConditionalReads({ drafts }: PlanContext): Sequence[] {
  return drafts.flatMap((draft): Sequence[] => {
    const { operation } = draft;
    const again =
      operation.method === 'GET'
        ? taggedRead(draft, {
            title: 'If-None-Match is the ETag that the answer just had',
            phase: 'boundary',
            record: 'known',
            which: 'last',
            wanted: 'unchanged',
          })
        : undefined;
    if (again === undefined) return [];
    return [
      makeSequence(
        makeCase({
          title: 'a plain request, to see the ETag',
          phase: 'boundary',
          operation,
          request: requestOf(draft, 'known'),
          intent: plainIntent(draft),
        }),
        again,
      ),
    ];
  });
}

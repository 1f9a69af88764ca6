import { joinPointer } from '../../../json/pointer.ts';
import { makeCase, makeSequence, type Sequence } from '../../case.ts';
import { conditionHeader } from '../draft/condition-header.ts';
import { requestOf } from '../draft.ts';
import { plainIntent, type PlanContext } from '../plan-context.ts';
import { documents, tagArgument } from './tag-argument.ts';

/** Every read that documents 304, asked for twice: the second time with the ETag that it came with. */
export function planConditionalReads({ drafts }: PlanContext): Sequence[] {
  return drafts.flatMap((draft): Sequence[] => {
    const { operation } = draft;
    const parameter = operation.method === 'GET' && documents(operation, '304') ? conditionHeader(operation, 'If-None-Match') : undefined;
    if (parameter === undefined) return [];
    return [makeSequence(
      makeCase({ title: 'a plain request, to see the ETag', phase: 'boundary', operation, request: requestOf(draft, 'known'), intent: plainIntent(draft) }),
      makeCase({
        title: 'If-None-Match is the ETag that the answer just had',
        phase: 'boundary',
        operation,
        request: requestOf(draft, 'known', { extra: [tagArgument(parameter, operation, 'last')] }),
        intent: { kind: 'condition', at: joinPointer(operation.pointer, 'responses', '304'), wanted: 'unchanged' },
        optional: true,
      }),
    )];
  });
}

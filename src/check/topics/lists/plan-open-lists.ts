import { type OpenList, openListOf } from '../../../contract/infer/open-lists.ts';
import { type Case, makeCase, makeSequence, type Sequence } from '../../model/case.ts';
import type { Argument } from '../../model/request-template.ts';
import { type Draft, requestOf } from '../../plan/draft.ts';
import { sourced, valued } from '../../plan/listing.ts';
import { plainIntent, type PlanContext } from '../../plan/plan-context.ts';
import { relationTo } from '../../plan/story.ts';

/** As many pages of one item as are followed. */
const followed = 3;
/** A longer page would be a load test. */
const max = 100;

/** Each list that is no resource, as a whole, and then in pages of one item by their tokens. */
export function planOpenLists({ contract, drafts }: PlanContext): Sequence[] {
  return drafts.flatMap((draft) => {
    const list = openListOf(contract, draft.operation);
    const one = list === undefined ? [] : valued(list.size, 1);
    return list === undefined || one.length === 0 ? [] : [walk(draft, list, one)];
  });
}

function walk(draft: Draft, { size, token, next }: OpenList, one: readonly Argument[]): Sequence {
  const { operation } = draft;
  const whole = makeCase({
    title: 'the list is asked for as it is',
    phase: 'sequence',
    operation,
    request: requestOf(draft, 'known', { extra: widest(size) }),
    intent: plainIntent(draft),
  });
  const steps: Case[] = [];
  for (let count = 1; count <= followed; count += 1) {
    const before = steps.at(-1);
    const expression = `$response.body#${next}`;
    const given =
      before === undefined
        ? []
        : sourced(token, { kind: 'link', operation: operation.id, expression, step: before.title });
    const step = makeCase({
      title: `page ${String(count)} of one item is asked for`,
      phase: 'sequence',
      operation,
      request: requestOf(draft, 'known', { extra: [...one, ...given] }),
      intent: relationTo(draft, {
        rule: 'next-page',
        of: [whole, ...steps].map(({ title }) => title),
      }),
    });
    steps.push(before === undefined ? step : { ...step, optional: true });
  }
  return makeSequence(whole, ...steps);
}

function widest(size: OpenList['size']): Argument[] {
  const { maximum } = size.schema.flatten().node;
  return valued(size, Math.min(Number(maximum ?? max), max));
}

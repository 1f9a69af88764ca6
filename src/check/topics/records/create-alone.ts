import { makeSequence, type Sequence } from '../../model/case.ts';
import { askList, listingsOf, newestFirst, widestPage } from '../../plan/listing.ts';
import { createStep, creationOf } from '../../plan/make-create.ts';
import type { PlanContext } from '../../plan/plan-context.ts';

/**
 * Two creates, each with the list after it, while nothing else of the run writes: only then is the
 * record the newest one that the list has, and the second list shows whether the first was cut.
 * Lists with pages are walked beside a create anyway.
 */
export function planCreateAlone(context: PlanContext): Sequence[] {
  return listingsOf(context).flatMap((listing) => {
    const create = creationOf(context, listing.resource);
    if (create === undefined || listing.shape.paging.length > 0) return [];
    const query = [...widestPage(listing), ...newestFirst(listing)];
    const made = ['a record', 'another record'].flatMap((what) => [
      createStep(context, create, `${what} is created while nothing else is`),
      askList(listing, { title: `the list is asked for after ${what} was created`, query }),
    ]);
    return [makeSequence(...made)];
  });
}

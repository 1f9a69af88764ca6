import { type Case, makeSequence, type Sequence } from '../../model/case.ts';
import { askList, listingsOf, newestFirst, widestPage } from '../../plan/listing.ts';
import { createStep, creationOf } from '../../plan/make-create.ts';
import type { PlanContext } from '../../plan/plan-context.ts';

/** How often the first list is repeated: a replica may lag behind by some requests. */
const patience = 3;

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
    const look = (title: string): Case => askList(listing, { title, query });
    const again = Array.from({ length: patience }, () =>
      look('the list is asked for again, with nothing done in between'),
    );
    return [
      makeSequence(
        createStep(context, create, 'a record is created on its own'),
        look('the list is asked for after a record was created'),
        ...again,
        createStep(context, create, 'another record is created on its own'),
        look('the list is asked for after another record was created'),
      ),
    ];
  });
}

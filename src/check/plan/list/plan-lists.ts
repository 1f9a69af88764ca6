import type { Sequence } from '../../model/case.ts';
import type { PlanContext } from '../plan-context.ts';
import { planFilters } from './filter-sequences.ts';
import { listingsOf } from './listing.ts';
import { planPageQueries } from './page-sequences.ts';
import { planSorting } from './sort-sequences.ts';

/**
 * What several answers of a list show together. Nothing in it writes: the run is to be no moving
 * target of its own.
 */
export function planLists(context: PlanContext): Sequence[] {
  return listingsOf(context).flatMap((listing) => [
    ...planFilters(context, listing),
    ...planPageQueries(listing),
    ...planSorting(listing),
  ]);
}

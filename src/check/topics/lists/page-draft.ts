import type { Pages, PageSize } from '../../../contract/protocols/pages.ts';
import { protocolsOf } from '../../../contract/protocols/read-protocols.ts';
import { shownValues } from '../../../contract/model/operation.ts';
import type { Argument } from '../../model/request-template.ts';
import { type Listing, listingsOf, sourced, valued } from '../../plan/listing.ts';
import type { PlanContext } from '../../plan/plan-context.ts';

/** A list that shows how its pages lead to each other. */
export interface PagedListing {
  readonly listing: Listing;
  readonly pages: Pages;
}

/** The lists of a plan that show how their pages lead to each other. */
export function pagedListings(context: PlanContext): PagedListing[] {
  return listingsOf(context).flatMap((listing) => {
    const { pages } = protocolsOf(context.contract, listing.resource);
    return pages === undefined ? [] : [{ listing, pages }];
  });
}

/** The argument for pages of this many records; none if a client cannot choose it. */
export function sizedPages({ size }: Pages, records: number): Argument[] {
  if (size === undefined) return [];
  const { parameter, by } = size;
  if (by === 'number') return valued(parameter, records);
  const written = shownPreference(size).replace(/\d+/, String(records));
  return valued(parameter, written);
}

/** A preference as the contract shows it: `odata.maxpagesize=5`. */
function shownPreference({ parameter }: PageSize): string {
  const shown = shownValues(parameter).find((value) => typeof value === 'string');
  return /\S*maxpagesize=\d+/.exec(String(shown ?? ''))?.[0] ?? 'maxpagesize=1';
}

/** The argument that divides the list before it in the sequence into so many pages. */
export function dividedPages(
  { listing: { resource }, pages: { size } }: PagedListing,
  pages: number,
): Argument[] {
  if (size === undefined) return [];
  const share = { kind: 'share' as const, resource: resource.name, pages, page: 1 };
  return sourced(size.parameter, {
    ...share,
    of: 'size',
    ...(size.by === 'number' ? {} : { within: shownPreference(size) }),
  });
}

import type { Paging } from '../../../contract/model.ts';
import { documentsTotal } from '../../evidence/list/list-total.ts';
import { makeSequence, type Argument, type Case, type Sequence } from '../../case.ts';
import { askList, pageOfSize, sourced, valued, wholeList, widestPage, type Listing } from './listing.ts';

/** The ways of paging that one list is asked in. */
const mostWays = 2;

/**
 * Whether the pages of a list are pages of one list: the longest page, two short ones, one beyond the end, and the longest
 * again, which shows whether anything changed meanwhile. Also that a total is the same whatever the page.
 */
export function planPages(listing: Listing): Sequence[] {
  const { shape, resource } = listing;
  const ways = shape.paging.slice(0, mostWays).flatMap((paging) => [...halves(listing, paging), ...linked(listing, paging)]);
  const counted = documentsTotal(resource) ? totals(listing) : [];
  return [...ways, ...counted];
}

function halves(listing: Listing, paging: Paging): Sequence[] {
  const { parameter } = paging;
  const size = halfSize(listing);
  const half = size === undefined ? [] : pageOfSize(listing, size);
  const first = size === undefined ? [] : [page(listing, `the list is asked for its first ${words(size)}`, [...half, ...beginning(paging)])];
  const second = nextHalf(listing, paging, size);
  if (second.length === 0) return [];
  const far = paging.kind === 'cursor' ? [] : valued(parameter, 1_000_000);
  const beyond = far.length === 0 ? [] : [page(listing, `${parameter.name} is beyond the end`, [...widestPage(listing), ...far], 'exotic')];
  return [makeSequence(wholeList(listing), ...first, page(listing, 'the list is asked for the page after that', [...half, ...second]), ...beyond, wholeList(listing, 'the longest page is asked for again'))];
}

/** The argument that asks for the second half: of a list without a limit, for the second page, or all but the first record. */
function nextHalf({ resource }: Listing, { kind, parameter, first }: Paging, size: number | undefined): Argument[] {
  if (kind === 'cursor') return sourced(parameter, { kind: 'next', resource: resource.name, parameter: parameter.name });
  return valued(parameter, kind === 'page' ? first + 1 : first + (size ?? 1));
}

function beginning({ kind, parameter, first }: Paging): Argument[] {
  return kind === 'cursor' ? [] : valued(parameter, first);
}

/** The page that the list itself names as the next. */
function linked(listing: Listing, { kind, parameter }: Paging): Sequence[] {
  const size = halfSize(listing);
  if (!listing.shape.links || kind === 'cursor' || size === undefined) return [];
  const half = pageOfSize(listing, size);
  const next = sourced(parameter, { kind: 'next', resource: listing.resource.name, parameter: parameter.name });
  return [makeSequence(wholeList(listing), page(listing, `the list is asked for its first ${words(size)}`, half), page(listing, 'the page is asked for to which Link leads', [...half, ...next]), wholeList(listing, 'the longest page is asked for again'))];
}

/** Two pages of different size between two of one size; and where the list can be asked for all but its beginning, whether the longest page is all of it. */
function totals(listing: Listing): Sequence[] {
  const { shape } = listing;
  const offset = shape.paging.find(({ kind }) => kind === 'offset');
  const rest = offset === undefined ? [] : valued(offset.parameter, offset.first + 1);
  const one = pageOfSize(listing, 1);
  const between: Case[] = [
    ...(one.length === 0 ? [] : [page(listing, `${shape.limit?.parameter.name ?? ''} is 1`, one)]),
    ...(rest.length === 0 ? [] : [page(listing, 'the list is asked for all but its first record', [...widestPage(listing), ...rest])]),
  ];
  return between.length === 0 ? [] : [makeSequence(wholeList(listing), ...between, wholeList(listing, 'the list is asked for again'))];
}

function page(listing: Listing, title: string, query: readonly Argument[], rigour: 'plain' | 'exotic' = 'plain'): Case {
  const asked = query.find(({ parameter }) => listing.shape.paging.some((paging) => paging.parameter === parameter)) ?? query[0];
  return askList(listing, { title, query, rigour, ...(asked === undefined ? {} : { at: asked.parameter.pointer }) });
}

/** The smallest half whose double is a page too; undefined where the list has no limit, or bounds it too narrowly. */
function halfSize(listing: Listing): number | undefined {
  const least = Math.max(2, listing.shape.limit?.minimum ?? 1);
  return pageOfSize(listing, least).length > 0 && pageOfSize(listing, least * 2).length > 0 ? least : undefined;
}

function words(size: number): string {
  return `${String(size)} records`;
}

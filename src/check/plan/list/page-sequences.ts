import type { Paging } from '../../../contract/model.ts';
import { documentsTotal } from '../../evidence/list/list-total.ts';
import { type Case, makeSequence, type Sequence } from '../../model/case.ts';
import type { Argument } from '../../model/request-template.ts';
import type { PlanContext } from '../plan-context.ts';
import {
  askList,
  type Listing,
  listingsOf,
  pageOfSize,
  sourced,
  valued,
  wholeList,
  widestPage,
} from './listing.ts';
import { pageRecords } from './page-records.ts';
import { planWalks, type Walk, walkAll } from './walk-sequences.ts';

/** The ways of paging that one list is asked in. */
const mostWays = 2;

/**
 * Whether the pages of a list are pages of one list: its longest page, pages of a few records up to
 * its end, one beyond it, and the longest again, which shows whether anything changed meanwhile.
 * First a few records are made, so that there are some.
 */
export function planPages(context: PlanContext): Sequence[] {
  return listingsOf(context).flatMap((listing) => {
    const made = pageRecords(context, listing);
    // What was made for the first way is there for the second.
    return walksOf(listing).map((way, index) =>
      makeSequence(
        ...(index === 0 ? made : []),
        ...walkAll(listing, way, way.follows ? [] : beyond(listing, way.paging)),
      ),
    );
  });
}

/**
 * What else the pages of a list show: that they keep filters and orders, and that a total is the
 * same whatever the page.
 */
export function planPageQueries(listing: Listing): Sequence[] {
  const { shape, resource } = listing;
  const walks = walksOf(listing);
  const next =
    walks.length > 0
      ? []
      : shape.paging.slice(0, mostWays).flatMap((paging) => nextOnly(listing, paging));
  return [
    ...next,
    ...planWalks(listing, walks[0]),
    ...(documentsTotal(resource) ? totals(listing) : []),
  ];
}

/**
 * By each parameter, and by what `Link` says of the first that is a number; none where nobody can
 * say how long a page is to be.
 */
function walksOf({ shape: { limit, paging, links } }: Listing): Walk[] {
  if (limit === undefined) return [];
  const ways = paging.slice(0, mostWays);
  const numbered = ways.find(({ kind }) => kind !== 'cursor');
  return ways.flatMap((way) => [
    { paging: way, follows: way.kind === 'cursor' },
    ...(links && way === numbered ? [{ paging: way, follows: true }] : []),
  ]);
}

/**
 * Of a list without a limit: the second page, or all but the first record, and one beyond the end.
 */
function nextOnly(listing: Listing, paging: Paging): Sequence[] {
  const { parameter, kind, first } = paging;
  const next =
    kind === 'cursor'
      ? sourced(parameter, {
          kind: 'next',
          resource: listing.resource.name,
          parameter: parameter.name,
        })
      : valued(parameter, first + 1);
  if (next.length === 0) return [];
  return [
    makeSequence(
      wholeList(listing),
      page(listing, 'the list is asked for the page after that', next),
      ...beyond(listing, paging),
      wholeList(listing, 'the longest page is asked for again'),
    ),
  ];
}

function beyond(listing: Listing, { kind, parameter }: Paging): Case[] {
  const far = kind === 'cursor' ? [] : valued(parameter, 1_000_000);
  return far.length === 0
    ? []
    : [
        page(
          listing,
          `${parameter.name} is beyond the end`,
          [...widestPage(listing), ...far],
          'exotic',
        ),
      ];
}

/**
 * Two pages of different size between two of one size; and where the list can be asked for all but
 * its beginning, whether the longest page is all of it.
 */
function totals(listing: Listing): Sequence[] {
  const { shape } = listing;
  const offset = shape.paging.find(({ kind }) => kind === 'offset');
  const rest = offset === undefined ? [] : valued(offset.parameter, offset.first + 1);
  const one = pageOfSize(listing, 1);
  const between: Case[] = [
    ...(one.length === 0 ? [] : [page(listing, `${shape.limit?.parameter.name ?? ''} is 1`, one)]),
    ...(rest.length === 0
      ? []
      : [
          page(listing, 'the list is asked for all but its first record', [
            ...widestPage(listing),
            ...rest,
          ]),
        ]),
  ];
  return between.length === 0
    ? []
    : [
        makeSequence(
          wholeList(listing),
          ...between,
          wholeList(listing, 'the list is asked for again'),
        ),
      ];
}

function page(
  listing: Listing,
  title: string,
  query: readonly Argument[],
  rigour: 'plain' | 'exotic' = 'plain',
): Case {
  const asked =
    query.find(({ parameter }) =>
      listing.shape.paging.some((paging) => paging.parameter === parameter),
    ) ?? query[0];
  return askList(listing, {
    title,
    query,
    rigour,
    ...(asked === undefined ? {} : { at: asked.parameter.pointer }),
  });
}

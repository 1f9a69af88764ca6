import type { Filter, Paging } from '../../../contract/model.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { type Argument, type Case, makeSequence, type Sequence } from '../../case.ts';
import { documentsTotal } from '../../evidence/list/list-total.ts';
import type { DraftBody } from '../draft.ts';
import { makeCreate } from '../make-create.ts';
import { draftOf, plainIntent, type PlanContext } from '../plan-context.ts';
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
import { planWalks, type Walk, walkAll } from './sort-sequences.ts';

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

/** So many records come to three pages of two, of which the last is not full. */
const enough = 5;

/**
 * A few records to be shown in pages; none where the run may make none. They are alike in what the
 * list filters by, and have what the plain record has not: later on they are few among many, and
 * are sooner shown to the last.
 */
function pageRecords(context: PlanContext, { resource, shape }: Listing): Case[] {
  const create = draftOf(context, resource.operations.create);
  if (create?.body === undefined) return [];
  const value = shape.filters.reduce(
    (body, filter) => apart(body, filter, create.body),
    create.body.value,
  );
  return Array.from({ length: enough }, (_record, index) =>
    makeCreate(context, create, {
      title: `record ${String(index + 1)} of ${String(enough)} is created to be shown in pages`,
      value,
      intent: plainIntent(create),
      phase: 'sequence',
    }),
  );
}

/**
 * The body with the last of the values that a filter lists; the very same where that is not another
 * one, or not allowed.
 */
function apart(
  body: JsonValue,
  { field, parameter, member }: Filter,
  draft: DraftBody | undefined,
): JsonValue {
  if (!isJsonObject(body) || body[field] === undefined || member !== undefined) return body;
  const { node, types } = parameter.schema.flatten();
  const listed = node.enum ?? (types.includes('boolean') ? [true, false] : []);
  const other = listed.findLast(
    (value) => value !== null && !equalJson(value, body[field] ?? null),
  );
  const changed: JsonObject | undefined =
    other === undefined ? undefined : { ...body, [field]: other };
  return changed === undefined || draft?.schema?.accepts(changed, 'request') !== true
    ? body
    : changed;
}

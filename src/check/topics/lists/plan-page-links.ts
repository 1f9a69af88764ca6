import { flagsOf, kindsOf } from '../../../contract/infer/infer-flags.ts';
import { isLowerBound } from '../../../contract/model/resource.ts';
import { shownValues } from '../../../contract/model/operation.ts';
import { writeProjection } from '../../../contract/protocols/projection.ts';
import { protocolsOf } from '../../../contract/protocols/read-protocols.ts';
import type { Pointer } from '../../../json/pointer.ts';
import { type Case, makeSequence, type Sequence } from '../../model/case.ts';
import { ordinal } from '../../model/step.ts';
import type { Argument, ShownAddress } from '../../model/request-template.ts';
import { requestOf } from '../../plan/draft.ts';
import type { Listing } from '../../plan/listing.ts';
import { askList, nextPage, sourced, valued, widestPage } from '../../plan/listing.ts';
import { draftCase, type PlanContext } from '../../plan/plan-context.ts';
import { selectingIn } from '../../reading/list-query.ts';
import { expressionsToWalk } from './expression-sequences.ts';
import { dividedPages, type PagedListing, pagedListings } from './page-draft.ts';

/** As many pages as a list is divided into; one more is followed. */
const pagesOfAll = 3;

/** What a list is asked for beside its pages. */
interface Selection {
  /** The clause that ends every title. */
  readonly words: string;
  readonly query: readonly Argument[];
  /** Whether it asks for some fields of the records. */
  readonly isProjection?: true;
}

/**
 * Walks by the addresses that pages give: each list as a whole, and then in pages whose size the
 * client prefers; also with a filter, with some fields, and with a bound of all pages together. And
 * the links to the first and to the last page.
 */
export function planPageLinks(context: PlanContext): Sequence[] {
  return pagedListings(context).flatMap((paged) => {
    return selectionsFor(context, paged).flatMap((selection) => walk(paged, selection));
  });
}

const everything: Selection = { words: '', query: [] };

/**
 * What is walked here: all where only links lead on, and whatever no other walk asks for where a
 * token does. Filters and orders are walked by their own checks.
 */
function selectionsFor(context: PlanContext, paged: PagedListing): Selection[] {
  const { next, size, first, last } = paged.pages;
  if (next?.by === 'token') return bounding(paged);
  if (next === undefined) return [];
  if (size?.by === 'preference') return selectionsOf(context, paged);
  const all = first === undefined && last === undefined ? [] : [everything];
  return [...all, ...asShown(paged)];
}

/** The values that the contract shows for parameters of which nobody knows what they select. */
function asShown({ listing: { draft, shape } }: PagedListing): Selection[] {
  const known = [...selectingIn(shape), shape.sort?.by, shape.sort?.direction];
  return draft.operation.parameters
    .filter((one) => one.in === 'query' && !known.includes(one))
    .flatMap((one) =>
      shownValues(one)
        .slice(0, 1)
        .flatMap((value) => valued(one, value)),
    )
    .map((argument) => ({
      words: ` with the ${argument.parameter.name} of its example`,
      query: [argument],
    }));
}

/** A parameter that leaves records out, a bound, and what a default leaves out too. */
function bounding(paged: PagedListing): Selection[] {
  const { listing, pages } = paged;
  const { resource, shape } = listing;
  if (pages.token === undefined) return [];
  const range = shape.ranges.find(isLowerBound) ?? shape.ranges[0];
  const flags = flagsOf(resource).flatMap(({ parameter }) =>
    valued(parameter, true).map((argument): Selection => ({
      words: ` where ${parameter.name} is true`,
      query: [argument],
    })),
  );
  const selections = [...flags, ...allKinds(paged)];
  if (range === undefined) return selections;
  const { parameter, field } = range;
  const source = { kind: 'field' as const, resource: resource.name, field, of: 'middle' as const };
  const words = ` where ${parameter.name} is what a record has`;
  return [...selections, { words, query: sourced(parameter, source) }];
}

/** Records of all kinds, where the list has some alone by default: they may be few. */
function allKinds({ listing: { resource } }: PagedListing): Selection[] {
  return kindsOf(resource)
    .filter(({ usual, values }) => usual !== undefined && usual.length < values.length)
    .flatMap(({ parameter, values }) => valued(parameter, [...values]))
    .slice(0, 1)
    .map((argument) => ({ words: ` of all ${argument.parameter.name}`, query: [argument] }));
}

function selectionsOf({ contract }: PlanContext, { listing, pages }: PagedListing): Selection[] {
  const { resource } = listing;
  const [filter] = expressionsToWalk(listing);
  const projection = protocolsOf(contract, resource).projections?.of.find(
    ({ operation }) => operation === listing.draft.operation,
  );
  const known = projection?.fields ?? [];
  const fields = known.slice(0, Math.min(2, known.length - 1));
  const part = projection === undefined || fields.length === 0 ? [] : [projection];
  const projected = part.flatMap((one) => valued(one.parameter, writeProjection(one, fields)));
  const bound = valued(pages.bound, boundOfAll);
  return [
    everything,
    ...greatestFirst(listing),
    ...(filter === undefined ? [] : [filter]),
    ...projected.map((argument): Selection => ({
      words: ` with ${fields.join(' and ')} alone`,
      query: [argument],
      isProjection: true,
    })),
    ...bound.map((argument): Selection => ({
      words: `, of them ${String(boundOfAll)}`,
      query: [argument],
    })),
  ];
}

/** The order by identifiers, the greatest first: what was deleted was there too. */
function greatestFirst({ resource, shape: { sort } }: Listing): Selection[] {
  const field = resource.identifier.field;
  const word = sort?.language?.write([{ field, descending: true }]);
  return (word === undefined ? [] : valued(sort?.by, word)).map((argument) => ({
    words: `, the greatest ${field} first`,
    query: [argument],
  }));
}

/** A bound that few lists do not reach, and that makes more than one page. */
const boundOfAll = 4;

function walk(paged: PagedListing, selection: Selection): Sequence[] {
  const { listing, pages } = paged;
  const { words, query } = selection;
  const sized = dividedPages(paged, pagesOfAll);
  if (pages.next === undefined || sized.length === 0) return [];
  const isBound = query.some(({ parameter }) => parameter === pages.bound);
  const whole = askList(listing, {
    title: `the list is asked for as it is${words}`,
    query: [...query, ...(isBound || pages.size?.by === 'preference' ? [] : widestPage(listing))],
    rigour: query.length === 0 ? undefined : 'exotic',
  });
  // By the expression over the whole list, which is the same in all requests.
  const before =
    query.length === 0 ? [] : [askList(listing, { title: 'the list is asked for', query: [] })];
  const steps = [page(paged, selection, { of: [whole], sized })];
  // A part of the list shows on its second page whether it is kept.
  const more = query.length === 0 ? pagesOfAll : pagesOfAll - 1;
  for (let count = 1; count <= more; count += 1)
    steps.push(page(paged, selection, { of: [whole, ...steps], sized, at: pages.next.at }));
  const [first] = steps;
  const links = first === undefined ? [] : linksOf(paged, { whole, first });
  return [makeSequence(...before, whole, ...steps, ...links)];
}

interface PagePlan {
  /** The whole list, and the pages before. */
  readonly of: readonly Case[];
  readonly sized: readonly Argument[];
  /** Where the page before shows the address of this one. */
  readonly at?: Pointer;
}

function page(
  { listing, pages }: PagedListing,
  { words, query, isProjection }: Selection,
  { of, sized, at }: PagePlan,
): Case {
  const { draft } = listing;
  const before = of.at(-1);
  const isFollowed = at !== undefined && before !== undefined;
  const isLink = isFollowed && pages.next?.by === 'address';
  const asPreferred = pages.size?.by === 'preference' ? sized : [];
  const isByToken = isFollowed && !isLink && pages.token !== undefined;
  const token = isByToken ? nextPage(listing, pages.token) : [];
  const extra = isLink ? asPreferred : [...query, ...sized, ...token];
  const address = isLink ? linkAt(before, at) : undefined;
  const request = requestOf(draft, 'known', { extra });
  const testCase = draftCase(draft, {
    title: `the ${ordinal(of.length)} page is asked for${isLink ? ' by its link' : ''}${words}`,
    request: address === undefined ? request : { ...request, address },
    relation: {
      rule: 'next-page',
      of: of.map(({ title }) => title),
      ...(isProjection === true ? { field: 'fields' } : {}),
    },
  });
  return isFollowed ? { ...testCase, optional: true } : testCase;
}

function linkAt({ title: step, operation }: Case, at: Pointer): ShownAddress {
  return { step, operation: operation.id, expression: `$response.body#${at}` };
}

/** The links of the first page to itself and to the last one. */
function linksOf(
  { listing: { draft }, pages }: PagedListing,
  { whole, first }: { readonly whole: Case; readonly first: Case },
): Case[] {
  return (['first', 'last'] as const).flatMap((relation) => {
    const at = pages[relation];
    if (at === undefined) return [];
    const address = linkAt(first, at);
    const testCase = draftCase(draft, {
      title: `the link to the ${relation} page is followed`,
      request: { ...requestOf(draft, 'known'), address },
      relation: { rule: 'page-link', of: [whole.title, first.title], field: relation },
    });
    return [{ ...testCase, optional: true as const }];
  });
}

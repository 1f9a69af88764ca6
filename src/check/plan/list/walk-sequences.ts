import type { Filter, Paging } from '../../../contract/model.ts';
import { type Case, makeSequence, type Sequence } from '../../model/case.ts';
import type { Argument } from '../../model/request-template.ts';
import { askList, type Listing, sourced, valued, wholeList, widestPage } from './listing.ts';
import { type Order, ordersOf } from './sort-sequences.ts';

/**
 * So many pages a list is walked in, and fewer where it is filtered or sorted: the third is the
 * first that has a page of its own before it.
 */
const pagesOfAll = 5;
const pagesOfPart = 3;
/** The most filters, and the most orders, in which one list is walked. */
const mostFilters = 4;
const mostOrders = 2;

/** Records of a list that are walked through: what is asked for besides the page. */
interface Row {
  /** The clause that every title ends with: ` where status is what some records have in common`. */
  readonly words: string;
  readonly query: readonly Argument[];
  /** Whether the contract says that a server takes it, or leaves room for a refusal. */
  readonly rigour: 'plain' | 'exotic';
}

/** How pages are asked for: by their place, or as the page before names them. */
export interface Walk {
  readonly paging: Paging;
  readonly follows: boolean;
}

/**
 * Each filter, and a few orders, over some pages: the page after the first is where they are
 * forgotten. Then each filter with an order, and with the next filter: each is judged by itself
 * there.
 */
export function planWalks(listing: Listing, way: Walk | undefined): Sequence[] {
  const { filters, sort } = listing.shape;
  const plain = filters.filter(({ member }) => member === undefined).slice(0, mostFilters);
  const orders =
    sort === undefined
      ? []
      : ordersToWalk(ordersOf(sort)).map(({ words, query, certain }): Row => ({
          words: ` where ${words}`,
          query,
          rigour: certain ? 'plain' : 'exotic',
        }));
  const filtered = plain.map((filter, index) => {
    const row = filteredRow(listing, filter);
    const next = plain[(index + 1) % plain.length];
    const others = [
      ...orders.slice(0, 1),
      ...(next === undefined || next === filter || (index > 0 && plain.length === 2)
        ? []
        : [filteredRow(listing, next, 1)]),
    ];
    const both = others.map((other) => askRow(listing, joined(row, other)));
    return [wholeList(listing), ...(way === undefined ? [] : walked(listing, way, row)), ...both];
  });
  const sorted = way === undefined ? [] : orders.map((order) => walked(listing, way, order));
  return [...filtered.filter((cases) => cases.length > 1), ...sorted].map((cases) =>
    makeSequence(...cases),
  );
}

/** So many records come to two pages, of which the last is not full. */
const aFew = 3;

function filteredRow({ resource }: Listing, { parameter, field }: Filter, least = aFew): Row {
  return {
    words: ` where ${parameter.name} is what ${least === 1 ? 'hardly any records have' : 'some records have in common'}`,
    query: sourced(parameter, { kind: 'held', resource: resource.name, field, least }),
    rigour: 'plain',
  };
}

/** A server may have its reasons to take no two of them at once. */
function joined(first: Row, second: Row): Row {
  return {
    words: `${first.words} and ${second.words.replace(/^ where /, '')}`,
    query: [...first.query, ...second.query],
    rigour: 'exotic',
  };
}

/** One order for each field, up and down in turn: a list may well come in one of them unasked. */
function ordersToWalk(orders: readonly Order[]): Order[] {
  const byField = [...Map.groupBy(orders, ({ field }) => field).values()];
  return byField.slice(0, mostOrders).flatMap((group, index) => group[index] ?? group[0] ?? []);
}

/** A list as one page, its pages, what stands in `between`, and the list once more. */
export function walkAll(listing: Listing, way: Walk, between: readonly Case[]): Case[] {
  return walked(listing, way, { words: '', query: [], rigour: 'plain' }, between);
}

function walked(listing: Listing, way: Walk, row: Row, between: readonly Case[] = []): Case[] {
  const pages = row.query.length === 0 ? pagesOfAll : pagesOfPart;
  // What the list names as the next page is followed further than it should have to be.
  const steps = Array.from({ length: way.follows ? pages + 2 : pages }, (_page, index) =>
    askPage(listing, way, { row, pages, page: index + 1 }),
  );
  return [askRow(listing, row), ...steps, ...between, askRow(listing, row, ' again')];
}

function askRow(listing: Listing, { words, query, rigour }: Row, again = ''): Case {
  const [first] = query;
  if (first === undefined)
    return wholeList(listing, again === '' ? undefined : 'the longest page is asked for again');
  return askList(listing, {
    title: `the longest page is asked for${words}${again}`,
    query: [...query, ...widestPage(listing)],
    at: first.parameter.pointer,
    rigour,
  });
}

interface Place {
  readonly row: Row;
  readonly pages: number;
  /** Counted from 1. */
  readonly page: number;
}

function askPage(listing: Listing, { paging, follows }: Walk, { row, pages, page }: Place): Case {
  const { parameter, kind, first } = paging;
  const resource = listing.resource.name;
  const { limit } = listing.shape;
  const size =
    limit === undefined
      ? []
      : sourced(limit.parameter, {
          kind: 'share',
          resource,
          pages,
          page: follows ? 1 : page,
          of: 'size',
        });
  const step = follows
    ? followed(listing, paging, page)
    : kind === 'page'
      ? valued(parameter, first + page - 1)
      : page === 1
        ? valued(parameter, first)
        : sourced(parameter, { kind: 'share', resource, pages, page, of: 'start' });
  const title =
    follows && page > 1
      ? `the page is asked for that the ${ordinal(page - 1)} one names as the next${row.words}`
      : `the ${ordinal(page)} page is asked for${row.words}`;
  const asked = askList(listing, {
    title,
    query: [...row.query, ...size, ...step],
    at: parameter.pointer,
    rigour: row.rigour,
  });
  return page === 1 ? asked : { ...asked, optional: true };
}

function followed({ resource }: Listing, { parameter }: Paging, page: number): Argument[] {
  return page === 1
    ? []
    : sourced(parameter, { kind: 'next', resource: resource.name, parameter: parameter.name });
}

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth'];

function ordinal(page: number): string {
  return ordinals[page - 1] ?? `${String(page)}th`;
}

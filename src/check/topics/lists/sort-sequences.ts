import { ordinal } from '../../model/step.ts';
import { type RecordField, recordFields } from '../../../contract/infer/record-fields.ts';
import { plainOrder } from '../../../contract/query-languages/orders.ts';
import type { OrderKey } from '../../../contract/query-languages/language.ts';
import type { Filter, Paging, Sort } from '../../../contract/model.ts';
import { expressionsToWalk } from './expression-sequences.ts';
import { readSortWord } from '../../reading/sort-order.ts';
import type { JsonValue } from '../../../json/value.ts';
import { type Case, hash, makeSequence, type Sequence } from '../../model/case.ts';
import type { Argument, Source } from '../../model/request-template.ts';
import {
  askList,
  type Listing,
  pageOfSize,
  sourced,
  valued,
  wholeList,
  widestPage,
  nextPage,
} from '../../plan/listing.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import { refusedQueries } from '../../plan/refused-query.ts';

/** The most orders tested for one list. */
const maxSorts = 6;

/**
 * Tests whether a list has the requested order: each ascending and descending, and whether a short
 * page is the beginning of a long one.
 */
export function planSorting(listing: Listing, context: PlanContext): Sequence[] {
  const { sort } = listing.shape;
  if (sort === undefined) return [];
  const both = orderOfTwo(listing, sort).map((order) =>
    makeSequence(orderedCase(listing, order, widestPage(listing))),
  );
  return ordersOf(sort)
    .slice(0, maxSorts)
    .map((order) => {
      const long = orderedCase(listing, order, widestPage(listing));
      const short = pageOfSize(listing, 2);
      if (short.length === 0) return makeSequence(long);
      const title = `${order.words}, and the page has 2 records`;
      return makeSequence(long, orderedCase(listing, { ...order, words: title }, short), {
        ...long,
        title: `${order.words}, once more`,
      });
    })
    .concat(both, unknownOrder(context, listing, sort));
}

/** An order by what is no field, where the standard of the list has it refused. */
function unknownOrder(context: PlanContext, listing: Listing, sort: Sort): Sequence[] {
  const { by, language, standard } = sort;
  const field = `zq${hash(`${context.seed} ${by.name} no field`)}`;
  const word = language?.write([{ field, descending: false }]);
  if (word === undefined || standard?.refusesUnknown !== true) return [];
  const before = wholeList(listing, 'the list is asked for, before an order by what is no field');
  const title = `${by.name} is ${word}, which is no field (${standard.source})`;
  const refused = orderArgument(by, word).map((argument) => ({
    title,
    rule: 'no-order' as const,
    argument,
  }));
  return refusedQueries(context, listing.draft, [before], refused);
}

/** The most fields that stand first in an order of two: a service may refuse one of them. */
const maxFirst = 2;

/**
 * Orders of two fields, if the language of the list has them: the first has the same value in
 * several records, so that the second decides.
 */
function orderOfTwo({ resource }: Listing, sort: Sort): Order[] {
  const names = new Set(sortableFields(sort));
  const fields = recordFields(resource.record).filter(
    ({ name, many }) => names.has(name) && !many && name !== resource.identifier.field,
  );
  const shared = fields.filter(isShared);
  const counts = fields.filter((one) => !isShared(one) && one.types[0] === 'integer');
  const orders = [...shared, ...counts].flatMap(({ name: field }) => {
    const [word] = fields
      .filter((one) => one.name !== field && !isShared(one))
      .toSorted((left, right) => Number(isFree(left)) - Number(isFree(right)))
      .flatMap(
        ({ name }) =>
          writeOrder(sort, [
            { field, descending: false },
            { field: name, descending: true },
          ]) ?? [],
      );
    return word === undefined ? [] : orderBy(sort, { word, field });
  });
  return orders.slice(0, shared.length > 0 && sort.language !== undefined ? maxFirst : 1);
}

/** An order in the language of a list, or of the words that its contract lists. */
function writeOrder(sort: Sort, keys: readonly OrderKey[]): string | undefined {
  if (sort.language !== undefined) return sort.language.write(keys);
  if (!sort.by.schema.flatten().types.includes('array')) return undefined;
  const words = keys.map(({ field, descending }) =>
    listedWords(sort).find((word) => {
      const key = readSortWord(sort, word);
      return key?.field === field && (key.descending === true) === descending;
    }),
  );
  return words.every((word) => word !== undefined) ? words.join(',') : undefined;
}

/** Whether a field holds any text: services may order those in several ways. */
function isFree({ types, flat }: RecordField): boolean {
  return types[0] === 'string' && flat.node.format === undefined;
}

/** Whether a field has few values. */
function isShared({ types, flat }: RecordField): boolean {
  return flat.node.enum !== undefined || types.includes('boolean');
}

/** The request for an order that the contract does not list. */
function orderBy({ by }: Sort, { word, field }: { word: string; field: string }): Order[] {
  const query = orderArgument(by, word);
  return query.length === 0
    ? []
    : [{ field, certain: false, query, words: query.map(describeArgument).join(' and ') }];
}

function orderArgument(by: Sort['by'], word: string): Argument[] {
  const isList = by.schema.flatten().types.includes('array');
  return valued(by, isList ? word.split(',') : word);
}

/** An order to request. */
interface Order {
  readonly words: string;
  readonly query: readonly Argument[];
  readonly field: string;
  /** Whether the contract lists the word, so that a server must know it. */
  readonly certain: boolean;
}

function orderedCase(
  listing: Listing,
  { words, query, certain }: Order,
  page: readonly Argument[],
): Case {
  return askList(listing, {
    title: words,
    query: [...query, ...page],
    at: listing.shape.sort?.by.pointer ?? listing.draft.operation.pointer,
    rigour: certain ? 'plain' : 'exotic',
  });
}

/** The orders, field by field, so that a few of them cover as many fields as possible. */
function ordersOf(sort: Sort): Order[] {
  const listed = listedWords(sort);
  const orders =
    listed.length > 0
      ? listed.flatMap((word) => ordersBy(sort, word, true))
      : sortableFields(sort).flatMap((field) => ordersOfField(sort, field));
  const byField = [...Map.groupBy(orders, ({ field }) => field).values()];
  return byField.flatMap((group) => group.slice(0, 2));
}

/** The fields that the words of the parameter name; all, if it names none. */
function sortableFields({ fields, told }: Sort): readonly string[] {
  return told !== undefined && told.length > 0 ? told : [...fields.values()];
}

/** The orders by one field: descending and ascending, as far as the language has them. */
function ordersOfField(sort: Sort, field: string): Order[] {
  const { write } = sort.language ?? plainOrder;
  return [true, false].flatMap((descending) => {
    const word = write([{ field, descending }]);
    return word === undefined
      ? []
      : ordersBy(sort, word, word === field && sort.told?.includes(field) === true);
  });
}

function listedWords({ by }: Sort): string[] {
  const flat = by.schema.flatten();
  const view = flat.items && flat.types.includes('array') ? by.schema.flatten(flat.items) : flat;
  return (view.node.enum ?? []).filter((word) => typeof word === 'string');
}

/** A word with each direction that the list takes, descending first. */
function ordersBy(sort: Sort, word: string, certain: boolean): Order[] {
  const { by } = sort;
  const field = readSortWord(sort, word)?.field;
  const isList = by.schema.flatten().types.includes('array');
  const argument = valued(by, isList ? [word] : word);
  if (field === undefined || argument.length === 0) return [];
  return directionsOf(sort).map((direction) => {
    const query = [...argument, ...direction];
    return { field, certain, query, words: query.map(describeArgument).join(' and ') };
  });
}

/** The arguments for each direction; one empty list if the list has no parameter for it. */
function directionsOf({ direction }: Sort): Argument[][] {
  if (direction === undefined) return [[]];
  const rises = (way: JsonValue): number => Number(/^(?:asc|false)/i.test(String(way)));
  return (direction.schema.flatten().node.enum ?? ['desc', 'asc', true, false])
    .toSorted((left, right) => rises(left) - rises(right))
    .map((way) => valued(direction, way))
    .filter((given) => given.length > 0);
}

function describeArgument({ parameter, source }: Argument): string {
  const value = source.kind === 'value' ? [source.value].flat().map(String).join(',') : '';
  return `${parameter.name} is ${value}`;
}

/** How pages are requested: by their number, or (`follows`) by the link of the previous page. */
export interface Walk {
  readonly paging: Paging;
  readonly follows: boolean;
}

/**
 * The pages that a whole list is requested in. Filtered and sorted lists have fewer: the third page
 * is the first whose predecessor is not the first page.
 */
const pagesOfAll = 5;
const pagesOfPart = 3;
/** The most filters, and the most orders, that one list is walked with. */
const maxFilters = 4;
const maxOrders = 2;

/** What is requested besides the page. */
interface Selection {
  /** The clause that ends every title: ` where status is what some records have in common`. */
  readonly words: string;
  readonly query: readonly Argument[];
  /** `exotic` if the contract leaves room for a refusal. */
  readonly rigour: 'plain' | 'exotic';
}

/**
 * Each filter, and a few orders, over some pages: servers forget them after the first page. Each
 * filter also with an order and the opposite one, and with the next filter.
 */
export function planWalks(listing: Listing, way: Walk | undefined): Sequence[] {
  const { filters, sort } = listing.shape;
  const plain = filters.filter(({ member }) => member === undefined).slice(0, maxFilters);
  const all = sort === undefined ? [] : ordersOf(sort);
  const orders = ordersToWalk(all).map(orderedSelection);
  // The orders by the first field, one of them the opposite of the other.
  const opposites = all
    .filter(({ field }) => field === all[0]?.field)
    .slice(0, 2)
    .map(orderedSelection);
  const filtered = plain.map((filter, index) => {
    const selection = filteredSelection(listing, filter);
    const next = plain[(index + 1) % plain.length];
    const isDone = next === undefined || next === filter || (index > 0 && plain.length === 2);
    const others = [...opposites, ...(isDone ? [] : [filteredSelection(listing, next, 1)])];
    return [
      wholeList(listing),
      ...(way === undefined ? [] : walkPages(listing, way, { selection })),
      ...others.map((other) => longestPage(listing, bothOf(selection, other))),
    ];
  });
  const sorted =
    way === undefined ? [] : orders.map((selection) => walkPages(listing, way, { selection }));
  const spoken = expressionWalks(listing, way, opposites);
  return [...[...filtered, ...spoken].filter((cases) => cases.length > 1), ...sorted].map((cases) =>
    makeSequence(...cases),
  );
}

/** Each expression over some pages, and with an order and the opposite one. */
function expressionWalks(
  listing: Listing,
  way: Walk | undefined,
  orders: readonly Selection[],
): Case[][] {
  return expressionsToWalk(listing).map(({ words, query }) => {
    const selection: Selection = { words, query, rigour: 'exotic' };
    return [
      wholeList(listing),
      ...(way === undefined ? [] : walkPages(listing, way, { selection })),
      ...orders.map((other) => longestPage(listing, bothOf(selection, other))),
    ];
  });
}

/** One order for each field, in turn descending and ascending: a list may have one by default. */
function ordersToWalk(orders: readonly Order[]): Order[] {
  const byField = [...Map.groupBy(orders, ({ field }) => field).values()];
  return byField.slice(0, maxOrders).flatMap((group, index) => group[index] ?? group[0] ?? []);
}

function orderedSelection({ words, query, certain }: Order): Selection {
  return { words: ` where ${words}`, query, rigour: certain ? 'plain' : 'exotic' };
}

/** This number of records makes two pages, of which the last is not full. */
const fewRecords = 3;

function filteredSelection(
  { resource }: Listing,
  { parameter, field }: Filter,
  least = fewRecords,
): Selection {
  const what = least === 1 ? 'hardly any records have' : 'some records have in common';
  // Without the filter a list shows what it shows with its default.
  const { default: usual } = parameter.schema.flatten().node;
  const source: Source = {
    kind: 'held',
    resource: resource.name,
    field,
    least,
    ...(usual === undefined ? {} : { otherThan: String(usual) }),
  };
  return {
    words: ` where ${parameter.name} is what ${what}`,
    query: sourced(parameter, source),
    rigour: 'plain',
  };
}

/** Both selections at once; a server may refuse that. */
function bothOf(first: Selection, second: Selection): Selection {
  return {
    words: `${first.words} and ${second.words.replace(/^ where /, '')}`,
    query: [...first.query, ...second.query],
    rigour: 'exotic',
  };
}

const everything: Selection = { words: '', query: [], rigour: 'plain' };

/** A list as one page, its pages, what is `between`, and the list once more. */
export function walkAll(listing: Listing, way: Walk, between: readonly Case[]): Case[] {
  return walkPages(listing, way, { selection: everything, between });
}

function walkPages(
  listing: Listing,
  way: Walk,
  {
    selection,
    between = [],
  }: { readonly selection: Selection; readonly between?: readonly Case[] },
): Case[] {
  const pages = selection.query.length === 0 ? pagesOfAll : pagesOfPart;
  // Links are followed further than necessary.
  const steps = Array.from({ length: way.follows ? pages + 2 : pages }, (_page, index) =>
    pageCase(listing, way, { selection, pages, page: index + 1 }),
  );
  return [
    longestPage(listing, selection),
    ...steps,
    ...between,
    longestPage(listing, selection, ' again'),
  ];
}

function longestPage(listing: Listing, { words, query, rigour }: Selection, again = ''): Case {
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

interface PageOfWalk {
  readonly selection: Selection;
  readonly pages: number;
  /** Counted from 1. */
  readonly page: number;
}

function pageCase(listing: Listing, way: Walk, place: PageOfWalk): Case {
  const { selection, page } = place;
  const testCase = askList(listing, {
    title: titleOfPage(way, place),
    query: [
      ...selection.query,
      ...sizeArgument(listing, way, place),
      ...pageArgument(listing, way, place),
    ],
    at: way.paging.parameter.pointer,
    rigour: selection.rigour,
  });
  return page === 1 ? testCase : { ...testCase, optional: true };
}

function titleOfPage({ follows }: Walk, { selection, page }: PageOfWalk): string {
  return follows && page > 1
    ? `the page is asked for that the ${ordinal(page - 1)} one names as the next${selection.words}`
    : `the ${ordinal(page)} page is asked for${selection.words}`;
}

function sizeArgument(
  { resource: { name: resource }, shape: { limit } }: Listing,
  { follows }: Walk,
  { pages, page }: PageOfWalk,
): Argument[] {
  if (limit === undefined) return [];
  const at = follows ? 1 : page;
  return sourced(limit.parameter, { kind: 'share', resource, pages, page: at, of: 'size' });
}

function pageArgument(
  listing: Listing,
  { follows, paging: { parameter, kind, first } }: Walk,
  { pages, page }: PageOfWalk,
): Argument[] {
  if (follows) return page === 1 ? [] : nextPage(listing, parameter);
  if (kind === 'page') return valued(parameter, first + page - 1);
  return page === 1
    ? valued(parameter, first)
    : sourced(parameter, {
        kind: 'share',
        resource: listing.resource.name,
        pages,
        page,
        of: 'start',
      });
}

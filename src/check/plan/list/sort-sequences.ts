import type { Sort } from '../../../contract/model.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { readSortWord } from '../../evidence/list/sort-words.ts';
import { type Case, makeSequence, type Sequence } from '../../model/case.ts';
import type { Argument } from '../../model/request-template.ts';
import { askList, type Listing, pageOfSize, valued, widestPage } from './listing.ts';

/** The most orders that one list is asked for. */
const most = 6;

/** An order to ask for. `certain`: the contract lists the word, so that a server has to know it. */
export interface Order {
  readonly words: string;
  readonly query: readonly Argument[];
  readonly field: string;
  readonly certain: boolean;
}

/**
 * Whether a list comes in the order that is asked for: each up and down, and a short page the
 * beginning of a long one.
 */
export function planSorting(listing: Listing): Sequence[] {
  const { sort } = listing.shape;
  if (sort === undefined) return [];
  return ordersOf(sort)
    .slice(0, most)
    .map((order) => {
      const long = ask(listing, order, widestPage(listing));
      const short = pageOfSize(listing, 2);
      return short.length === 0
        ? makeSequence(long)
        : makeSequence(
            long,
            ask(listing, { ...order, words: `${order.words}, and the page has 2 records` }, short),
            { ...long, title: `${order.words}, once more` },
          );
    });
}

function ask(listing: Listing, { words, query, certain }: Order, page: readonly Argument[]): Case {
  const at = listing.shape.sort?.by.pointer ?? listing.draft.operation.pointer;
  return askList(listing, {
    title: words,
    query: [...query, ...page],
    at,
    rigour: certain ? 'plain' : 'exotic',
  });
}

/** One field after the other, so that a few orders speak of as many fields as may be. */
export function ordersOf(sort: Sort): Order[] {
  const listed = listedWords(sort);
  const orders =
    listed.length > 0
      ? listed.flatMap((word) => withWays(sort, word, true))
      : [...sort.fields.values()].flatMap((field) => withWays(sort, field, false));
  const byField = [...Map.groupBy(orders, ({ field }) => field).values()];
  return byField.flatMap((group) => group.slice(0, 2));
}

function listedWords({ by }: Sort): string[] {
  const flat = by.schema.flatten();
  const view =
    flat.node.items === undefined || !flat.types.includes('array')
      ? flat
      : by.schema.flatten(flat.node.items, joinPointer(flat.pointer, 'items'));
  return (view.node.enum ?? []).filter((word) => typeof word === 'string');
}

function withWays(sort: Sort, word: string, certain: boolean): Order[] {
  const { by, direction } = sort;
  const field = readSortWord(sort, word)?.field;
  if (field === undefined) return [];
  const several = by.schema.flatten().types.includes('array');
  const argument = valued(by, several ? [word] : word);
  const ways = (direction?.schema.flatten().node.enum ?? ['desc', 'asc'])
    .filter((way) => typeof way === 'string')
    .toSorted((left, right) => Number(/^asc/i.test(left)) - Number(/^asc/i.test(right)));
  const directions =
    direction === undefined
      ? [[]]
      : ways.map((way) => valued(direction, way)).filter((given) => given.length > 0);
  if (argument.length === 0) return [];
  return directions.map((given) => ({
    field,
    certain,
    query: [...argument, ...given],
    words: [...argument, ...given]
      .map(
        ({ parameter, source }) =>
          `${parameter.name} is ${source.kind === 'value' ? [source.value].flat().map(String).join(',') : ''}`,
      )
      .join(' and '),
  }));
}

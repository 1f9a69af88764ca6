import type { Filter, RangeFilter } from '../../../contract/model.ts';
import { defined } from '../../../json/defined.ts';
import { joinPointer } from '../../../json/pointer.ts';
import type { JsonValue } from '../../../json/value.ts';
import { type Case, hash, makeSequence, type Sequence } from '../../model/case.ts';
import type { Argument } from '../../model/request-template.ts';
import type { PlanContext } from '../plan-context.ts';
import { type FilterValue, likelyValues, severalValues, strangeValue } from './filter-values.ts';
import {
  askList,
  type Listing,
  pageOfSize,
  sourced,
  valued,
  wholeList,
  widestPage,
} from './listing.ts';

/** The most filters, and the most bounds, that one list is asked for. */
const most = 8;

/**
 * Whether the filters of a list filter. Each filtered page stands between two of the whole list, so
 * that what other clients do meanwhile shows; one of a single record between two of the same filter
 * tells a limit that is applied too early.
 */
export function planFilters({ seed }: PlanContext, listing: Listing): Sequence[] {
  const { filters, ranges } = listing.shape;
  return [
    ...filters
      .slice(0, most)
      .flatMap((filter) => [
        ...likelyValues(listing, filter).map((value) => bracketed(listing, filter, value)),
        ...[...severalValues(filter), ...strangeValue(filter, seed)].map((value) =>
          makeSequence(
            wholeList(listing),
            filtered(listing, filter, value),
            wholeList(listing, 'the list is asked for again'),
          ),
        ),
      ]),
    ...together(listing),
    ...ranges.slice(0, most).flatMap((range) => bounded(listing, range)),
    ...searched(listing, seed),
  ];
}

/** All, the filtered, one of the filtered, the filtered again, all again. */
function bracketed(listing: Listing, filter: Filter, value: FilterValue): Sequence {
  const one = pageOfSize(listing, 1);
  const limit = listing.shape.limit?.parameter.name ?? '';
  const page = filtered(listing, filter, value);
  const narrow =
    one.length === 0
      ? []
      : [
          filtered(
            listing,
            filter,
            {
              ...value,
              words: `${value.words} and ${limit} is 1`,
              query: [...value.query, ...one],
            },
            true,
          ),
          filtered(listing, filter, { ...value, words: `${value.words} once more` }),
        ];
  return makeSequence(
    wholeList(listing),
    page,
    ...narrow,
    wholeList(listing, 'the list is asked for again'),
  );
}

function filtered(
  listing: Listing,
  { parameter }: Filter,
  { words, query, rigour }: FilterValue,
  sized = false,
): Case {
  const flat = parameter.schema.flatten();
  const at = flat.node.enum === undefined ? parameter.pointer : joinPointer(flat.pointer, 'enum');
  return askList(listing, {
    title: words,
    query: [...query, ...(sized ? [] : widestPage(listing))],
    at,
    ...defined({ rigour }),
  });
}

/** Two filters at once, with what one record has in both. */
function together(listing: Listing): Sequence[] {
  const plain = listing.shape.filters.filter(
    ({ member, any }) => member === undefined && any === undefined,
  );
  const [first, second] = plain;
  if (first === undefined || second === undefined || first.parameter === second.parameter)
    return [];
  const query: Argument[] = [first, second].flatMap(({ parameter, field }) =>
    sourced(parameter, { kind: 'field', resource: listing.resource.name, field }),
  );
  const title = `${first.parameter.name} and ${second.parameter.name} are what a record has`;
  return [
    makeSequence(
      wholeList(listing),
      askList(listing, {
        title,
        query: [...query, ...widestPage(listing)],
        at: second.parameter.pointer,
      }),
      wholeList(listing, 'the list is asked for again'),
    ),
  ];
}

/** A bound that (nearly) no record keeps, and one that a record was seen to have. */
function bounded(listing: Listing, { parameter, field, op }: RangeFilter): Sequence[] {
  const far = (op === 'gte' || op === 'gt' ? farUp : farDown)
    .flatMap((value) => valued(parameter, value))
    .slice(0, 1);
  const ask = (title: string, query: readonly Argument[]): Case =>
    askList(listing, {
      title,
      query: [...query, ...widestPage(listing)],
      at: parameter.pointer,
      rigour: 'exotic',
    });
  const seen = sourced(parameter, { kind: 'field', resource: listing.resource.name, field });
  const beyond = far.map((argument) =>
    ask(
      `${parameter.name} is ${argument.source.kind === 'value' ? String(argument.source.value) : ''}, beyond most records`,
      [argument],
    ),
  );
  return [
    makeSequence(
      ...beyond,
      wholeList(listing),
      ask(`${parameter.name} is what a record has`, seen),
    ),
  ];
}

const farUp: readonly JsonValue[] = [
  '2999-01-01T00:00:00Z',
  '2999-01-01',
  1_000_000_000,
  1_000_000,
  10_000,
  1000,
  100,
  50,
  10,
  5,
];
const farDown: readonly JsonValue[] = ['1970-01-02T00:00:00Z', '1970-01-02', 0, 1];

/** A word that nothing can hold, between two whole lists. */
function searched(listing: Listing, seed: string): Sequence[] {
  const { search } = listing.shape;
  const word = valued(search, `zq${hash(`${seed} search nobody`)}`);
  if (search === undefined || word.length === 0) return [];
  return [
    makeSequence(
      wholeList(listing),
      askList(listing, {
        title: `${search.name} is a word that no record holds`,
        query: [...word, ...widestPage(listing)],
        at: search.pointer,
        rigour: 'exotic',
      }),
      wholeList(listing, 'the list is asked for again'),
    ),
  ];
}

import { promisesNext } from '../../reading/promised-next.ts';
import { documentsTotal } from '../../reading/list-total.ts';
import { readSortWord } from '../../reading/sort-order.ts';
import type { Parameter } from '../../../contract/model.ts';
import { headerValue, type HttpRequest, withoutHeader } from '../../../http/message.ts';
import { isJsonObject, type JsonValue } from '../../../json/value.ts';
import { editAnswers, editBodies, editRequests } from '../../mutants/edit-service.ts';
import {
  forOperation,
  type Mutation,
  type Mutator,
  type Reply,
  type Service,
} from '../../mutants/mutant.ts';
import {
  editRecords,
  editTotals,
  forLists,
  type ListPlace,
  listsOf,
  numberedPages,
  pageBefore,
  pageIndex,
  type PagePlace,
  pageSize,
  queryOf,
  readRecords,
  totalIn,
  withoutQuery,
} from '../../mutants/list-place.ts';
import {
  endsEarly,
  leadsBack,
  leadsElsewhere,
  losesFilter,
  neverEnds,
} from './next-page-mutants.ts';

const maxLists = 3;

function forPages(
  id: string,
  rule: string,
  find: (place: PagePlace) => readonly Mutation[],
): Mutator {
  return forLists(id, rule, (place) => numberedPages(place).flatMap(find));
}

/** A mutation that ignores a parameter if a request has another one too. */
function forgetting(
  mutator: string,
  { operation }: ListPlace,
  {
    parameter,
    words,
    when,
  }: {
    readonly parameter: Parameter;
    readonly words: string;
    readonly when: (request: HttpRequest) => boolean;
  },
): Mutation {
  return {
    mutator,
    title: `${operation.id} ignores ${parameter.name} ${words}`,
    operation: operation.id,
    plant: (service, fired) =>
      editRequests(service, fired, operation, (request) =>
        when(request) ? withoutQuery(request, [parameter.name]) : undefined,
      ),
  };
}

/**
 * A mutation of the records on pages after a certain one; `before` are those of the previous page.
 */
function laterPages(
  mutator: string,
  place: PagePlace,
  words: string,
  {
    from,
    edit,
  }: {
    readonly from: number;
    readonly edit: (
      records: readonly JsonValue[],
      before: readonly JsonValue[],
      size: number,
    ) => readonly JsonValue[] | undefined;
  },
): Mutation {
  return forOperation(mutator, place, words, (service, fired) => async (request) => {
    const reply = await service.respond(request);
    if (reply.response?.status !== 200 || !(pageIndex(request, place) >= from)) return reply;
    const { response } = await service.respond(pageBefore(request, place));
    const before = response === undefined ? [] : readRecords(response.body, place);
    return edited(service, fired, { place, request, reply }, (records) =>
      edit(records, before, pageSize(request, place.list)),
    );
  });
}

interface Answered {
  readonly place: ListPlace;
  readonly request: HttpRequest;
  readonly reply: Reply;
}

function edited(
  service: Service,
  fired: () => void,
  { place, request, reply }: Answered,
  edit: (records: readonly JsonValue[]) => readonly JsonValue[] | undefined,
): Promise<Reply> {
  return editBodies(
    { ...service, respond: async () => reply },
    fired,
    { operation: place.operation },
    (body) => editRecords(body, place, edit),
  )(request);
}

/** Each page is taken from an unsorted list and sorted separately. */
function sortedByItself(place: PagePlace): Mutation[] {
  const { sort } = place.list;
  if (sort === undefined) return [];
  return [
    forOperation(
      'sorts-each-page',
      place,
      'sorts each page separately',
      (service, fired) => async (request) => {
        const word = queryOf(request, sort.by.name);
        const key =
          word === undefined
            ? undefined
            : readSortWord(sort, word, queryOf(request, sort.direction?.name ?? ''));
        const unsorted = withoutQuery(request, [sort.by.name]);
        const plain = await service.respond(request);
        // A refusal stays unchanged.
        if (key === undefined || unsorted === undefined || plain.response?.status !== 200)
          return plain;
        const valueOf = (record: JsonValue): JsonValue =>
          isJsonObject(record) ? (record[key.field] ?? null) : null;
        const compare = (left: JsonValue, right: JsonValue): number =>
          typeof left === 'number' && typeof right === 'number'
            ? left - right
            : String(left) < String(right)
              ? -1
              : Number(String(left) > String(right));
        return edited(
          service,
          fired,
          { place, request, reply: await service.respond(unsorted) },
          (records) =>
            records.toSorted(
              (left, right) =>
                (key.descending === true ? -1 : 1) * compare(valueOf(left), valueOf(right)),
            ),
        );
      },
    ),
  ];
}

function filtersOf({ list }: ListPlace): Parameter[] {
  return [
    ...new Set(
      list.filters.filter(({ member }) => member === undefined).map(({ parameter }) => parameter),
    ),
  ];
}

const hasParameter = (request: HttpRequest, parameter: Parameter | undefined): boolean =>
  parameter !== undefined && queryOf(request, parameter.name) !== undefined;

function sortsOf({ list: { sort } }: ListPlace): Parameter[] {
  return sort === undefined ? [] : [sort.by];
}

interface TotalEdit {
  readonly when: (request: HttpRequest) => boolean;
  readonly edit: (
    total: number,
    request: HttpRequest,
    service: Service,
  ) => Promise<number> | number;
}

/** A mutation of the total on some pages; none if the contract has no total. */
function totals(
  mutator: string,
  place: ListPlace,
  words: string,
  { when, edit }: TotalEdit,
): Mutation[] {
  if (!documentsTotal(place.resource)) return [];
  return [
    forOperation(mutator, place, words, (service, fired) => async (request) => {
      const reply = await service.respond(request);
      const total = reply.response?.status === 200 && when(request) ? totalIn(reply) : undefined;
      return total === undefined
        ? reply
        : editTotals(reply, fired, await edit(total, request, service));
    }),
  ];
}

async function totalOfAll(
  total: number,
  request: HttpRequest,
  { service, place }: { readonly service: Service; readonly place: ListPlace },
): Promise<number> {
  const all = withoutQuery(
    request,
    filtersOf(place).map(({ name }) => name),
  );
  return (all && totalIn(await service.respond(all))) ?? total;
}

const onLater =
  (place: PagePlace) =>
  (request: HttpRequest): boolean =>
    pageIndex(request, place) > 0;

/** Faults that only later pages show, and in what leads to the next page. */
export const pageMutants: readonly Mutator[] = [
  forPages(
    'third-page-overlaps',
    'From its third page on, a page begins with the last record of the previous page.',
    (place) => [
      laterPages(
        'third-page-overlaps',
        place,
        'begins its third page with the last record of the second',
        {
          from: 2,
          edit: (records, before) =>
            before.length === 0
              ? undefined
              : [...before.slice(-1), ...records].slice(0, Math.max(1, records.length)),
        },
      ),
    ],
  ),
  forPages('last-page-lacks-record', 'The last page lacks its last record.', (place) => [
    laterPages('last-page-lacks-record', place, 'leaves the last record of the last page out', {
      from: 1,
      edit: (records, _before, size) =>
        records.length === 0 || records.length >= size ? undefined : records.slice(0, -1),
    }),
  ]),
  forPages(
    'last-page-repeats',
    'The last page is filled up with records of the previous page.',
    (place) => [
      laterPages(
        'last-page-repeats',
        place,
        'fills the last page up with records of the previous page',
        {
          from: 1,
          edit: (records, before, size) =>
            records.length === 0 || records.length >= size
              ? undefined
              : [...before, ...records].slice(-size),
        },
      ),
    ],
  ),
  forPages('later-pages-forget-filter', 'The pages after the first ignore a filter.', (place) =>
    filtersOf(place).map((parameter) =>
      forgetting('later-pages-forget-filter', place, {
        parameter,
        words: 'after the first page',
        when: onLater(place),
      }),
    ),
  ),
  forPages(
    'later-pages-forget-sort',
    'The pages after the first ignore the sort parameter.',
    (place) =>
      place.list.sort === undefined
        ? []
        : [
            forgetting('later-pages-forget-sort', place, {
              parameter: place.list.sort.by,
              words: 'after the first page',
              when: onLater(place),
            }),
          ],
  ),
  forPages(
    'sorts-each-page',
    'Each page is sorted separately instead of the list.',
    sortedByItself,
  ),
  forLists('next-leads-back', 'A page after the first links to itself as the next.', leadsBack),
  forLists('next-ends-early', 'The second page links to no next one.', endsEarly),
  forLists(
    'next-never-ends',
    'The last page, and each one after it, links to a next one.',
    (place) => numberedPages(place).flatMap(neverEnds),
  ),
  forLists('next-loses-filter', 'The link to the next page lacks the filters.', losesFilter),
  {
    ...forLists(
      'next-on-other-host',
      'The link to the next page has an unknown host; it may be another name of the ' +
        'same service, so this can only be a warning.',
      leadsElsewhere,
    ),
    killedBy: 'warning',
  },
  {
    id: 'promised-link-missing',
    family: 'list',
    rule: 'The pages have no Link to the next one, although the contract describes it.',
    find: (contract) =>
      listsOf(contract)
        .filter((place) => place.list.links && promisesNext({ contract, ...place }))
        .slice(0, maxLists)
        .map((place) =>
          forOperation(
            'promised-link-missing',
            place,
            'has no Link to the next page',
            (service, fired) =>
              editAnswers(service, fired, { operation: place.operation }, (response) =>
                headerValue(response.headers, 'link') === undefined
                  ? undefined
                  : { ...response, headers: withoutHeader(response.headers, 'link') },
              ),
          ),
        ),
  },
];

/** Parameters of a list that forget each other. */
export const combinedMutants: readonly Mutator[] = [
  forLists('second-filter-forgotten', 'One of two filters is ignored.', (place) =>
    filtersOf(place).flatMap((parameter, index, all) =>
      index === 0
        ? []
        : [
            forgetting('second-filter-forgotten', place, {
              parameter,
              words: `beside ${all[index - 1]?.name ?? ''}`,
              when: (request) => hasParameter(request, all[index - 1]),
            }),
          ],
    ),
  ),
  forLists('sort-forgets-filter', 'A sorted list ignores its filters.', (place) =>
    sortsOf(place).flatMap((by) =>
      filtersOf(place).map((parameter) =>
        forgetting('sort-forgets-filter', place, {
          parameter,
          words: `beside ${by.name}`,
          when: (request) => hasParameter(request, by),
        }),
      ),
    ),
  ),
  forLists('filter-forgets-sort', 'A filtered list ignores the sort parameter.', (place) =>
    sortsOf(place).flatMap((by) =>
      filtersOf(place)
        .slice(0, 1)
        .map((parameter) =>
          forgetting('filter-forgets-sort', place, {
            parameter: by,
            words: `beside ${parameter.name}`,
            when: (request) => hasParameter(request, parameter),
          }),
        ),
    ),
  ),
];

/** Totals that do not count what the list has. */
export const totalMutants: readonly Mutator[] = [
  forPages(
    'total-shrinks',
    'The total of a later page counts only the remaining records.',
    (place) =>
      totals('total-shrinks', place, 'counts what is left as the total of later pages', {
        when: onLater(place),
        edit: (total, request) =>
          Math.max(
            0,
            total - Math.round(pageIndex(request, place) * pageSize(request, place.list)),
          ),
      }),
  ),
  forLists('total-ignores-filter', 'The total of a filtered list counts all records.', (place) =>
    totals('total-ignores-filter', place, 'counts all records as the total of filtered ones', {
      when: (request) => filtersOf(place).some((parameter) => hasParameter(request, parameter)),
      edit: (total, request, service) => totalOfAll(total, request, { service, place }),
    }),
  ),
];

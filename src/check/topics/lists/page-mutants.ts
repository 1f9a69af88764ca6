import { plainName } from '../../../contract/infer/infer-names.ts';
import { protocolsOf } from '../../../contract/protocols/read-protocols.ts';
import { documentsTotal, namesTotal } from '../../reading/list-total.ts';
import { readSortWord } from '../../reading/sort-order.ts';
import type { Contract, Parameter } from '../../../contract/model.ts';
import { isJsonObject, type JsonValue } from '../../../json/value.ts';
import { mutantsOf } from '../../mutants/kind.ts';
import type { Mutator } from '../../mutants/mutant.ts';
import {
  editTotals,
  inLists,
  type ListPlace,
  listsOf,
  numberedPages,
  ofRecords,
  otherList,
  pageBefore,
  pageIndex,
  type PagePlace,
  pageSize,
  queryOf,
  readRecords,
  totalIn,
  withoutQuery,
} from '../../mutants/list-place.ts';
import { editAt, successBodies } from '../../mutants/places.ts';
import { nextPageMutants } from './next-page-mutants.ts';

const mutant = mutantsOf('list');

const pages = (contract: Contract): PagePlace[] => listsOf(contract).flatMap(numberedPages);

/** A list that ignores a parameter on the pages after the first. */
function forgettingLater(
  id: string,
  rule: string,
  parameters: (place: ListPlace) => readonly Parameter[],
): Mutator {
  return mutant(id, {
    rule,
    where: (contract) =>
      pages(contract).flatMap((place) =>
        parameters(place).map((parameter) => ({ ...place, parameter })),
      ),
    says: ({ parameter }) => `ignores ${parameter.name} after the first page`,
    request: (request, place) =>
      pageIndex(request, place) > 0 ? withoutQuery(request, [place.parameter.name]) : undefined,
  });
}

/** A list that ignores one of two parameters if a request has both. */
function forgettingBeside(
  id: string,
  rule: string,
  pairs: (place: ListPlace) => readonly (readonly [forgotten: Parameter, beside: Parameter])[],
): Mutator {
  return mutant(id, {
    rule,
    where: (contract) =>
      inLists(contract, (place) =>
        pairs(place).map(([forgotten, beside]) => ({ forgotten, beside })),
      ),
    says: ({ forgotten, beside }) => `ignores ${forgotten.name} beside ${beside.name}`,
    request: (request, { forgotten, beside }) =>
      queryOf(request, beside.name) === undefined
        ? undefined
        : withoutQuery(request, [forgotten.name]),
  });
}

/** Another page, and the records of the page before. */
interface LaterPage {
  /** The first page that is changed, counted from 0. */
  readonly from: number;
  readonly rule: string;
  readonly says: string;
  readonly edit: (
    records: readonly JsonValue[],
    before: readonly JsonValue[],
    size: number,
  ) => readonly JsonValue[] | undefined;
}

function laterPage(id: string, { from, rule, says, edit }: LaterPage): Mutator {
  return mutant(id, {
    rule,
    where: pages,
    says,
    status: 200,
    body: ofRecords(async (records, place, { request, service }) => {
      if (!(pageIndex(request, place) >= from)) return undefined;
      const { response } = await service.respond(pageBefore(request, place));
      const before = response === undefined ? [] : readRecords(response.body, place);
      return edit(records, before, pageSize(request, place.list));
    }),
  });
}

function compare(left: JsonValue, right: JsonValue): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  return String(left) < String(right) ? -1 : Number(String(left) > String(right));
}

const filtersOf = ({ list }: ListPlace): Parameter[] => [
  ...new Set(
    list.filters.filter(({ member }) => member === undefined).map(({ parameter }) => parameter),
  ),
  ...(list.expressions ?? []).map(({ parameter }) => parameter),
];
const sortsOf = ({ list: { sort } }: ListPlace): Parameter[] =>
  sort === undefined ? [] : [sort.by];

/** Faults that only later pages show, and in what leads to the next page. */
export const pageMutants: readonly Mutator[] = [
  laterPage('third-page-overlaps', {
    from: 2,
    rule: 'From its third page on, a page begins with the last record of the previous page.',
    says: 'begins its third page with the last record of the second',
    edit: (records, before) =>
      before.length === 0
        ? undefined
        : [...before.slice(-1), ...records].slice(0, Math.max(1, records.length)),
  }),
  laterPage('last-page-lacks-record', {
    from: 1,
    rule: 'The last page lacks its last record.',
    says: 'leaves the last record of the last page out',
    edit: (records, _before, size) =>
      records.length === 0 || records.length >= size ? undefined : records.slice(0, -1),
  }),
  laterPage('last-page-repeats', {
    from: 1,
    rule: 'The last page is filled up with records of the previous page.',
    says: 'fills the last page up with records of the previous page',
    edit: (records, before, size) =>
      records.length === 0 || records.length >= size
        ? undefined
        : [...before, ...records].slice(-size),
  }),
  forgettingLater(
    'later-pages-forget-filter',
    'The pages after the first ignore a filter.',
    filtersOf,
  ),
  forgettingLater(
    'later-pages-forget-sort',
    'The pages after the first ignore the sort parameter.',
    sortsOf,
  ),
  mutant('sorts-each-page', {
    rule: 'Each page is sorted separately instead of the list.',
    where: (contract) =>
      pages(contract).flatMap((place) =>
        place.list.sort === undefined ? [] : [{ ...place, sort: place.list.sort }],
      ),
    says: 'sorts each page separately',
    status: 200,
    answer: async (_sorted, place, { request, service }) => {
      const { sort } = place;
      const word = queryOf(request, sort.by.name);
      const key = word && readSortWord(sort, word, queryOf(request, sort.direction?.name ?? ''));
      if (key === undefined || key === '') return undefined;
      const sign = key.descending === true ? -1 : 1;
      const valueOf = (record: JsonValue): JsonValue =>
        isJsonObject(record) ? (record[key.field] ?? null) : null;
      return otherList(service, withoutQuery(request, [sort.by.name]), place, (records) =>
        records.toSorted((left, right) => sign * compare(valueOf(left), valueOf(right))),
      );
    },
  }),
  ...nextPageMutants,
];

/** Parameters of a list that forget each other. */
export const combinedMutants: readonly Mutator[] = [
  forgettingBeside('second-filter-forgotten', 'One of two filters is ignored.', (place) => {
    const [, ...others] = filtersOf(place);
    return others.map((filter, index) => [filter, filtersOf(place)[index] ?? filter]);
  }),
  forgettingBeside('sort-forgets-filter', 'A sorted list ignores its filters.', (place) =>
    sortsOf(place).flatMap((by) => filtersOf(place).map((filter) => [filter, by] as const)),
  ),
  forgettingBeside('filter-forgets-sort', 'A filtered list ignores the sort parameter.', (place) =>
    sortsOf(place).flatMap((by) =>
      filtersOf(place)
        .slice(0, 1)
        .map((filter) => [by, filter] as const),
    ),
  ),
];

/** Totals that do not count what the list has. */
export const totalMutants: readonly Mutator[] = [
  mutant('total-shrinks', {
    rule: 'The total of a later page counts only the remaining records.',
    where: (contract) => pages(contract).filter(({ resource }) => documentsTotal(resource)),
    says: 'counts what is left as the total of later pages',
    status: 200,
    answer: (response, place, { request }) => {
      const total = totalIn(response);
      const page = pageIndex(request, place);
      if (total === undefined || !(page > 0)) return undefined;
      const before = Math.round(page * pageSize(request, place.list));
      return editTotals(response, Math.max(0, total - before));
    },
  }),
  mutant('ignores-count-option', {
    rule: 'A list shows no number of all records where it is asked for one.',
    where: (contract) =>
      inLists(contract, ({ resource }) => {
        const count = protocolsOf(contract, resource).pages?.count;
        return count === undefined ? [] : [{ count: count.parameter }];
      }),
    says: ({ count }) => `ignores ${count.name}`,
    request: (request, { count }) => withoutQuery(request, [count.name]),
  }),
  mutant('total-ignores-filter', {
    rule: 'The total of a filtered list counts all records.',
    where: (contract) =>
      listsOf(contract).filter(
        (place) => documentsTotal(place.resource) && filtersOf(place).length > 0,
      ),
    says: 'counts all records as the total of filtered ones',
    status: 200,
    answer: async (response, place, { request, service }) => {
      const all = withoutQuery(
        request,
        filtersOf(place).map(({ name }) => name),
      );
      const { response: whole } = all === undefined ? {} : await service.respond(all);
      const total = whole && totalIn(whole);
      return totalIn(response) === undefined || total === undefined
        ? undefined
        : editTotals(response, total);
    },
  }),
];

/** Numbers of pages that are not those of the list, in members with such names. */
export const pageCountMutants = (names: RegExp): readonly Mutator[] => [
  mutant('page-count-lacks-last', {
    rule: 'The number of pages does not count the last page.',
    where: (contract) =>
      inLists(contract, ({ operation, list }) =>
        successBodies(contract)
          .filter((body) => body.operation === operation && list.limit !== undefined)
          .flatMap(({ fields }) => fields.filter(({ way }) => !way.includes('*')))
          .filter(({ way }, _at, fields) => {
            const isCount = names.test(plainName(way.at(-1) ?? ''));
            return isCount && fields.some((field) => namesTotal(field.way.at(-1) ?? ''));
          }),
      ),
    says: ({ way }) => `does not count the last page in ${way.join('.')}`,
    body: (body, { way }) =>
      editAt(body, way, (count) => (Number(count) > 1 ? Number(count) - 1 : undefined)),
  }),
];

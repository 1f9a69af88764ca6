import type { Contract, Filter, Parameter } from '../../../contract/model.ts';
import { flagsOf, kindsOf } from '../../../contract/infer/infer-flags.ts';
import { splitPointer } from '../../../json/pointer.ts';
import type { JsonValue } from '../../../json/value.ts';
import { defined, isJsonArray, isJsonObject, stringifyJson } from '../../../json/value.ts';
import { mutantsOf, type Scene } from '../../mutants/kind.ts';
import type { Mutator } from '../../mutants/mutant.ts';
import { hasFreeText, isFreeText } from '../../mutants/free-text.ts';
import { editFields } from '../../mutants/open-bodies.ts';
import { editAt, whyUnseen } from '../../mutants/places.ts';
import { singleValues } from '../../reading/compare-records.ts';
import {
  inLists,
  listsOf,
  type ListPlace,
  ofRecords,
  otherList,
  pageSize,
  queryOf,
  readRecords,
  withoutQuery,
  withQuery,
} from '../../mutants/list-place.ts';

const mutant = mutantsOf('list');

const identifierOf = (
  record: JsonValue | undefined,
  { resource }: ListPlace,
): JsonValue | undefined => (isJsonObject(record) ? record[resource.identifier.field] : undefined);
const differs = (
  before: readonly JsonValue[],
  after: readonly JsonValue[],
): readonly JsonValue[] | undefined =>
  before.length === after.length && before.every((record, index) => record === after[index])
    ? undefined
    : after;

/** The filter of a list that its other faults show best: the first one. */
const firstFilter = (contract: Contract) =>
  inLists(contract, ({ list }) => list.filters.slice(0, 1));
const limits = (contract: Contract) =>
  inLists(contract, ({ list: { limit } }) => (limit === undefined ? [] : [{ limit }]));
const sorts = (contract: Contract) =>
  inLists(contract, ({ list: { sort } }) => (sort === undefined ? [] : [{ sort }]));

/** A list that handles requests as if a parameter were not there. */
function ignoring(
  id: string,
  rule: string,
  parameters: (list: ListPlace['list']) => readonly Parameter[],
  killedBy?: Mutator['killedBy'],
): Mutator {
  return mutant(id, {
    rule,
    ...defined({ killedBy }),
    where: (contract) =>
      inLists(contract, ({ list }) => parameters(list).map((parameter) => ({ parameter }))),
    says: ({ parameter }) => `ignores ${parameter.name}`,
    request: (request, { parameter }) => withoutQuery(request, [parameter.name]),
  });
}

/** The records of a list without one of the filters of the request; none if it has not that. */
async function unfilteredBy(
  name: string,
  place: ListPlace,
  { request, service }: Scene,
): Promise<readonly JsonValue[]> {
  const unfiltered = withoutQuery(request, [name]);
  const all = unfiltered === undefined ? undefined : await service.respond(unfiltered);
  return all?.response === undefined ? [] : readRecords(all.response.body, place);
}

/** Filters, bounds and searches that are ignored, or not held. */
export const filterMutants: readonly Mutator[] = [
  ignoring('ignores-filter', 'A list ignores its filter.', ({ filters }) =>
    filters.map(({ parameter }) => parameter),
  ),
  ignoring('ignores-range', 'A list ignores a bound.', ({ ranges }) =>
    ranges.map(({ parameter }) => parameter),
  ),
  ignoring(
    'ignores-search',
    'A list ignores the search word; the result of a search without a match is ' +
      'unspecified, so this can only be a warning.',
    ({ search }) => (search === undefined ? [] : [search]),
    'warning',
  ),
  mutant('filter-lets-one-through', {
    rule: 'A filtered list has one record that does not match.',
    where: firstFilter,
    says: ({ parameter }) => `with ${parameter.name} holds one record too many`,
    body: ofRecords(async (records, place, scene) => {
      const { parameter, field } = place;
      const expected = queryOf(scene.request, parameter.name);
      const stranger = (await unfilteredBy(parameter.name, place, scene))
        .filter(isJsonObject)
        .find((record) => singleValues(record, field).some((value) => String(value) !== expected));
      return stranger === undefined || records.length === 0
        ? undefined
        : records.with(-1, stranger);
    }),
  }),
  mutant('filter-lets-absent-through', {
    rule: 'A filtered list includes the records without the field of the filter.',
    where: (contract) =>
      inLists(contract, (place) =>
        place.list.filters.filter((filter) => isOptionalWord(place, filter)).slice(0, 1),
      ),
    says: ({ parameter, field }) => `with ${parameter.name} holds records without ${field}`,
    status: 200,
    body: ofRecords(async (records, place, scene) => {
      const { parameter, field, list } = place;
      if (queryOf(scene.request, parameter.name) === 'false') return undefined;
      const all = await unfilteredBy(parameter.name, place, scene);
      const lacks = (record: JsonValue): boolean =>
        isJsonObject(record) && record[field] === undefined;
      if (!all.some(lacks)) return undefined;
      // In the order of the list, as far as its page without the filter goes.
      const shown = new Set(records.map((record) => stringifyJson(record)));
      const first = all.filter((record) => lacks(record) || shown.has(stringifyJson(record)));
      const known = new Set(first.map((record) => stringifyJson(record)));
      const others = records.filter((record) => !known.has(stringifyJson(record)));
      return [...first, ...others].slice(0, pageSize(scene.request, list));
    }),
  }),
  mutant('filter-loses-one', {
    rule: 'A filtered list lacks a record that matches.',
    where: firstFilter,
    says: ({ parameter }) => `with ${parameter.name} lacks a record`,
    body: ofRecords((records, { parameter }, { request }) =>
      queryOf(request, parameter.name) === undefined || records.length < 2
        ? undefined
        : records.slice(1),
    ),
  }),
  mutant('null-for-empty', {
    rule: 'A list without records is null.',
    where: listsOf,
    says: 'answers null where no record matches',
    seedRecords: recordsForEmpty,
    body: (body, { list }) =>
      editAt(body, splitPointer(list.records), (records) =>
        isJsonArray(records) && records.length === 0 ? null : undefined,
      ),
  }),
  mutant('missing-for-empty', {
    rule: 'A list without records gets 404.',
    where: listsOf,
    says: 'answers 404 where no record matches',
    hidden: ({ operation: { id, responses } }) =>
      responses.some(({ status }) => status === '404')
        ? `${id} documents 404, and does not say when`
        : undefined,
    seedRecords: recordsForEmpty,
    status: 200,
    answer: (response, place) =>
      readRecords(response.body, place).length > 0 ? undefined : { ...response, status: 404 },
  }),
];

/** Limits that are ignored, or applied too early. */
export const limitMutants: readonly Mutator[] = [
  ignoring('ignores-limit', 'A list ignores its limit.', ({ limit }) =>
    limit === undefined ? [] : [limit.parameter],
  ),
  mutant('limit-off-by-one', {
    rule: 'A list has one record more than its limit.',
    where: limits,
    says: 'has one record more than its limit',
    request: (request, { limit: { parameter, maximum = Infinity } }) => {
      const limit = Number(queryOf(request, parameter.name));
      return Number.isInteger(limit) && limit >= 1 && limit < maximum
        ? withQuery(request, parameter.name, String(limit + 1))
        : undefined;
    },
  }),
  mutant('ignores-default-limit', {
    rule: 'A list without a limit has more records than the default.',
    where: (contract) =>
      limits(contract).flatMap((place) => {
        const { default: usual, maximum } = place.limit;
        return usual === undefined ? [] : [{ ...place, usual, max: maximum ?? usual * 2 }];
      }),
    says: ({ limit, max }) => `without ${limit.parameter.name} holds up to ${String(max)} records`,
    // As many records as no default shows.
    seedRecords: ({ usual }) => Math.min(usual, maxSeeds) + 2,
    request: (request, { limit: { parameter }, usual, max }) =>
      queryOf(request, parameter.name) === undefined && max > usual
        ? withQuery(request, parameter.name, String(max))
        : undefined,
  }),
  mutant('limits-before-filtering', {
    rule: 'A list is cut to its limit before it is filtered.',
    where: (contract) => firstFilter(contract).filter(({ list }) => list.limit !== undefined),
    says: ({ parameter }) => `is cut to its limit before ${parameter.name} is applied`,
    status: 200,
    answer: async (_filtered, place, { request, service }) => {
      const expected = queryOf(request, place.parameter.name);
      if (expected === undefined) return undefined;
      const unfiltered = withoutQuery(request, [place.parameter.name]);
      return otherList(service, unfiltered, place, (records) =>
        differs(
          records,
          records.filter(
            (record) =>
              isJsonObject(record) &&
              singleValues(record, place.field).some((value) => String(value) === expected),
          ),
        ),
      );
    },
  }),
];

/** Pages that are ignored, overlap or lack records. */
export const firstPageMutants: readonly Mutator[] = [
  ignoring('ignores-page', 'A list always returns its first page.', ({ paging }) =>
    paging.map(({ parameter }) => parameter),
  ),
  mutant('pages-overlap', {
    rule: 'The second page begins with the last record of the first.',
    where: (contract) =>
      inLists(contract, ({ list }) => list.paging.filter(({ kind }) => kind === 'offset')),
    says: 'begins a page with the last record of the previous page',
    request: (request, { parameter }) => {
      const offset = Number(queryOf(request, parameter.name));
      return Number.isInteger(offset) && offset > 0
        ? withQuery(request, parameter.name, String(offset - 1))
        : undefined;
    },
  }),
  mutant('repeats-record', {
    rule: 'A list has a record twice.',
    where: listsOf,
    says: 'has a record twice',
    body: ofRecords((records) =>
      records.length < 2 || records[0] === undefined ? undefined : records.with(-1, records[0]),
    ),
  }),
  mutant('lacks-newest', {
    rule: 'A list lacks the newest record.',
    where: listsOf,
    says: 'lacks the newest record',
    hidden: ({ operation, list, resource: { operations, namedCreate } }) =>
      (operations.create ?? namedCreate) === undefined
        ? `no create says which record of ${operation.id} is the newest`
        : whyUnseen(operation, list, 'the newest one could be requested'),
    body: ofRecords((records, place) => {
      const newest = newestOf(records, place);
      return records.length === 0 ? undefined : records.filter((record) => record !== newest);
    }),
  }),
];

/** Orders that are ignored or reversed. */
export const orderMutants: readonly Mutator[] = [
  ignoring('ignores-sort', 'A list ignores the sort parameter.', ({ sort }) =>
    sort === undefined ? [] : [sort.by],
  ),
  mutant('order-reversed', {
    rule: 'A list has the reverse of the requested order.',
    where: sorts,
    says: 'is sorted in reverse',
    body: ofRecords((records, { sort }, { request }) =>
      queryOf(request, sort.by.name) === undefined
        ? undefined
        : differs(records, records.toReversed()),
    ),
  }),
];

/** Entries of a list that differ from their records. */
export const entryMutants: readonly Mutator[] = [
  mutant('entry-differs', {
    rule: 'A list shows values that differ from the record.',
    where: (contract) =>
      listsOf(contract).filter(
        ({ resource }) => resource.operations.read !== undefined && hasFreeText(resource),
      ),
    says: 'shows other texts than the records have',
    // A list may shorten texts: only the record that a client sent shows what they must be.
    warns: ({ resource }) => resource.operations.create === undefined,
    body: ofRecords((records, place) =>
      differs(
        records,
        records.map((record) => changeText(record, place)),
      ),
    ),
  }),
];

/** More records would only make the run longer. */
const maxSeeds = 100;

function newestOf(records: readonly JsonValue[], place: ListPlace): JsonValue | undefined {
  const numbered = records.filter((record) => typeof identifierOf(record, place) === 'number');
  return numbered.length === 0
    ? records.at(-1)
    : numbered.reduce((newest, record) =>
        Number(identifierOf(record, place)) > Number(identifierOf(newest, place)) ? record : newest,
      );
}

/** Mutations of lists with flags, kinds and bounds that may be included. */
export const flagMutants: readonly Mutator[] = [
  mutant('ignores-flag', {
    rule: 'A list shows the records that a boolean parameter leaves out.',
    where: (contract) => inLists(contract, ({ resource }) => flagsOf(resource)),
    says: ({ parameter }) => `ignores ${parameter.name}`,
    request: (request, { parameter }) => withoutQuery(request, [parameter.name]),
  }),
  mutant('ignores-kinds', {
    rule: 'A list shows the usual kinds of records, whatever it is asked for.',
    where: (contract) =>
      inLists(contract, ({ resource }) => kindsOf(resource)).filter(
        ({ told }) => told !== undefined,
      ),
    says: ({ parameter }) => `ignores ${parameter.name}`,
    request: (request, { parameter }) => withoutQuery(request, [parameter.name]),
  }),
  mutant('ignores-inclusive', {
    rule: 'A list leaves a record at its bound out, also where it is to match.',
    where: (contract) =>
      inLists(contract, ({ list }) =>
        list.ranges
          .slice(0, 1)
          .flatMap(({ inclusive }) => (inclusive === undefined ? [] : [{ inclusive }])),
      ),
    says: ({ inclusive }) => `ignores ${inclusive.name}`,
    request: (request, { inclusive }) => withoutQuery(request, [inclusive.name]),
  }),
];

function changeText(record: JsonValue, { resource }: ListPlace): JsonValue {
  if (!isJsonObject(record)) return record;
  const edited = editFields(record, resource, (fields) => {
    const name = Object.keys(fields).find(
      (key) =>
        key !== resource.identifier.field &&
        typeof fields[key] === 'string' &&
        isFreeText(resource, key),
    );
    return name === undefined ? undefined : { ...fields, [name]: `${String(fields[name])}.` };
  });
  return edited ?? record;
}

/** Whether records may lack the field of a filter by listed values, or by true. */
function isOptionalWord({ resource }: ListPlace, { parameter, field, member }: Filter): boolean {
  const flat = resource.record.flatten();
  const declared = flat.properties.get(field);
  if (declared === undefined || flat.required.has(field) || member !== undefined) return false;
  const { node } = resource.record.flatten(declared);
  const accepted = parameter.schema.flatten();
  const isWord = accepted.node.enum !== undefined || accepted.types.includes('boolean');
  return node.default === undefined && isWord;
}

/** A number of records that leaves a list empty, with or without a filter. */
function recordsForEmpty({ list }: ListPlace): number {
  return list.filters.length > 0 ? 1 : 0;
}

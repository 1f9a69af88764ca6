import type { Filter, Parameter, Resource } from '../../../contract/model.ts';
import { valueAt, splitPointer } from '../../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import type { Mutation, Mutator } from '../../mutants/mutant.ts';
import { addToQuery, editBodies, editRequests } from '../../mutants/edit-service.ts';
import { editAt, whyUnseen } from '../../mutants/places.ts';
import {
  editRecords,
  editingRecords,
  forLists,
  ignoring,
  queryOf,
  readRecords,
  withoutQuery,
  type ListPlace,
} from '../../mutants/list-place.ts';

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

/** Filters, bounds and searches that are ignored, or not held. */
export const filterMutants: readonly Mutator[] = [
  forLists('ignores-filter', 'A list ignores its filter.', (place) =>
    place.list.filters.map(({ parameter }) => ignoring('ignores-filter', place, parameter)),
  ),
  forLists('ignores-range', 'A list ignores a bound.', (place) =>
    place.list.ranges.map(({ parameter }) => ignoring('ignores-range', place, parameter)),
  ),
  {
    ...forLists(
      'ignores-search',
      'A list ignores the search word; the result of a search without a match is ' +
        'unspecified, so this can only be a warning.',
      (place) =>
        place.list.search === undefined
          ? []
          : [ignoring('ignores-search', place, place.list.search)],
    ),
    killedBy: 'warning',
  },
  forLists(
    'filter-lets-one-through',
    'A filtered list has one record that does not match.',
    (place) =>
      place.list.filters.slice(0, 1).map(({ parameter, field }) => ({
        mutator: 'filter-lets-one-through',
        title: `${place.operation.id} with ${parameter.name} holds one record too many`,
        operation: place.operation.id,
        plant: (service, fired) => async (request) => {
          const reply = await service.respond(request);
          const wanted = queryOf(request, parameter.name);
          const unfiltered =
            wanted === undefined || service.operationOf(request) !== place.operation
              ? undefined
              : withoutQuery(request, [parameter.name]);
          if (unfiltered === undefined) return reply;
          const all = await service.respond(unfiltered);
          const inner = { ...service, respond: async () => reply };
          const stranger = strangerIn(
            all.response === undefined ? undefined : readRecords(all.response.body, place),
            { field, wanted: wanted ?? '' },
          );
          return stranger === undefined
            ? reply
            : editBodies(inner, fired, { operation: place.operation }, (body) =>
                editRecords(body, place, (records) =>
                  records.length === 0 ? undefined : records.with(-1, stranger),
                ),
              )(request);
        },
      })),
  ),
  forLists(
    'filter-lets-absent-through',
    'A filtered list includes the records without the field of the filter.',
    (place) =>
      place.list.filters
        .filter((filter) => isOptionalWord(place, filter))
        .slice(0, 1)
        .map(({ parameter, field }) => lettingAbsentThrough(place, parameter, field)),
  ),
  forLists('filter-loses-one', 'A filtered list lacks a record that matches.', (place) =>
    place.list.filters
      .slice(0, 1)
      .map(({ parameter }) =>
        editingRecords(
          'filter-loses-one',
          place,
          `with ${parameter.name} lacks a record`,
          (records, request) =>
            queryOf(request, parameter.name) === undefined || records.length < 2
              ? undefined
              : records.slice(1),
        ),
      ),
  ),
  forLists('null-for-empty', 'A list without records is null.', (place) => [
    editingNothing('null-for-empty', place, 'answers null where no record matches', (body) =>
      splitPointer(place.list.records).length === 0
        ? null
        : editAt(body, splitPointer(place.list.records), () => null),
    ),
  ]),
  forLists('missing-for-empty', 'A list without records gets 404.', (place) => [
    notFoundForEmpty(place),
  ]),
];

/** Limits that are ignored, or applied too early. */
export const limitMutants: readonly Mutator[] = [
  forLists('ignores-limit', 'A list ignores its limit.', (place) =>
    place.list.limit === undefined
      ? []
      : [ignoring('ignores-limit', place, place.list.limit.parameter)],
  ),
  forLists('limit-off-by-one', 'A list has one record more than its limit.', (place) =>
    place.list.limit === undefined
      ? []
      : [
          raisingLimit(
            'limit-off-by-one',
            place,
            'has one record more than its limit',
            (limit) => limit + 1,
          ),
        ],
  ),
  forLists(
    'ignores-default-limit',
    'A list without a limit has more records than the default.',
    (place) =>
      place.list.limit?.default === undefined
        ? []
        : [defaultLimit(place, place.list.limit.default)],
  ),
  forLists(
    'limits-before-filtering',
    'A list is cut to its limit before it is filtered.',
    (place) =>
      place.list.limit === undefined
        ? []
        : place.list.filters
            .slice(0, 1)
            .map(({ parameter, field }) => limitedFirst(place, parameter, field)),
  ),
];

/** Pages that are ignored, overlap or lack records. */
export const firstPageMutants: readonly Mutator[] = [
  forLists('ignores-page', 'A list always returns its first page.', (place) =>
    place.list.paging.map(({ parameter }) => ignoring('ignores-page', place, parameter)),
  ),
  forLists('pages-overlap', 'The second page begins with the last record of the first.', (place) =>
    place.list.paging
      .filter(({ kind }) => kind === 'offset')
      .map(({ parameter }) => overlap(place, parameter)),
  ),
  forLists('repeats-record', 'A list has a record twice.', (place) => [
    editingRecords('repeats-record', place, 'has a record twice', (records) =>
      records.length < 2 || records[0] === undefined ? undefined : records.with(-1, records[0]),
    ),
  ]),
  forLists('lacks-newest', 'A list lacks the newest record.', (place) => [
    {
      ...hiddenNewest(place),
      ...editingRecords('lacks-newest', place, 'lacks the newest record', (records) => {
        const newest = newestOf(records, place);
        return newest === undefined
          ? undefined
          : differs(
              records,
              records.filter((record) => record !== newest),
            );
      }),
    },
  ]),
];

/** Orders that are ignored or reversed. */
export const orderMutants: readonly Mutator[] = [
  forLists('ignores-sort', 'A list ignores the sort parameter.', (place) =>
    place.list.sort === undefined ? [] : [ignoring('ignores-sort', place, place.list.sort.by)],
  ),
  forLists('order-reversed', 'A list has the reverse of the requested order.', (place) =>
    place.list.sort === undefined
      ? []
      : [
          editingRecords('order-reversed', place, 'is sorted in reverse', (records, request) =>
            queryOf(request, place.list.sort?.by.name ?? '') === undefined
              ? undefined
              : differs(records, records.toReversed()),
          ),
        ],
  ),
];

/** Entries of a list that differ from their records. */
export const entryMutants: readonly Mutator[] = [
  forLists('entry-differs', 'A list shows values that differ from the record.', (place) =>
    place.resource.operations.read === undefined
      ? []
      : [
          editingRecords(
            'entry-differs',
            place,
            'shows other texts than the records have',
            (records) =>
              differs(
                records,
                records.map((record) => changeText(record, place)),
              ),
          ),
        ],
  ),
];

/**
 * Why a short list may hide the newest record: the contract does not define which records it shows.
 */
function hiddenNewest(place: ListPlace): Pick<Mutation, 'hidden'> {
  const hidden = whyUnseen(place.operation, place.list);
  return hidden === undefined ? {} : { hidden: `${hidden} the newest one could be requested` };
}

function newestOf(records: readonly JsonValue[], place: ListPlace): JsonValue | undefined {
  const numbered = records.filter((record) => typeof identifierOf(record, place) === 'number');
  return numbered.length === 0
    ? records.at(-1)
    : numbered.reduce((newest, record) =>
        Number(identifierOf(record, place)) > Number(identifierOf(newest, place)) ? record : newest,
      );
}

function changeText(record: JsonValue, { resource }: ListPlace): JsonValue {
  if (!isJsonObject(record)) return record;
  const { properties } = resource.record.flatten();
  const name = Object.keys(record).find(
    (key) =>
      key !== resource.identifier.field &&
      typeof record[key] === 'string' &&
      isFreeText(resource, properties.get(key)),
  );
  return name === undefined ? record : { ...record, [name]: `${String(record[name])}.` };
}

function isFreeText(
  { record }: Resource,
  located: ReturnType<ReturnType<Resource['record']['flatten']>['properties']['get']>,
): boolean {
  if (located === undefined) return false;
  const { node } = record.flatten(located.node, located.pointer);
  return (
    node.enum === undefined &&
    node.format === undefined &&
    node.pattern === undefined &&
    node.maxLength === undefined
  );
}

/** Whether records may lack the field of a filter by listed values, or by true. */
function isOptionalWord({ resource }: ListPlace, { parameter, field, member }: Filter): boolean {
  const flat = resource.record.flatten();
  const declared = flat.properties.get(field);
  if (declared === undefined || flat.required.has(field) || member !== undefined) return false;
  const { node } = resource.record.flatten(declared.node, declared.pointer);
  const accepted = parameter.schema.flatten();
  const isWord = accepted.node.enum !== undefined || accepted.types.includes('boolean');
  return node.default === undefined && isWord;
}

function lettingAbsentThrough(place: ListPlace, parameter: Parameter, field: string): Mutation {
  const { operation } = place;
  return {
    mutator: 'filter-lets-absent-through',
    title: `${operation.id} with ${parameter.name} holds records without ${field}`,
    operation: operation.id,
    plant: (service, fired) => async (request) => {
      const reply = await service.respond(request);
      const unfiltered =
        service.operationOf(request) === operation &&
        reply.response?.status === 200 &&
        queryOf(request, parameter.name) !== 'false'
          ? withoutQuery(request, [parameter.name])
          : undefined;
      if (unfiltered === undefined) return reply;
      const all = await service.respond(unfiltered);
      const lacking = (
        all.response === undefined ? [] : readRecords(all.response.body, place)
      ).filter((record) => isJsonObject(record) && record[field] === undefined);
      const size = Number(queryOf(request, place.list.limit?.parameter.name ?? '') ?? Infinity);
      const inner = { ...service, respond: async () => reply };
      return editBodies(inner, fired, { operation }, (body) =>
        editRecords(body, place, (records) =>
          lacking.length === 0 || records.length >= size
            ? undefined
            : [...records, ...lacking].slice(0, size),
        ),
      )(request);
    },
  };
}

function strangerIn(
  records: readonly JsonValue[] | undefined,
  { field, wanted }: { readonly field: string; readonly wanted: string },
): JsonObject | undefined {
  return records
    ?.filter(isJsonObject)
    .find((record) => record[field] !== undefined && String(record[field]) !== wanted);
}

function editingNothing(
  mutator: string,
  place: ListPlace,
  words: string,
  edit: (body: JsonValue) => JsonValue | undefined,
): Mutation {
  const { operation, list } = place;
  const isEmpty = (body: JsonValue): boolean => {
    const records = valueAt(body, list.records);
    return isJsonArray(records) && records.length === 0;
  };
  return {
    mutator,
    title: `${operation.id} ${words}`,
    operation: operation.id,
    seedRecords: recordsForEmpty(place),
    plant: (service, fired) =>
      editBodies(service, fired, { operation }, (body) => (isEmpty(body) ? edit(body) : undefined)),
  };
}

/** A number of records that leaves a list empty, with or without a filter. */
function recordsForEmpty({ list }: ListPlace): number {
  return list.filters.length > 0 ? 1 : 0;
}

function notFoundForEmpty(place: ListPlace): Mutation {
  const { operation } = place;
  return {
    mutator: 'missing-for-empty',
    title: `${operation.id} answers 404 where no record matches`,
    operation: operation.id,
    seedRecords: recordsForEmpty(place),
    plant: (service, fired) => async (request) => {
      const reply = await service.respond(request);
      if (
        service.operationOf(request) !== operation ||
        reply.response?.status !== 200 ||
        readRecords(reply.response.body, place).length > 0
      )
        return reply;
      fired();
      return { ...reply, response: { ...reply.response, status: 404 } };
    },
  };
}

function raisingLimit(
  mutator: string,
  { operation, list }: ListPlace,
  words: string,
  raise: (limit: number) => number,
): Mutation {
  const name = list.limit?.parameter.name ?? '';
  const maximum = list.limit?.maximum ?? Infinity;
  return {
    mutator,
    title: `${operation.id} ${words}`,
    operation: operation.id,
    plant: (service, fired) =>
      editRequests(service, fired, operation, (request) => {
        const limit = Number(queryOf(request, name));
        if (!Number.isInteger(limit) || limit < 1 || limit >= maximum) return undefined;
        return {
          ...request,
          target: request.target.replace(
            `${name}=${String(limit)}`,
            `${name}=${String(raise(limit))}`,
          ),
        };
      }),
  };
}

function defaultLimit({ operation, list }: ListPlace, byDefault: number): Mutation {
  const name = list.limit?.parameter.name ?? '';
  const most = list.limit?.maximum ?? byDefault * 2;
  return {
    mutator: 'ignores-default-limit',
    title: `${operation.id} without ${name} holds up to ${String(most)} records`,
    operation: operation.id,
    plant: (service, fired) =>
      editRequests(service, fired, operation, (request) =>
        queryOf(request, name) === undefined && most > byDefault
          ? {
              ...request,
              target: addToQuery(request.target, `${name}=${String(most)}`),
            }
          : undefined,
      ),
  };
}

function limitedFirst(place: ListPlace, parameter: Parameter, field: string): Mutation {
  const { operation } = place;
  return {
    mutator: 'limits-before-filtering',
    title: `${operation.id} is cut to its limit before ${parameter.name} is applied`,
    operation: operation.id,
    plant: (service, fired) => async (request) => {
      const wanted = queryOf(request, parameter.name);
      const unfiltered =
        wanted === undefined || service.operationOf(request) !== operation
          ? undefined
          : withoutQuery(request, [parameter.name]);
      if (unfiltered === undefined || wanted === undefined) return service.respond(request);
      const plain = await service.respond(request);
      // A refusal stays unchanged.
      if (plain.response?.status !== 200) return plain;
      const inner = { ...service, respond: () => service.respond(unfiltered) };
      return editBodies(inner, fired, { operation }, (body) =>
        editRecords(body, place, (records) =>
          differs(
            records,
            records.filter((record) => isJsonObject(record) && String(record[field]) === wanted),
          ),
        ),
      )(request);
    },
  };
}

function overlap(place: ListPlace, parameter: Parameter): Mutation {
  const { operation } = place;
  return {
    mutator: 'pages-overlap',
    title: `${operation.id} begins a page with the last record of the previous page`,
    operation: operation.id,
    plant: (service, fired) =>
      editRequests(service, fired, operation, (request) => {
        const offset = Number(queryOf(request, parameter.name));
        return Number.isInteger(offset) && offset > 0
          ? {
              ...request,
              target: request.target.replace(
                `${parameter.name}=${String(offset)}`,
                `${parameter.name}=${String(offset - 1)}`,
              ),
            }
          : undefined;
      }),
  };
}

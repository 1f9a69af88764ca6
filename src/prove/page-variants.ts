import { readSortWord } from '../check/reading/sort-order.ts';
import { singleValues } from '../check/reading/compare-records.ts';
import { readJson } from '../http/media-type.ts';
import { isJsonObject, type JsonValue, stringifyJson } from '../json/value.ts';
import { withJson } from '../check/mutants/edit-service.ts';
import type { ServiceReply, Respond, Service } from '../check/mutants/mutant.ts';
import type { Variant } from './variant.ts';
import {
  editRecords,
  type ListPlace,
  listsOf,
  numberedPages,
  pageSize,
  queryOf,
  readRecords,
  withQuery,
} from '../check/mutants/list-place.ts';
import { withNext } from '../check/topics/lists/next-page-mutants.ts';

/** A service that changes the responses of its lists. */
function ofLists(
  service: Service,
  answer: (
    place: ListPlace,
    request: Parameters<Respond>[0],
    reply: ServiceReply,
  ) => Promise<ServiceReply> | ServiceReply,
): Respond {
  const places = new Map(listsOf(service.contract).map((place) => [place.operation, place]));
  return async (request) => {
    const operation = service.operationOf(request);
    const place = operation && places.get(operation);
    const reply = await service.respond(request);
    return place === undefined || reply.response?.status !== 200
      ? reply
      : answer(place, request, reply);
  };
}

/** A service without a count cannot know that a full page was the last. */
function leadingOn(service: Service): Respond {
  return ofLists(service, (place, request, reply) => {
    const [numbered] = numberedPages(place);
    const { response } = reply;
    if (
      numbered === undefined ||
      response === undefined ||
      !place.list.links ||
      response.headers.some(
        ([name, value]) => name.toLowerCase() === 'link' && /rel="?next/.test(value),
      )
    )
      return reply;
    const { paging } = numbered;
    const [size, requested] = [
      pageSize(request, place.list),
      Number(queryOf(request, paging.parameter.name) ?? paging.first),
    ];
    if (readRecords(response.body, place).length < size || !Number.isSafeInteger(requested))
      return reply;
    return {
      ...reply,
      response: withNext(
        response,
        withQuery(
          request,
          paging.parameter.name,
          String(requested + (paging.kind === 'page' ? 1 : size)),
        ).target,
      ),
    };
  });
}

/** Records with equal sort keys change places. */
function tossing(service: Service): Respond {
  return ofLists(service, (place, request, reply) => {
    const { sort } = place.list;
    const word = sort && queryOf(request, sort.by.name);
    const key = sort === undefined || word === undefined ? undefined : readSortWord(sort, word);
    if (key === undefined) return reply;
    const valueOf = (record: JsonValue): string =>
      isJsonObject(record) ? stringifyJson(singleValues(record, key.field)) : '';
    const toss = (records: readonly JsonValue[]): JsonValue[] => {
      const groups = Map.groupBy(records, valueOf);
      return [...groups.values()].flatMap((group) =>
        group.every((record) => valueOf(record) === '[]')
          ? group
          : group
              .map((record) => ({ record, at: service.chance() }))
              .sort((left, right) => left.at - right.at)
              .map(({ record }) => record),
      );
    };
    const body = reply.response && readJson(reply.response);
    const edited = body === undefined ? undefined : editRecords(body, place, toss);
    return reply.response === undefined || edited === undefined
      ? reply
      : { ...reply, response: withJson(reply.response, edited) };
  });
}

/** Common behaviour of conforming services with the pages of their lists. */
export const pageVariants: readonly Variant[] = [
  {
    id: 'leads-on-from-full-pages',
    rule: 'A full page links to a next one, which may be empty.',
    plant: leadingOn,
  },
  {
    id: 'ties-in-any-order',
    rule: 'Records with equal sort keys have another order each time.',
    plant: tossing,
  },
];

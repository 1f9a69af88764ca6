import type { Contract, Operation, Paging, Resource } from '../../contract/model.ts';
import { readJson } from '../../http/media-type.ts';
import { type HttpRequest, type HttpResponse, isSuccess } from '../../http/message.ts';
import { parseJson } from '../../json/parse-json.ts';
import { splitPointer, valueAt } from '../../json/pointer.ts';
import type { JsonValue } from '../../json/value.ts';
import { isJsonArray, isJsonObject, mapMembers, arrayOf } from '../../json/value.ts';
import { headerNamesTotal, namesTotal } from '../reading/list-total.ts';
import { editJson, setHeader, withJson } from './edit-service.ts';
import type { Scene } from './kind.ts';
import type { Service } from './mutant.ts';
import { editAt } from './places.ts';

export interface ListPlace {
  readonly resource: Resource;
  readonly operation: Operation;
  readonly list: NonNullable<Resource['list']>;
}

/** The lists of a contract that return records as an array. */
export function listsOf({ resources }: Contract): ListPlace[] {
  return resources.flatMap((resource) =>
    resource.operations.list === undefined || resource.list?.form !== 'array'
      ? []
      : [{ resource, operation: resource.operations.list, list: resource.list }],
  );
}

/** The request without some of its query parameters; undefined if it has none of them. */
export function withoutQuery(
  request: HttpRequest,
  names: readonly string[],
): HttpRequest | undefined {
  const mark = request.target.indexOf('?');
  if (mark === -1) return undefined;
  const pairs = request.target.slice(mark + 1).split('&');
  const kept = pairs.filter(
    (pair) =>
      !names.some(
        (name) =>
          pair === name ||
          pair.startsWith(`${encodeURIComponent(name)}=`) ||
          pair.startsWith(`${encodeURIComponent(name)}[`) ||
          pair.startsWith(`${name}[`),
      ),
  );
  if (kept.length === pairs.length) return undefined;
  return {
    ...request,
    target: `${request.target.slice(0, mark)}${kept.length === 0 ? '' : `?${kept.join('&')}`}`,
  };
}

/** Whether a pair of a query is that of a parameter, however it is encoded: `%24top=1`. */
function isOf(pair: string, name: string): boolean {
  const [own = ''] = pair.split('=', 1);
  return own === name || own === encodeURIComponent(name);
}

/** The value of a query parameter; undefined if the request has none. */
export function queryOf({ target }: HttpRequest, name: string): string | undefined {
  const mark = target.indexOf('?');
  return mark === -1
    ? undefined
    : (new URLSearchParams(target.slice(mark + 1)).get(name) ?? undefined);
}

/** The body of a list with changed records; undefined if `edit` changes nothing. */
export function editRecords(
  body: JsonValue,
  { list }: ListPlace,
  edit: (records: readonly JsonValue[]) => readonly JsonValue[] | undefined,
): JsonValue | undefined {
  return editAt(body, splitPointer(list.records), (records) =>
    isJsonArray(records) ? edit(records) : undefined,
  );
}

/** An edit of the body of a list that changes its records; undefined leaves them unchanged. */
export function ofRecords<At extends ListPlace>(
  edit: (
    records: readonly JsonValue[],
    place: At,
    scene: Scene,
  ) => readonly JsonValue[] | undefined | Promise<readonly JsonValue[] | undefined>,
): (body: JsonValue, place: At, scene: Scene) => Promise<JsonValue | undefined> {
  return async (body, place, scene) => {
    const records = valueAt(body, place.list.records);
    const edited = isJsonArray(records) ? await edit(records, place, scene) : undefined;
    return edited && editRecords(body, place, () => edited);
  };
}

/** The response to another request for a list, with changed records; undefined if it has none. */
export async function otherList(
  { respond }: Service,
  request: HttpRequest | undefined,
  place: ListPlace,
  edit: (records: readonly JsonValue[]) => readonly JsonValue[] | undefined,
): Promise<HttpResponse | undefined> {
  const { response } = request === undefined ? {} : await respond(request);
  return response !== undefined && isSuccess(response.status)
    ? editJson(response, (body) => editRecords(body, place, edit))
    : undefined;
}

/** Places in the lists of a contract: one for each item that `find` returns for a list. */
export function inLists<More extends object>(
  contract: Contract,
  find: (place: ListPlace) => readonly More[],
): (ListPlace & More)[] {
  return listsOf(contract).flatMap((place) => find(place).map((more) => ({ ...place, ...more })));
}

/** The records in the body of a list; empty if there are none. */
export function readRecords(body: Uint8Array, { list }: ListPlace): readonly JsonValue[] {
  const reading = parseJson(body);
  return arrayOf(reading.ok ? valueAt(reading.value, list.records) : undefined);
}

/** A list that is paged by a number. */
export interface PagePlace extends ListPlace {
  readonly paging: Paging;
}

/** The numeric paging parameters of a list. */
export function numberedPages(place: ListPlace): PagePlace[] {
  return place.list.limit === undefined
    ? []
    : place.list.paging
        .filter(({ kind }) => kind !== 'cursor')
        .map((paging) => ({ ...place, paging }));
}

/** The requested page, counted from 0; 0 without a page parameter. */
export function pageIndex(request: HttpRequest, { paging, list }: PagePlace): number {
  const requested = Number(queryOf(request, paging.parameter.name) ?? paging.first);
  return paging.kind === 'page' ? requested - paging.first : requested / pageSize(request, list);
}

/** The requested number of records; the default of the contract without a limit. */
export function pageSize(request: HttpRequest, { limit }: ListPlace['list']): number {
  return Number(queryOf(request, limit?.parameter.name ?? '') ?? limit?.default ?? Infinity);
}

/** The request for the previous page. */
export function pageBefore(request: HttpRequest, { paging, list }: PagePlace): HttpRequest {
  const requested = Number(queryOf(request, paging.parameter.name));
  return withQuery(
    request,
    paging.parameter.name,
    String(
      paging.kind === 'page' ? requested - 1 : Math.max(0, requested - pageSize(request, list)),
    ),
  );
}

/** The request with another value of a query parameter, which is added if absent. */
export function withQuery(request: HttpRequest, name: string, value: string): HttpRequest {
  const [path = '', query = ''] = request.target.split('?', 2);
  const others = query.split('&').filter((pair) => pair !== '' && !isOf(pair, name));
  return { ...request, target: `${path}?${[...others, `${name}=${value}`].join('&')}` };
}

/** The total in the body or a header of a list response; undefined if there is none. */
export function totalIn(response: HttpResponse): number | undefined {
  const [member] = membersOf(readJson(response) ?? null);
  const header = response.headers.find(([name]) => headerNamesTotal(name))?.[1];
  return member ?? (header === undefined ? undefined : Number(header));
}

/** The response with another total in every place that has one; undefined if it is the same. */
export function editTotals(response: HttpResponse, total: number): HttpResponse | undefined {
  if (total === totalIn(response)) return undefined;
  const body = readJson(response);
  return response.headers
    .filter(([name]) => headerNamesTotal(name))
    .reduce(
      (changed, [name]) => setHeader(changed, name, String(total)),
      body === undefined ? response : withJson(response, withTotal(body, total)),
    );
}

/** Totals beside the records, and one level deeper, never members of records. */
function membersOf(body: JsonValue): number[] {
  if (!isJsonObject(body)) return [];
  return Object.entries(body).flatMap(([name, value]) =>
    typeof value === 'number' && namesTotal(name)
      ? [value]
      : isJsonArray(value)
        ? []
        : membersOf(value),
  );
}

function withTotal(body: JsonValue, total: number): JsonValue {
  if (!isJsonObject(body)) return body;
  return mapMembers(body, (value, name) =>
    typeof value === 'number' && namesTotal(name)
      ? total
      : isJsonArray(value)
        ? value
        : withTotal(value, total),
  );
}

import type { Contract, Operation, Parameter, Resource } from '../../../contract/model.ts';
import type { HttpRequest } from '../../../http/message.ts';
import { parseJson } from '../../../json/parse-json.ts';
import { valueAt, splitPointer } from '../../../json/pointer.ts';
import { isJsonArray, type JsonValue } from '../../../json/value.ts';
import type { Deviation, Operator } from '../../deviation.ts';
import { editBodies, editRequests } from '../../edit-answer.ts';
import { editAt } from '../../places.ts';

const mostOfKind = 3;

/** A resource whose list is there. */
export interface ListPlace {
  readonly resource: Resource;
  readonly operation: Operation;
  readonly list: NonNullable<Resource['list']>;
}

/** The lists of a contract whose records come one after the other. */
export function listsOf({ resources }: Contract): ListPlace[] {
  return resources.flatMap((resource) =>
    resource.operations.list === undefined || resource.list?.form !== 'array'
      ? []
      : [{ resource, operation: resource.operations.list, list: resource.list }],
  );
}

/** The request without some of its query parameters; undefined where it has none of them. */
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

/** The value of a query parameter; undefined where the request has none. */
export function queryOf({ target }: HttpRequest, name: string): string | undefined {
  const mark = target.indexOf('?');
  return mark === -1
    ? undefined
    : (new URLSearchParams(target.slice(mark + 1)).get(name) ?? undefined);
}

/** The body of a list with other records; undefined where `edit` changes nothing. */
export function editRecords(
  body: JsonValue,
  { list }: ListPlace,
  edit: (records: readonly JsonValue[]) => readonly JsonValue[] | undefined,
): JsonValue | undefined {
  if (!isJsonArray(valueAt(body, list.records))) return undefined;
  return editAt(body, splitPointer(list.records), (records) =>
    isJsonArray(records) ? edit(records) : undefined,
  );
}

/** A deviation that passes over a parameter of the query. */
export function ignoring(
  operator: string,
  { operation }: ListPlace,
  parameter: Parameter,
): Deviation {
  return {
    operator,
    title: `${operation.id} passes over ${parameter.name}`,
    operation: operation.id,
    plant: (service, fired) =>
      editRequests(service, fired, operation, (request) => withoutQuery(request, [parameter.name])),
  };
}

/** What becomes of the records of an answer; undefined where they stay. */
export type RecordsEdit = (
  records: readonly JsonValue[],
  request: HttpRequest,
) => readonly JsonValue[] | undefined;

/** A deviation that shows other records than there are. */
export function editingRecords(
  operator: string,
  place: ListPlace,
  words: string,
  edit: RecordsEdit,
): Deviation {
  const { operation } = place;
  return {
    operator,
    title: `${operation.id} ${words}`,
    operation: operation.id,
    plant: (service, fired) =>
      editBodies(service, fired, { operation }, (body, request) =>
        editRecords(body, place, (records) => edit(records, request)),
      ),
  };
}

/** An operator that looks at each list by itself. */
export function forLists(
  id: string,
  rule: string,
  find: (place: ListPlace) => readonly Deviation[],
): Operator {
  return {
    id,
    family: 'list',
    rule,
    find: (contract) => listsOf(contract).flatMap(find).slice(0, mostOfKind),
  };
}

/** The records in the body of a list; none where it holds none. */
export function readRecords(body: Uint8Array, { list }: ListPlace): readonly JsonValue[] {
  const reading = parseJson(body);
  const records = reading.ok ? valueAt(reading.value, list.records) : undefined;
  return isJsonArray(records) ? records : [];
}

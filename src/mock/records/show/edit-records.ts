import { recordPlace } from '../../../contract/infer/conventions/envelope-styles.ts';
import type { Resource } from '../../../contract/model.ts';
import { splitPointer } from '../../../json/pointer.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { isJsonArray, isJsonObject, stringifyJson } from '../../../json/value.ts';
import type { Acting, ValidRequest } from '../../model/behaviour.ts';
import type { Reply } from '../../model/reply.ts';

/** A body whose records, or whose one record, are others. */
export function editRecords(
  body: JsonValue,
  request: ValidRequest,
  resource: Resource,
  edit: (record: JsonObject, index: number) => JsonObject,
): JsonValue {
  let index = -1;
  const place = placeOf(body, request, resource);
  return editAt(body, place, (record) => edit(record, (index += 1)));
}

/** A reply in JSON whose records are edited; what it represents, and so its tag, stays. */
export function withRecords(
  reply: Reply,
  { request, resource }: Pick<Acting, 'request' | 'resource'>,
  edit: (record: JsonObject, index: number) => JsonObject,
): Reply {
  if (reply.body === undefined || request.content?.form !== 'json') return reply;
  return withBody(reply, editRecords(reply.body, request, resource, edit), true);
}

/** The same reply with another body, which is written as it is if it is known to be valid. */
export function withBody(
  { bytes, ...reply }: Reply,
  body: JsonValue,
  isKnown = bytes !== undefined,
): Reply {
  const written = isKnown ? { bytes: encoder.encode(stringifyJson(body)) } : {};
  return { ...reply, ...written, state: reply.state ?? reply.body, body };
}

const encoder = new TextEncoder();

/** The records of a body, or the one that it is, in their order. */
export function recordsIn(
  body: JsonValue,
  request: ValidRequest,
  resource: Resource,
): readonly JsonObject[] {
  const records: JsonObject[] = [];
  editRecords(body, request, resource, (record) => {
    records.push(record);
    return record;
  });
  return records;
}

/** The tokens of the place in a body where the records are, or the one record. */
function placeOf(
  body: JsonValue,
  { plan: { operation } }: ValidRequest,
  { list, operations, record }: Resource,
): string[] {
  if (operation !== operations.list) return splitPointer(recordPlace(operation, record)?.at ?? '');
  const { records = '', wrapped = records } = list ?? {};
  return splitPointer(isJsonArray(body) ? records : wrapped);
}

function editAt(
  value: JsonValue,
  [token, ...rest]: readonly string[],
  edit: (record: JsonObject) => JsonObject,
): JsonValue {
  if (token === undefined) {
    if (isJsonArray(value)) return value.map((item) => editAt(item, [], edit));
    return isJsonObject(value) ? edit(value) : value;
  }
  if (!isJsonObject(value) || !Object.hasOwn(value, token)) return value;
  return { ...value, [token]: editAt(value[token] ?? null, rest, edit) };
}

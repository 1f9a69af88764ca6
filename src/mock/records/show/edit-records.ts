import { recordPlace } from '../../../contract/infer/conventions/envelope-styles.ts';
import { splitPointer } from '../../../json/pointer.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { isJsonArray, isJsonObject, stringifyJson } from '../../../json/value.ts';
import type { Concern } from '../../model/request.ts';
import type { Reply } from '../../model/reply.ts';

type Edit = (record: JsonObject, index: number) => JsonObject;

/** A body whose records, or whose one record, are others. */
export function editRecords(body: JsonValue, on: Concern, edit: Edit): JsonValue {
  let index = -1;
  return editAt(body, placeOf(body, on), (record) => edit(record, (index += 1)));
}

/** A reply in JSON whose records are edited; what it represents, and so its tag, stays. */
export function withRecords(reply: Reply, on: Concern, edit: Edit): Reply {
  if (reply.body === undefined || on.request.content?.form !== 'json') return reply;
  return withBody(reply, editRecords(reply.body, on, edit), true);
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
export function recordsIn(body: JsonValue, on: Concern): readonly JsonObject[] {
  const records: JsonObject[] = [];
  editRecords(body, on, (record) => {
    records.push(record);
    return record;
  });
  return records;
}

/** The tokens of the place in a body where the records are, or the one record. */
function placeOf(body: JsonValue, { request, resource }: Concern): string[] {
  const { list, operations, record } = resource;
  const { operation } = request.plan;
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

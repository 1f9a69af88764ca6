import { recordPlace } from '../../../contract/infer/conventions/envelope-styles.ts';
import type { Resource } from '../../../contract/model.ts';
import { splitPointer } from '../../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import type { ValidRequest } from '../../model/behaviour.ts';

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

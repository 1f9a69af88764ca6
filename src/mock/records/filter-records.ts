import type { ListShape } from '../../contract/model.ts';
import { equalJson } from '../../json/equal-json.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { parameterKey, type ParameterValues } from '../request/read-parameters.ts';

/** The records that match every filter of a request. A filter with several values takes each of them. */
export function filterRecords(records: readonly JsonObject[], { filters }: ListShape, parameters: ParameterValues): readonly JsonObject[] {
  const asked = filters.flatMap(({ parameter, field }) => {
    const value = parameters.get(parameterKey(parameter));
    return value === undefined ? [] : [{ field, values: [value].flat() }];
  });
  if (asked.length === 0) return records;
  return records.filter((record) => asked.every(({ field, values }) => holds(record, field, values)));
}

/** A field that is a list matches where it holds one of the values. */
function holds(record: JsonObject, field: string, values: readonly JsonValue[]): boolean {
  if (!Object.hasOwn(record, field)) return false;
  const held = record[field] ?? null;
  if (!Array.isArray(held)) return values.some((value) => equalJson(held, value));
  return values.some((value) => held.some((one: JsonValue) => equalJson(one, value)));
}

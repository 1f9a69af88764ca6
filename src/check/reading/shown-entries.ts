import { successSchema } from '../../contract/infer/conventions/envelope-styles.ts';
import { isSuccess } from '../../http/status.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../json/value.ts';
import type { Step } from '../model/step.ts';
import { jsonOf } from './read-answer.ts';

/**
 * What a successful answer lists, in any form: the objects and texts of its arrays, and the members
 * of an object that names none of them in advance, with their names.
 */
export function shownEntries({ answer, case: { operation }, exchange }: Step): JsonValue[] {
  const value = jsonOf(answer);
  if (value === undefined || !isSuccess(exchange.response?.status ?? 0)) return [];
  const whole = isJsonObject(value) ? Object.values(value) : [value];
  const listed = whole.flatMap((one) => (isJsonArray(one) ? one.filter(isEntry) : []));
  const { properties } = successSchema(operation)?.flatten() ?? {};
  const isMap = isJsonObject(value) && properties?.size === 0 && whole.every(isJsonObject);
  return isMap ? Object.entries(value).map((entry) => [...entry]) : listed;
}

function isEntry(value: JsonValue): boolean {
  return isJsonObject(value) || typeof value === 'string';
}

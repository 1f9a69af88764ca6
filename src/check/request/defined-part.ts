import type { Parameter } from '../../contract/model.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../json/value.ts';

/**
 * What a parameter's style writes of a value: null is undefined there, and is left out, and so are
 * items and members that are null (RFC 6570, sections 2.3 and 3.2.1). Undefined if nothing is
 * written. A path cannot leave out its segment, and JSON has its own null.
 */
export function definedPart(
  { in: location, mediaType }: Pick<Parameter, 'in' | 'mediaType'>,
  value: JsonValue,
): JsonValue | undefined {
  if (location === 'path' || mediaType !== undefined) return value;
  if (value === null) return undefined;
  if (isJsonArray(value)) return value.filter((item) => item !== null);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}

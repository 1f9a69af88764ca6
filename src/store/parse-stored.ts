import { parseJson } from '../json/parse-json.ts';
import { isJsonObject, type JsonObject } from '../json/value.ts';

/**
 * Reads a record from the text that a driver wrote: whatever was let in once is let in again.
 * Throws where it is none.
 */
export function parseStored(text: string): JsonObject {
  const reading = parseJson(text, {
    maxDepth: 1000,
    duplicateKeys: 'allow',
    forbiddenKeys: [],
    loneSurrogates: 'allow',
  });
  if (!reading.ok) throw new Error(`a record cannot be read: ${reading.problem.reason}`);
  if (!isJsonObject(reading.value)) throw new Error('a record is no object');
  return reading.value;
}

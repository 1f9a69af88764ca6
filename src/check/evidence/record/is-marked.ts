import type { JsonObject, JsonValue } from '../../../json/value.ts';

/**
 * Whether a value is a text with the mark of a run and of one request in it: nobody else writes
 * such a text.
 */
export function isMarked(value: JsonValue | undefined): boolean {
  return (
    typeof value === 'string' && /vouch-[0-9a-f]{6}(?:-[a-z])?-[0-9a-f]{6}(?![0-9a-f])/.test(value)
  );
}

/**
 * Whether a record bears the mark of a run in a text of its own. A mark deeper inside says nothing:
 * a record of somebody else may show one of the run, such as an owner with the things that belong
 * to it.
 */
export function bearsMark(record: JsonObject, mark: string): boolean {
  return Object.values(record).some((value) => typeof value === 'string' && value.includes(mark));
}

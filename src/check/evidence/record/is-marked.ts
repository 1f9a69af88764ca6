import type { JsonValue } from '../../../json/value.ts';

/** Whether a value is a text with the mark of a run and of one request in it: nobody else writes such a text. */
export function isMarked(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && /vouch-[0-9a-f]{6}(?:-[a-z])?-[0-9a-f]{6}(?![0-9a-f])/.test(value);
}

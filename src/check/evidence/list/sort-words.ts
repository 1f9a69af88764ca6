import type { Sort } from '../../../contract/model.ts';
import type { JsonValue } from '../../../json/value.ts';

/**
 * What a word in a sorting parameter asks for. `descending` is undefined where nothing says which
 * way.
 */
export interface SortKey {
  /** The record's field, dotted where it lies deeper. */
  readonly field: string;
  readonly descending: boolean | undefined;
}

/**
 * Reads `name`, `-name`, `name:desc`, `created_at_asc`; undefined for several fields at once, and
 * for what names no field.
 */
export function readSortWord(
  { fields }: Sort,
  word: string,
  direction?: JsonValue,
): SortKey | undefined {
  const text = word.trim();
  const whole = /^[-+]/.test(text) ? undefined : fieldNamed(fields, text);
  if (whole !== undefined) return { field: whole, descending: wayOf(direction) };
  const [, sign = '', name = '', way = ''] =
    /^([-+]?)(.+?)(?:[:. _](asc|desc|ascending|descending))?$/i.exec(text) ?? [];
  const field = fieldNamed(fields, name);
  if (field === undefined || text.includes(',')) return undefined;
  if (way !== '') return { field, descending: /^desc/i.test(way) };
  return { field, descending: sign === '' ? wayOf(direction) : sign === '-' };
}

function wayOf(direction: JsonValue | undefined): boolean | undefined {
  const word = String(direction ?? '');
  if (/^(desc|descending|down|-1)$/i.test(word)) return true;
  return /^(asc|ascending|up|1)$/i.test(word) ? false : undefined;
}

/** `created` is how people speak of `createdAt`. */
function fieldNamed(fields: ReadonlyMap<string, string>, word: string): string | undefined {
  const plain = word
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]/g, '')
    .replaceAll('.', '');
  return ['', 'at', 'on', 'date', 'time'].flatMap((ending) => fields.get(plain + ending) ?? [])[0];
}

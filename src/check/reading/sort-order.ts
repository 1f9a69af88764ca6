import type { Sort } from '../../contract/model.ts';
import { compareDecimals, isDecimalText } from '../../json/decimal.ts';
import type { JsonValue } from '../../json/value.ts';

/** Returns a number below 0 if the left value comes before the right one. */
type Compare<Value> = (left: Value, right: Value) => number;

/**
 * The collations of correct servers: by code point or UTF-16 unit, by letters only, ignoring case,
 * accents or punctuation, and with numbers compared by value. A text is only misplaced if it is so
 * in every one of them.
 */
const textOrders: readonly Compare<string>[] = [
  (left, right) => (left < right ? -1 : left > right ? 1 : 0),
  byCodePoint,
  (left, right) => byCodePoint(left.toLowerCase(), right.toLowerCase()),
  (left, right) => byCodePoint(left.toUpperCase(), right.toUpperCase()),
  (left, right) => byCodePoint(lettersOf(left), lettersOf(right)),
  ...[false, true].flatMap((numeric) =>
    [false, true].flatMap((ignorePunctuation) =>
      ['en', 'sv'].map((locale) =>
        byCollation(locale, { numeric, ignorePunctuation, sensitivity: 'base' }),
      ),
    ),
  ),
];

/** A collator takes 25 ms and 3 MB: it is created only for lists that no simpler order fits. */
function byCollation(locale: string, options: Intl.CollatorOptions): Compare<string> {
  let collator: Intl.Collator | undefined;
  return (left, right) => (collator ??= new Intl.Collator(locale, options)).compare(left, right);
}

function byCodePoint(left: string, right: string): number {
  const [one, other] = [Array.from(left), Array.from(right)];
  const index = one.findIndex((character, at) => character !== other[at]);
  if (index === -1) return one.length - other.length;
  return other[index] === undefined
    ? 1
    : (one[index]?.codePointAt(0) ?? 0) - (other[index].codePointAt(0) ?? 0);
}

function lettersOf(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}

/** How values are ordered. */
export interface ValueOrder {
  readonly descending: boolean;
  /** The values of an enumeration, which may be sorted in that order. */
  readonly listed?: readonly JsonValue[] | undefined;
  readonly isAmount?: boolean;
  /** Moments within so many milliseconds may come in any order. */
  readonly within?: number;
}

/**
 * The first two neighbours that are misplaced in every plausible order of their type; undefined if
 * an order fits all of them.
 */
export function misplaced(
  values: readonly JsonValue[],
  { descending, ...order }: ValueOrder,
): readonly [JsonValue, JsonValue] | undefined {
  let first: number | undefined;
  for (const compare of ordersFor(values, order)) {
    const wrong = values.findIndex(
      (value, index) => index > 0 && isWrong(compare(values[index - 1] ?? null, value), descending),
    );
    if (wrong === -1) return undefined;
    first ??= wrong;
  }
  return first === undefined ? undefined : [values[first - 1] ?? null, values[first] ?? null];
}

function isWrong(order: number, descending: boolean): boolean {
  return descending ? order < 0 : order > 0;
}

/**
 * Every plausible order of values of one type; none for values without an order, or of several
 * types.
 */
function ordersFor(
  values: readonly JsonValue[],
  { listed, isAmount = false, within = 1 }: Omit<ValueOrder, 'descending'>,
): readonly Compare<JsonValue>[] {
  const places: Compare<JsonValue>[] =
    listed === undefined ? [] : [(left, right) => listed.indexOf(left) - listed.indexOf(right)];
  if (values.every((value) => typeof value === 'number' || typeof value === 'bigint'))
    return [byNumber, ...places];
  if (values.every((value) => typeof value === 'boolean'))
    return [
      (left, right) => Number(left) - Number(right),
      (left, right) => Number(right) - Number(left),
    ];
  if (!values.every((value) => typeof value === 'string')) return [];
  const areDecimals = values.every((value) => isDecimalText(value));
  if (areDecimals && isAmount) return [byDecimal];
  if (values.every(isMoment))
    return [
      (left, right) => Math.trunc((Date.parse(String(left)) - Date.parse(String(right))) / within),
    ];
  return [
    ...(areDecimals ? [byDecimal] : []),
    ...textOrders.map(
      (compare): Compare<JsonValue> =>
        (left, right) =>
          compare(String(left), String(right)),
    ),
    ...places,
  ];
}

function byDecimal(left: JsonValue, right: JsonValue): number {
  return compareDecimals(String(left), String(right));
}

function byNumber(left: JsonValue, right: JsonValue): number {
  const [one, other] = [left, right].map((value) =>
    typeof value === 'bigint' ? value : Number(value),
  );
  return one === undefined || other === undefined || one === other ? 0 : one < other ? -1 : 1;
}

function isMoment(value: JsonValue): boolean {
  return (
    typeof value === 'string' &&
    /^\d{4}-\d{2}-\d{2}([Tt ]\d{2}:\d{2}.*)?$/.test(value) &&
    !Number.isNaN(Date.parse(value))
  );
}

/** The meaning of a sort word. `descending` is undefined if the word does not state a direction. */
export interface SortKey {
  /** The record's field, dotted if it is nested. */
  readonly field: string;
  readonly descending: boolean | undefined;
}

/**
 * Reads `name`, `-name`, `name:desc`, `created_at_asc`; undefined for several fields at once, and
 * for a word without a field.
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

/**
 * The keys of an order in its language, the first key first; of a language that nobody knows, the
 * meaning of one word.
 */
export function readSortKeys(
  sort: Sort,
  words: readonly string[],
  direction?: JsonValue,
): readonly SortKey[] | undefined {
  const keys = sort.language
    ?.read(words.join(','))
    ?.map(({ field, descending }) => ({ field: fieldNamed(sort.fields, field), descending }));
  const known = keys?.flatMap(({ field, descending }) =>
    field === undefined ? [] : [{ field, descending }],
  );
  if (keys !== undefined && known?.length === keys.length) return known;
  // Without a standard, several words may mean anything.
  if (sort.standard === undefined && words.length > 1) return undefined;
  const read = words.map((word) => readSortWord(sort, word, direction));
  return read.every((key) => key !== undefined) && read.length > 0 ? read : undefined;
}

function wayOf(direction: JsonValue | undefined): boolean | undefined {
  const word = String(direction ?? '');
  if (/^(desc|descending|down|-1|true)$/i.test(word)) return true;
  return /^(asc|ascending|up|1|false)$/i.test(word) ? false : undefined;
}

/** `created` is a common name for `createdAt`. */
function fieldNamed(fields: ReadonlyMap<string, string>, word: string): string | undefined {
  const plain = word
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]/g, '')
    .replaceAll('.', '');
  return ['', 'at', 'on', 'date', 'time'].flatMap((ending) => fields.get(plain + ending) ?? [])[0];
}

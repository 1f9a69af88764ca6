import { isDate, isDateTime } from '../serving/fields.ts';
import { compare } from '../serving/requests.ts';
import { isId } from './rules.ts';
import type { Coding, Current, HumanName, Identifier, Kind, Service } from './store.ts';

/** A search parameter: which of its values are valid, and what they match. */
export interface Parameter<T> {
  isValid(value: string): boolean;
  matches(record: Current<T>, value: string, service: Service): boolean;
}

export type Parameters<T> = Readonly<Record<string, Parameter<T>>>;

type From<T, V> = (record: Current<T>) => V;

/** A text without capitals and accents. */
export const plain = (text: string): string =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** A code that is compared exactly. */
export const code = <T>(valueOf: From<T, string>, values?: readonly string[]): Parameter<T> => ({
  isValid: (value) => values?.includes(value) ?? value !== '',
  matches: (record, value) => valueOf(record) === value,
});

interface Token {
  readonly system?: string | undefined;
  readonly value: string;
}

/** A token of identifiers or codings: `system|value`, `value`, `|value` or `system|`. */
export const token = <T>(tokensOf: From<T, readonly Token[]>): Parameter<T> => ({
  isValid: (value) => value !== '' && value !== '|' && value.split('|').length < 3,
  matches: (record, given, { has }) => {
    const parts = given.split('|');
    const value = parts.at(-1) ?? '';
    const system = parts.length === 1 ? undefined : parts[0];
    const isBlind = system === undefined || (has('identifier-ignores-system') && value !== '');
    return tokensOf(record).some(
      (each) =>
        (isBlind || (each.system ?? '') === system) && (value === '' || each.value === value),
    );
  },
});

export const codings = (list: readonly Coding[]): readonly Token[] =>
  list.map(({ system, code: value }) => ({ system, value }));

export const identifiers = (list: readonly Identifier[] = []): readonly Token[] => list;

/** A part of names: their beginning, or as the modifier has it. */
export const nameLike = <T>(
  namesOf: From<T, readonly HumanName[]>,
  modifier?: 'exact' | 'contains',
): Parameter<T> => ({
  isValid: (value) => value !== '',
  matches: (record, value, { has }) => {
    const parts = namesOf(record).flatMap(({ family, given = [] }) =>
      has('name-family-only') ? [family] : [family, ...given],
    );
    if (modifier === 'exact') return parts.includes(value);
    const fold = has('name-case-sensitive') ? (text: string) => text : plain;
    const wanted = fold(value);
    return parts.some((part) =>
      modifier === 'contains' ? fold(part).includes(wanted) : fold(part).startsWith(wanted),
    );
  },
});

export const references = <T>(kind: Kind, idsOf: From<T, readonly string[]>): Parameter<T> => ({
  isValid: (value) => isId(value.replace(`${kind}/`, '')),
  matches: (record, value) => idsOf(record).includes(value.replace(`${kind}/`, '')),
});

const prefixed = /^(eq|ne|gt|lt|ge|le)?(.+)$/;

/** Whether a value is within a range, or how it lies to it. */
function lies(prefix: string, value: number, { low, high }: { low: number; high: number }) {
  switch (prefix) {
    case 'ne':
      return value < low || value >= high;
    case 'gt':
      return value >= high;
    case 'lt':
      return value < low;
    case 'ge':
      return value >= low;
    case 'le':
      return value < high;
    default:
      return value >= low && value < high;
  }
}

/** The range of milliseconds of a year, month, day or instant. */
function rangeOf(text: string): { low: number; high: number } | undefined {
  if (/^\d{4}(-(0[1-9]|1[0-2]))?$/.test(text)) {
    const isYear = text.length === 4;
    const end = new Date(isYear ? `${text}-01-01` : `${text}-01`);
    const low = end.getTime();
    if (isYear) end.setUTCFullYear(end.getUTCFullYear() + 1);
    else end.setUTCMonth(end.getUTCMonth() + 1);
    return { low, high: end.getTime() };
  }
  if (isDate(text)) return { low: Date.parse(text), high: Date.parse(text) + 86_400_000 };
  if (!isDateTime(text)) return undefined;
  const low = Date.parse(text);
  return { low, high: low + (text.includes('.') ? 1 : 1000) };
}

const partsOf = (value: string): readonly [string, string] => {
  const [, prefix = 'eq', rest = ''] = prefixed.exec(value) ?? [];
  return [prefix, rest];
};

const matchesDate = (moment: number, value: string): boolean => {
  const [prefix, text] = partsOf(value);
  const range = rangeOf(text);
  return range !== undefined && lies(prefix, moment, range);
};

const isDateValue = (value: string): boolean => rangeOf(partsOf(value)[1]) !== undefined;

/** A day without a time. */
export const birthday = <T>(dayOf: From<T, string>): Parameter<T> => ({
  isValid: (value) => isDateValue(value) && !value.includes('T'),
  matches: (record, value, { has }) => {
    const isShort = has('birthdate-le-excludes-day') && value.startsWith('le');
    return matchesDate(Date.parse(dayOf(record)), isShort ? value.replace('le', 'lt') : value);
  },
});

/** An instant, written with an offset. */
export const time = <T>(textOf: From<T, string>): Parameter<T> => ({
  isValid: isDateValue,
  matches: (record, value, { has }) => {
    const text = textOf(record);
    const isLocal = has('day-ignores-offset') && !value.includes('T');
    return matchesDate(Date.parse(isLocal ? `${text.slice(0, 19)}Z` : text), value);
  },
});

const isNumber = (text: string): boolean => /^-?\d+(\.\d+)?$/.test(text);

/** A number, with prefixes; a number itself is a range without a width. */
export const quantity = <T>(valueOf: From<T, number | undefined>): Parameter<T> => ({
  isValid: (value) => isNumber(partsOf(value)[1]),
  matches: (record, value) => {
    const [prefix, text] = partsOf(value);
    const [found, wanted] = [valueOf(record), Number(text)];
    if (found === undefined) return false;
    const order = compare(found, wanted);
    const orders: Readonly<Record<string, boolean>> = {
      eq: order === 0,
      ne: order !== 0,
      gt: order > 0,
      lt: order < 0,
      ge: order >= 0,
      le: order <= 0,
    };
    return orders[prefix] ?? false;
  },
});

/** The parameters that all kinds have. */
export const common = <T>(): Parameters<T> => ({
  _id: { isValid: isId, matches: ({ id }, value) => id === value },
  _lastUpdated: {
    isValid: isDateValue,
    matches: ({ at, created }, value, { has }) =>
      matchesDate(has('last-updated-compares-created') ? created : at, value),
  },
});

import type { IsPlanted } from '../defects.ts';

/** A book as it is kept. */
export interface Book {
  id: number;
  title: string;
  author: { name: string; country?: string };
  genre: string;
  pages: number;
  price?: number;
  isbn?: string;
  barcode?: number | bigint;
  published: string | null;
  tags: string[] | null;
  createdAt: string;
}

export const genres = ['fiction', 'history', 'science', 'poetry'];

type Fields = Record<string, unknown>;
type Rule = (value: unknown) => boolean;

const text = (value: unknown, least: number, most: number): value is string =>
  typeof value === 'string' && [...value].length >= least && [...value].length <= most;
const whole = (value: unknown, least: number, most: number): boolean =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isDay(value: unknown): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return false;
  const [year = 0, month = 0, day = 0] = value.split('-').map(Number);
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return (
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= ([31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0)
  );
}

function isAuthor(value: unknown, has: IsPlanted): boolean {
  if (!isObject(value) || Object.keys(value).some((name) => name !== 'name' && name !== 'country'))
    return false;
  if (value['name'] === undefined && has('nested-not-checked')) value['name'] = 'Anonymous';
  return (
    text(value['name'], 1, 80) &&
    (value['country'] === undefined ||
      (typeof value['country'] === 'string' && /^[A-Z]{2}$/.test(value['country'])))
  );
}

function isTags(value: unknown, has: IsPlanted): boolean {
  if (!Array.isArray(value) || (value.length > 5 && !has('too-many-accepted'))) return false;
  return (
    value.every((tag) => text(tag, 1, 20)) &&
    (new Set(value).size === value.length || has('repeats-accepted'))
  );
}

function rulesWith(has: IsPlanted, bounded: boolean): Record<string, Rule> {
  const most = has('maximum-refused') ? 9_999 : 10_000;
  return {
    title: (value) =>
      text(value, has('empty-not-checked') ? 0 : 1, has('length-not-checked') ? Infinity : 120),
    author: (value) => isAuthor(value, has),
    genre: (value) =>
      typeof value === 'string' &&
      ((genres.includes(value) && !(value === 'poetry' && has('enum-value-refused'))) ||
        has('enum-not-checked')),
    pages: (value) =>
      bounded ? whole(value, has('minimum-not-checked') ? 0 : 1, most) : Number.isInteger(value),
    price: (value) => typeof value === 'number' && (!bounded || (value >= 0 && value <= 100_000)),
    isbn: (value) =>
      typeof value === 'string' &&
      (has('pattern-not-anchored') ? /97[89]-\d{10}/ : /^97[89]-\d{10}$/).test(value),
    barcode: (value) =>
      typeof value === 'bigint'
        ? !bounded || (value >= 0n && value <= 9_223_372_036_854_775_807n)
        : Number.isInteger(value) && (!bounded || Number(value) >= 0),
    published: (value) =>
      value === null
        ? !has('null-refused')
        : isDay(value) || (typeof value === 'string' && has('date-not-checked')),
    tags: (value) => isTags(value, has),
  };
}

/** What an operation requires of the fields of a body. */
export interface Demand {
  readonly operation: 'create' | 'replace' | 'update';
}

/** Says what is wrong with the fields of a body, and nothing where nothing is. */
export function faultIn(body: unknown, { operation }: Demand, has: IsPlanted): string | undefined {
  if (has('array-body-is-500') && !isObject(body)) throw new TypeError('The body is no object.');
  if (!isObject(body)) return 'The body must be an object.';
  if (has('quote-is-500') && String(body['title']).includes("'"))
    throw new Error('unterminated quoted string');
  if (has('type-coerced') && typeof body['pages'] === 'string' && /^\d+$/.test(body['pages']))
    body['pages'] = Number(body['pages']);
  if (has('null-accepted') && body['title'] === null) body['title'] = 'null';
  if (has('required-not-checked') && operation === 'create') body['genre'] ??= 'fiction';
  const rules = rulesWith(has, !(operation === 'replace' && has('replace-not-checked')));
  const unknown = Object.keys(body).find((name) => !Object.hasOwn(rules, name));
  if (unknown !== undefined && !has('extra-field-accepted')) return `There is no field ${unknown}.`;
  if (operation === 'update') {
    if (Object.keys(body).length === 0 && !has('empty-update-accepted'))
      return 'At least one field must be given.';
  } else {
    const lacking = ['title', 'author', 'genre', 'pages'].find(
      (name) => !Object.hasOwn(body, name),
    );
    if (lacking !== undefined) return `${lacking} must be given.`;
  }
  const wrong = Object.keys(rules).find(
    (name) => Object.hasOwn(body, name) && rules[name]?.(body[name]) === false,
  );
  return wrong === undefined ? undefined : `${wrong} is not as it must be.`;
}

import type { Operation } from '../model.ts';

/** A name in comparable form: `Last-Name`, `last_name` and `lastName` are `lastname`. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

const irregular: Readonly<Record<string, string>> = {
  people: 'person',
  children: 'child',
  men: 'man',
  women: 'woman',
  mice: 'mouse',
  feet: 'foot',
  teeth: 'tooth',
  data: 'datum',
  indices: 'index',
  vertices: 'vertex',
  series: 'series',
  news: 'news',
  status: 'status',
  movies: 'movie',
};

/**
 * The singular of an English word in lower case: `categories` is `category`. A singular is returned
 * unchanged.
 */
export function singularOf(word: string): string {
  const plain = plainName(word);
  const known = Object.entries(irregular).find(([plural]) => plain.endsWith(plural));
  if (known !== undefined) return plain.slice(0, -known[0].length) + known[1];
  if (/[^aeiou]ies$/.test(plain)) return `${plain.slice(0, -3)}y`;
  // `warehouses`, `caches` and `sizes` have their e in the singular too.
  if (/([ao]us|[^eo]ach|[^tz]z)es$/.test(plain)) return plain.slice(0, -1);
  if (/(ch|sh|x|z|ss|us)es$/.test(plain)) return plain.slice(0, -2);
  return /[^su]s$/.test(plain) ? plain.slice(0, -1) : plain;
}

/** The words of a name, in lower case: `minPrice`, `min_price` and `price[min]` have two. */
export function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/**
 * The name of an operation in sentences: its id, with method and path if the id does not contain
 * them.
 */
export function operationName({ id, method, path }: Operation): string {
  return id === `${method} ${path}` ? id : `${id} (${method} ${path})`;
}

/** Alternatives of a regular expression, from parts that are separated by blanks. */
export function alternatives(...lines: readonly string[]): string {
  return lines.join(' ').split(' ').join('|');
}

/**
 * Matches a normalised name (lower case, letters and digits only) that contains one of these parts.
 * Parts are separated by blanks and are regular expressions.
 */
export function namePattern(...lines: readonly string[]): RegExp {
  return new RegExp(alternatives(...lines));
}

/**
 * What a field names, and the last word of that: `fromStopId` is that of a stop. What is said to be
 * elsewhere, as in `externalOrderId`, is no record of this API.
 */
export function referredWords(field: string): readonly string[] {
  const object = /^(.+)\.(?:id|uuid)$/i.exec(field)?.[1];
  if (object !== undefined) return [object];
  const word = /^([^.]+?)(?:(?:Id|ID|Uuid|UUID)s?|[_-](?:id|uuid)s?)$/.exec(field)?.[1];
  const last = /(?:[a-z\d](?=[A-Z])|[_-])([A-Za-z][a-z\d]*)$/.exec(word ?? '')?.[1];
  const isElsewhere = /^(external|foreign|remote|client|partner|vendor|legacy)/i.test(word ?? '');
  return [word, isElsewhere ? undefined : last].filter((one) => one !== undefined);
}

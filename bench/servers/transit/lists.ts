import { isDateTime } from '../serving/fields.ts';
import { areNames, compare, isWholeIn, namesIn, type Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import { failParameter, parameter, urlOf, type Call } from './call.ts';

type Key = string | number;

/** Records of a list, and what they are ordered by; `signs` are -1 for what descends. */
export interface Listing<T> {
  readonly records: readonly T[];
  readonly keysOf: (record: T) => readonly Key[];
  readonly signs?: readonly number[];
  readonly show: (record: T) => Json;
  readonly headers?: Readonly<Record<string, string>>;
}

function compareKeys(a: readonly Key[], b: readonly Key[], signs: readonly number[]): number {
  for (const [index, key] of a.entries()) {
    const found = compare(key, b[index]);
    if (found !== 0) return found * (signs[index] ?? 1);
  }
  return 0;
}

/** The keys of the last record of the page before. */
function cursorOf(call: Call): Key[] | undefined {
  const after = parameter(call, 'after', (value) => value !== '');
  if (after === undefined) return undefined;
  try {
    const keys: unknown = JSON.parse(Buffer.from(after, 'base64url').toString('utf8'));
    const areKeys = Array.isArray(keys) && keys.length > 0;
    if (areKeys && writeCursor(keys as Key[]) === after) return keys as Key[];
  } catch {
    return failParameter(call, 'after');
  }
  return failParameter(call, 'after');
}

const writeCursor = (keys: readonly Key[]): string =>
  Buffer.from(JSON.stringify(keys)).toString('base64url');

/** Where the next page is: the same request behind a record. */
function nextOf(call: Call, after: string): string {
  const { path, query } = call.incoming;
  const next = new URLSearchParams(query);
  if (call.service.has('next-forgets-filters'))
    for (const name of query.keys())
      if (!['limit', 'sort', 'lang', 'fields'].includes(name)) next.delete(name);
  next.set('after', after);
  return urlOf(call, `${path}?${next.toString()}`);
}

/** One page of the records. */
export function pageOf<T>(call: Call, listing: Listing<T>): Answer {
  const { has } = call.service;
  const { records, keysOf, signs = [], show, headers = {} } = listing;
  const limit = Number(parameter(call, 'limit', isWholeIn(1, 100)) ?? 20);
  const cursor = cursorOf(call);
  const isRepeated = has('next-page-repeats-last');
  const sorted = records.toSorted((a, b) => compareKeys(keysOf(a), keysOf(b), signs));
  const rest = sorted.filter((record) => {
    const place = cursor === undefined ? 1 : compareKeys(keysOf(record), cursor, signs);
    return place > 0 || (isRepeated && place === 0);
  });
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  const isEnd = last === undefined || rest.length === page.length;
  const total = has('total-of-page') ? page.length : records.length;
  return {
    status: 200,
    headers,
    json: {
      data: page.map(show),
      meta: { count: page.length, total },
      links: { next: isEnd ? null : nextOf(call, writeCursor(keysOf(last))) },
    },
  };
}

/** The moment of a parameter. */
export function momentOf(call: Call, name: string, isZoneless = false): number | undefined {
  const value = parameter(call, name, isDateTime);
  if (value === undefined) return undefined;
  return Date.parse(isZoneless ? `${value.slice(0, 19)}Z` : value);
}

/** Shows the id and the members that the parameter `fields` names. */
export function fieldsOf(call: Call, names: readonly string[]): (shown: Json) => Json {
  const given = parameter(call, 'fields', areNames(names, 1));
  if (given === undefined) return (shown) => shown;
  const wanted = new Set(namesIn(given));
  if (!call.service.has('fields-drop-id')) wanted.add('id');
  return (shown) => Object.fromEntries(Object.entries(shown).filter(([name]) => wanted.has(name)));
}

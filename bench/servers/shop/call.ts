import { randomUUID } from 'node:crypto';
import { isDateTime, whole, type Rule } from '../serving/fields.ts';
import { compare, isWholeIn, originOf, type Json } from '../serving/requests.ts';
import { readJson, Refused, type Answer, type ServiceRequest } from '../serving/serve.ts';
import type { Service, Shop } from './store.ts';

/** A request with its shop. */
export interface Call {
  readonly incoming: ServiceRequest;
  readonly service: Service;
  readonly shop: Shop;
}

export function fail(status: number, errors: unknown): never {
  throw new Refused({ status, json: { errors } });
}

export const invalid = (field: string, message: string): never => fail(422, { [field]: [message] });

const bad = (field: string, message: string): never => fail(400, { [field]: [message] });

const none = (): never => fail(404, 'Not Found');

/** The value, in which the rule has no fault; otherwise refuses with 422. */
export function judge(value: unknown, rule: Rule): Json {
  const fault = rule(value, 'body')?.replace(/^body\.?/, '');
  const [, field = 'base', message = ''] = /^(\S*) (.*)$/.exec(fault ?? '') ?? [];
  return fault === undefined ? (value as Json) : invalid(field || 'base', message);
}

/** The body, or what it has in this wrapper. */
export function readBody({ incoming, service }: Call, rule: Rule, wrapper?: string): Json {
  let body: unknown;
  try {
    body = readJson(incoming);
  } catch {
    fail(400, 'The body must be JSON, and application/json.');
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    fail(400, 'The body must be an object.');
  const inner = wrapper === undefined ? body : (body as Json)[wrapper];
  const isLax = wrapper === 'product' && service.has('wrapper-not-required');
  if (typeof inner === 'object' && inner !== null) return judge(inner, rule);
  return isLax ? judge(body, rule) : bad(wrapper ?? 'base', 'is missing');
}

export const id = whole(1, Number.MAX_SAFE_INTEGER);

/** Cents of an amount in a request. */
export const cents = (amount: unknown): number => Math.round(Number(amount) * 100);

export const money = (amount: number): string => (amount / 100).toFixed(2);

export function time<T extends number | null>(moment: T, { service }: Call): string | T {
  if (moment === null) return moment;
  const [shift, zone] = service.varies('times-of-oslo') ? [7_200_000, '+02:00'] : [0, '+00:00'];
  return new Date(moment + shift).toISOString().slice(0, 19) + zone;
}

/** The record of the shop with the id in the path. */
export function find<T extends { readonly id: number; readonly shop: Shop }>(
  { incoming, shop }: Call,
  name: string,
  records: readonly T[],
  isOfAll = false,
): T {
  const number = Number(incoming.params[name]);
  const found = records.find((one) => one.id === number);
  return found !== undefined && (isOfAll || found.shop === shop) ? found : none();
}

/** The value of a parameter, which is one of these. */
export function oneOf(value: string, name: string, values: readonly string[]): string {
  return values.includes(value) ? value : bad(name, 'is not known');
}

/** A record in a list. */
export interface Listed {
  readonly id: number;
  readonly created_at: number;
}

export type Filters<T> = Readonly<
  Record<string, (value: string, call: Call) => (one: T) => boolean>
>;

/** A filter by ids with commas between them. */
export function byIds<T>(name: string, valueOf: (one: T) => number | undefined): Filters<T> {
  return {
    [name]: (value) => {
      const wanted = value.split(',').map((one) => one.trim());
      if (!wanted.every(isWholeIn(0, Infinity))) bad(name, 'must be ids');
      return (one) => wanted.includes(String(valueOf(one)));
    },
  };
}

export const sinceId: Filters<Listed> = {
  since_id: (value, { service }) => {
    if (!isWholeIn(0, Infinity)(value)) bad('since_id', 'must be an id');
    const least = Number(value) + (service.has('since-id-includes-it') ? 0 : 1);
    return ({ id: number }) => number >= least;
  },
};

/** The filters that most lists have. */
export const common: Filters<Listed> = {
  ...sinceId,
  ...byIds('ids', (one: Listed) => one.id),
  created_at_min: (value, call) => {
    if (!isDateTime(value)) bad('created_at_min', 'must be a time with its offset');
    if (call.service.has('times-compared-as-texts'))
      return (one) => compare(time(one.created_at, call), value) >= 0;
    return (one) => one.created_at >= Date.parse(value);
  },
};

/** What matches the filters of a query. */
export function filter<T>(
  call: Call,
  all: readonly T[],
  filters: Filters<T>,
  query: URLSearchParams,
): T[] {
  const given = Object.entries(filters).filter(([name]) => query.has(name));
  const counted = call.service.has('second-filter-ignored') ? given.slice(0, 1) : given;
  const tests = counted.map(([name, read]) => read(query.get(name) ?? '', call));
  return all.filter((one) => tests.every((test) => test(one)));
}

interface List<T> {
  readonly name: string;
  /** The records of the shop, by ids. */
  readonly records: readonly T[];
  readonly filters: Filters<T>;
  readonly show: (one: T) => Json;
  /** Whether the list knows no `fields`. */
  readonly isWhole?: boolean;
}

/** Where the page of a cursor starts and ends. */
function placeOf(
  found: readonly Listed[],
  cursor: URLSearchParams,
  limit: number,
): [number, number] {
  const [after, before] = ['after', 'before'].map((one) => Number(cursor.get(one) ?? Infinity));
  if (after === Infinity) {
    const end = found.findLastIndex(({ id: number }) => number < (before ?? 0)) + 1;
    return [Math.max(0, end - limit), end];
  }
  const at = found.findIndex(({ id: number }) => number > (after ?? 0));
  const start = at < 0 ? found.length : at;
  return [start, start + limit];
}

function limitOf({ incoming, service }: Call): number {
  const text = incoming.query.get('limit') ?? '50';
  const most = service.has('limit-251-accepted') ? 251 : 250;
  return isWholeIn(1, most)(text) ? Number(text) : bad('limit', 'is not valid');
}

/** A page of a list. */
export function listOf<T extends Listed>(call: Call, list: List<T>): Answer {
  const { service, incoming } = call;
  const { has } = service;
  const names = Object.keys(list.filters);
  const limit = limitOf(call);
  const token = incoming.query.get('page_info');
  const isMixed = names.some((one) => incoming.query.has(one));
  if (token !== null && isMixed && !has('filter-beside-page-info'))
    bad('page_info', 'does not go with filters');
  const cursor = token === null ? incoming.query : readCursor(token, service);
  const isBlind = token !== null && has('page-loses-filters');
  const found = filter(call, list.records, isBlind ? {} : list.filters, cursor);
  let [start, end] = token === null ? [0, limit] : placeOf(found, cursor, limit);
  if (token !== null && cursor.has('after') && has('page-skips-record'))
    [start, end] = [start + 1, end + 1];
  const page = found.slice(start, end);
  const linkTo = (rel: string, place: string, number = 0): string => {
    const query = new URLSearchParams({ [place]: String(number) });
    for (const one of names) if (cursor.has(one)) query.set(one, cursor.get(one) ?? '');
    const fields = incoming.query.get('fields');
    const more = new URLSearchParams({
      ...(rel === 'next' && has('page-loses-limit') ? {} : { limit: String(limit) }),
      ...(fields === null ? {} : { fields }),
      page_info: writeCursor(query, service),
    });
    return `<${originOf(incoming.headers)}${incoming.path}?${more.toString()}>; rel="${rel}"`;
  };
  const first = page[0]?.id ?? (found.at(-1)?.id ?? 0) + 1;
  const isBack = start > 0 && !has('previous-link-missing');
  const isMore = found.length > end || (has('last-page-has-next') && page.length === limit);
  const links = [
    ...(isBack ? [linkTo('previous', 'before', first)] : []),
    ...(isMore ? [linkTo('next', 'after', page.at(-1)?.id)] : []),
  ];
  const shown = page.map(list.show);
  const json = { [list.name]: list.isWhole ? shown : shown.map((one) => choose(call, one)) };
  return { status: 200, json, headers: links.length > 0 ? { Link: links.join(', ') } : {} };
}

function writeCursor(query: URLSearchParams, { varies, cursors }: Service): string {
  if (!varies('cursors-are-tokens')) return Buffer.from(query.toString()).toString('base64url');
  const token = randomUUID();
  cursors.set(token, query.toString());
  return token;
}

function readCursor(token: string, { varies, cursors }: Service): URLSearchParams {
  const plain = Buffer.from(token, 'base64url').toString();
  const query = new URLSearchParams(varies('cursors-are-tokens') ? cursors.get(token) : plain);
  const place = query.get('after') ?? query.get('before') ?? '';
  return /^\d+$/.test(place) ? query : bad('page_info', 'is not valid');
}

/** The record with the properties that `fields` names. */
function choose({ incoming, service }: Call, json: Json): Json {
  const all = service.varies('more-properties') ? { ...json, admin_graphql_id: 'gid:1' } : json;
  const names = incoming.query.get('fields')?.split(',');
  if (names === undefined || !['GET', 'HEAD'].includes(incoming.method)) return all;
  const wanted = new Set(names.map((one) => one.trim()));
  return Object.fromEntries(Object.entries(all).filter(([name]) => wanted.has(name)));
}

/** An answer with one record. */
export function answer(call: Call, name: string, json: Json, status = 200): Answer {
  const isWhole = call.service.has('fields-of-one-ignored');
  return { status, json: { [name]: isWhole ? json : choose(call, json) } };
}

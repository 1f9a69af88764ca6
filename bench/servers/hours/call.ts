import { isDate, isDateTime, text, whole, type Rule } from '../serving/fields.ts';
import { compare, isWholeIn, originOf, type Json } from '../serving/requests.ts';
import { readJson, Refused, type Answer, type ServiceRequest } from '../serving/serve.ts';
import type { Account, Kept, Service, User } from './store.ts';

/** A request with the person who sends it, and the account that it is for. */
export interface Call {
  readonly incoming: ServiceRequest;
  readonly service: Service;
  readonly account: Account;
  readonly user: User;
}

const types: Readonly<Record<number, string>> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  422: 'invalid',
};

export function fail(status: number, message: string, fields: readonly string[] = []): never {
  throw new Refused({ status, json: { error: { type: types[status], message, fields } } });
}

export const invalid = (field: string, message: string): never => fail(422, message, [field]);

export const conflict = (message: string): never => fail(409, message);

const bad = (name: string, message: string): never => fail(400, message, [name]);

/** The body, in which the rule has no fault. */
export function readBody({ incoming }: Pick<Call, 'incoming'>, rule: Rule): Json {
  let body: unknown;
  try {
    body = readJson(incoming);
  } catch {
    fail(400, 'The body must be JSON, and application/json.');
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    fail(400, 'The body must be an object.');
  const fault = rule(body, 'body')?.replace(/^body\./, '');
  if (fault === undefined) return body as Json;
  const [field = ''] = fault.split(/[ .[]/);
  return invalid(field, `${fault.replace(/\.$/, '')}.`);
}

export const name = text(1, 100, /\S/);

export const id = whole(1, Number.MAX_SAFE_INTEGER);

/** A number from `min` to `max`. */
export function number(min: number, max: number): Rule {
  return (value, field) =>
    typeof value === 'number' && value >= min && value <= max
      ? undefined
      : `${field} must be a number from ${String(min)} to ${String(max)}.`;
}

/** Hundredths of a number of a request, rounded half up. */
export const hundredths = (value: unknown): number =>
  Math.round(Number((Number(value) * 100).toPrecision(12)));

/** Hundredths of a number that may be null; undefined stays undefined. */
export const hundredthsOf = (value: unknown): number | null | undefined =>
  value === undefined ? undefined : value === null ? null : hundredths(value);

/** The number of these hundredths. */
export const decimal = <T extends number | null>(value: T): number | T =>
  value === null ? value : value / 100;

export function time<T extends number | null>(moment: T, { service }: Call): string | T {
  if (moment === null) return moment;
  if (!service.varies('times-of-lisbon')) return `${new Date(moment).toISOString().slice(0, 19)}Z`;
  return `${new Date(moment + 3_600_000).toISOString().slice(0, 19)}+01:00`;
}

/** A record with what all records show. */
export function showKept({ id: key, created_at, updated_at }: Kept, rest: Json, call: Call): Json {
  const stamps = { created_at: time(created_at, call), updated_at: time(updated_at, call) };
  const more = call.service.varies('more-properties') ? { etag: 'w/81', external_ref: null } : {};
  return { id: key, ...rest, ...stamps, ...more };
}

interface Named {
  readonly id: number;
  readonly name: string;
}

/** The id and the name of a record, as other records show them. */
export const named = (one: Named): Json => ({ id: one.id, name: one.name });

export const nameOf = ({ first_name, last_name }: User): string => `${first_name} ${last_name}`;

/** A person with their whole name. */
export const namedUser = (user: User): Json => named({ id: user.id, name: nameOf(user) });

export const isAdmin = ({ user }: Call): boolean => user.role === 'administrator';

export function needAdmin(call: Call): void {
  if (!isAdmin(call)) fail(403, 'This is for administrators.');
}

/** The record of the account with the id in the path, if it exists for the person. */
export function find<T extends Kept>(
  { incoming, account }: Call,
  place: string,
  records: readonly T[],
  exists: (one: T) => boolean = () => true,
): T {
  const key = incoming.params[place];
  const found = records.find((one) => String(one.id) === key && one.account === account);
  return found !== undefined && exists(found) ? found : fail(404, 'There is no such record.');
}

/** The record of the account that a property names. */
export function refer<T extends Kept>(
  { account }: Call,
  field: string,
  value: unknown,
  records: readonly T[],
): T {
  const found = records.find((one) => one.id === value && one.account === account);
  return found ?? invalid(field, 'There is no such record.');
}

/** The person that a body names, or who sends it. */
export function personOf(call: Call, body: Json): User {
  const given = body['user_id'];
  if (given === undefined) return call.user;
  if (!isAdmin(call) && given !== call.user.id) fail(403, 'Only administrators name others.');
  return refer(call, 'user_id', given, call.service.users);
}

export type Filters<T> = Readonly<
  Record<string, (value: string, call: Call) => (one: T) => boolean>
>;

/** A filter by the id of a record. */
export function byId<T>(place: string, valueOf: (one: T) => number): Filters<T> {
  return {
    [place]: (value) => {
      if (!isWholeIn(0, Infinity)(value)) bad(place, `${place} must be an id.`);
      return (one) => String(valueOf(one)) === value;
    },
  };
}

/** A filter by true or false. */
export function byFlag<T>(
  place: string,
  valueOf: (one: T) => boolean,
  isDeaf: (service: Service) => boolean = () => false,
): Filters<T> {
  return {
    [place]: (value, { service }) => {
      if (!['true', 'false'].includes(value)) bad(place, `${place} must be true or false.`);
      if (value === 'false' && isDeaf(service)) return () => true;
      return (one) => String(valueOf(one)) === value;
    },
  };
}

export const updatedSince: Filters<Kept> = {
  updated_since: (value, call) => {
    const { has } = call.service;
    if (!isDateTime(value)) bad('updated_since', 'updated_since must be a time with its offset.');
    if (has('updated-since-as-text'))
      return (one) => compare(time(one.updated_at, call), value) >= 0;
    const least = Date.parse(value);
    if (has('updated-since-by-creation')) return (one) => one.created_at >= least;
    return (one) => one.updated_at >= least;
  },
};

/** The date of a parameter. */
export function dateOf(place: string, value: string): string {
  return isDate(value) ? value : bad(place, `${place} must be a date.`);
}

interface Dated {
  readonly spent_date: string;
}

export const byDate: Filters<Dated> = {
  from: (value) => {
    dateOf('from', value);
    return (one) => one.spent_date >= value;
  },
  to: (value, { service }) => {
    dateOf('to', value);
    if (service.has('to-excludes-its-day')) return (one) => one.spent_date < value;
    return (one) => one.spent_date <= value;
  },
};

/** What matches the filters of the request. */
function filter<T>(call: Call, all: readonly T[], filters: Filters<T>): T[] {
  const { query } = call.incoming;
  const given = Object.entries(filters).filter(([place]) => query.has(place));
  const counted = call.service.has('second-filter-ignored') ? given.slice(0, 1) : given;
  const tests = counted.map(([place, read]) => read(query.get(place) ?? '', call));
  return all.filter((one) => tests.every((test) => test(one)));
}

/** The number of a parameter. */
function numberOf({ incoming }: Call, place: string, most: number, usual: number): number {
  const given = incoming.query.get(place) ?? String(usual);
  if (isWholeIn(1, most)(given)) return Number(given);
  return bad(place, `${place} must be a number from 1 to ${String(most)}.`);
}

export interface Page<T> {
  readonly rows: readonly T[];
  /** What a list has beside its records. */
  readonly json: Json;
}

/** The page of a list that the request asks for. */
export function pageOf<T>(call: Call, found: readonly T[], names: readonly string[]): Page<T> {
  const { incoming, service } = call;
  const { has } = service;
  const perPage = numberOf(call, 'per_page', 100, 50);
  const page = numberOf(call, 'page', 100_000, 1);
  const start = (page - 1) * perPage + (page > 1 && has('page-skips-record') ? 1 : 0);
  const rows = found.slice(start, start + perPage);
  const share = found.length / perPage;
  const pages = Math.max(1, has('total-pages-cut-off') ? Math.floor(share) : Math.ceil(share));
  const linkTo = (wanted: number | null): string | null => {
    if (wanted === null) return null;
    const query = { page: String(wanted), per_page: String(perPage) };
    const kept = has('links-lose-filters') ? [] : names.filter((one) => incoming.query.has(one));
    const all = [
      ...Object.entries(query),
      ...kept.map((one) => [one, incoming.query.get(one) ?? ''] as [string, string]),
    ];
    const ordered = service.varies('links-in-other-order') ? all.toReversed() : all;
    const more = new URLSearchParams(ordered);
    return `${originOf(incoming.headers)}${incoming.path}?${more.toString()}`;
  };
  const isFull = has('last-page-has-next') && rows.length === perPage;
  const next = page * perPage < found.length || isFull ? page + 1 : null;
  const previous = page > 1 ? page - 1 : null;
  const json = {
    ...{ page, per_page: perPage, total_pages: pages },
    total_entries: has('total-of-page') ? rows.length : found.length,
    ...{ next_page: next, previous_page: previous },
    links: {
      ...{ first: linkTo(1), next: linkTo(next) },
      ...{ previous: linkTo(previous), last: linkTo(pages) },
    },
  };
  return { rows, json };
}

interface List<T> {
  readonly name: string;
  readonly records: readonly T[];
  readonly filters: Filters<T>;
  readonly show: (one: T) => Json;
  /** Sorts before what was created last comes first. */
  readonly by?: (a: T, b: T) => number;
}

/** A page of the records of the account. */
export function listOf<T extends Kept>(call: Call, list: List<T>): Answer {
  const own = list.records.filter((one) => one.account === call.account);
  const { by = () => 0 } = list;
  const found = filter(call, own, list.filters).toSorted((a, b) => by(a, b) || b.id - a.id);
  const { rows, json } = pageOf(call, found, Object.keys(list.filters));
  return { status: 200, json: { [list.name]: rows.map(list.show), ...json } };
}

/** Whether a text is one of another record, whatever the case of its letters. */
export function isTaken<T extends Kept>(
  records: readonly T[],
  { account, but }: { readonly account: Account; readonly but?: Kept },
  isIt: (one: T) => boolean,
): boolean {
  return records.some((one) => one.account === account && one !== but && isIt(one));
}

export const isSame = (a: string | null, b: string | null): boolean =>
  a?.toLowerCase() === b?.toLowerCase();

import type { Rule } from '../serving/fields.ts';
import { isWholeIn, originOf, type Json } from '../serving/requests.ts';
import { readJson, Refused, type Answer, type ServiceRequest } from '../serving/serve.ts';
import type { Environment, Flag, Member, Project, Service, Token } from './store.ts';

/** A request with the token that it has. */
export interface Call {
  readonly incoming: ServiceRequest;
  readonly service: Service;
  readonly token: Token;
}

const codes = {
  400: 'invalid_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
} as const;

export function fail(status: keyof typeof codes, message: string): never {
  throw new Refused({ status, json: { code: codes[status], message } });
}

export const bad = (message: string): never => fail(400, message);

export const conflict = (message: string): never => fail(409, message);

export const key = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** The value, in which the rule has no fault; otherwise refuses with 400. */
export function judge(value: unknown, rule: Rule): Json {
  const fault = rule(value, 'body');
  return fault === undefined ? (value as Json) : bad(fault.replace(/^body\.?/, ''));
}

/** The JSON body. */
export function readBody({ incoming }: Call, rule: Rule): Json {
  let body: unknown;
  try {
    body = readJson(incoming);
  } catch {
    bad('The body must be JSON, and application/json.');
  }
  return judge(body, rule);
}

/** The project in the path. */
export function projectOf({ incoming, service, token }: Call): Project {
  const { projectKey } = incoming.params;
  const isOpen = service.has('project-of-other-account') && incoming.method === 'GET';
  const accounts = isOpen ? Object.values(service.accounts) : [token.account];
  const all = accounts.flatMap(({ projects }) => projects);
  return all.find((one) => one.key === projectKey) ?? fail(404, 'There is no such project.');
}

/** The environment in the path. */
export function environmentOf(call: Call): Environment {
  const { environmentKey } = call.incoming.params;
  const found = projectOf(call).environments.find((one) => one.key === environmentKey);
  return found ?? fail(404, 'There is no such environment.');
}

/** The flag in the path. */
export function flagOf(call: Call): Flag {
  const { featureFlagKey } = call.incoming.params;
  const found = projectOf(call).flags.find((one) => one.key === featureFlagKey);
  return found ?? fail(404, 'There is no such flag.');
}

interface Logged {
  readonly kind: string;
  readonly action: 'created' | 'updated' | 'deleted';
  readonly resource: string;
  readonly name: string;
  readonly comment?: string | undefined;
  readonly date?: number;
}

interface Author {
  readonly service: Service;
  readonly token: Pick<Token, 'account'> & { readonly member: Member };
}

/** Writes an entry to the audit log. */
export function log({ service, token }: Author, logged: Logged): void {
  const { _id, email } = token.member;
  const { kind, action, resource, name, comment = null } = logged;
  const date = logged.date ?? service.now();
  const entry = { date, kind, action, resource, name, comment, member: { _id, email } };
  service.entries.push({ _id: service.newId(), account: token.account, ...entry });
}

/** A link to a path, or to the whole address. */
export function linkTo({ incoming, service }: Call, path: string): Json {
  const base = service.varies('links-are-addresses') ? originOf(incoming.headers) : '';
  return { href: `${base}/api/v2/${path}` };
}

/** A record as it is answered. */
export function shown({ service }: Call, record: Json): Json {
  return service.varies('more-properties') ? { ...record, _access: { allowed: [] } } : record;
}

export const answer = (call: Call, record: Json, status = 200): Answer => ({
  status,
  json: shown(call, record),
});

/** What a part of a filter asks of a record; refuses a value that is not valid. */
export type Parts<T> = Readonly<Record<string, (value: string) => (one: T) => boolean>>;

export interface List<T> {
  readonly records: readonly T[];
  readonly show: (one: T) => Json;
  readonly filters?: Parts<T>;
  /** What holds unless the filter has a part of this name. */
  readonly unless?: Readonly<Record<string, (one: T) => boolean>>;
  /** What `sort` can name, with its value. */
  readonly sorts?: Readonly<Record<string, (one: T) => string | number>>;
  /** How many the list says there are, where that is not the number of records. */
  readonly total?: (found: readonly T[]) => number;
}

/** The records that match all parts of the filter. */
function filtered<T>(call: Call, list: List<T>): T[] {
  const { records, filters = {}, unless = {} } = list;
  const { has } = call.service;
  const text = call.incoming.query.get('filter');
  const parts = text === null || list.filters === undefined ? [] : text.split(',');
  const named = parts.map((part) => {
    const [, name = '', value = ''] = /^([^:]*):(.*)$/.exec(part) ?? [];
    if (value === '') bad('A part of the filter has no value.');
    if (!Object.hasOwn(filters, name) && !has('filter-unknown-accepted'))
      bad(`The list has no filter ${name}.`);
    return { name, value };
  });
  const wanted = has('filter-first-part-only') ? named.slice(0, 1) : named;
  const tags = wanted.filter(({ name }) => name === 'tag' && has('tags-any'));
  const all = (): boolean => true;
  const tests = wanted
    .filter((part) => !tags.includes(part))
    .map(({ name, value }) =>
      Object.hasOwn(filters, name) ? (filters[name]?.(value) ?? all) : all,
    );
  const anyTag = tags.map(({ value }) => filters['tag']?.(value) ?? all);
  const names = new Set(named.map(({ name }) => name));
  for (const [name, test] of Object.entries(unless)) if (!names.has(name)) tests.push(test);
  if (anyTag.length > 0) tests.push((one) => anyTag.some((test) => test(one)));
  return records.filter((one) => tests.every((test) => test(one)));
}

/** In the order that the request asks for; records come in with the newest first. */
function sorted<T>({ incoming }: Call, records: readonly T[], list: List<T>): T[] {
  const asked = incoming.query.get('sort');
  const { sorts } = list;
  if (asked === null || sorts === undefined) return [...records];
  const name = asked.replace(/^-/, '');
  const valueOf = Object.hasOwn(sorts, name) ? sorts[name] : undefined;
  if (valueOf === undefined) return bad('sort is not known.');
  const sign = asked.startsWith('-') ? -1 : 1;
  return records.toSorted((a, b) => {
    const [first, second] = [valueOf(a), valueOf(b)];
    return sign * (first < second ? -1 : Number(first > second));
  });
}

function wholeOf({ incoming }: Call, name: string, ...[least, most, normal]: number[]): number {
  const text = incoming.query.get(name) ?? String(normal);
  return isWholeIn(least ?? 0, most ?? 0)(text) ? Number(text) : bad(`${name} is not valid.`);
}

/** A page of a list, whose records are in the order of the document without `sort`. */
export function listOf<T>(call: Call, list: List<T>): Answer {
  const { has } = call.service;
  const { query, path } = call.incoming;
  const limit = wholeOf(call, 'limit', 1, has('limit-101-accepted') ? 101 : 100, 20);
  const offset = wholeOf(call, 'offset', 0, 1_000_000, 0);
  const found = filtered(call, list);
  const start = has('offset-in-pages') ? offset * limit : offset;
  const cut = (records: readonly T[]): readonly T[] => records.slice(start, start + limit);
  const page = has('page-before-sort')
    ? sorted(call, cut(found), list)
    : cut(sorted(call, found, list));
  const at = path.replace('/api/v2/', '');
  const linkAt = (place: number): Json => {
    const next = new URLSearchParams(query);
    next.set('limit', String(limit));
    next.set('offset', String(place));
    if (has('next-loses-filter') && place > offset) next.delete('filter');
    return linkTo(call, `${at}?${next.toString()}`);
  };
  const own = query.size > 0 ? `?${query.toString()}` : '';
  const links = {
    self: linkTo(call, `${at}${own}`),
    ...(found.length > offset + limit ? { next: linkAt(offset + limit) } : {}),
    ...(offset > 0 ? { prev: linkAt(Math.max(0, offset - limit)) } : {}),
  };
  const total = list.total?.(found) ?? found.length;
  const json = {
    items: page.map((one) => shown(call, list.show(one))),
    totalCount: has('total-of-page') ? page.length : total,
    _links: links,
  };
  return { status: 200, json };
}

/** A filter by a text in a key or a name. */
export const queryIn =
  <T>(textsOf: (one: T) => readonly string[]) =>
  (value: string) =>
  (one: T): boolean =>
    textsOf(one).some((text) => text.toLowerCase().includes(value.toLowerCase()));

/** The sorts of what has a key and a name. */
export const usual = <T extends { readonly key: string; readonly creationDate: number }>(
  nameOf: (one: T) => string,
): NonNullable<List<T>['sorts']> => ({
  key: (one) => one.key,
  name: nameOf,
  creationDate: (one) => one.creationDate,
});

/** The newest first. */
export const newest = <T extends { readonly creationDate: number }>(records: readonly T[]): T[] =>
  records.toSorted((a, b) => b.creationDate - a.creationDate);

import { createHash } from 'node:crypto';
import { parseExactly } from '../exact-json.ts';
import type { Rule } from '../serving/fields.ts';
import {
  compare,
  originOf,
  pointerOf,
  readQuery,
  type Json,
  type QueryRule,
} from '../serving/requests.ts';
import { mediaType, type Answer, type Handler, type ServiceRequest } from '../serving/serve.ts';
import { fail, key, linesOf, type Order, type Service } from './store.ts';

/** A request whose key, parameters and body are valid. */
export interface Call {
  readonly service: Service;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: ServiceRequest['headers'];
  readonly path: string;
  readonly body: Json;
  /** The address of a path in links. */
  readonly at: (path: string) => string;
}

/** What a request to an operation has. */
export interface Form {
  readonly query?: Readonly<Record<string, QueryRule>>;
  readonly body?: Rule;
  /** The media types of the body. */
  readonly types?: readonly string[];
}

const plain = ['application/json', 'application/hal+json'];

function readBody(service: Service, incoming: ServiceRequest, form: Form): Json {
  const { body: rule, types = plain } = form;
  if (rule === undefined) return {};
  const type = mediaType(incoming);
  const isLoose = service.has('any-media-type-accepted') && type === 'text/plain';
  if (incoming.bytes.length > 0 && !types.includes(type) && !isLoose)
    fail(service, 415, `The body must be ${types[0] ?? ''}.`);
  let body: unknown;
  try {
    body = parseExactly(new TextDecoder('utf-8', { fatal: true }).decode(incoming.bytes));
  } catch {
    return fail(service, 400, 'The body is not valid JSON.');
  }
  const fault = rule(body, 'body');
  return fault === undefined ? (body as Json) : fail(service, 422, fault, pointerOf(fault));
}

/** A handler of one operation. */
export function operation(
  service: Service,
  operate: (call: Call) => Answer,
  form: Form = {},
): Handler {
  const { has, varies } = service;
  return (incoming) => {
    const { headers, params, path } = incoming;
    if (headers['x-api-key'] !== key && !has('no-key-needed'))
      fail(service, 401, 'A key is required.');
    const query = readQuery(incoming.query, form.query ?? {}, (name, isKnown) => {
      const value = incoming.query.get(name);
      const isLoose =
        (has('unknown-parameter-accepted') && !isKnown) ||
        (has('unknown-sort-accepted') && name === 'sort') ||
        (has('size-zero-accepted') && name === 'size' && value === '0');
      if (!isLoose) fail(service, 400, `The parameter ${name} is invalid.`);
    });
    const body = readBody(service, incoming, form);
    const origin = varies('links-absolute') ? originOf(headers) : '';
    const at = (to: string): string => origin + to;
    const answer = operate({ service, params, query, headers, path, body, at });
    if (answer.json === undefined) return answer;
    const json = varies('embedded-absent') ? withoutEmpty(answer.json) : answer.json;
    return {
      ...answer,
      headers: { 'Content-Type': 'application/hal+json', ...answer.headers },
      json,
    };
  };
}

/** A resource without members of _embedded that are empty, and without an empty _embedded. */
function withoutEmpty(json: unknown): unknown {
  const { _embedded = {}, ...rest } = json as Json & { _embedded?: Json };
  const full = Object.entries(_embedded).filter(([, part]) => (part as unknown[]).length > 0);
  return full.length === 0 ? rest : { ...rest, _embedded: Object.fromEntries(full) };
}

export function etagOf(service: Service, order: Order): string {
  const { has } = service;
  if (has('etag-constant')) return '"v1"';
  const lines = has('etag-without-lines') ? [] : linesOf(service, order);
  const text = JSON.stringify([order, lines]);
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 16)}"`;
}

/** Refuses a stale If-Match, unless the service forgets to look. */
export function requireMatch({ service, headers }: Call, order: Order, isForgotten = false): void {
  const { has } = service;
  const given = headers['if-match'];
  if (given === undefined || isForgotten || (given === '*' && !has('any-etag-refused'))) return;
  const tags = given.split(',').map((tag) => tag.trim());
  if (!tags.includes(etagOf(service, order)))
    fail(service, has('stale-etag-is-409') ? 409 : 412, 'The order has another ETag.');
}

interface Page<T> {
  readonly page: readonly T[];
  readonly total: number;
  readonly links: Json;
}

/** The page that the query asks for; `every` are the records without a filter. */
export function pageOf<T>(
  { service, query, path, at }: Call,
  choose: (from: number) => { readonly found: readonly T[]; readonly every: readonly T[] },
): Page<T> {
  const { has, varies } = service;
  const { cursor, ...others } = query;
  const asked = new URLSearchParams(
    Object.entries(others).sort(([a], [b]) => compare(a, b)),
  ).toString();
  const from = cursor === undefined ? 0 : readCursor(service, cursor, asked);
  const { found, every } = choose(from);
  const size = has('size-ignored') ? 10 : Number(query['size'] ?? 10);
  const shift = from === 0 ? 0 : has('pages-overlap') ? -1 : has('pages-skip') ? 1 : 0;
  const start = has('cursor-ignored') ? 0 : from + shift;
  const page = found.slice(start, start + size);
  const mark = varies('cursors-are-long') ? `${'next/page='.repeat(12)}==` : '';
  const next = mark + Buffer.from(`${String(from + size)}|${asked}`).toString('base64url');
  const to = (more: Record<string, string>): { href: string } => {
    const text = new URLSearchParams({ ...others, ...more }).toString();
    return { href: at(text === '' ? path : `${path}?${text}`) };
  };
  const hasNext = from + size < found.length || has('next-on-last-page');
  return {
    page,
    total: (has('total-of-page') ? page : has('total-ignores-filter') ? every : found).length,
    links: {
      self: to(cursor === undefined ? {} : { cursor }),
      first: to({}),
      ...(hasNext && !has('next-missing') ? { next: to({ cursor: next }) } : {}),
    },
  };
}

function readCursor(service: Service, cursor: string, asked: string): number {
  const text = Buffer.from(cursor.replace(/^.*==/, ''), 'base64url').toString('utf8');
  const [, from, rest] = /^(\d+)\|(.*)$/s.exec(text) ?? [];
  if (from !== undefined && rest === asked) return Number(from);
  return service.has('any-cursor-accepted') ? 0 : fail(service, 400, 'The cursor is of no list.');
}

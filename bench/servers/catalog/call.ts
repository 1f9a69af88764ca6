import { parseExactly } from '../exact-json.ts';
import type { Rule } from '../serving/fields.ts';
import { hasKey, originOf, readQuery, type Json } from '../serving/requests.ts';
import { mediaType, type Answer, type Handler, type ServiceRequest } from '../serving/serve.ts';
import { checkOptions, choose, readExpand, rules, show, type Options } from './query.ts';
import { etagOf, fail, key, type Row, type Service, type SetName } from './store.ts';

/** A request whose key, options and body are valid. */
export interface Call {
  readonly service: Service;
  readonly params: Readonly<Record<string, string>>;
  readonly options: Options;
  readonly headers: ServiceRequest['headers'];
  readonly path: string;
  readonly origin: string;
  readonly body: Json;
}

/** What a request to an operation has. */
export interface Form {
  /** The set that the query options are about. */
  readonly set?: SetName;
  /** The names of the query options. */
  readonly takes?: readonly string[];
  readonly body?: Rule;
}

function readBody(service: Service, incoming: ServiceRequest, { body: rule }: Form): Json {
  if (rule === undefined) return {};
  if (incoming.bytes.length > 0 && mediaType(incoming) !== 'application/json')
    fail(service, 415, 'The body must be application/json.');
  let body: unknown;
  try {
    body = parseExactly(new TextDecoder('utf-8', { fatal: true }).decode(incoming.bytes));
  } catch {
    return fail(service, 400, 'The body is not valid JSON.');
  }
  const fault = rule(body, 'body');
  if (fault === undefined) return body as Json;
  const [, target] = /^body\.(@?[\w.]+?)(?:\[.*|\.)?(?:\s|$)/.exec(fault) ?? [];
  return fail(service, 400, fault, target);
}

function readOptions(service: Service, { query }: ServiceRequest, form: Form): Options {
  const { has } = service;
  const takes = form.takes ?? [];
  const known = Object.fromEntries(Object.entries(rules).filter(([name]) => takes.includes(name)));
  const found = readQuery(query, known, (name, isKnown) => {
    const value = query.get(name) ?? '';
    const isLoose =
      (has('unknown-option-accepted') && !isKnown) ||
      (has('negative-top-accepted') && name === '$top' && /^-\d+$/.test(value));
    if (!isLoose) fail(service, 400, `${name} is invalid.`, name);
  });
  const options = Object.fromEntries(
    Object.entries(found).map(([name, value]) => [name.slice(1), value]),
  );
  if (form.set !== undefined) {
    checkOptions(service, form.set, options);
    readExpand(service, options['expand'], form.set);
  }
  return options;
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
    if (!hasKey(headers, key) && !has('no-key-needed')) fail(service, 401, 'A key is required.');
    const options = readOptions(service, incoming, form);
    const body = readBody(service, incoming, form);
    const origin = varies('links-relative') ? '' : originOf(headers);
    const answer = operate({ service, params, options, headers, path, origin, body });
    const version = has('version-missing') ? {} : { 'OData-Version': '4.0' };
    return { ...answer, headers: { ...answer.headers, ...version } };
  };
}

/** Refuses a stale If-Match, unless the service forgets to look. */
export function requireMatch({ service, headers }: Call, row: Row, isForgotten = false): void {
  const { has } = service;
  const given = headers['if-match'];
  if (given === undefined || isForgotten || (given === '*' && !has('any-etag-refused'))) return;
  const tags = given.split(',').map((tag) => tag.trim());
  if (!tags.includes(etagOf(service, row)))
    fail(service, has('stale-etag-is-409') ? 409 : 412, 'The product has another ETag.');
}

/** The context URL (OData 4.0, part 1, section 10), with what is selected in parentheses. */
function contextOf({ service, options, headers }: Call, set: SetName): string {
  const nested = readExpand(service, options['expand'], set).flatMap(({ name, options: inner }) =>
    inner['select'] === undefined ? [] : `${name}(${inner['select']})`,
  );
  const names = [options['select'] ?? (nested.length > 0 ? '*' : []), nested].flat();
  const selected = names.length > 0 ? `(${names.join(',').replaceAll(' ', '')})` : '';
  return `${originOf(headers)}/$metadata#${set}${selected}`;
}

/** The response with one entity. */
export function one(call: Call, set: SetName, row: Row, status = 200): Answer {
  const { service, options } = call;
  const context = `${contextOf(call, set)}/$entity`;
  return {
    status,
    headers: set === 'Products' ? { ETag: etagOf(service, row) } : {},
    json: { '@odata.context': context, ...show(service, set, row, options) },
  };
}

/** The entities of a page: at most so many, or what the client prefers. */
function sizeOf({ service, headers }: Call): number {
  const { varies } = service;
  const most = varies('pages-of-seven') ? 7 : 20;
  const [, wanted] = /\bmaxpagesize=(\d+)/.exec(String(headers['prefer'] ?? '')) ?? [];
  const isObeyed = wanted !== undefined && Number(wanted) > 0 && !varies('preferences-ignored');
  return isObeyed ? Math.min(most, Number(wanted)) : most;
}

/** The response with the rows that the options ask for; `gone` are deleted ones. */
export function list(
  call: Call,
  set: SetName,
  rows: readonly Row[],
  gone: readonly Row[] = [],
): Answer {
  const { service, options } = call;
  const { has } = service;
  const { skiptoken, ...others } = options;
  const asked = JSON.stringify([call.path, ...Object.entries(others).flat()]);
  const from = skiptoken === undefined ? 0 : readToken(service, skiptoken, asked);
  const isLater = from > 0;
  const { filter, select, ...plain } = others;
  const kept = {
    ...plain,
    ...(filter === undefined || (isLater && has('next-forgets-filter')) ? {} : { filter }),
    ...(select === undefined || (isLater && has('select-lost-on-next-page')) ? {} : { select }),
  };
  const every = isLater && has('deleted-on-later-pages') ? [...rows, ...gone] : rows;
  const found = choose(service, set, every, kept);
  const limits = windowOf(service, options, isLater);
  const asList = found.slice(limits.skip, limits.end);
  const size = sizeOf(call);
  const start = has('next-page-is-first')
    ? 0
    : from - (isLater && has('next-page-overlaps') ? 1 : 0);
  const page = asList.slice(start, start + size);
  const counted = has('count-of-page') ? page : has('count-ignores-filter') ? rows : found;
  const hasCount = options['count'] === 'true' && !has('count-option-ignored');
  const hasNext = from + size < asList.length || has('next-link-on-last-page');
  const next = linkOf(call, { ...others, skiptoken: writeToken(service, from + size, asked) });
  const context = contextOf(call, set);
  return {
    status: 200,
    json: {
      ...(has('context-missing') ? {} : { '@odata.context': context }),
      ...(hasCount ? { '@odata.count': counted.length } : {}),
      value: page.map((row) => show(service, set, row, kept)),
      ...(hasNext && !has('next-link-missing') ? { '@odata.nextLink': next } : {}),
    },
  };
}

/** The part of the rows that $skip and $top leave. */
function windowOf({ has }: Service, { skip = '0', top }: Options, isLater: boolean) {
  const from = has('skip-ignored') ? 0 : Number(skip);
  const isAll =
    top === undefined ||
    has('top-ignored') ||
    (top === '0' && has('top-zero-all')) ||
    (isLater && has('next-ignores-top')) ||
    Number(top) < 0;
  if (isAll) return { skip: from, end: undefined };
  return { skip: from, end: Number(top) + (has('skip-after-top') ? 0 : from) };
}

function linkOf({ path, origin }: Call, options: Options): string {
  const parts = Object.entries(options).map(
    ([name, value]) => `$${name}=${encodeURIComponent(value)}`,
  );
  return `${origin}${path}?${parts.join('&')}`;
}

function writeToken({ varies }: Service, from: number, asked: string): string {
  const mark = varies('tokens-are-long') ? `${'next/page='.repeat(12)}==` : '';
  return mark + Buffer.from(`${String(from)}|${asked}`).toString('base64url');
}

function readToken(service: Service, token: string, asked: string): number {
  const text = Buffer.from(token.replace(/^.*==/, ''), 'base64url').toString('utf8');
  const [, from, rest] = /^(\d+)\|(.*)$/s.exec(text) ?? [];
  if (from !== undefined && rest === asked) return Number(from);
  if (service.has('any-token-accepted')) return 0;
  return fail(service, 400, 'The $skiptoken is of no list.', '$skiptoken');
}

import { createHash } from 'node:crypto';
import { parseExactly } from '../exact-json.ts';
import type { Rule } from '../serving/fields.ts';
import { originOf, type Json, type QueryRule } from '../serving/requests.ts';
import { mediaType, Refused, type Answer, type ServiceRequest } from '../serving/serve.ts';
import type { Account, Dated, Service } from './store.ts';

/** A request whose credentials are known. */
export interface Call {
  readonly incoming: ServiceRequest;
  readonly service: Service;
  /** Whose token the request has; undefined with a key alone. */
  readonly account: Account | undefined;
  readonly requestId: string;
}

/** Status, code and the German message of each kind of errors. */
const kinds = {
  credentials: [401, 'unauthenticated', 'Die Zugangsdaten fehlen oder sind unbekannt.'],
  forbidden: [403, 'forbidden', 'Dieses Konto darf das nicht.'],
  missing: [404, 'notFound', 'Nicht gefunden.'],
  parameter: [400, 'invalidParameter', 'Ein Parameter ist ungültig.'],
  json: [400, 'invalidBody', 'Der Inhalt ist kein JSON.'],
  type: [415, 'unsupportedMediaType', 'Der Inhalt hat die falsche Art.'],
  member: [422, 'invalidMember', 'Ein Feld ist ungültig.'],
  code: [422, 'wrongCode', 'Der Code ist falsch.'],
  needed: [428, 'preconditionRequired', 'If-Match fehlt.'],
  tag: [412, 'preconditionFailed', 'Der Datensatz wurde geändert.'],
  taken: [409, 'duplicate', 'Das gibt es schon.'],
  state: [409, 'wrongState', 'Das geht in diesem Zustand nicht.'],
  sold: [409, 'soldOut', 'Es sind nicht genug Plätze frei.'],
  key: [409, 'keyReused', 'Der Schlüssel wurde schon verwendet.'],
  often: [429, 'tooManyRequests', 'Zu viele Anfragen.'],
} as const;

export interface Fault {
  readonly message: string;
  readonly target?: string | undefined;
}

export function fail(
  { service, requestId }: Pick<Call, 'service' | 'requestId'>,
  kind: keyof typeof kinds,
  { message, target }: Fault,
): never {
  const [status, code, german] = kinds[kind];
  const isGerman = service.varies('texts-in-german');
  const error = {
    code,
    message: isGerman ? german : message,
    target: service.has('target-missing') ? null : (target ?? null),
    requestId: service.has('request-id-differs') ? `${requestId}-1` : requestId,
    ...(isGerman ? { help: `https://developer.rheintal-transit.example/de/${code}` } : {}),
  };
  throw new Refused({ status, json: { error } });
}

export const failMember = (call: Call, target: string, message: string): never =>
  fail(call, 'member', { message, target });

export const failState = (call: Call, message: string): never => fail(call, 'state', { message });

const merge = 'application/merge-patch+json';

/** The object of the body; refuses what is against the rule. */
export function bodyOf(call: Call, rule: Rule): Json {
  const { incoming, service } = call;
  if (incoming.bytes.length === 0) fail(call, 'json', { message: 'A body is required.' });
  const types = ['application/json', ...(incoming.method === 'PATCH' ? [merge] : [])];
  if (!types.includes(mediaType(incoming)))
    fail(call, 'type', { message: `The body must be ${types.join(' or ')}.` });
  let body: unknown;
  try {
    body = parseExactly(new TextDecoder('utf-8', { fatal: true }).decode(incoming.bytes));
  } catch {
    if (service.has('broken-json-500')) throw new Error('Unexpected token in JSON');
    fail(call, 'json', { message: 'The body is not JSON.' });
  }
  const fault = rule(body, 'body');
  if (fault === undefined) return body as Json;
  const target = /^body\.(\w+)/.exec(fault)?.[1];
  return fail(call, 'member', { message: fault.replace('body.', ''), target });
}

/** The value of a parameter that is given; refuses one that is not valid. */
export function parameter(call: Call, name: string, isValid: QueryRule): string | undefined {
  const value = call.incoming.query.get(name) ?? undefined;
  if (value !== undefined && !isValid(value)) failParameter(call, name);
  return value;
}

export const failParameter = (call: Call, name: string): never =>
  fail(call, 'parameter', { message: `${name} is not valid.`, target: name });

export const isAny: QueryRule = () => true;
export const isIn =
  (names: readonly string[]): QueryRule =>
  (value) =>
    names.includes(value);

/** The placeholder of the path. */
export const placed = ({ incoming }: Call, name: string): string => incoming.params[name] ?? '';

/** The account whose token the request has. */
export const accountOf = (call: Call): Account =>
  call.account ?? fail(call, 'credentials', { message: 'A bearer token is required.' });

/** The record of the path that belongs to the account. */
export function findOwn<T extends { readonly owner: string }>(
  call: Call,
  records: ReadonlyMap<string, T>,
  { name, isShared = false }: { name: string; isShared?: boolean },
): T {
  const record = records.get(placed(call, name));
  if (record !== undefined && (record.owner === accountOf(call).id || isShared)) return record;
  return fail(call, 'missing', { message: 'There is no such record.' });
}

export const urlOf = ({ incoming, service }: Call, path: string): string =>
  `${service.varies('links-absolute') ? originOf(incoming.headers) : ''}${path}`;

const earliest = Date.parse('0000-01-01T00:00:00Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

/** A moment as RFC 3339 in UTC, within the years that it has. */
export const iso = (moment: number): string =>
  new Date(Math.min(Math.max(moment, earliest), latest)).toISOString();

export const isoOrNull = (moment: number | null): string | null =>
  moment === null ? null : iso(moment);

export const datesOf = ({ created, modified }: Dated): Json => ({
  createdAt: iso(created),
  modifiedAt: iso(modified),
});

/** A strong tag of what is shown. */
export const tagOf = (shown: unknown): string =>
  `"${createHash('sha1').update(JSON.stringify(shown)).digest('hex').slice(0, 20)}"`;

const noStore = { 'Cache-Control': 'private, no-store' } as const;

/** How caches are to treat what belongs to a partner. */
export const privacyOf = ({ service }: Call): Readonly<Record<string, string>> =>
  service.has('private-cached') ? { 'Cache-Control': 'public, max-age=60' } : noStore;

interface Shown {
  readonly status?: number;
  readonly tag?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const answer = (data: unknown, { status = 200, tag, headers }: Shown = {}): Answer => ({
  status,
  json: { data },
  headers: { ...headers, ...(tag === undefined ? {} : { ETag: tag }) },
});

/** The tags of a header, without their weakness. */
const tagsIn = (header: string): string[] =>
  header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));

/** The record, or 304 if the client has it already. */
export function answerRead({ incoming }: Call, data: unknown, shown: Shown = {}): Answer {
  const { tag = tagOf(data), headers } = shown;
  const whole = answer(data, { tag, ...(headers === undefined ? {} : { headers }) });
  const { 'if-none-match': none, 'if-modified-since': since } = incoming.headers;
  const last = whole.headers?.['Last-Modified'];
  const isKnown =
    none === undefined
      ? since !== undefined && last !== undefined && Date.parse(last) <= Date.parse(since)
      : tagsIn(none).some((each) => each === '*' || each === tag);
  return isKnown ? { status: 304, headers: whole.headers ?? {} } : whole;
}

/** Whether If-Match, if there is one, names the tag. */
export function isMatch({ incoming }: Call, tag: string): boolean {
  const { 'if-match': given } = incoming.headers;
  if (given === undefined || given.trim() === '*') return true;
  return given.split(',').some((each) => each.trim() === tag);
}

import { parseExactly } from '../exact-json.ts';
import { isDate, isDateTime, type Rule } from '../serving/fields.ts';
import { isWholeIn, originOf, type Json, type QueryRule } from '../serving/requests.ts';
import { mediaType, Refused, type Answer, type ServiceRequest } from '../serving/serve.ts';
import type { Books, Service } from './store.ts';

/** A request with a known token, and the books that it is for. */
export interface Call {
  readonly incoming: ServiceRequest;
  readonly service: Service;
  readonly books: Books;
}

/** Status, code and the Swedish message of each kind of errors. */
const kinds = {
  token: [401, 2000310, 'Ogiltig åtkomstnyckel.'],
  missing: [404, 2000404, 'Posten hittades inte.'],
  json: [400, 2000105, 'Ogiltig JSON.'],
  member: [400, 2000106, 'Ogiltigt värde.'],
  parameter: [400, 2000107, 'Ogiltig parameter.'],
  balance: [400, 2000359, 'Verifikatet balanserar inte.'],
  year: [400, 2000411, 'Räkenskapsår saknas.'],
  period: [409, 2000412, 'Perioden är låst.'],
  taken: [409, 2000434, 'Numret används redan.'],
  state: [409, 2000501, 'Åtgärden är inte tillåten.'],
  version: [409, 2000505, 'Posten har ändrats.'],
  reference: [400, 2000588, 'Referensen finns inte.'],
} as const;

export function fail(
  { has, varies }: Service,
  kind: keyof typeof kinds,
  message: string,
  status: number = kinds[kind][0],
): never {
  const [, code, swedish] = kinds[kind];
  const isSwedish = varies('texts-in-swedish');
  const ErrorInformation = {
    error: 1,
    message: isSwedish ? swedish : message,
    ...(has('errors-without-code') ? {} : { code }),
    ...(isSwedish ? { help: 'https://help.kontora.example' } : {}),
  };
  throw new Refused({ status, json: { ErrorInformation } });
}

/** The member of the body with this name; refuses what is against the rule. */
export function bodyOf({ incoming, service }: Call, name: string, rule: Rule): unknown {
  if (mediaType(incoming) !== 'application/json') fail(service, 'json', 'The body must be JSON.');
  let body: unknown;
  try {
    body = parseExactly(new TextDecoder('utf-8', { fatal: true }).decode(incoming.bytes));
  } catch {
    fail(service, 'json', 'The body is not JSON.');
  }
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  if (!isObject || !Object.hasOwn(body as Json, name))
    fail(service, 'member', `${name} is required.`);
  const value = (body as Json)[name];
  const fault = rule(value, name);
  if (fault !== undefined) fail(service, 'member', fault);
  return value;
}

/** An amount with at most two decimals. */
export const decimal =
  (min: number, max: number, isRounded = false): Rule =>
  (value, name) => {
    const isFine = typeof value === 'number' && value >= min && value <= max;
    if (!isFine) return `${name} must be a number from ${String(min)} to ${String(max)}.`;
    if (Number(value.toFixed(2)) === value || isRounded) return undefined;
    return `${name} must have at most two decimals.`;
  };

/** Hundredths of a number, as öre of kronor. */
export const hundredths = (value: number): number => Math.round(value * 100);
export const kronor = (ore: number): number => ore / 100;

/** The value of a parameter that is given; refuses one that is not valid. */
export function parameter(call: Call, name: string, isValid: QueryRule): string | undefined {
  const value = call.incoming.query.get(name) ?? undefined;
  if (value !== undefined && !isValid(value))
    fail(call.service, 'parameter', `${name} is not valid.`);
  return value;
}

export const isFlag: QueryRule = (value) => value === 'true' || value === 'false';
export const isWhole: QueryRule = isWholeIn(-2147483648, 2147483647);
export const isAny: QueryRule = () => true;

/** Whether a day is within the parameters fromdate and todate. */
export function daysOf(call: Call, isShort = false): (date: string) => boolean {
  const from = parameter(call, 'fromdate', isDate) ?? '';
  const to = parameter(call, 'todate', isDate) ?? '9999-12-31';
  return (date) => date >= from && (isShort ? date < to : date <= to);
}

/** Whether a moment is within the parameter lastmodified. */
export function momentsOf(call: Call): (moment: number) => boolean {
  const given = parameter(call, 'lastmodified', isDateTime);
  return (moment) => given === undefined || moment >= Date.parse(given);
}

export interface Listed<T> {
  readonly name: string;
  readonly records: readonly T[];
  readonly show: (record: T) => Json;
}

/** One page of the records. */
export function pageOf<T>(call: Call, { name, records, show }: Listed<T>): Answer {
  const { has } = call.service;
  const page = Number(parameter(call, 'page', isWholeIn(1, 100_000)) ?? 1);
  const limit = Number(parameter(call, 'limit', isWholeIn(1, 200)) ?? 50);
  const start = (has('page-counts-from-zero') ? page : page - 1) * limit;
  const shown = records.slice(start, start + limit);
  const pages = records.length / limit;
  const MetaInformation = {
    '@TotalResources': has('total-resources-of-page') ? shown.length : records.length,
    '@TotalPages': has('total-pages-rounded-down') ? Math.floor(pages) : Math.ceil(pages),
    '@CurrentPage': page,
  };
  return { status: 200, json: { [name]: shown.map(show), MetaInformation } };
}

export const answer = (name: string, record: Json, status = 200): Answer => ({
  status,
  json: { [name]: record },
});

export const urlOf = ({ incoming, service }: Call, path: string): string =>
  `${service.varies('urls-absolute') ? originOf(incoming.headers) : ''}/v3/${path}`;

/** The placeholder of the path. */
export const placed = ({ incoming }: Call, name: string): string => incoming.params[name] ?? '';

export const writeMoment = (at: number): string => new Date(at).toISOString();

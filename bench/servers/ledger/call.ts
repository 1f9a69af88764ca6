import { parseExactly } from '../exact-json.ts';
import type { Rule } from '../serving/fields.ts';
import { originOf, type Json } from '../serving/requests.ts';
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

export const answer = (name: string, record: Json, status = 200): Answer => ({
  status,
  json: { [name]: record },
});

export const urlOf = ({ incoming, service }: Call, path: string): string =>
  `${service.varies('urls-absolute') ? originOf(incoming.headers) : ''}/v3/${path}`;

/** The placeholder of the path. */
export const placed = ({ incoming }: Call, name: string): string => incoming.params[name] ?? '';

/** When a record was made or last changed. */
export const showMoment = (modified: number): Json => ({
  LastModified: new Date(modified).toISOString(),
});

import { createHash } from 'node:crypto';
import {
  mediaType,
  problem,
  readJson,
  refuse,
  type Answer,
  type ServiceRequest,
} from '../serving/serve.ts';
import { adminKey, type Account, type Service } from './account.ts';
import { etagOf, type Shown } from './show.ts';

/** A request whose token was accepted. */
export interface Admitted extends Shown {
  readonly incoming: ServiceRequest;
}

/** Routes whose token a defect does not look at, by method and path. */
function isOpen({ method, path }: ServiceRequest, { has }: Service): boolean {
  if (method === 'GET' && path === '/invoices') return has('list-without-token');
  if (method === 'GET' && path === '/invoices/csv') return has('csv-without-token');
  if (method === 'PATCH') return has('update-without-token');
  if (path.startsWith('/admin/') && has('admin-key-without-token')) return true;
  return false;
}

/** The account of the token; refuses with 401 without a known one. */
export function admit(incoming: ServiceRequest, service: Service): Admitted {
  const { has, varies, accounts } = service;
  const [, token = ''] = /^bearer +(\S+)$/i.exec(incoming.headers.authorization ?? '') ?? [];
  const [first] = accounts.values();
  const account =
    accounts.get(token) ??
    (token !== '' && has('any-token-accepted') ? first : undefined) ??
    (isOpen(incoming, service) ? first : undefined);
  if (account === undefined) {
    const challenge = varies('challenge-with-details')
      ? 'Bearer realm="ledgerly", error="invalid_token"'
      : 'Bearer';
    return refuse(401, 'A known token is required.', {
      headers: has('challenge-missing') ? {} : { 'WWW-Authenticate': challenge },
    });
  }
  const base = varies('absolute-links') ? `http://${incoming.headers.host ?? 'localhost'}` : '';
  return { incoming, service, account, base };
}

/** Refuses with 403 without the admin key. */
export function requireAdmin({ incoming, service: { has } }: Admitted): void {
  const key = incoming.headers['x-admin-key'];
  if (key === adminKey || has('admin-without-key')) return;
  if (key !== undefined && has('any-admin-key-accepted')) return;
  refuse(403, 'The admin key is missing or wrong.');
}

/** The body as JSON, with what goes wrong in reading it. */
export function bodyOf({ incoming, service: { has } }: Admitted): unknown {
  if (incoming.bytes.length === 0 && has('empty-body-500'))
    throw new TypeError("Cannot read properties of undefined (reading 'customerId')");
  if (has('broken-json-500') && incoming.bytes.length > 0)
    JSON.parse(incoming.bytes.toString('utf8'));
  const types = has('media-type-ignored') ? [mediaType(incoming)] : ['application/json'];
  const body = readJson(incoming, types);
  if (Array.isArray(body) && has('array-body-500'))
    throw new TypeError('body.hasOwnProperty is not a function');
  return body;
}

/** Refuses with 422 if there is a fault. */
export function insist(fault: string | undefined): void {
  if (fault !== undefined) refuse(422, fault);
}

function etags(header: string | undefined): string[] {
  return (header ?? '').split(',').map((tag) => tag.trim());
}

/** Refuses with 412 if the view has another ETag than If-Match says. */
export function requireMatch({ incoming, service }: Admitted, view: object): void {
  const header = incoming.headers['if-match'];
  if (header === undefined || service.has('if-match-ignored')) return;
  const given = etags(header);
  if (!given.includes('*') && !given.includes(etagOf(view, service)))
    refuse(412, 'The record has another ETag.');
}

/** A read: 304 if the client has this version. */
export function respondWith({ incoming, service }: Admitted, view: object): Answer {
  const headers = { ETag: etagOf(view, service) };
  const header = incoming.headers['if-none-match'];
  const given = etags(header).map((tag) => tag.replace(/^W\//, ''));
  const isKnown = given.includes('*') || given.includes(headers.ETag);
  if (header !== undefined && service.has('not-modified-always')) return { status: 304, headers };
  if (isKnown && !service.has('if-none-match-ignored')) return { status: 304, headers };
  return { status: 200, headers, json: view };
}

/** Where first responses are kept. */
function replaysOf({ service, account }: Admitted): Account['replays'] {
  const [first] = service.accounts.values();
  return service.has('idempotency-across-accounts') ? (first ?? account).replays : account.replays;
}

/** Executes a POST once for each Idempotency-Key. */
export async function onceByKey(
  admitted: Admitted,
  execute: () => Answer | Promise<Answer>,
): Promise<Answer> {
  const { incoming, service } = admitted;
  const given = incoming.headers['idempotency-key'];
  if (given === undefined || service.has('idempotency-ignored')) return execute();
  const key = String(given);
  if (key === '' || key.length > 64) return refuse(400, 'Idempotency-Key is too long or empty.');
  const replays = replaysOf(admitted);
  const name = `${incoming.path} ${key}`;
  const body = createHash('sha1').update(incoming.bytes).digest('hex');
  const first = replays.get(name);
  if (first !== undefined) {
    if (first.body !== body && !service.has('idempotency-any-body'))
      return problem(422, 'The Idempotency-Key was used with another body.');
    const marked = { ...first.answer.headers, 'Idempotency-Replayed': 'true' };
    return service.varies('replay-is-marked') ? { ...first.answer, headers: marked } : first.answer;
  }
  const answer = await execute();
  replays.set(name, { body, answer });
  return answer;
}

import { createHash } from 'node:crypto';
import { parseExactly } from '../exact-json.ts';
import { fields, oneOf, whole, type Rule } from '../serving/fields.ts';
import { mediaType, Refused, type Answer, type ServiceRequest } from '../serving/serve.ts';
import type { Binding, Permission, Policy, Queue, Service, User, Vhost } from './store.ts';

export type Json = Readonly<Record<string, unknown>>;

/** A request with its user. */
export interface Call {
  readonly incoming: ServiceRequest;
  readonly service: Service;
  readonly user: User;
}

const errors: Readonly<Record<number, readonly [string, string]>> = {
  400: ['bad_request', 'ugyldig'],
  401: ['not_authorized', 'ukendt bruger'],
  403: ['access_refused', 'ikke tilladt'],
  404: ['not_found', 'findes ikke'],
  409: ['conflict', 'kan ikke lade sig gøre'],
  415: ['unsupported_media_type', 'forkert type'],
};

export function fail({ varies }: Service, status: number, text: string): never {
  const [error, danish] = errors[status] ?? [];
  const reason = varies('other-reasons') ? danish : text;
  const headers = status === 401 ? { 'WWW-Authenticate': 'Basic realm="Burrow"' } : {};
  throw new Refused({ status, headers, json: { error, reason } });
}

/** The user of the credentials; refuses with 401 without a known one. */
export function userOf({ headers }: ServiceRequest, service: Service): User {
  const { has, users } = service;
  const [, given = ''] = /^Basic +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  const [, name = '', password = ''] =
    /^([^:]*):(.*)$/s.exec(Buffer.from(given, 'base64').toString('utf8')) ?? [];
  const user = users.get(name);
  const valid = user?.passwords.slice(0, has('old-password-accepted') ? 2 : 1) ?? [];
  const isRight = valid.includes(password) || has('any-password-accepted');
  if (user === undefined || !isRight) return fail(service, 401, 'wrong user or password');
  if (user.tags.length === 0 && !has('untagged-user-let-in'))
    fail(service, 401, `user '${name}' has no tags`);
  return user;
}

export function needAdministrator({ service, user }: Call): void {
  if (!user.tags.includes('administrator'))
    fail(service, 403, `user '${user.name}' is no administrator`);
}

export const isSeen = ({ name }: Vhost, user: User): boolean => user.permissions.has(name);

export const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name < b.name ? -1 : Number(a.name > b.name);

export const seenVhosts = ({ service, user }: Call, all = false): Vhost[] =>
  [...service.vhosts.values()].filter((vhost) => all || isSeen(vhost, user)).sort(byName);

/** The virtual host of the path; refuses with 404 without one that the user sees. */
export function vhostOf({ incoming, service, user }: Call, isOpen = false): Vhost {
  const name = incoming.params['vhost'] ?? '';
  const vhost = service.vhosts.get(name);
  return vhost !== undefined && (isSeen(vhost, user) || isOpen)
    ? vhost
    : fail(service, 404, `no vhost '${name}'`);
}

/** What has the name that the path has at this place; refuses with 404 without one. */
export function find<T>(call: Call, records: ReadonlyMap<string, T>, place: string): T {
  const name = call.incoming.params[place] ?? '';
  return records.get(name) ?? fail(call.service, 404, `no ${place} '${name}'`);
}

const isMatch = (pattern: string, name: string, isPart: boolean): boolean =>
  pattern !== '' && new RegExp(isPart ? pattern : `^(?:${pattern})$`).test(name);

/** Refuses with 403 if the pattern of the user does not match the name. */
export function need(call: Call, kind: keyof Permission, vhost: Vhost, name: string): void {
  const { service, user } = call;
  const pattern = user.permissions.get(vhost.name)?.[kind] ?? '';
  if (!isMatch(pattern, name, service.has('patterns-find-part')))
    fail(service, 403, `user '${user.name}' may not ${kind} '${name}' in vhost '${vhost.name}'`);
}

/** The JSON value of the body, as the rule wants it. */
export function bodyOf({ incoming, service }: Call, rule: Rule): Json {
  if (incoming.bytes.length > 0 && mediaType(incoming) !== 'application/json')
    fail(service, 415, 'the body must be application/json');
  let body: unknown;
  try {
    body = parseExactly(new TextDecoder('utf-8', { fatal: true }).decode(incoming.bytes));
  } catch {
    fail(service, 400, 'the body is no JSON');
  }
  const fault = rule(body, 'body');
  return fault === undefined ? (body as Json) : fail(service, 400, fault);
}

export function flagOf({ incoming, service }: Call, name: string): boolean {
  const value = incoming.query.get(name) ?? 'false';
  if (!/^(true|false)$/.test(value)) fail(service, 400, `${name} must be true or false`);
  return value === 'true';
}

/** The whole number of a parameter; undefined without it. */
export function numberOf(
  call: Call,
  name: string,
  min: number,
  max = Infinity,
): number | undefined {
  const value = call.incoming.query.get(name);
  if (value === null) return undefined;
  const isFine = /^\d+$/.test(value) && Number(value) >= min && Number(value) <= max;
  return isFine ? Number(value) : fail(call.service, 400, `${name} is out of its bounds`);
}

export const isName = (name: string): boolean => /^[A-Za-z0-9_:-][A-Za-z0-9_.:-]{0,99}$/.test(name);

/** The name of the path; refuses one that nothing can have. */
export function nameOf({ incoming, service }: Call, place = 'name', form = isName): string {
  const name = incoming.params[place] ?? '';
  return form(name) ? name : fail(service, 400, `${place} has the wrong form`);
}

export function refuseReserved({ service }: Call, name: string): void {
  if (name.startsWith('amq.')) fail(service, 403, `names like '${name}' are reserved`);
}

/** The answer to a PUT. */
export const put = (isNew: boolean): Answer => ({ status: isNew ? 201 : 204 });

export const anyObject: Rule = (value, name) => fields({}, [])(value, name);

export const pattern: Rule = (value, name) => {
  if (typeof value !== 'string') return `${name} must be a text.`;
  try {
    return RegExp(value) && /[^\\]\\Z/.test(value) ? `${name} is no pattern.` : undefined;
  } catch {
    return `${name} is no regular expression.`;
  }
};

export const limits = ({ has }: Service): Rule =>
  fields(
    { max_length: whole(1, 1_000_000), overflow: oneOf(['drop_head', 'reject_publish']) },
    [],
    !has('unknown-argument-accepted'),
  );

/** JSON with the members of objects by name. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'bigint'
      ? `${String(part)}n`
      : typeof part === 'object' && part !== null && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
        : part,
  );

/** What identifies a binding within its pair. */
export function keyOf(routingKey: string, given: object, { has, varies }: Service): string {
  const hash = (text: string) => createHash('sha1').update(text).digest('hex').slice(0, 12);
  const isPlain = Object.keys(given).length === 0 || has('arguments-not-compared');
  if (varies('keys-are-hashes')) return hash(canonical([routingKey, given]));
  // Dots alone would be taken for steps in a path, and half of a surrogate pair cannot be in one.
  const isOdd = /^\.+$/.test(routingKey) || !routingKey.isWellFormed();
  const key = isOdd ? `~d${hash(canonical(routingKey))}` : routingKey.replaceAll('~', '~~');
  if (isPlain) return key === '' ? '~' : key;
  return `${key}~${hash(canonical(given))}`;
}

/** The policy that applies to a queue or an exchange. */
export function policyOf(
  vhost: Vhost,
  name: string,
  kind: 'queues' | 'exchanges',
  { has }: Service,
): Policy | undefined {
  const sign = has('lowest-priority-applies') ? -1 : 1;
  return [...vhost.policies.values(), ...vhost.ghosts]
    .filter(({ apply_to }) => apply_to === kind || apply_to === 'all' || has('apply-to-ignored'))
    .filter((policy) => new RegExp(policy.pattern).test(name))
    .sort((a, b) => sign * (b.priority - a.priority) || byName(a, b))[0];
}

/** The lower limit of those that the queue and its policy have. */
export function limitOf(vhost: Vhost, queue: Queue, service: Service): number | undefined {
  const policy = policyOf(vhost, queue.name, 'queues', service)?.definition.max_length;
  const own = queue.arguments.max_length;
  if (policy !== undefined && service.has('policy-limit-alone')) return policy;
  return own === undefined || policy === undefined ? (own ?? policy) : Math.min(own, policy);
}

/** Drops the oldest messages of all queues that have more than they may. */
export function trim(vhost: Vhost, service: Service): void {
  for (const queue of vhost.queues.values()) {
    const limit = limitOf(vhost, queue, service) ?? Infinity;
    if (queue.ready.length > limit) queue.ready = queue.ready.slice(-limit);
  }
}

export const messagesOf = ({ ready, unacknowledged }: Queue): number =>
  ready.length + unacknowledged;

export const isOfPair = (binding: Binding, source: string, destination: string): boolean =>
  binding.source === source && binding.destination === destination;

import { parseExactly } from '../exact-json.ts';
import { isDateTime, pick, type Rule } from '../serving/fields.ts';
import { compare, originOf, sortBy } from '../serving/requests.ts';
import { mediaType, Refused, type Answer, type ServiceRequest } from '../serving/serve.ts';
import { moment, type Entity, type Json, type Service } from './store.ts';

/** A request of a client whose token is known. */
export interface Call {
  readonly incoming: ServiceRequest;
  readonly service: Service;
  readonly client: string;
}

/** What values a filter has. */
export type FilterType = 'text' | 'flag' | 'date' | readonly string[];

/** One kind of entities. */
export interface Kind {
  readonly type: string;
  readonly path: string;
  /** Of an entity as a whole. */
  readonly rule: (service: Service) => Rule;
  /** The attributes that clients give. */
  readonly names: readonly string[];
  /** The attributes that a patch must not have. */
  readonly fixed: readonly string[];
  readonly defaults: (service: Service) => Json;
  readonly filters: Readonly<Record<string, FilterType>>;
  readonly sorts: readonly string[];
  readonly recordsOf: (service: Service) => Map<string, Entity>;
  /** Refuses what the rule does not see: references, states, what is taken. */
  readonly check: (next: Entity, before: Entity | undefined, call: Call) => void;
  readonly show: (entity: Entity, call: Call) => Json;
  /** What is set by the service beside what the client gives. */
  readonly complete?: (next: Entity, before: Entity | undefined, call: Call) => Entity;
  readonly guard?: (entity: Entity, call: Call) => void;
}

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  409: 'Conflict',
  415: 'Unsupported Media Type',
};

/** Refuses with an Error of the TM Forum. */
export function fail({ has, varies }: Service, status: number, message: string): never {
  const isOther = varies('other-messages');
  const json = {
    code: isOther ? `E${String(status)}7` : String(status),
    ...(has('error-without-reason') ? {} : { reason: reasons[status] }),
    message: isOther ? 'See the documentation.' : message,
    status: String(status),
    ...(isOther ? { referenceError: 'https://errors.nordtel.example/7' } : {}),
  };
  throw new Refused({ status, json });
}

/** The JSON object in the body, of this media type. */
export function bodyOf({ incoming, service }: Call, type: string): Json {
  const given = mediaType(incoming);
  const isPlain = service.has('json-as-merge-patch') && given === 'application/json';
  if (incoming.bytes.length > 0 && given !== type && !isPlain)
    fail(service, 415, `The body must be ${type}.`);
  let body: unknown;
  try {
    body = parseExactly(new TextDecoder('utf-8', { fatal: true }).decode(incoming.bytes));
  } catch {
    fail(service, 400, 'The body is not JSON.');
  }
  if (body === null && service.has('null-body-500')) throw new TypeError('body is null');
  return isObject(body) ? body : fail(service, 400, 'The body must be an object.');
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const hrefOf = ({ incoming, service }: Call, path: string, id: string): string =>
  `${service.varies('hrefs-are-paths') ? '' : originOf(incoming.headers)}${path}/${id}`;

/** A reference to an entity, with its present name. */
export function refTo(call: Call, kind: Kind, { id, name }: { id: string; name?: unknown }): Json {
  const { has, names, varies } = call.service;
  const present = kind.recordsOf(call.service).get(id)?.['name'];
  const shown =
    has('reference-name-of-client') && name !== undefined
      ? name
      : has('reference-name-stale')
        ? names.get(id)
        : present;
  return {
    id,
    href: hrefOf(call, kind.path, id),
    ...(shown === undefined ? {} : { name: shown }),
    '@referredType': kind.type,
    ...(varies('refs-with-more') ? { '@baseType': 'EntityRef', version: '1.0' } : {}),
  };
}

/** The entity as it is shown, with the attributes that `fields` selects. */
function view(entity: Entity, call: Call, kind: Kind, isEntry = false): Json {
  const { has, varies } = call.service;
  const { id } = entity;
  const whole = { id, href: hrefOf(call, kind.path, id), ...kind.show(entity, call) };
  const shown = Object.fromEntries(
    Object.entries(whole).filter(
      ([name, value]) =>
        value !== undefined &&
        !(varies('empty-lists-left-out') && Array.isArray(value) && value.length === 0) &&
        !(name === 'href' && isEntry && has('href-missing')),
    ),
  );
  const given = call.incoming.query.get('fields') ?? '';
  if (given === '' || call.incoming.method !== 'GET' || has('fields-ignored')) return shown;
  if (!isEntry && has('fields-in-lists-only')) return shown;
  const names = given.split(',');
  return pick(shown, [...(has('fields-without-id') ? [] : ['id', 'href']), ...names]);
}

/** All values at a path of names with dots, through lists. */
function valuesAt(value: unknown, [name, ...rest]: readonly string[]): unknown[] {
  if (Array.isArray(value)) return value.flatMap((each) => valuesAt(each, [name ?? '', ...rest]));
  if (!isObject(value) || name === undefined) return [];
  const found = Object.hasOwn(value, name) ? value[name] : undefined;
  if (found === undefined) return [];
  return rest.length > 0 ? valuesAt(found, rest) : [found].flat();
}

const signs: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  gt: (a, b) => a > b,
  gte: (a, b) => a >= b,
  lt: (a, b) => a < b,
  lte: (a, b) => a <= b,
};

function isValid(value: string, type: FilterType): boolean {
  if (type === 'flag') return value === 'true' || value === 'false';
  if (type === 'date') return isDateTime(value);
  return type === 'text' || type.includes(value);
}

/** The test of a filter that is given. */
function filterOf(
  name: string,
  type: FilterType,
  call: Call,
): ((shown: Json) => boolean) | undefined {
  const { has } = call.service;
  const given = call.incoming.query.getAll(name).flatMap((text) => text.split(','));
  if (given.length === 0) return undefined;
  if (!given.every((value) => isValid(value, type)))
    fail(call.service, 400, `${name} has a wrong value.`);
  if (has('status-filter-ignored') && name === 'lifecycleStatus') return undefined;
  const wanted = has('first-alternative-only') ? given.slice(0, 1) : given;
  const [, path = name, suffix = ''] = /^(.*)\.([gl]te?)$/.exec(name) ?? [];
  const isMore = signs[suffix];
  const matches = (value: unknown, one: string): boolean => {
    if (isMore === undefined)
      return (
        String(value) === one ||
        (name === 'name' && has('name-filter-by-part') && String(value).includes(one))
      );
    if (suffix === 'lt' && has('start-lt-as-text')) return String(value) < one;
    const [a, b] = [Date.parse(String(value)), Date.parse(one)];
    return isMore(a, b) || (suffix === 'gt' && a === b && has('start-gt-with-bound'));
  };
  return (shown) => {
    const all = valuesAt(shown, path.split('.'));
    const values =
      name === 'category.id' && has('category-filter-first-only') ? all.slice(0, 1) : all;
    return values.some((value) => wanted.some((one) => matches(value, one)));
  };
}

function wholeParameter(call: Call, name: string): number | undefined {
  const value = call.incoming.query.get(name);
  if (value === null) return undefined;
  return /^\d+$/.test(value) ? Number(value) : fail(call.service, 400, `${name} must be a number.`);
}

/** The entities of the list in the order of `sort`. */
function sorted(shown: readonly (readonly [Entity, Json])[], call: Call, kind: Kind) {
  const { has } = call.service;
  const given = call.incoming.query.get('sort') ?? '';
  const names = given === '' ? [] : given.split(',');
  const odd = names.find((name) => !kind.sorts.includes(name.replace(/^[-+ ]/, '')));
  if (odd !== undefined) fail(call.service, 400, 'sort has an unknown attribute.');
  if (has('sort-ignored')) return shown;
  const orders = names.slice(0, has('sort-second-ignored') ? 1 : Infinity).map((name) => ({
    valueOf: ([, one]: readonly [Entity, Json]) => one[name.replace(/^[-+ ]/, '')] ?? null,
    sign: name.startsWith('-') ? -1 : 1,
  }));
  return sortBy(shown, orders);
}

const isOwn = (entity: Entity, { client }: Call): boolean =>
  entity['owner'] === undefined || entity['owner'] === client;

export function list(call: Call, kind: Kind): Answer {
  const { service } = call;
  const { has, varies, ghosts } = service;
  const offset = wholeParameter(call, 'offset') ?? 0;
  const limit = Math.min(wholeParameter(call, 'limit') ?? 20, 100);
  const tests = Object.entries(kind.filters)
    .map(([name, type]) => filterOf(name, type, call))
    .filter((test) => test !== undefined);
  const records = [...kind.recordsOf(service).values()].filter(
    (entity) => isOwn(entity, call) || has('orders-of-others-listed'),
  );
  if (kind.type === 'ProductOffering') records.push(...ghosts);
  if (varies('newest-first')) records.reverse();
  const all = records.map((entity) => [entity, kind.show(entity, call)] as const);
  const shown = all.map(([entity, one]) => [entity, { ...one, id: entity.id }] as const);
  const found = shown.filter(([, one]) => tests.every((test) => test(one)));
  const from = has('offset-ignored') ? 0 : offset;
  const page = sorted(found, call, kind).slice(
    from,
    from + limit + (has('limit-one-more') && limit > 0 ? 1 : 0),
  );
  const total = has('total-count-of-page')
    ? page.length
    : has('total-count-unfiltered')
      ? all.length
      : found.length;
  const json = page.map(([entity]) => view(entity, call, kind, true));
  return {
    status: 200,
    headers: {
      'X-Result-Count': String(has('result-count-of-all') ? found.length : page.length),
      ...(has('total-count-missing') ? {} : { 'X-Total-Count': String(total) }),
    },
    json: json.length === 0 && has('empty-list-null') ? null : json,
  };
}

/** The entity of the path; refuses with 404 without one that the client sees. */
function find(call: Call, kind: Kind): Entity {
  const { incoming, service } = call;
  const entity = kind.recordsOf(service).get(incoming.params['id'] ?? '');
  const isSeen =
    entity !== undefined &&
    (isOwn(entity, call) || (incoming.method === 'GET' && service.has('order-of-other-shown')));
  return isSeen ? entity : fail(service, 404, `There is no such ${kind.type}.`);
}

export function retrieve(call: Call, kind: Kind): Answer {
  const { incoming, service } = call;
  const isGone = !kind.recordsOf(service).has(incoming.params['id'] ?? '');
  if (isGone && kind.type === 'ProductOffering' && service.has('missing-offering-200'))
    return { status: 200, json: { id: incoming.params['id'], href: incoming.path } };
  return { status: 200, json: view(find(call, kind), call, kind) };
}

/** Refuses an entity that is not as it must be. */
function insist(next: Entity, before: Entity | undefined, call: Call, kind: Kind): void {
  const { service } = call;
  const fault = kind.rule(service)(next, 'body');
  if (fault !== undefined) fail(service, 400, fault);
  const { startDateTime: start, endDateTime: end } = (next['validFor'] ?? {}) as Record<
    string,
    string
  >;
  const isBackwards = Date.parse(end ?? '') < Date.parse(start ?? '');
  if (isBackwards && !service.has('end-before-start-accepted'))
    fail(service, 400, 'validFor ends before it starts.');
  kind.check(next, before, call);
}

const meta = ['@type', '@baseType', '@schemaLocation'];

export function create(call: Call, kind: Kind): Answer {
  const { service } = call;
  const body = bodyOf(call, 'application/json');
  const given: Entity = {
    '@type': kind.type,
    '@baseType': 'Entity',
    ...kind.defaults(service),
    ...pick(body, [...kind.names.filter((name) => name !== 'state'), ...meta]),
    id: '',
  };
  insist(given, undefined, call, kind);
  const stamped: Entity = { ...given, id: service.nextId(), lastUpdate: moment(service) };
  const entity = kind.complete?.(stamped, undefined, call) ?? stamped;
  const isLost = kind.type === 'ProductSpecification' && service.has('create-lost');
  if (!isLost) kind.recordsOf(service).set(entity.id, entity);
  service.names.set(entity.id, entity['name']);
  const isOdd = kind.type === 'ProductOffering' && service.has('location-missing-id');
  const headers = { Location: hrefOf(call, kind.path, isOdd ? 'undefined' : entity.id) };
  return { status: 201, headers, json: view(entity, call, kind) };
}

/** A JSON merge patch (RFC 7396). */
function merge(target: unknown, change: unknown, service: Service): unknown {
  const { has } = service;
  if (Array.isArray(change) && Array.isArray(target) && has('patch-appends-to-lists'))
    return [...(target as unknown[]), ...(change as unknown[])];
  if (!isObject(change)) return change;
  const next: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(change))
    if (value !== null) {
      const before = Object.hasOwn(next, name) ? next[name] : undefined;
      const isWhole = name === 'validFor' && has('patch-replaces-nested');
      next[name] = merge(isWhole ? undefined : before, value, service);
    } else if (!has('patch-null-kept')) delete next[name];
  return next;
}

export function patch(call: Call, kind: Kind): Answer {
  const { service } = call;
  const { has } = service;
  const before = find(call, kind);
  const body = bodyOf(call, 'application/merge-patch+json');
  const isId = (name: string): boolean => name === 'id' && has('patch-of-id-ignored');
  const fixed = Object.keys(body).find((name) => kind.fixed.includes(name) && !isId(name));
  if (fixed !== undefined) fail(service, 400, `${fixed} is not patchable.`);
  const changes = pick(body, kind.names);
  const merged = merge(before, changes, service) as Entity;
  const next = {
    ...merged,
    ...(has('patch-drops-description') && !('description' in changes)
      ? { description: undefined }
      : {}),
    ...(has('last-update-unchanged') ? {} : { lastUpdate: moment(service) }),
  };
  if (has('refused-patch-kept') && typeof changes['description'] === 'string')
    kind.recordsOf(service).set(before.id, { ...before, description: changes['description'] });
  if (next['description'] === undefined) delete (next as Record<string, unknown>)['description'];
  insist(next, before, call, kind);
  const entity = kind.complete?.(next, before, call) ?? next;
  const isLost = kind.type === 'ProductOffering' && has('patch-lost');
  kind.recordsOf(service).set(before.id, isLost ? before : entity);
  return { status: 200, json: view(entity, call, kind) };
}

export function remove(call: Call, kind: Kind): Answer {
  const { has, ghosts } = call.service;
  const entity = find(call, kind);
  kind.guard?.(entity, call);
  if (kind.type === 'ProductOffering' && has('deleted-still-listed')) ghosts.push(entity);
  const isKept = kind.type === 'ProductSpecification' && has('delete-not-done');
  if (!isKept) kind.recordsOf(call.service).delete(entity.id);
  return { status: 204 };
}

/** Whether another entity has the same value. */
export const isTaken = (
  kind: Kind,
  next: Entity,
  name: string,
  call: Call,
  own?: Entity,
): boolean =>
  next[name] !== undefined &&
  [...kind.recordsOf(call.service).values()].some(
    (other) =>
      other.id !== own?.id && compare(other[name] ?? null, next[name]) === 0 && isOwn(other, call),
  );

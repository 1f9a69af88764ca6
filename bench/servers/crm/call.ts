import { randomUUID } from 'node:crypto';
import { fields, listOf, text, type Rule } from '../serving/fields.ts';
import { isWholeIn, namesIn, originOf, type Json } from '../serving/requests.ts';
import { readJson, Refused, type ServiceRequest } from '../serving/serve.ts';
import { valueOf } from './computed.ts';
import { alwaysShown, shownByDefault } from './definitions.ts';
import { linked, objectTypes } from './store.ts';
import type { App, ObjectType, Portal, Row, Service } from './store.ts';

/** A request with the private app that sends it. */
export interface Call {
  readonly incoming: ServiceRequest;
  readonly service: Service;
  readonly app: App;
  readonly portal: Portal;
}

/** What is wrong with a property, a parameter or a member of a body. */
export interface Fault {
  readonly in: string;
  readonly code: string;
  readonly message: string;
}

/** An error as responses have it. */
function errorOf(category: string, message: string, more: Json = {}): Json {
  return { status: 'error', message, correlationId: randomUUID(), category, ...more };
}

export function fail(status: number, category: string, message: string, more: Json = {}): never {
  throw new Refused({ status, json: errorOf(category, message, more) });
}

export function invalid(faults: readonly Fault[]): never {
  const message = faults.map((one) => one.message).join(' ');
  return fail(400, 'VALIDATION_ERROR', `The request is not valid: ${message}`, { errors: faults });
}

/** Refuses a parameter or a member of a body. */
export const bad = (place: string, message: string, code = 'INVALID_VALUE'): never =>
  invalid([{ in: place, code, message }]);

export const missing = (what: string, id: string): never =>
  fail(404, 'OBJECT_NOT_FOUND', `There is no ${what} ${id}.`, { context: { ids: [id] } });

/** Refuses an app that has not all of these scopes. */
export function need({ app }: Call, ...scopes: readonly string[]): void {
  const lacking = scopes.filter((one) => !app.scopes.includes(one));
  if (lacking.length > 0)
    fail(403, 'MISSING_SCOPES', `The app needs the scopes ${lacking.join(', ')}.`, {
      context: { requiredScopes: lacking },
    });
}

/** The scope for objects of a type; tasks go with contacts. */
export const scope = (type: ObjectType, right: 'read' | 'write'): string =>
  `crm.objects.${type === 'tasks' ? 'contacts' : type}.${right}`;

/** The body, in which the rule has no fault. */
export function readBody({ incoming }: Pick<Call, 'incoming'>, rule: Rule): Json {
  let body: unknown;
  try {
    body = readJson(incoming);
  } catch {
    bad('body', 'The body must be JSON, and application/json.', 'INVALID_JSON');
  }
  const fault = rule(body, 'body');
  if (fault === undefined) return body as Json;
  const [, place = 'body'] = /^body\.(\w+)/.exec(fault) ?? [];
  return bad(place, fault.replace(/^body\./, ''));
}

/** An object whose members can be anything. */
export const record: Rule = fields({}, []);
/** An id, or the name of something. */
export const id: Rule = text(0, 1000);
export const names: Rule = listOf(id, { max: 100 });

/** The object type that the path names. */
export function typeIn({ incoming }: Call, place: string): ObjectType {
  const given = incoming.params[place] ?? '';
  return objectTypes.find((one) => one === given) ?? missing('object type', given);
}

export function time(moment: number, { varies }: Service): string {
  if (!varies('times-with-offset')) return new Date(moment).toISOString();
  return new Date(moment + 7_200_000).toISOString().replace('Z', '+02:00');
}

/** Whether a record has the id, or another one with the id was merged into it. */
export const isIt = (row: Row, key: string): boolean =>
  row.id === key || row.mergedIds.includes(key);

/** The record of the portal with an id, archived or not. */
export function find(call: Call, type: ObjectType, key: string, isArchived = false): Row {
  const { service, portal } = call;
  const beyond = type === 'contacts' && service.has('contact-of-other-portal');
  const rows = beyond ? service.portals.flatMap((one) => one.rows) : portal.rows;
  const found = rows.find(
    (one) => one.type === type && isIt(one, key) && (one.archivedAt !== null) === isArchived,
  );
  return found ?? missing(type.replace(/ies$/, 'y').replace(/s$/, ''), key);
}

/** The record of the portal that has a value of a unique property. */
export function findBy(
  call: Call,
  type: ObjectType,
  [key, property]: readonly [string, string],
  isArchived = false,
): Row {
  const { portal, service } = call;
  const unique = portal.definitions[type].find((one) => one.name === property);
  if (property === 'record_id') return find(call, type, key, isArchived);
  if (unique?.hasUniqueValue !== true)
    bad('idProperty', 'idProperty must be a property with unique values.');
  const fold = (value: string | undefined): string | undefined =>
    service.has('id-property-minds-case') ? value : value?.toLowerCase();
  const found = portal.rows.find(
    (one) =>
      one.type === type &&
      (one.archivedAt !== null) === isArchived &&
      (fold(one.values.get(property)) === fold(key) ||
        (property === 'email' && one.emails.includes(key.toLowerCase()))),
  );
  return found ?? missing(`record with the ${property}`, key);
}

/** What a response shows of records. */
export interface Shown {
  /** Properties instead of the default ones. */
  readonly properties?: readonly string[];
  readonly associations?: readonly ObjectType[];
}

const singular = (type: ObjectType): string =>
  type === 'companies' ? 'company' : type.slice(0, -1);

export const labelOf = (from: ObjectType, to: ObjectType): string =>
  `${singular(from)}_to_${singular(to)}`;

/** What a record is associated with, as responses have it. */
export function associationsOf({ portal, service }: Call, row: Row, type: ObjectType): Json[] {
  const label = labelOf(row.type, type);
  return linked(portal, row, type, service).map((one) => ({ id: one.id, type: label }));
}

function propertiesOf(call: Call, row: Row, wanted: readonly string[]): Json {
  const { portal, service } = call;
  const definitions = portal.definitions[row.type].filter(
    ({ name }) => wanted.includes(name) || alwaysShown.some((one) => one === name),
  );
  const all = definitions.map(({ name, type }) => {
    const value = valueOf(row, name, portal, service);
    return [name, value && type === 'datetime' ? time(Date.parse(value), service) : value] as const;
  });
  const isOmitting = service.has('empty-property-omitted');
  return Object.fromEntries(all.filter(([, value]) => value !== null || !isOmitting));
}

/** A record as responses have it. */
export function show(call: Call, row: Row, shown: Shown = {}): Json {
  const { service } = call;
  const { properties = shownByDefault[row.type], associations = [] } = shown;
  const linkedTo = associations.map((type) => [type, { results: associationsOf(call, row, type) }]);
  return {
    id: row.id,
    properties: propertiesOf(call, row, properties),
    createdAt: time(row.createdAt, service),
    updatedAt: time(row.updatedAt, service),
    archived: row.archivedAt !== null,
    ...(row.archivedAt === null ? {} : { archivedAt: time(row.archivedAt, service) }),
    ...(linkedTo.length === 0 ? {} : { associations: Object.fromEntries(linkedTo) as unknown }),
    ...(service.varies('more-members') ? { url: `/records/${row.id}`, recordSource: 'API' } : {}),
  };
}

/** What the parameters ask to show. */
export function shownBy(call: Call): Shown {
  const { query } = call.incoming;
  const given = query.get('properties');
  const associations = namesIn(query.get('associations') ?? '').map(
    (name) =>
      objectTypes.find((one) => one === name) ??
      bad('associations', `There is no object type ${name}.`),
  );
  if (!call.service.has('associations-beyond-scope'))
    need(call, ...associations.map((type) => scope(type, 'read')));
  return given === null ? { associations } : { properties: namesIn(given), associations };
}

/** The value of a parameter that is true or false. */
export function flagOf({ incoming }: Call, place: string): boolean {
  const given = incoming.query.get(place) ?? 'false';
  if (given !== 'true' && given !== 'false') bad(place, `${place} must be true or false.`);
  return given === 'true';
}

const opaque = (cursor: string): string => Buffer.from(`at:${cursor}`).toString('base64url');

export const writeCursor = (cursor: string, { varies }: Service): string =>
  varies('opaque-cursors') ? opaque(cursor) : cursor;

/** The number in a cursor that an answer had. */
export function readCursor(given: string, { varies }: Service): number {
  const plain = varies('opaque-cursors')
    ? Buffer.from(given, 'base64url').toString().replace(/^at:/, '')
    : given;
  if (!isWholeIn(0, Number.MAX_SAFE_INTEGER)(plain))
    bad('after', 'after must be the cursor of a page.');
  return Number(plain);
}

/** The page of records, in the order of their ids, that the request asks for. */
export function pageOf<T extends { readonly id: string }>(
  call: Call,
  all: readonly T[],
  isShown: (one: T) => boolean,
): { readonly rows: readonly T[]; readonly paging: Json } {
  const { incoming, service } = call;
  const { query, path, headers } = incoming;
  const { has } = service;
  const given = query.get('limit') ?? '10';
  if (!isWholeIn(1, 100)(given)) bad('limit', 'limit must be a number from 1 to 100.');
  const [limit, after] = [Number(given), query.get('after')];
  const start = after === null ? 0 : readCursor(after, service);
  const isLate = has('archived-left-out-of-page');
  const rest = all
    .filter((one) => Number(one.id) > start && (isLate || isShown(one)))
    .slice(after !== null && has('page-skips-record') ? 1 : 0);
  const cut = rest.slice(0, limit);
  const rows = cut.filter(isShown);
  const last = cut.at(-1);
  const isMore = rest.length > limit || (has('last-page-has-next') && cut.length === limit);
  if (!isMore || last === undefined) return { rows, paging: {} };
  const cursor = writeCursor(last.id, service);
  const more = new URLSearchParams(query);
  more.set('after', cursor);
  if (has('link-loses-properties')) more.delete('properties');
  const link = `${originOf(headers)}${path}?${more.toString()}`;
  return { rows, paging: { paging: { next: { after: cursor, link } } } };
}

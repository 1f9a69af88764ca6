import { fields, type Rule } from '../serving/fields.ts';
import { isWholeIn, type Json } from '../serving/requests.ts';
import { readJson, Refused, type Answer, type ServiceRequest } from '../serving/serve.ts';
import { keep, type Base, type Change, type Rec, type Service, type UserName } from './store.ts';
import type { TableName } from './tables.ts';

/** A request with its user. */
export interface Call {
  readonly incoming: ServiceRequest;
  readonly service: Service;
  readonly user: UserName;
}

/** Thrown for an error. */
export function fail(status: number, type: string, message: string): never {
  throw new Refused({ status, json: { error: { type, message } } });
}

export const invalid = (message: string): never => fail(422, 'INVALID_REQUEST_UNKNOWN', message);

export const none = (): never => fail(404, 'NOT_FOUND', 'Could not find what you are looking for.');

export const anObject = fields({}, []);

/** The body, which the rule has no fault in. */
export function readBody({ incoming, service }: Call, rule: Rule): Json {
  if (incoming.bytes.length > 65_536 && !service.has('too-large-accepted'))
    fail(413, 'REQUEST_TOO_LARGE', 'The body has more than 64 KiB.');
  let body: unknown;
  try {
    body = readJson(incoming);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    invalid('The body is not JSON.');
  }
  const fault = rule(body, 'body');
  return fault === undefined ? (body as Json) : invalid(fault);
}

export const levelOf = (base: Base, user: UserName): 'owner' | 'read' | undefined =>
  base.owner === user ? 'owner' : base.readers.includes(user) ? 'read' : undefined;

/** The base of the path; refuses a user who may not do what is needed with it. */
export function findBase(
  { incoming, service, user }: Call,
  needs: 'write' | 'read' | 'nothing',
): Base {
  const base = service.bases.get(incoming.params['baseId'] ?? '') ?? none();
  const level = levelOf(base, user);
  if (level === undefined && needs !== 'nothing') none();
  if (level === 'read' && needs === 'write')
    fail(403, 'INVALID_PERMISSIONS', 'You are not permitted to change this base.');
  return base;
}

export function findRecord({ incoming, service }: Call, base: Base, table: TableName): Rec {
  const id = incoming.params['recordId'] ?? '';
  const bases = service.has('record-of-other-base') ? [base, ...service.bases.values()] : [base];
  return bases.map(({ records }) => records[table].get(id)).find((one) => one) ?? none();
}

/** Which records a request named, by what happened to them. */
export type Changes = Readonly<Partial<Record<Change, readonly Rec[]>>>;

/** Tells the webhooks of the table. */
function tell(call: Call, [base, table]: readonly [Base, TableName], changes: Changes): void {
  for (const { payloads, changes: wanted, ...hook } of base.webhooks.values()) {
    const idsOf = (change: Change): string[] =>
      wanted.includes(change) ? (changes[change] ?? []).map(({ id }) => id) : [];
    const [created, changed] = [idsOf('created'), idsOf('changed')];
    const ids = { created, changed, destroyed: idsOf('destroyed') };
    const isTold = Object.values(ids).some((all) => all.length > 0);
    if (hook.table === table && (isTold || Object.keys(changes).length === 0))
      payloads.push({ table, user: call.user, time: Date.now(), ids });
  }
}

type Half = 'create-half-done' | 'update-half-done' | 'delete-half-done';

/** Does the work entirely, or nothing of it, and tells the webhooks. */
export function transact<T extends Changes>(
  call: Call,
  [base, table, half]: readonly [Base, TableName, Half?],
  work: () => T,
): T {
  const { has } = call.service;
  const restore = keep(base);
  try {
    const changes = work();
    tell(call, [base, table], changes);
    return changes;
  } catch (error) {
    if (half === undefined || !has(half)) restore();
    if (has('payload-for-refused')) tell(call, [base, table], {});
    throw error;
  }
}

/** The number in a parameter of the query. */
export function wholeOf({ incoming }: Call, name: string, max: number, standard: number): number {
  const value = incoming.query.get(name);
  if (value === null) return standard;
  return isWholeIn(1, max)(value) ? Number(value) : invalid(`${name} is not valid.`);
}

interface Paged<T> {
  /** The same for all pages of a list. */
  readonly key: string;
  readonly size: number;
  /** What the answer before had; none for the first page. */
  readonly token: string | undefined;
  /** All of which the list is a part, as they are now. */
  readonly all: () => readonly T[];
  /** The list, in its order. */
  readonly list: (all: readonly T[]) => readonly T[];
  readonly isQuery?: boolean;
}

interface Page<T> {
  readonly items: readonly T[];
  /** The token for the next page. */
  readonly next: string | undefined;
}

/** A page of a list, which is that of its first page. */
export function pageOf<T extends { readonly id: string }>(
  { service }: Call,
  { key, size, token, all, list, isQuery = false }: Paged<T>,
): Page<T> {
  const { has } = service;
  const rest = token === undefined ? undefined : service.rests.get(token);
  if (token !== undefined && rest?.key !== key && !has('bad-offset-first-page'))
    fail(422, 'LIST_RECORDS_ITERATOR_NOT_AVAILABLE', 'The offset is not valid.');
  const first = (): string[] => list(all()).map(({ id }) => id);
  const ids = rest?.key === key ? rest.ids : first;
  const known = new Map(all().map((one) => [one.id, one]));
  const live = ids().filter((id) => known.has(id));
  const page = live.slice(0, size);
  let left = live.slice(size + (has('page-skips-one') ? 1 : 0));
  if (has('sort-lost-on-next-page')) left = [...known.keys()].filter((id) => left.includes(id));
  if (has('query-cursor-drops-filter') && isQuery)
    left = [...known.keys()].filter((id) => !page.includes(id));
  const items = page.flatMap((id) => known.get(id) ?? []);
  const mayEnd = isQuery ? has('has-more-at-end') : service.varies('empty-last-page');
  if (left.length === 0 && !(mayEnd && page.length === size)) return { items, next: undefined };
  const next = service.newId('itr');
  const again = has('page-shifts-on-delete');
  service.rests.set(next, { key, ids: again ? () => ids().slice(size) : () => left });
  return { items, next };
}

/** The member `offset` of a list, if there is a next page. */
export const offsetOf = ({ next }: Page<unknown>): Json =>
  next === undefined ? {} : { offset: next };

export const done = (json: unknown): Answer => ({ status: 200, json });

import { isDate } from '../serving/fields.ts';
import { refuse, type ServiceRequest } from '../serving/serve.ts';
import type { Customer, Invoice, Service } from './account.ts';
import { cents, money } from './money.ts';
import { totalsOf } from './show.ts';

export const statuses = ['draft', 'sent', 'paid', 'void'];

/** The value of a parameter that is given at most once. */
export function once(incoming: ServiceRequest, name: string): string | undefined {
  const [value, ...more] = incoming.query.getAll(name);
  if (more.length > 0) return refuse(400, `${name} is given more than once.`);
  return value;
}

/** The value of a parameter, which passes the test. */
function tested(
  incoming: ServiceRequest,
  name: string,
  passes: (value: string) => boolean,
): string | undefined {
  const value = once(incoming, name);
  return value === undefined || passes(value) ? value : refuse(400, `${name} is invalid.`);
}

interface Cursor {
  readonly after: string;
  readonly at: number;
}

/** What a list query has in common for all lists. */
export interface Paging {
  readonly limit: number;
  readonly cursor: Cursor | undefined;
  readonly sort: string | undefined;
}

export function readPaging(
  incoming: ServiceRequest,
  sorts: readonly string[],
  service: Service,
): Paging {
  const sort = tested(incoming, 'sort', (value) => sorts.includes(value));
  return { limit: readLimit(incoming, service), cursor: readCursor(incoming, service), sort };
}

function readLimit(incoming: ServiceRequest, { has }: Service): number {
  const limit = once(incoming, 'limit');
  if (limit === undefined) return has('default-limit-ignored') ? 1_000 : 20;
  if (has('huge-limit-500') && limit.length > 18) throw new RangeError('value out of range');
  if (!/^\d+$/.test(limit) || Number(limit) < 1)
    return refuse(400, 'limit must be a whole number from 1 to 100.');
  if (Number(limit) > 100)
    return has('huge-limit-accepted')
      ? 100
      : refuse(400, 'limit must be a whole number from 1 to 100.');
  return has('limit-ignored') ? 20 : Number(limit) + (has('limit-one-more') ? 1 : 0);
}

function readCursor(incoming: ServiceRequest, { has }: Service): Cursor | undefined {
  const cursor = once(incoming, 'cursor');
  if (cursor === undefined) return undefined;
  try {
    const [mark, after, at] = JSON.parse(
      Buffer.from(cursor, 'base64url').toString('utf8'),
    ) as unknown[];
    if (mark === 'c1' && typeof after === 'string' && Number.isSafeInteger(at))
      return { after, at: at as number };
  } catch (error) {
    if (has('foreign-cursor-500')) throw error;
  }
  return refuse(400, 'The cursor is not one of this service.');
}

function writeCursor({ after, at }: Cursor, { varies }: Service): string {
  const extra = varies('cursors-are-long') ? [Math.random(), 'x'.repeat(80)] : [];
  return Buffer.from(JSON.stringify(['c1', after, at, ...extra])).toString('base64url');
}

export interface Page<T> {
  readonly data: readonly T[];
  readonly nextCursor: string | null;
}

/** The page of the sorted records that the cursor leads to. */
export function pageOf<T extends { readonly id: string }>(
  records: readonly T[],
  { limit, cursor }: Paging,
  service: Service,
): Page<T> {
  const { has } = service;
  const found = records.findIndex(({ id }) => id === cursor?.after);
  let from = cursor === undefined ? 0 : found === -1 ? cursor.at : found + 1;
  if (cursor !== undefined && has('cursor-ignored')) from = 0;
  if (cursor !== undefined && has('cursor-skips-one')) from += 1;
  if (cursor !== undefined && has('cursor-repeats-one')) from -= 1;
  const data = records.slice(from, from + limit);
  const last = data.at(-1);
  const isLast = from + limit >= records.length || last === undefined;
  if (has('cursor-never-null') && isLast)
    return { data, nextCursor: writeCursor({ after: '', at: 0 }, service) };
  if (isLast || (has('cursor-ends-early') && cursor !== undefined))
    return { data, nextCursor: null };
  return { data, nextCursor: writeCursor({ after: last.id, at: from + limit }, service) };
}

function byText(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

function contains(text: string, part: string, { has }: Service): boolean {
  if (has('search-as-pattern')) return new RegExp(part, 'i').test(text);
  if (has('bracket-in-search-500')) RegExp(part, 'i');
  if (has('search-is-case-sensitive')) return text.includes(part);
  return text.toLowerCase().includes(part.toLowerCase());
}

const isSearch = (value: string): boolean => value !== '' && [...value].length <= 60;

/** The customers that match the query, sorted. */
export function findCustomers(
  all: readonly Customer[],
  incoming: ServiceRequest,
  { service, sort }: { service: Service; sort: string | undefined },
): Customer[] {
  const country = tested(incoming, 'country', (value) => /^[A-Z]{2}$/.test(value));
  const search = tested(incoming, 'q', isSearch);
  const found = all.filter(
    (one) =>
      (country === undefined || one.country === country || service.has('country-filter-ignored')) &&
      (search === undefined ||
        contains(one.name, search, service) ||
        contains(one.email, search, service)),
  );
  if (sort === undefined) return found;
  const sign = sort.startsWith('-') ? -1 : 1;
  return found.sort(
    (a, b) =>
      sign *
      (sort.endsWith('name')
        ? byText(a.name, b.name)
        : a.createdAt.getTime() - b.createdAt.getTime()),
  );
}

/** The filters of a list of invoices. */
export interface InvoiceFilters {
  readonly status: string | undefined;
  readonly customerId: string | undefined;
  readonly issuedAfter: string | undefined;
  readonly minTotal: string | undefined;
  readonly search: string | undefined;
  readonly tags: readonly string[];
}

export function readFilters(incoming: ServiceRequest, { has }: Service): InvoiceFilters {
  const amount = /^(0|[1-9]\d{0,9})\.\d{2}$/;
  const tags = incoming.query.getAll('tag');
  if (tags.length > 5 || tags.some((tag) => !/^[a-z0-9-]{1,20}$/.test(tag)))
    refuse(400, 'tag is invalid.');
  return {
    status: tested(
      incoming,
      'status',
      (value) => statuses.includes(value) || has('bad-status-filter-accepted'),
    ),
    customerId: tested(incoming, 'customerId', (value) => value !== '' && value.length <= 40),
    issuedAfter: tested(incoming, 'issuedAfter', (value) => {
      if (has('odd-date-500')) new Date(value).toISOString();
      return isDate(value);
    }),
    minTotal: tested(incoming, 'minTotal', (value) => amount.test(value)),
    search: tested(incoming, 'q', isSearch),
    tags: has('only-last-tag-counts') ? tags.slice(-1) : tags,
  };
}

/** Whether the invoice matches all filters. */
export function matches(invoice: Invoice, filters: InvoiceFilters, service: Service): boolean {
  const { has } = service;
  const { status, customerId, search, tags } = filters;
  const isStatus = status === undefined || invoice.status === status;
  const isCustomer = customerId === undefined || invoice.customerId === customerId;
  const isTagged = (tag: string): boolean => invoice.tags.includes(tag);
  if (has('filters-joined-by-or') && status !== undefined && customerId !== undefined) {
    if (!isStatus && !isCustomer) return false;
  } else if (
    (!isStatus && !has('status-filter-ignored')) ||
    (!isCustomer && !has('customer-filter-ignored'))
  )
    return false;
  if (tags.length > 0)
    if (has('tags-any-instead-of-all') ? !tags.some(isTagged) : !tags.every(isTagged)) return false;
  if (search !== undefined) {
    const texts = has('search-leaves-out-note')
      ? [invoice.number]
      : [invoice.number, invoice.note ?? ''];
    if (!texts.some((text) => contains(text, search, service))) return false;
  }
  return isLateEnough(invoice, filters, service) && isLargeEnough(invoice, filters, service);
}

function isLateEnough(
  invoice: Invoice,
  { issuedAfter }: InvoiceFilters,
  { has }: Service,
): boolean {
  if (issuedAfter === undefined || invoice.issuedOn > issuedAfter) return true;
  return has('issued-after-includes-day') && invoice.issuedOn === issuedAfter;
}

function isLargeEnough(invoice: Invoice, { minTotal }: InvoiceFilters, service: Service): boolean {
  if (minTotal === undefined) return true;
  const { total } = totalsOf(invoice, service);
  if (service.has('min-total-as-text')) return money(total) >= minTotal;
  if (service.has('min-total-excludes-bound')) return total > cents(minTotal);
  return total >= cents(minTotal);
}

/** The invoices in the requested order. */
export function sortInvoices(
  invoices: readonly Invoice[],
  { sort }: Paging,
  { service, isFiltered }: { service: Service; isFiltered: boolean },
): readonly Invoice[] {
  const { has } = service;
  if (sort === undefined || has('sort-ignored')) return invoices;
  if (isFiltered && has('sort-lost-with-filter')) return invoices;
  const sign = sort.startsWith('-') && !has('descending-ignored') ? -1 : 1;
  const total = (one: Invoice): bigint => totalsOf(one, service).total;
  const compare = (a: Invoice, b: Invoice): number => {
    if (sort.endsWith('number')) return byText(a.number, b.number);
    if (sort.endsWith('issuedOn')) return byText(a.issuedOn, b.issuedOn);
    if (has('total-sorted-as-text')) return byText(money(total(a)), money(total(b)));
    return Number(total(a) - total(b));
  };
  return invoices.toSorted((a, b) => sign * compare(a, b));
}

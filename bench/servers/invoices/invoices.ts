import { date, fields, listOf, oneOf, orNull, pick, text, whole } from '../serving/fields.ts';
import type { Rule } from '../serving/fields.ts';
import { problem, refuse, type Answer } from '../serving/serve.ts';
import type { Account, Invoice, InvoiceFields } from './account.ts';
import { matches, pageOf, readFilters, readPaging, sortInvoices } from './list.ts';
import { bodyOf, insist, onceByKey, requireMatch, respondWith, type Admitted } from './request.ts';
import { etagOf, showInvoice } from './show.ts';

const names = ['customerId', 'currency', 'issuedOn', 'taxPercent', 'note', 'tags'];

function bodyRule({ service: { has } }: Admitted): Rule {
  const price = text(4, 9, /^(0|[1-9]\d{0,5})\.\d{2}$/);
  const anyPrice: Rule = (value, name) =>
    typeof value === 'number' ? undefined : price(value, name);
  const line = fields(
    {
      description: text(1, 200),
      quantity: whole(has('zero-quantity-accepted') ? 0 : 1, 1_000),
      unitPrice: has('number-amount-accepted') ? anyPrice : price,
    },
    ['description', 'quantity', 'unitPrice'],
  );
  return fields(
    {
      customerId: text(1, 40),
      currency: oneOf(['EUR', 'CHF', 'NOK']),
      issuedOn: has('impossible-date-accepted') ? text(10, 10, /^\d{4}-\d\d-\d\d$/) : date,
      lines: listOf(line, { min: has('no-lines-accepted') ? 0 : 1, max: 20 }),
      taxPercent: whole(0, 30),
      note: orNull(text(0, 500)),
      tags: listOf(text(1, 20, /^[a-z0-9-]{1,20}$/), { max: 5, unique: true }),
    },
    ['customerId', 'lines'],
  );
}

/** The fields that a body sets, with the defaults of those that it does not contain. */
function fieldsOf({ service: { has } }: Admitted, body: unknown): InvoiceFields {
  const { lines } = body as InvoiceFields;
  const kept = lines.map(({ description, quantity, unitPrice }) => ({
    description,
    quantity,
    unitPrice: typeof unitPrice === 'number' ? Number(unitPrice).toFixed(2) : unitPrice,
  }));
  const given = {
    currency: has('default-currency-wrong') ? 'CHF' : 'EUR',
    issuedOn: new Date().toISOString().slice(0, 10),
    taxPercent: 0,
    note: null,
    tags: [],
    ...pick(body, names),
    lines: has('lines-reversed') ? kept.reverse() : kept,
  } as unknown as InvoiceFields;
  if (has('impossible-date-accepted'))
    given.issuedOn = new Date(given.issuedOn).toISOString().slice(0, 10);
  if (has('note-trimmed')) given.note = given.note?.trim() ?? null;
  if (has('tags-sorted')) given.tags = given.tags.toSorted();
  return given;
}

/** All customers whom an invoice of the account may name. */
function isCustomer({ account, service }: Admitted, id: string): boolean {
  const others: Iterable<Account> = service.has('other-account-referenced')
    ? service.accounts.values()
    : [account];
  return [...others].some(({ customers }) => customers.has(id));
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 60));

function check(admitted: Admitted, body: unknown): void {
  const { lines } = { ...(body as { lines?: unknown }) };
  if (lines === null && admitted.service.has('null-lines-500'))
    throw new TypeError("Cannot read properties of null (reading 'map')");
  insist(bodyRule(admitted)(body, 'body'));
}

async function nextNumber({ account, service }: Admitted): Promise<string> {
  const year = String(new Date().getUTCFullYear());
  const next = account.lastNumber + (service.varies('numbers-have-gaps') ? 3 : 1);
  if (service.has('number-race')) await pause();
  account.lastNumber = next;
  return `${year}-${String(next).padStart(4, '0')}`;
}

export function createInvoice(admitted: Admitted): Promise<Answer> {
  const { account, service, base } = admitted;
  const { has } = service;
  const body = bodyOf(admitted);
  return onceByKey(admitted, async () => {
    check(admitted, body);
    const given = fieldsOf(admitted, body);
    if (!isCustomer(admitted, given.customerId) && !has('unknown-customer-accepted'))
      refuse(422, 'There is no such customer.');
    const { status, id, total } = body as Record<string, unknown>;
    const invoice: Invoice = {
      id: has('id-writable') && typeof id === 'string' ? id : service.nextId('inv'),
      number: await nextNumber(admitted),
      status: has('status-writable') && typeof status === 'string' ? status : 'draft',
      ...given,
      payments: [],
      createdAt: new Date(),
      version: 1,
      wrong: has('total-writable') && typeof total === 'string' ? { total } : {},
    };
    const customer = account.customers.get(invoice.customerId);
    if (has('count-not-raised') && customer !== undefined) customer.surplus -= 1;
    account.invoices.set(invoice.id, invoice);
    const view = showInvoice(invoice, admitted) as { customer: object };
    if (has('copy-is-stale')) invoice.wrong = { customer: view.customer };
    if (has('create-lost')) account.invoices.delete(invoice.id);
    return {
      status: has('create-answers-200') ? 200 : 201,
      headers: {
        Location: `${base}/invoices${has('location-of-list') ? '' : `/${invoice.id}`}`,
        ETag: etagOf(view, service),
      },
      json: view,
    };
  });
}

export function listInvoices(admitted: Admitted): Answer {
  const { incoming, account, service } = admitted;
  const { has } = service;
  const sorts = ['total', 'issuedOn', 'number'].flatMap((field) => [field, `-${field}`]);
  const paging = readPaging(incoming, sorts, service);
  const read = readFilters(incoming, service);
  const filters =
    paging.cursor !== undefined && has('cursor-forgets-filter')
      ? { ...read, status: undefined }
      : read;
  const all = [...service.accounts.values()].flatMap((one) => [...one.invoices.values()]);
  const own = has('other-account-listed') ? all : [...account.invoices.values()];
  const early = has('filter-after-page') ? { ...filters, status: undefined } : filters;
  const found = own.filter((one) => matches(one, early, service));
  const isFiltered = found.length < own.length;
  const sorted = has('sort-within-page')
    ? found
    : sortInvoices(found, paging, { service, isFiltered });
  const { data, nextCursor } = pageOf(sorted, paging, service);
  const page = has('sort-within-page') ? sortInvoices(data, paging, { service, isFiltered }) : data;
  const views = page
    .filter((one) => !has('filter-after-page') || matches(one, filters, service))
    .map((one) => showInvoice(one, { ...admitted, account: ownerOf(admitted, one) }, true));
  const totalCount = has('count-of-page')
    ? views.length
    : has('count-of-all')
      ? own.length
      : has('other-account-counted')
        ? all.filter((one) => matches(one, filters, service)).length
        : found.length;
  const next = new URLSearchParams(incoming.query);
  next.set('cursor', nextCursor ?? '');
  return {
    status: 200,
    headers:
      service.varies('links-in-headers') && nextCursor !== null
        ? { Link: `</invoices?${next.toString()}>; rel="next"` }
        : {},
    json: {
      data: views.length === 0 && has('empty-page-is-null') ? null : views,
      totalCount,
      nextCursor,
    },
    cut: has('body-cut-off'),
  };
}

function ownerOf({ account, service }: Admitted, invoice: Invoice): Account {
  return [...service.accounts.values()].find((one) => one.invoices.has(invoice.id)) ?? account;
}

/** The invoice of the path; refuses with 404 without it. */
export function findInvoice(admitted: Admitted, isShared = false): Invoice {
  const { incoming, account, service } = admitted;
  const id = incoming.params['invoiceId'] ?? '';
  const places = isShared ? [...service.accounts.values()] : [account];
  const invoice = places.map(({ invoices }) => invoices.get(id)).find((one) => one !== undefined);
  if (invoice !== undefined) return invoice;
  if (service.has('error-as-html'))
    return refuse(404, '', {
      bytes: '<h1>Not found</h1>',
      headers: { 'Content-Type': 'text/html' },
    });
  return refuse(404, 'The account has no such invoice.');
}

export function getInvoice(admitted: Admitted): Answer {
  const { incoming, account, service } = admitted;
  const { has } = service;
  if (has('missing-answers-500') && !account.invoices.has(incoming.params['invoiceId'] ?? ''))
    throw new TypeError("Cannot read properties of undefined (reading 'lines')");
  const invoice = findInvoice(admitted, has('other-account-reads'));
  const owner = ownerOf(admitted, invoice);
  return respondWith(admitted, showInvoice(invoice, { ...admitted, account: owner }));
}

function refuseStatus(invoice: Invoice): never {
  return refuse(409, `The invoice is ${invoice.status}.`);
}

function respondChanged(admitted: Admitted, invoice: Invoice): Answer {
  invoice.version += 1;
  const view = showInvoice(invoice, admitted);
  return { status: 200, headers: { ETag: etagOf(view, admitted.service) }, json: view };
}

export function replaceInvoice(admitted: Admitted): Answer {
  const { account, service } = admitted;
  const { has } = service;
  const invoice = findInvoice(admitted);
  const before = showInvoice(invoice, admitted) as { customer: object; total: string };
  requireMatch(admitted, before);
  const body = bodyOf(admitted);
  if (has('refused-replace-is-kept') && invoice.status === 'draft')
    Object.assign(invoice, pick(body, ['note']));
  check(admitted, body);
  if (invoice.status !== 'draft' && !has('sent-is-editable')) refuseStatus(invoice);
  const given = fieldsOf(admitted, body);
  if (!isCustomer(admitted, given.customerId) && !has('unknown-customer-on-replace'))
    refuse(422, 'There is no such customer.');
  if (has('replace-keeps-old') && !Object.hasOwn(body as object, 'note')) given.note = invoice.note;
  const hasMoved = given.customerId !== invoice.customerId;
  if (hasMoved && has('copy-of-other')) invoice.wrong['customer'] = before.customer;
  if (has('total-is-stale')) invoice.wrong['total'] = before.total;
  if (hasMoved && has('count-not-moved')) {
    const [from, to] = [invoice.customerId, given.customerId].map((id) =>
      account.customers.get(id),
    );
    if (from !== undefined) from.surplus += 1;
    if (to !== undefined) to.surplus -= 1;
  }
  Object.assign(invoice, given);
  return respondChanged(admitted, invoice);
}

export function deleteInvoice(admitted: Admitted): Answer {
  const { incoming, account, service } = admitted;
  const { has } = service;
  if (
    has('missing-delete-answers-204') &&
    !account.invoices.has(incoming.params['invoiceId'] ?? '')
  )
    return { status: 204 };
  const invoice = findInvoice(admitted, has('other-account-deletes'));
  if (invoice.status !== 'draft' && !has('delete-sent-accepted')) refuseStatus(invoice);
  const customer = account.customers.get(invoice.customerId);
  if (has('count-not-lowered') && customer !== undefined) customer.surplus += 1;
  if (!has('delete-not-done')) ownerOf(admitted, invoice).invoices.delete(invoice.id);
  return { status: 204 };
}

export function sendInvoice(admitted: Admitted): Answer {
  const { has } = admitted.service;
  const invoice = findInvoice(admitted);
  const isDraft = invoice.status === 'draft';
  if (!isDraft && !(invoice.status === 'sent' && has('send-twice-accepted'))) refuseStatus(invoice);
  invoice.status = 'sent';
  const answer = respondChanged(admitted, invoice);
  if (has('send-changes-nothing')) invoice.status = 'draft';
  return answer;
}

export function voidInvoice(admitted: Admitted): Answer {
  const { has } = admitted.service;
  const invoice = findInvoice(admitted);
  const isOpen = invoice.status === 'sent' && invoice.payments.length === 0;
  if (!isOpen && !(invoice.status === 'paid' && has('void-paid-accepted'))) refuseStatus(invoice);
  invoice.status = 'void';
  return respondChanged(admitted, invoice);
}

/** A read of what is not there, as the defect for it responds. */
export function missingPayment({ service: { has } }: Admitted): Answer {
  return has('missing-answers-200')
    ? { status: 200, json: null }
    : problem(404, 'The invoice has no such payment.');
}

import { date, fields, listOf, oneOf, orNull, text, whole } from '../serving/fields.ts';
import { sortBy, type Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import {
  answer,
  bodyOf,
  daysOf,
  decimal,
  fail,
  hundredths,
  isAny,
  kronor,
  momentsOf,
  pageOf,
  parameter,
  placed,
  urlOf,
  writeMoment,
  type Call,
} from './call.ts';
import {
  receivables,
  standardSales,
  vatAccounts,
  type Books,
  type Customer,
  type Invoice,
  type InvoiceRow,
  type Posting,
  type Service,
  type Totals,
  type VoucherRow,
} from './store.ts';
import { post, referenceOf, reverse } from './vouchers.ts';
import { addDays, checkOpen, placeOf } from './years.ts';

interface SentRow {
  readonly Description: string;
  readonly Quantity?: number;
  readonly Price: number;
  readonly Discount?: number;
  readonly VAT?: number;
  readonly AccountNumber?: number;
}

interface Sent {
  readonly CustomerNumber: string;
  readonly InvoiceDate: string;
  readonly DueDate?: string;
  readonly YourReference?: string | null;
  readonly InvoiceRows?: readonly SentRow[];
  readonly Version?: number;
}

const anyWhole = whole(-2147483648, 2147483647);
const states = ['draft', 'booked', 'cancelled'];

const rowRule = fields(
  {
    Description: text(1, 200),
    Quantity: decimal(0.01, 9999.99),
    Price: decimal(0, 999_999.99),
    Discount: whole(0, 100),
    VAT: (value, name) =>
      [25, 12, 6, 0].includes(value as number) ? undefined : `${name} must be a rate.`,
    AccountNumber: anyWhole,
  },
  ['Description', 'Price'],
);

const rules = {
  CustomerNumber: text(0, 1_000_000),
  InvoiceDate: date,
  DueDate: date,
  YourReference: orNull(text(0, 50)),
  InvoiceRows: listOf(rowRule),
};

/** What a row costs without VAT, rounded to the nearest öre. */
function costOf({ quantity, price, discount }: InvoiceRow): number {
  const exact = BigInt(quantity) * BigInt(price) * BigInt(100 - discount);
  return Number((exact + 5000n) / 10_000n);
}

const percent = (ore: number, rate: number): number => Math.floor((ore * rate + 50) / 100);
const total = (amounts: readonly number[]): number => amounts.reduce((sum, each) => sum + each, 0);

/** The sums of the rows by what a key says of them. */
function sumsBy(rows: readonly InvoiceRow[], key: 'vat' | 'account'): [number, number][] {
  const sums = new Map<number, number>();
  for (const each of rows) sums.set(each[key], (sums.get(each[key]) ?? 0) + costOf(each));
  return [...sums];
}

function totalsOf({ has }: Service, rows: readonly InvoiceRow[]): Totals {
  const costs = rows.map((each) =>
    costOf(has('discount-not-in-net') ? { ...each, discount: 0 } : each),
  );
  const vats = has('vat-rounded-per-row')
    ? rows.map((each) => percent(costOf(each), each.vat))
    : sumsBy(rows, 'vat').map(([rate, sum]) => percent(sum, rate));
  return { net: total(costs), vat: total(vats) };
}

const show =
  (call: Call) =>
  (invoice: Invoice): Json => {
    const { net, vat } = invoice.totals;
    const { customer, customerName, voucher } = invoice;
    return {
      '@url': urlOf(call, `invoices/${String(invoice.number)}`),
      DocumentNumber: invoice.number,
      State: invoice.state,
      CustomerNumber: customer,
      CustomerName: customerName ?? call.books.customers.get(customer)?.name ?? '',
      InvoiceDate: invoice.date,
      DueDate: `${invoice.due}${call.service.has('due-date-with-time') ? 'T00:00:00Z' : ''}`,
      YourReference: invoice.reference,
      InvoiceRows: invoice.rows.map((each) => ({
        Description: each.description,
        Quantity: each.quantity / 100,
        Price: kronor(each.price),
        Discount: each.discount,
        VAT: each.vat,
        AccountNumber: each.account,
        Total: kronor(costOf(each)),
      })),
      Net: kronor(net),
      TotalVAT: kronor(vat),
      Total: kronor(net + vat),
      Voucher: voucher === undefined ? null : referenceOf(voucher),
      Version: invoice.version,
      LastModified: writeMoment(invoice.modified),
    };
  };

export function listInvoices(call: Call): Answer {
  const { has } = call.service;
  const state = parameter(call, 'state', (value) => oneOf(states)(value, '') === undefined);
  const customer = parameter(call, 'customernumber', isAny);
  const isDay = daysOf(call);
  const isMoment = momentsOf(call);
  const keys: Readonly<Record<string, (invoice: Invoice) => unknown>> = {
    documentnumber: ({ number }) => number,
    invoicedate: (invoice) => invoice.date,
    total: ({ totals }) => totals.net + totals.vat,
  };
  const by = parameter(call, 'sortby', (value) => Object.hasOwn(keys, value)) ?? '';
  const isOrder = (value: string): boolean => ['ascending', 'descending'].includes(value);
  const isDescending = parameter(call, 'sortorder', isOrder) === 'descending';
  const isIn = (invoice: Invoice): boolean =>
    state === 'booked' && has('state-filter-keeps-cancelled')
      ? invoice.voucher !== undefined
      : (state ?? invoice.state) === invoice.state;
  const found = [...call.books.invoices.values()].filter(
    (invoice) =>
      isIn(invoice) &&
      (customer ?? invoice.customer) === invoice.customer &&
      isDay(invoice.date) &&
      isMoment(invoice.modified),
  );
  const sign = isDescending && !has('descending-ignored') ? -1 : 1;
  const valueOf = keys[by] ?? (({ number }: Invoice) => number);
  const records = sortBy(found, [
    { valueOf, sign },
    { valueOf: ({ number }) => number, sign: 1 },
  ]);
  return pageOf(call, { name: 'Invoices', records, show: show(call) });
}

/** The active customer that is named. */
function customerOf({ service, books }: Call, number: string): Customer | undefined {
  const customer = books.customers.get(number);
  if (customer === undefined && service.has('unknown-customer-accepted')) return undefined;
  if (customer?.active !== true) fail(service, 'reference', 'There is no such active customer.');
  return customer;
}

function readRows({ service, books }: Call, sent: readonly SentRow[]): InvoiceRow[] {
  return sent.map((each) => {
    const { AccountNumber: account = standardSales } = each;
    const found = books.accounts.get(account);
    if (found?.active !== true || found.type !== 'REVENUE')
      fail(service, 'reference', 'AccountNumber must be an active account of type REVENUE.');
    return {
      description: each.Description,
      quantity: hundredths(each.Quantity ?? 1),
      price: hundredths(each.Price),
      discount: each.Discount ?? 0,
      vat: each.VAT ?? 25,
      account,
    };
  });
}

/** A draft as it is kept, with its totals. */
export function addInvoice(
  service: Service,
  books: Books,
  fieldsOf: Pick<Invoice, 'customer' | 'date' | 'due' | 'reference' | 'rows'>,
): Invoice {
  const invoice: Invoice = {
    number: books.nextInvoice,
    state: 'draft',
    customerName: undefined,
    ...fieldsOf,
    totals: totalsOf(service, fieldsOf.rows),
    voucher: undefined,
    version: 1,
    modified: service.now(),
  };
  books.nextInvoice += 1;
  books.invoices.set(invoice.number, invoice);
  return invoice;
}

export function createInvoice(call: Call): Answer {
  const { service, books } = call;
  const sent = bodyOf(call, 'Invoice', fields(rules, ['CustomerNumber', 'InvoiceDate'])) as Sent;
  const { CustomerNumber: customer, InvoiceDate: on, YourReference: reference = null } = sent;
  const terms = customerOf(call, customer)?.terms ?? 30;
  const due = sent.DueDate ?? addDays(on, service.has('due-date-ignores-terms') ? 30 : terms);
  const rows = readRows(call, sent.InvoiceRows ?? []);
  if (due < on) fail(service, 'member', 'DueDate is before InvoiceDate.');
  const invoice = addInvoice(service, books, { customer, date: on, due, reference, rows });
  return answer('Invoice', show(call)(invoice), 201);
}

function find(call: Call, { invoices }: Books = call.books): Invoice {
  const number = placed(call, 'DocumentNumber');
  const invoice = invoices.get(/^[1-9]\d*$/.test(number) ? Number(number) : 0);
  return invoice ?? fail(call.service, 'missing', 'There is no such invoice.');
}

export function getInvoice(call: Call): Answer {
  const { has, north, east } = call.service;
  const invoices = new Map([...north.invoices, ...east.invoices]);
  const books = has('invoice-of-other-shown') ? { ...call.books, invoices } : call.books;
  return answer('Invoice', show(call)(find(call, books)));
}

export function updateInvoice(call: Call): Answer {
  const { service } = call;
  const { has } = service;
  const invoice = find(call);
  const rule = fields({ ...rules, Version: anyWhole }, []);
  const sent = bodyOf(call, 'Invoice', rule) as Partial<Sent>;
  const { CustomerNumber: customer, InvoiceRows: given } = sent;
  if (customer !== undefined) customerOf(call, customer);
  const rows = given === undefined ? invoice.rows : readRows(call, given);
  const changed = {
    ...invoice,
    customer: customer ?? invoice.customer,
    date: sent.InvoiceDate ?? invoice.date,
    due: sent.DueDate ?? invoice.due,
    reference: sent.YourReference === undefined ? invoice.reference : sent.YourReference,
    rows,
    totals: has('totals-of-old-rows') ? invoice.totals : totalsOf(service, rows),
    version: invoice.version + (has('version-unchanged') ? 0 : 1),
    modified: service.now(),
  };
  if (changed.due < changed.date) fail(service, 'member', 'DueDate is before InvoiceDate.');
  const mayChange = invoice.state === 'booked' && has('booked-invoice-changed');
  if (invoice.state !== 'draft' && !mayChange)
    fail(service, 'state', `The invoice is ${invoice.state}.`);
  const isOld = sent.Version !== undefined && sent.Version !== invoice.version;
  if (isOld && !has('old-version-accepted')) {
    if (has('refused-update-kept')) Object.assign(invoice, changed);
    fail(service, 'version', 'The invoice was changed meanwhile.');
  }
  Object.assign(invoice, changed);
  return answer('Invoice', show(call)(invoice));
}

/** The voucher that an invoice is booked with. */
function postingOf({ has }: Service, { number, date: on, rows }: Invoice): Posting {
  const credits = new Map<number, number>();
  const add = (account: number, ore: number): unknown =>
    credits.set(account, (credits.get(account) ?? 0) + ore);
  for (const [account, sum] of sumsBy(rows, 'account')) add(account, sum);
  for (const [rate, sum] of sumsBy(rows, 'vat'))
    add(vatAccounts[has('vat-on-one-account') ? 25 : rate] ?? 0, percent(sum, rate));
  const row = (account: number, debit: number, credit: number): VoucherRow => ({
    account,
    debit,
    credit,
    information: null,
  });
  const posted = [...credits].filter(([, ore]) => ore > 0);
  const debit = total(posted.map(([, ore]) => ore));
  return {
    series: 'F',
    date: on,
    description: `Invoice ${String(number)}`,
    rows: [row(receivables, debit, 0), ...posted.map(([account, ore]) => row(account, 0, ore))],
    invoice: number,
  };
}

/** Gives the invoice another state. */
function move({ service, books }: Call, invoice: Invoice, state: Invoice['state']): void {
  const { customer, customerName = books.customers.get(customer)?.name } = invoice;
  const version = invoice.version + 1;
  Object.assign(invoice, { state, customerName, version, modified: service.now() });
}

/** Books a draft, after all checks. */
export function book(call: Call, invoice: Invoice): void {
  invoice.voucher = post(call.service, call.books, postingOf(call.service, invoice));
  move(call, invoice, 'booked');
}

export function bookInvoice(call: Call): Answer {
  const { service, books } = call;
  const invoice = find(call);
  const mayBook = invoice.state === 'cancelled' && service.has('cancelled-invoice-booked');
  if (invoice.state !== 'draft' && !mayBook)
    fail(service, 'state', `The invoice is ${invoice.state}.`);
  if (invoice.totals.net + invoice.totals.vat === 0) fail(service, 'state', 'The Total is 0.');
  if (invoice.rows.some(({ account }) => books.accounts.get(account)?.active !== true))
    fail(service, 'state', 'An account of the invoice is not active.');
  const place = placeOf(books, invoice.date);
  if (place === undefined) fail(service, 'period', 'The date is in no financial year.');
  checkOpen(call, place.period, invoice.date);
  book(call, invoice);
  return answer('Invoice', show(call)(invoice));
}

/** Cancels an invoice, after all checks. */
export function cancel(call: Call, invoice: Invoice): void {
  const { voucher } = invoice;
  if (voucher !== undefined && !call.service.has('cancellation-without-reversal'))
    reverse(call, voucher);
  move(call, invoice, 'cancelled');
}

export function cancelInvoice(call: Call): Answer {
  const invoice = find(call);
  if (invoice.state === 'cancelled') fail(call.service, 'state', 'The invoice is cancelled.');
  if (invoice.voucher !== undefined)
    checkOpen(call, placeOf(call.books, invoice.date)?.period, invoice.date);
  cancel(call, invoice);
  return answer('Invoice', show(call)(invoice));
}

import { date, fields, listOf, oneOf, orNull, pick, text, whole } from '../serving/fields.ts';
import { sortBy, type Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import { answer, bodyOf, fail, placed, showMoment, urlOf, type Call } from './call.ts';
import { anyWhole, decimal, hundredths, kronor } from './numbers.ts';
import { daysOf, isAny, momentsOf, pageOf, parameter } from './query.ts';
import { receivables, standardSales, vatAccounts } from './store.ts';
import type { Books, Customer, Invoice, InvoiceRow, Posting, Service, Totals } from './store.ts';
import { post, referenceOf, reverse } from './vouchers.ts';
import { addDays, checkOpen, placeOf } from './years.ts';

type SentRow = Partial<InvoiceRow> & Pick<InvoiceRow, 'Description' | 'Price'>;

interface Sent extends Partial<Omit<Invoice, 'CustomerNumber' | 'InvoiceDate'>> {
  readonly CustomerNumber: string;
  readonly InvoiceDate: string;
  readonly InvoiceRows?: readonly SentRow[];
}

const states = ['draft', 'booked', 'cancelled'];
const members = ['CustomerNumber', 'InvoiceDate', 'DueDate', 'YourReference'];

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

/** What a row costs without VAT in öre, rounded to the nearest one. */
function costOf({ Quantity, Price, Discount }: InvoiceRow): number {
  const exact = BigInt(hundredths(Quantity)) * BigInt(hundredths(Price)) * BigInt(100 - Discount);
  return Number((exact + 5000n) / 10_000n);
}

const percent = (ore: number, rate: number): number => Math.floor((ore * rate + 50) / 100);
const total = (amounts: readonly number[]): number => amounts.reduce((sum, each) => sum + each, 0);

/** The sums of the rows by what a key says of them. */
function sumsBy(rows: readonly InvoiceRow[], key: 'VAT' | 'AccountNumber'): [number, number][] {
  const sums = new Map<number, number>();
  for (const row of rows) sums.set(row[key], (sums.get(row[key]) ?? 0) + costOf(row));
  return [...sums];
}

function totalsOf({ has }: Service, rows: readonly InvoiceRow[]): Totals {
  const costs = rows.map((row) =>
    costOf(has('discount-not-in-net') ? { ...row, Discount: 0 } : row),
  );
  const vats = has('vat-rounded-per-row')
    ? rows.map((row) => percent(costOf(row), row.VAT))
    : sumsBy(rows, 'VAT').map(([rate, sum]) => percent(sum, rate));
  return { net: total(costs), vat: total(vats) };
}

const show = (invoice: Invoice, call: Call): Json => {
  const { name, rows, totals, voucher, modified, ...shown } = invoice;
  const { net, vat } = totals;
  const time = call.service.has('due-date-with-time') ? 'T00:00:00Z' : '';
  return {
    '@url': urlOf(call, `invoices/${String(invoice.DocumentNumber)}`),
    ...shown,
    CustomerName: name ?? call.books.customers.get(shown.CustomerNumber)?.Name ?? '',
    DueDate: shown.DueDate + time,
    InvoiceRows: rows.map((row) => ({ ...row, Total: kronor(costOf(row)) })),
    Net: kronor(net),
    TotalVAT: kronor(vat),
    Total: kronor(net + vat),
    Voucher: voucher === undefined ? null : referenceOf(voucher),
    ...showMoment(modified),
  };
};

export function listInvoices(call: Call): Answer {
  const { has } = call.service;
  const state = parameter(call, 'state', (value) => oneOf(states)(value, '') === undefined);
  const customer = parameter(call, 'customernumber', isAny);
  const isDay = daysOf(call);
  const isMoment = momentsOf(call);
  const keys: Readonly<Record<string, (invoice: Invoice) => unknown>> = {
    documentnumber: ({ DocumentNumber }) => DocumentNumber,
    invoicedate: ({ InvoiceDate }) => InvoiceDate,
    total: ({ totals }) => totals.net + totals.vat,
  };
  const by = parameter(call, 'sortby', (value) => Object.hasOwn(keys, value)) ?? 'documentnumber';
  const isOrder = (value: string): boolean => ['ascending', 'descending'].includes(value);
  const isDescending = parameter(call, 'sortorder', isOrder) === 'descending';
  const isIn = ({ State, voucher }: Invoice): boolean =>
    state === 'booked' && has('state-filter-keeps-cancelled')
      ? voucher !== undefined
      : (state ?? State) === State;
  const found = [...call.books.invoices.values()].filter(
    (invoice) =>
      isIn(invoice) &&
      (customer ?? invoice.CustomerNumber) === invoice.CustomerNumber &&
      isDay(invoice.InvoiceDate) &&
      isMoment(invoice.modified),
  );
  const sign = isDescending && !has('descending-ignored') ? -1 : 1;
  const records = sortBy(found, [
    { valueOf: (invoice) => keys[by]?.(invoice), sign },
    { valueOf: ({ DocumentNumber }) => DocumentNumber, sign: 1 },
  ]);
  return pageOf(call, 'Invoices', records, show);
}

/** The active customer that is named. */
function customerOf({ service, books }: Call, number: string): Customer | undefined {
  const customer = books.customers.get(number);
  if (customer === undefined && service.has('unknown-customer-accepted')) return undefined;
  if (customer?.Active !== true) fail(service, 'reference', 'There is no such active customer.');
  return customer;
}

function readRows({ service, books }: Call, sent: readonly SentRow[]): InvoiceRow[] {
  return sent.map(({ Description, Quantity = 1, Price, Discount = 0, VAT = 25, ...row }) => {
    const { AccountNumber = standardSales } = row;
    const found = books.accounts.get(AccountNumber);
    if (found?.Active !== true || found.Type !== 'REVENUE')
      fail(service, 'reference', 'AccountNumber must be an active account of type REVENUE.');
    return { Description, Quantity, Price, Discount, VAT, AccountNumber };
  });
}

type Draft = Pick<Invoice, 'CustomerNumber' | 'InvoiceDate' | 'DueDate' | 'YourReference' | 'rows'>;

/** A draft as it is kept, with its totals. */
export function addInvoice(service: Service, books: Books, draft: Draft): Invoice {
  const invoice: Invoice = {
    DocumentNumber: books.nextInvoice,
    State: 'draft',
    ...draft,
    Version: 1,
    name: undefined,
    totals: totalsOf(service, draft.rows),
    voucher: undefined,
    modified: service.now(),
  };
  books.nextInvoice += 1;
  books.invoices.set(invoice.DocumentNumber, invoice);
  return invoice;
}

export function createInvoice(call: Call): Answer {
  const { service, books } = call;
  const sent = bodyOf(call, 'Invoice', fields(rules, ['CustomerNumber', 'InvoiceDate'])) as Sent;
  const { CustomerNumber, InvoiceDate, YourReference = null } = sent;
  const terms = customerOf(call, CustomerNumber)?.TermsOfPayment ?? 30;
  const days = service.has('due-date-ignores-terms') ? 30 : terms;
  const { DueDate = addDays(InvoiceDate, days) } = sent;
  const rows = readRows(call, sent.InvoiceRows ?? []);
  if (DueDate < InvoiceDate) fail(service, 'member', 'DueDate is before InvoiceDate.');
  const draft = { CustomerNumber, InvoiceDate, DueDate, YourReference, rows };
  return answer('Invoice', show(addInvoice(service, books, draft), call), 201);
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
  return answer('Invoice', show(find(call, books), call));
}

export function updateInvoice(call: Call): Answer {
  const { service } = call;
  const { has } = service;
  const invoice = find(call);
  const rule = fields({ ...rules, Version: anyWhole }, []);
  const sent = bodyOf(call, 'Invoice', rule) as Partial<Sent>;
  if (sent.CustomerNumber !== undefined) customerOf(call, sent.CustomerNumber);
  const rows = sent.InvoiceRows === undefined ? invoice.rows : readRows(call, sent.InvoiceRows);
  const changed = {
    ...invoice,
    ...pick(sent, members),
    rows,
    totals: has('totals-of-old-rows') ? invoice.totals : totalsOf(service, rows),
    Version: invoice.Version + (has('version-unchanged') ? 0 : 1),
    modified: service.now(),
  };
  if (changed.DueDate < changed.InvoiceDate)
    fail(service, 'member', 'DueDate is before InvoiceDate.');
  const mayChange = invoice.State === 'booked' && has('booked-invoice-changed');
  if (invoice.State !== 'draft' && !mayChange)
    fail(service, 'state', `The invoice is ${invoice.State}.`);
  const isOld = sent.Version !== undefined && sent.Version !== invoice.Version;
  if (isOld && !has('old-version-accepted')) {
    if (has('refused-update-kept')) Object.assign(invoice, changed);
    fail(service, 'version', 'The invoice was changed meanwhile.');
  }
  Object.assign(invoice, changed);
  return answer('Invoice', show(invoice, call));
}

/** The voucher that an invoice is booked with. */
function postingOf({ has }: Service, { DocumentNumber, InvoiceDate, rows }: Invoice): Posting {
  const credits = new Map(sumsBy(rows, 'AccountNumber'));
  for (const [rate, sum] of sumsBy(rows, 'VAT')) {
    const account = vatAccounts[has('vat-on-one-account') ? 25 : rate] ?? 0;
    credits.set(account, (credits.get(account) ?? 0) + percent(sum, rate));
  }
  const posted = [...credits].filter(([, ore]) => ore > 0);
  const debit = total(posted.map(([, ore]) => ore));
  const row = (Account: number, Debit: number, Credit: number) => {
    return { Account, Debit: kronor(Debit), Credit: kronor(Credit), TransactionInformation: null };
  };
  return {
    VoucherSeries: 'F',
    TransactionDate: InvoiceDate,
    Description: `Invoice ${String(DocumentNumber)}`,
    rows: [row(receivables, debit, 0), ...posted.map(([account, ore]) => row(account, 0, ore))],
    invoice: DocumentNumber,
  };
}

/** Gives the invoice another state. */
function move({ service, books }: Call, invoice: Invoice, more: Partial<Invoice>): void {
  const { CustomerNumber, name = books.customers.get(CustomerNumber)?.Name } = invoice;
  const Version = invoice.Version + 1;
  Object.assign(invoice, { name, Version, modified: service.now(), ...more });
}

/** Books a draft, after all checks. */
export function book(call: Call, invoice: Invoice): void {
  const voucher = post(call.service, call.books, postingOf(call.service, invoice));
  move(call, invoice, { State: 'booked', voucher });
}

export function bookInvoice(call: Call): Answer {
  const { service, books } = call;
  const invoice = find(call);
  const mayBook = invoice.State === 'cancelled' && service.has('cancelled-invoice-booked');
  if (invoice.State !== 'draft' && !mayBook)
    fail(service, 'state', `The invoice is ${invoice.State}.`);
  if (invoice.totals.net + invoice.totals.vat === 0) fail(service, 'state', 'The Total is 0.');
  if (invoice.rows.some(({ AccountNumber }) => books.accounts.get(AccountNumber)?.Active !== true))
    fail(service, 'state', 'An account of the invoice is not active.');
  const place = placeOf(books, invoice.InvoiceDate);
  if (place === undefined) fail(service, 'period', 'The date is in no financial year.');
  checkOpen(call, place.period, invoice.InvoiceDate);
  book(call, invoice);
  return answer('Invoice', show(invoice, call));
}

/** Cancels an invoice, after all checks. */
export function cancel(call: Call, invoice: Invoice): void {
  const { voucher } = invoice;
  if (voucher !== undefined && !call.service.has('cancellation-without-reversal'))
    reverse(call, voucher);
  move(call, invoice, { State: 'cancelled' });
}

export function cancelInvoice(call: Call): Answer {
  const invoice = find(call);
  if (invoice.State === 'cancelled') fail(call.service, 'state', 'The invoice is cancelled.');
  if (invoice.voucher !== undefined)
    checkOpen(call, placeOf(call.books, invoice.InvoiceDate)?.period, invoice.InvoiceDate);
  cancel(call, invoice);
  return answer('Invoice', show(invoice, call));
}

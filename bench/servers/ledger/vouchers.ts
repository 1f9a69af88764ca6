import { date, fields, listOf, orNull, text, whole, type Rule } from '../serving/fields.ts';
import { sortBy, type Json } from '../serving/requests.ts';
import { Refused, type Answer } from '../serving/serve.ts';
import {
  answer,
  bodyOf,
  daysOf,
  decimal,
  fail,
  hundredths,
  isAny,
  isWhole,
  kronor,
  momentsOf,
  pageOf,
  parameter,
  placed,
  urlOf,
  writeMoment,
  type Call,
} from './call.ts';
import type { Books, Posting, Service, Voucher, VoucherRow } from './store.ts';
import { checkOpen, placeOf } from './years.ts';

interface SentRow {
  readonly Account: number;
  readonly Debit?: number;
  readonly Credit?: number;
  readonly TransactionInformation?: string | null;
}

interface Sent {
  readonly VoucherSeries?: string;
  readonly TransactionDate: string;
  readonly Description: string;
  readonly VoucherRows: readonly SentRow[];
}

function rule({ has }: Service): Rule {
  const amount = decimal(0, 999_999_999.99, has('three-decimals-accepted'));
  const row = fields(
    {
      Account: whole(-2147483648, 2147483647),
      Debit: amount,
      Credit: amount,
      TransactionInformation: orNull(text(0, 100)),
    },
    ['Account'],
  );
  return fields(
    {
      VoucherSeries: text(1, 2, /^[A-Z]+$/),
      TransactionDate: date,
      Description: text(1, 200),
      VoucherRows: listOf(row, { min: 2, max: 200 }),
    },
    ['TransactionDate', 'Description', 'VoucherRows'],
  );
}

export const referenceOf = ({ year, series, number }: Voucher): string =>
  `${String(year.id)}/${series}/${String(number)}`;

const sum = (rows: readonly VoucherRow[], side: 'debit' | 'credit'): number =>
  rows.reduce((total, row) => total + row[side], 0);

const show =
  (call: Call) =>
  (voucher: Voucher): Json => {
    const { has } = call.service;
    const { year, series, number, rows, reverses, reversedBy, invoice } = voucher;
    const amount = (ore: number): unknown =>
      has('amounts-as-texts') ? kronor(ore).toFixed(2) : kronor(ore);
    const shown = has('rows-sorted-by-account')
      ? rows.toSorted((a, b) => a.account - b.account)
      : rows;
    const isTold = reversedBy !== undefined && !has('reversed-by-missing');
    return {
      '@url': urlOf(call, `vouchers/${referenceOf(voucher)}`),
      FinancialYear: year.id,
      VoucherSeries: series,
      VoucherNumber: number,
      TransactionDate: voucher.date,
      Description: voucher.description,
      VoucherRows: shown.map(({ account, debit, credit, information }) => ({
        Account: account,
        Debit: amount(debit),
        Credit: amount(credit),
        TransactionInformation: information,
      })),
      Total: kronor(sum(rows, 'debit')),
      Reverses: reverses === undefined ? null : referenceOf(reverses),
      ReversedBy: isTold ? referenceOf(reversedBy) : null,
      InvoiceNumber: invoice ?? null,
      LastModified: writeMoment(voucher.modified),
    };
  };

export function listVouchers(call: Call): Answer {
  const { service, books } = call;
  const { has } = service;
  const year = parameter(call, 'financialyear', isWhole);
  const series = parameter(call, 'voucherseries', isAny);
  const account = parameter(call, 'account', isWhole);
  const isDay = daysOf(call, has('todate-excludes-day'));
  const isMoment = momentsOf(call);
  const isOn = (rows: readonly VoucherRow[]): boolean =>
    (has('account-filter-first-row') ? rows.slice(0, 1) : rows).some(
      (row) => row.account === Number(account),
    );
  const found = books.vouchers.filter(
    (voucher) =>
      (year === undefined || voucher.year.id === Number(year)) &&
      (series ?? voucher.series) === voucher.series &&
      (account === undefined || isOn(voucher.rows)) &&
      isDay(voucher.date) &&
      isMoment(voucher.modified),
  );
  const records = has('vouchers-in-order-of-entry')
    ? found
    : sortBy(found, [
        { valueOf: (voucher) => voucher.date, sign: 1 },
        { valueOf: ({ series: letters }) => letters, sign: 1 },
        { valueOf: ({ number }) => number, sign: 1 },
      ]);
  return pageOf(call, { name: 'Vouchers', records, show: show(call) });
}

/** The next number of the series in the year of this day. */
function nextNumber(service: Service, books: Books, { series, date: on }: Posting): number {
  const id = placeOf(books, on)?.year.id ?? 0;
  const key = service.has('numbers-over-all-series') ? String(id) : `${String(id)}/${series}`;
  const number = (books.last.get(key) ?? 0) + 1;
  books.last.set(key, number);
  return number;
}

/** Posts what was checked before. */
export function post(service: Service, books: Books, posting: Posting): Voucher {
  const place = placeOf(books, posting.date);
  if (place === undefined) throw new Error(`There is no year for ${posting.date}.`);
  const number = nextNumber(service, books, posting);
  const modified = service.now();
  const voucher = { ...posting, year: place.year, number, reversedBy: undefined, modified };
  books.vouchers.push(voucher);
  return voucher;
}

const differenceOf = ({ rows }: Posting): number => sum(rows, 'debit') - sum(rows, 'credit');

/** What was sent, if it can be posted. */
function readPosting(call: Call, sent: Sent, isPart = false): Posting {
  const { service, books } = call;
  const { has } = service;
  const rows = sent.VoucherRows.map((row) => ({
    account: row.Account,
    debit: hundredths(row.Debit ?? 0),
    credit: hundredths(row.Credit ?? 0),
    information: row.TransactionInformation ?? null,
  }));
  const { VoucherSeries: series = 'A', TransactionDate: on, Description: description } = sent;
  const posting = { series, date: on, description, rows };
  if (series === 'F') fail(service, 'member', 'Series F is that of the invoices.');
  for (const { account, debit, credit } of rows) {
    const found = books.accounts.get(account);
    if (found === undefined) fail(service, 'reference', `There is no account ${String(account)}.`);
    if (!found.active && !has('inactive-account-posted'))
      fail(service, 'reference', `The account ${String(account)} is not active.`);
    const isOneSided = debit > 0 !== credit > 0;
    const isBoth = debit > 0 && credit > 0 && has('row-on-both-sides-accepted');
    if (!isOneSided && !isBoth) fail(service, 'member', 'A row has either debit or credit.');
  }
  const isFree = isPart && has('batch-balanced-as-a-whole');
  const isOff = Math.abs(differenceOf(posting)) > (has('off-by-an-ore-accepted') ? 1 : 0);
  if (isOff && !isFree) {
    if (has('refusal-leaves-gap')) nextNumber(service, books, posting);
    fail(service, 'balance', 'The voucher does not balance.');
  }
  const place = placeOf(books, on);
  if (place === undefined) fail(service, 'year', 'The date is in no financial year.');
  checkOpen(call, place.period, on);
  return posting;
}

export function createVoucher(call: Call): Answer {
  const { service, books } = call;
  const sent = bodyOf(call, 'Voucher', rule(service)) as Sent;
  return answer('Voucher', show(call)(post(service, books, readPosting(call, sent))), 201);
}

export function postBatch(call: Call): Answer {
  const { service, books } = call;
  const { has } = service;
  const all = listOf(rule(service), { min: 1, max: 50 });
  const sent = bodyOf(call, 'Vouchers', all) as readonly Sent[];
  const posted: Voucher[] = [];
  const postings = sent.map((each, index) => {
    try {
      const posting = readPosting(call, each, true);
      if (has('batch-not-atomic')) posted.push(post(service, books, posting));
      return posting;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { ErrorInformation } = error.answer.json as { ErrorInformation: Json };
      throw new Refused({
        ...error.answer,
        json: { ErrorInformation: { ...ErrorInformation, index } },
      });
    }
  });
  const difference = postings.reduce((total, posting) => total + differenceOf(posting), 0);
  if (difference !== 0 && !has('off-by-an-ore-accepted'))
    fail(service, 'balance', 'The vouchers do not balance.');
  if (!has('batch-not-atomic'))
    posted.push(...postings.map((posting) => post(service, books, posting)));
  return { status: 201, json: { Vouchers: posted.map(show(call)) } };
}

function find(call: Call): Voucher {
  const reference = ['FinancialYear', 'VoucherSeries', 'VoucherNumber'].map((name) =>
    placed(call, name),
  );
  const voucher = call.books.vouchers.find((each) => referenceOf(each) === reference.join('/'));
  return voucher ?? fail(call.service, 'missing', 'There is no such voucher.');
}

export const getVoucher = (call: Call): Answer => answer('Voucher', show(call)(find(call)));

/** Posts the voucher with its sides exchanged, and notes it. */
export function reverse(
  { service, books }: Call,
  voucher: Voucher,
  { on = voucher.date, description = `Reversal of ${referenceOf(voucher)}` } = {},
): Voucher {
  const { series, invoice } = voucher;
  const rows = service.has('reversal-on-same-sides')
    ? voucher.rows
    : voucher.rows.map((row) => ({ ...row, debit: row.credit, credit: row.debit }));
  const of = invoice === undefined ? {} : { invoice };
  const posting = { series, date: on, description, rows, reverses: voucher, ...of };
  const reversal = post(service, books, posting);
  Object.assign(voucher, { reversedBy: reversal, modified: service.now() });
  return reversal;
}

export function reverseVoucher(call: Call): Answer {
  const { service, books } = call;
  const voucher = find(call);
  const reversal = fields({ TransactionDate: date, Description: text(1, 200) }, []);
  const sent = bodyOf(call, 'Reversal', reversal) as Partial<Sent>;
  const { TransactionDate: on = voucher.date, Description: description } = sent;
  if (on < voucher.date) fail(service, 'member', 'The date is before that of the voucher.');
  const place = placeOf(books, on);
  if (place === undefined) fail(service, 'year', 'The date is in no financial year.');
  if (voucher.reversedBy !== undefined && !service.has('reversed-twice'))
    fail(service, 'state', 'The voucher is reversed already.');
  if (voucher.reverses !== undefined) fail(service, 'state', 'The voucher is a reversal.');
  if (voucher.invoice !== undefined) fail(service, 'state', 'Cancel the invoice.');
  checkOpen(call, place.period, on);
  const how = { on, ...(description === undefined ? {} : { description }) };
  return answer('Voucher', show(call)(reverse(call, voucher, how)));
}

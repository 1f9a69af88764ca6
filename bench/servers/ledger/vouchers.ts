import { date, fields, listOf, orNull, pick, text, type Rule } from '../serving/fields.ts';
import { sortBy, type Json } from '../serving/requests.ts';
import { Refused, type Answer } from '../serving/serve.ts';
import { answer, bodyOf, fail, placed, showMoment, urlOf, type Call } from './call.ts';
import { anyWhole, decimal, hundredths, kronor } from './numbers.ts';
import { daysOf, isAny, isWhole, momentsOf, pageOf, parameter } from './query.ts';
import type { Books, Posting, Service, Voucher, VoucherRow } from './store.ts';
import { checkOpen, placeOf } from './years.ts';

interface Sent extends Omit<Posting, 'rows' | 'VoucherSeries'> {
  readonly VoucherSeries?: string;
  readonly VoucherRows: readonly (Pick<VoucherRow, 'Account'> & Partial<VoucherRow>)[];
}

function rule({ has }: Service): Rule {
  const amount = decimal(0, 999_999_999.99, has('three-decimals-accepted'));
  const row = fields(
    {
      Account: anyWhole,
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

export const referenceOf = ({ year, VoucherSeries, VoucherNumber }: Voucher): string =>
  `${String(year.Id)}/${VoucherSeries}/${String(VoucherNumber)}`;

const sum = (rows: readonly VoucherRow[], side: 'Debit' | 'Credit'): number =>
  rows.reduce((total, row) => total + hundredths(row[side]), 0);

function showRows({ rows }: Voucher, { has }: Service): unknown[] {
  const sorted = rows.toSorted((a, b) => a.Account - b.Account);
  return (has('rows-sorted-by-account') ? sorted : rows).map((row) =>
    has('amounts-as-texts')
      ? { ...row, Debit: String(row.Debit), Credit: String(row.Credit) }
      : row,
  );
}

const show = (voucher: Voucher, call: Call): Json => {
  const { reverses, reversedBy, invoice } = voucher;
  const isTold = reversedBy !== undefined && !call.service.has('reversed-by-missing');
  return {
    '@url': urlOf(call, `vouchers/${referenceOf(voucher)}`),
    FinancialYear: voucher.year.Id,
    VoucherSeries: voucher.VoucherSeries,
    VoucherNumber: voucher.VoucherNumber,
    TransactionDate: voucher.TransactionDate,
    Description: voucher.Description,
    VoucherRows: showRows(voucher, call.service),
    Total: kronor(sum(voucher.rows, 'Debit')),
    Reverses: reverses === undefined ? null : referenceOf(reverses),
    ReversedBy: isTold ? referenceOf(reversedBy) : null,
    InvoiceNumber: invoice ?? null,
    ...showMoment(voucher.modified),
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
      ({ Account }) => Account === Number(account),
    );
  const found = books.vouchers.filter(
    (voucher) =>
      (year === undefined || voucher.year.Id === Number(year)) &&
      (series ?? voucher.VoucherSeries) === voucher.VoucherSeries &&
      (account === undefined || isOn(voucher.rows)) &&
      isDay(voucher.TransactionDate) &&
      isMoment(voucher.modified),
  );
  const names = ['TransactionDate', 'VoucherSeries', 'VoucherNumber'] as const;
  const orders = names.map((name) => ({ valueOf: (one: Voucher) => one[name], sign: 1 }));
  const records = has('vouchers-in-order-of-entry') ? found : sortBy(found, orders);
  return pageOf(call, 'Vouchers', records, show);
}

/** The next number of the series in the year of the posting. */
function nextNumber(service: Service, books: Books, posting: Posting): number {
  const id = String(placeOf(books, posting.TransactionDate)?.year.Id);
  const key = service.has('numbers-over-all-series') ? id : `${id}/${posting.VoucherSeries}`;
  const number = (books.last.get(key) ?? 0) + 1;
  books.last.set(key, number);
  return number;
}

/** Posts what was checked before. */
export function post(service: Service, books: Books, posting: Posting): Voucher {
  const { year } = placeOf(books, posting.TransactionDate) ?? {};
  if (year === undefined) throw new Error(`There is no year for ${posting.TransactionDate}.`);
  const VoucherNumber = nextNumber(service, books, posting);
  const set = { year, VoucherNumber, reversedBy: undefined, modified: service.now() };
  const voucher = { ...posting, ...set };
  books.vouchers.push(voucher);
  return voucher;
}

const differenceOf = ({ rows }: Posting): number => sum(rows, 'Debit') - sum(rows, 'Credit');

/** An amount as it is kept, with two decimals. */
const rounded = (amount = 0): number => kronor(hundredths(amount));

/** What was sent, if it can be posted. */
function readPosting(call: Call, sent: Sent, isPart = false): Posting {
  const { service, books } = call;
  const { has } = service;
  const { VoucherSeries = 'A', TransactionDate, Description } = sent;
  const rows = sent.VoucherRows.map(({ Account, Debit, Credit, TransactionInformation = null }) => {
    return { Account, Debit: rounded(Debit), Credit: rounded(Credit), TransactionInformation };
  });
  const posting = { VoucherSeries, TransactionDate, Description, rows };
  if (VoucherSeries === 'F') fail(service, 'member', 'Series F is that of the invoices.');
  for (const { Account, Debit, Credit } of rows) {
    const found = books.accounts.get(Account);
    if (found === undefined) fail(service, 'reference', `There is no account ${String(Account)}.`);
    if (!found.Active && !has('inactive-account-posted'))
      fail(service, 'reference', `The account ${String(Account)} is not active.`);
    const isOneSided = Debit > 0 !== Credit > 0;
    const isBoth = Debit > 0 && Credit > 0 && has('row-on-both-sides-accepted');
    if (!isOneSided && !isBoth) fail(service, 'member', 'A row has either debit or credit.');
  }
  const isFree = isPart && has('batch-balanced-as-a-whole');
  const isOff = Math.abs(differenceOf(posting)) > (has('off-by-an-ore-accepted') ? 1 : 0);
  if (isOff && !isFree) {
    if (has('refusal-leaves-gap')) nextNumber(service, books, posting);
    fail(service, 'balance', 'The voucher does not balance.');
  }
  const place = placeOf(books, TransactionDate);
  if (place === undefined) fail(service, 'year', 'The date is in no financial year.');
  checkOpen(call, place.period, TransactionDate);
  return posting;
}

export function createVoucher(call: Call): Answer {
  const { service, books } = call;
  const sent = bodyOf(call, 'Voucher', rule(service)) as Sent;
  return answer('Voucher', show(post(service, books, readPosting(call, sent)), call), 201);
}

export function postBatch(call: Call): Answer {
  const { service, books } = call;
  const { has } = service;
  const [size, isVoucher] = [listOf(() => undefined, { min: 1, max: 50 }), rule(service)];
  const sent = bodyOf(call, 'Vouchers', size) as readonly Sent[];
  const posted: Voucher[] = [];
  const postings = sent.map((each, index) => {
    try {
      const fault = isVoucher(each, 'Voucher');
      if (fault !== undefined) fail(service, 'member', fault);
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
  return { status: 201, json: { Vouchers: posted.map((voucher) => show(voucher, call)) } };
}

function find(call: Call): Voucher {
  const reference = ['FinancialYear', 'VoucherSeries', 'VoucherNumber'].map((name) =>
    placed(call, name),
  );
  const voucher = call.books.vouchers.find((each) => referenceOf(each) === reference.join('/'));
  return voucher ?? fail(call.service, 'missing', 'There is no such voucher.');
}

export const getVoucher = (call: Call): Answer => answer('Voucher', show(find(call), call));

/** Posts the voucher with its sides exchanged, and notes it. */
export function reverse(
  { service, books }: Call,
  voucher: Voucher,
  more: Partial<Pick<Posting, 'TransactionDate' | 'Description'>> = {},
): Voucher {
  const rows = service.has('reversal-on-same-sides')
    ? voucher.rows
    : voucher.rows.map((row) => ({ ...row, Debit: row.Credit, Credit: row.Debit }));
  const Description = `Reversal of ${referenceOf(voucher)}`;
  const { VoucherSeries, TransactionDate, invoice } = voucher;
  const of = { ...(invoice === undefined ? {} : { invoice }), reverses: voucher };
  const posting = { VoucherSeries, TransactionDate, Description, rows, ...of, ...more };
  const reversal = post(service, books, posting);
  Object.assign(voucher, { reversedBy: reversal, modified: service.now() });
  return reversal;
}

export function reverseVoucher(call: Call): Answer {
  const { service, books } = call;
  const voucher = find(call);
  const members = { TransactionDate: date, Description: text(1, 200) };
  const sent = pick(bodyOf(call, 'Reversal', fields(members, [])), Object.keys(members));
  const { TransactionDate: on = voucher.TransactionDate } = sent as Partial<Sent>;
  if (on < voucher.TransactionDate) fail(service, 'member', 'The date is before the voucher.');
  const place = placeOf(books, on);
  if (place === undefined) fail(service, 'year', 'The date is in no financial year.');
  if (voucher.reversedBy !== undefined && !service.has('reversed-twice'))
    fail(service, 'state', 'The voucher is reversed already.');
  if (voucher.reverses !== undefined) fail(service, 'state', 'The voucher is a reversal.');
  if (voucher.invoice !== undefined) fail(service, 'state', 'Cancel the invoice.');
  checkOpen(call, place.period, on);
  return answer('Voucher', show(reverse(call, voucher, sent), call));
}

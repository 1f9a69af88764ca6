import type { Client, Got } from '../serving/client.ts';
import { unique } from '../serving/showing.ts';

export interface RowView {
  readonly Account: number;
  readonly Debit: unknown;
  readonly Credit: unknown;
}

/** What any record may have. */
export interface View {
  readonly '@url': string;
  readonly Number: number;
  readonly Description: string;
  readonly VATCode: string | null;
  readonly CustomerNumber: string;
  readonly Name: string;
  readonly City: string | null;
  readonly TermsOfPayment: number;
  readonly LastModified: string;
  readonly Id: number;
  readonly FromDate: string;
  readonly Periods: readonly { readonly Closed: boolean }[];
  readonly FinancialYear: number;
  readonly VoucherNumber: number;
  readonly VoucherRows: readonly RowView[];
  readonly ReversedBy: string | null;
  readonly DocumentNumber: number;
  readonly State: string;
  readonly DueDate: string;
  readonly YourReference: string | null;
  readonly Net: number;
  readonly TotalVAT: number;
  readonly Total: number;
  readonly Voucher: string | null;
  readonly Version: number;
  readonly Rows: readonly BalanceRow[];
}

export interface BalanceRow {
  readonly Account: number;
  readonly OpeningBalance: number;
  readonly Debit: number;
  readonly ClosingBalance: number;
}

interface Meta {
  readonly '@TotalResources': number;
  readonly '@TotalPages': number;
}

/** An answer: one record or a list, or an error. */
export interface Body {
  readonly ErrorInformation?: { readonly code?: number };
  readonly MetaInformation: Meta;
  readonly [name: string]: unknown;
}

export type Reply = Promise<Got<Body>>;

export const read = (client: Client, path: string, as = 'first'): Reply =>
  client.ask<Body>('GET', `/v3/${path}`, { as });

export const put = (client: Client, path: string, json?: object): Reply =>
  client.ask<Body>('PUT', `/v3/${path}`, json === undefined ? {} : { json });

const wrappers = {
  accounts: 'Account',
  customers: 'Customer',
  financialyears: 'FinancialYear',
  vouchers: 'Voucher',
  invoices: 'Invoice',
} as const;

export type Place = keyof typeof wrappers;

export const add = (client: Client, place: Place, fields: object, as = 'first'): Reply =>
  client.ask<Body>('POST', `/v3/${place}`, { json: { [wrappers[place]]: fields }, as });

/** The record of an answer; without one, an empty record. */
export async function recordIn(reply: Reply): Promise<View> {
  const { body } = await reply;
  const [found] = Object.entries(body).filter(([name]) => /^[A-Z]/.test(name));
  return (found?.[1] ?? {}) as View;
}

/** The records of a list. */
export async function recordsIn(reply: Reply): Promise<readonly View[]> {
  const [list] = Object.values((await reply).body).filter((value) => Array.isArray(value));
  return (list ?? []) as readonly View[];
}

let last = 0;

/** A number that no account of the chart has. */
export function freeNumber(): number {
  last = (last + 1) % 900;
  return 9000 + last;
}

export async function newAccount(client: Client, fields: object = {}): Promise<number> {
  const account = { Number: freeNumber(), Description: unique('account'), Type: 'EXPENSE' };
  return (await recordIn(add(client, 'accounts', { ...account, ...fields }))).Number;
}

export async function newCustomer(client: Client, fields: object = {}): Promise<string> {
  const customer = { Name: unique('customer'), ...fields };
  return (await recordIn(add(client, 'customers', customer))).CustomerNumber;
}

export const newYear = async (client: Client, year = '2031'): Promise<View> => {
  const fields = { FromDate: `${year}-01-01`, ToDate: `${year}-12-31` };
  return recordIn(add(client, 'financialyears', fields));
};

/** Rows of a voucher: each account with its debit, or below 0 its credit. */
export const rowsOf = (...rows: readonly (readonly [number, number])[]): object[] =>
  rows.map(([Account, amount]) =>
    amount < 0 ? { Account, Credit: -amount } : { Account, Debit: amount },
  );

/** A company's year 2031 with two accounts of its own. */
export interface World {
  readonly id: number;
  readonly first: number;
  readonly second: number;
  /** Fields of a voucher with this amount, on the day of 2031. */
  fields(day: string, amount: number, more?: object): object;
}

export async function world(client: Client): Promise<World> {
  const { Id: id } = await newYear(client);
  const [first, second] = [await newAccount(client), await newAccount(client)];
  const fields = (day: string, amount: number, more: object = {}): object => ({
    TransactionDate: `2031-${day}`,
    Description: unique('voucher'),
    VoucherRows: rowsOf([first, amount], [second, -amount]),
    ...more,
  });
  return { id, first, second, fields };
}

/** Posts a voucher in the world. */
export const postIn = (
  client: Client,
  { fields }: World,
  day: string,
  more: object = {},
): Promise<View> => recordIn(add(client, 'vouchers', fields(day, 100, more)));

export const closeIn = (client: Client, { id }: { id: number }, month: string): Reply =>
  put(client, `financialyears/${String(id)}/periods/2031-${month}/close`);

/** A draft of a new customer on 10 March 2031, with this in it. */
export async function draft(client: Client, fields: object = {}): Promise<View> {
  const CustomerNumber = await newCustomer(client);
  const InvoiceRows = [{ Description: 'Work', Price: 100 }];
  const common = { CustomerNumber, InvoiceDate: '2031-03-10', InvoiceRows };
  return recordIn(add(client, 'invoices', { ...common, ...fields }));
}

const pathOf = ({ DocumentNumber }: View): string => `invoices/${String(DocumentNumber)}`;

export const act = (client: Client, invoice: View, action: 'book' | 'cancel'): Reply =>
  put(client, `${pathOf(invoice)}/${action}`);

export const change = (client: Client, invoice: View, Invoice: object): Reply =>
  put(client, pathOf(invoice), { Invoice });

export const again = (client: Client, invoice: View): Promise<View> =>
  recordIn(read(client, pathOf(invoice)));

export const balance = async (client: Client, id: number, query = ''): Promise<View> =>
  recordIn(read(client, `trialbalance?financialyear=${String(id)}${query}`));

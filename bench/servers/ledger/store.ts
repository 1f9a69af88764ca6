import type { Opened } from '../serving/open-service.ts';
import type { DefectName } from './defects.ts';
import type { VariantName } from './variants.ts';

/** Amounts are whole öre everywhere in the service. */
type Ore = number;

export interface Account {
  readonly number: number;
  description: string;
  type: string;
  vatCode: string | null;
  active: boolean;
  modified: number;
}

export interface Customer {
  readonly number: string;
  name: string;
  organisationNumber: string | null;
  email: string | null;
  city: string | null;
  countryCode: string;
  terms: number;
  active: boolean;
  readonly created: number;
  modified: number;
}

export interface Period {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  closed: boolean;
}

export interface Year {
  readonly id: number;
  readonly from: string;
  readonly to: string;
  readonly periods: readonly Period[];
}

export interface VoucherRow {
  readonly account: number;
  readonly debit: Ore;
  readonly credit: Ore;
  readonly information: string | null;
}

/** A voucher before it has its number. */
export interface Posting {
  readonly series: string;
  readonly date: string;
  readonly description: string;
  readonly rows: readonly VoucherRow[];
  readonly reverses?: Voucher;
  readonly invoice?: number;
}

export interface Voucher extends Posting {
  readonly year: Year;
  readonly number: number;
  reversedBy: Voucher | undefined;
  modified: number;
}

export interface InvoiceRow {
  readonly description: string;
  /** In hundredths. */
  readonly quantity: number;
  readonly price: Ore;
  readonly discount: number;
  readonly vat: number;
  readonly account: number;
}

export interface Totals {
  readonly net: Ore;
  readonly vat: Ore;
}

export interface Invoice {
  readonly number: number;
  state: 'draft' | 'booked' | 'cancelled';
  customer: string;
  /** The name of the customer when the invoice was booked or cancelled. */
  customerName: string | undefined;
  date: string;
  due: string;
  reference: string | null;
  rows: readonly InvoiceRow[];
  totals: Totals;
  voucher: Voucher | undefined;
  version: number;
  modified: number;
}

/** The records of one company. */
export interface Books {
  readonly accounts: Map<number, Account>;
  readonly customers: Map<string, Customer>;
  readonly years: Year[];
  /** In the order in which they were posted. */
  readonly vouchers: Voucher[];
  readonly invoices: Map<number, Invoice>;
  /** The last number by year and series. */
  readonly last: Map<string, number>;
  nextCustomer: number;
  nextInvoice: number;
}

/** A started service: its companies, and what is wrong or different in it. */
export interface Service extends Opened<DefectName, VariantName> {
  readonly north: Books;
  readonly east: Books;
  nextYear: number;
  requests: number;
}

export const tokens = {
  north: 'kt-north-5d21c7e09ab84f36',
  east: 'kt-east-b80f4416c2d97e3a',
} as const;

/** Accounts that every company has, as invoices are posted on them. */
export const receivables = 1510;
export const standardSales = 3001;
export const vatAccounts: Readonly<Record<number, number>> = { 25: 2611, 12: 2621, 6: 2631 };
export const isNeeded = (number: number): boolean =>
  [receivables, standardSales, ...Object.values(vatAccounts)].includes(number);

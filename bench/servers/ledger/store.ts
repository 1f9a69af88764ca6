import type { Opened } from '../serving/open-service.ts';
import type { DefectName } from './defects.ts';
import type { VariantName } from './variants.ts';

/** Records have the members of the document, and those in small letters. */
export interface Account {
  readonly Number: number;
  readonly Description: string;
  readonly Type: string;
  readonly VATCode: string | null;
  readonly Active: boolean;
  readonly modified: number;
}

export interface Customer {
  readonly CustomerNumber: string;
  readonly Name: string;
  readonly OrganisationNumber: string | null;
  readonly Email: string | null;
  readonly City: string | null;
  readonly CountryCode: string;
  readonly TermsOfPayment: number;
  readonly Active: boolean;
  readonly created: number;
  readonly modified: number;
}

export interface Period {
  readonly Period: string;
  readonly FromDate: string;
  readonly ToDate: string;
  Closed: boolean;
}

export interface Year {
  readonly Id: number;
  readonly FromDate: string;
  readonly ToDate: string;
  readonly Periods: readonly Period[];
}

export interface VoucherRow {
  readonly Account: number;
  readonly Debit: number;
  readonly Credit: number;
  readonly TransactionInformation: string | null;
}

/** A voucher before it has its number. */
export interface Posting {
  readonly VoucherSeries: string;
  readonly TransactionDate: string;
  readonly Description: string;
  readonly rows: readonly VoucherRow[];
  readonly reverses?: Voucher;
  readonly invoice?: number;
}

export interface Voucher extends Posting {
  readonly year: Year;
  readonly VoucherNumber: number;
  readonly reversedBy: Voucher | undefined;
  readonly modified: number;
}

export interface InvoiceRow {
  readonly Description: string;
  readonly Quantity: number;
  readonly Price: number;
  readonly Discount: number;
  readonly VAT: number;
  readonly AccountNumber: number;
}

/** In öre, as all sums are while they are computed. */
export interface Totals {
  readonly net: number;
  readonly vat: number;
}

export interface Invoice {
  readonly DocumentNumber: number;
  readonly State: 'draft' | 'booked' | 'cancelled';
  readonly CustomerNumber: string;
  readonly InvoiceDate: string;
  readonly DueDate: string;
  readonly YourReference: string | null;
  readonly Version: number;
  readonly rows: readonly InvoiceRow[];
  /** The name of the customer when the invoice was booked or cancelled. */
  readonly name: string | undefined;
  readonly totals: Totals;
  readonly voucher: Voucher | undefined;
  readonly modified: number;
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

import { randomUUID } from 'node:crypto';
import type { Answer } from '../serving/serve.ts';
import { choose, type Start } from '../serving/plant.ts';
import { defectNames, type DefectName } from './defects.ts';
import { variantNames, type VariantName } from './variants.ts';

export interface Customer {
  readonly id: string;
  name: string;
  email: string;
  country: string | null;
  vatId: string | null;
  locale: string;
  ledgerAccount?: number | bigint;
  readonly createdAt: Date;
  version: number;
  /** What invoiceCount is above the number of invoices. */
  surplus: number;
}

export interface Line {
  readonly description: string;
  readonly quantity: number;
  readonly unitPrice: string;
}

/** The fields of an invoice that a client sets. */
export interface InvoiceFields {
  customerId: string;
  currency: string;
  issuedOn: string;
  lines: Line[];
  taxPercent: number;
  note: string | null;
  tags: string[];
}

export interface Payment {
  readonly id: string;
  readonly amount: string;
  readonly method?: string;
  readonly reference: string | null;
  readonly createdAt: Date;
}

export interface Invoice extends InvoiceFields {
  readonly id: string;
  readonly number: string;
  status: string;
  readonly payments: Payment[];
  readonly createdAt: Date;
  version: number;
  /** Fields that a defect shows in place of the right ones. */
  wrong: Record<string, unknown>;
}

export interface File {
  readonly type: string;
  readonly bytes: Buffer;
}

export interface Export {
  readonly id: string;
  readonly startedAt: number;
  readonly invoices: readonly Invoice[];
  reads: number;
}

/** What belongs to one token. */
export class Account {
  readonly customers = new Map<string, Customer>();
  readonly invoices = new Map<string, Invoice>();
  readonly attachments = new Map<string, File>();
  readonly exports = new Map<string, Export>();
  /** First responses by operation and Idempotency-Key. */
  readonly replays = new Map<string, { body: string; answer: Answer }>();
  settings: Record<string, unknown> = { footer: 'Thank you.', remindAfterDays: 14 };
  lastNumber = 0;

  countOf(customerId: string): number {
    return [...this.invoices.values()].filter((one) => one.customerId === customerId).length;
  }
}

/** A started service: its accounts by token, and what is wrong or different in it. */
export interface Service {
  readonly has: (defect: DefectName) => boolean;
  readonly varies: (variant: VariantName) => boolean;
  readonly accounts: ReadonlyMap<string, Account>;
  readonly nextId: (prefix: string) => string;
}

export const tokens = { first: 'acme-token-81f2', second: 'borealis-token-c07d' } as const;
export const adminKey = 'ledger-admin-5520';

/** The accounts with their first records. */
export function openService({ defect, variant }: Start): Service {
  const has = choose('defect', defectNames, defect);
  const varies = choose('variant', variantNames, variant);
  const accounts = new Map<string, Account>(
    Object.values(tokens).map((token) => [token, new Account()]),
  );
  const last: Record<string, number> = { cus: 1000, inv: 2000, pay: 3000, exp: 4000 };
  const nextId = (prefix: string): string => {
    last[prefix] = (last[prefix] ?? 0) + 1;
    return varies('ids-are-uuids') ? randomUUID() : `${prefix}_${String(last[prefix])}`;
  };
  const service = { has, varies, accounts, nextId };
  if (!varies('starts-empty'))
    for (const [index, account] of [...accounts.values()].entries())
      fill(account, { nextId, customers: index === 0 ? 24 : 3, invoices: index === 0 ? 30 : 4 });
  return service;
}

const trades = ['Bakery', 'Plumbing', 'Studio', 'Garage', 'Press', 'Nursery'];
const names = ['Hofer', 'Arvid', 'Nordlys', 'Keller', 'Meunier', 'Öberg', 'Zanetti'];

interface Filling {
  readonly nextId: (prefix: string) => string;
  readonly customers: number;
  readonly invoices: number;
}

function fill(account: Account, { nextId, customers, invoices }: Filling): void {
  for (let at = 0; at < customers; at += 1) {
    const name = `${names[at % 7] ?? ''} ${trades[(at * 5) % 6] ?? ''} ${String(at + 1)}`;
    const id = nextId('cus');
    account.customers.set(id, {
      id,
      name,
      email: `office${String(at + 1)}@company-${String(at % 5)}.example`,
      country: ['DE', 'AT', 'NO', 'FR'][at % 4] ?? 'DE',
      vatId: at % 3 === 0 ? `ATU${String(10_000_000 + at)}` : null,
      locale: 'en',
      ...(at % 2 === 0 ? { ledgerAccount: 10_000 + at } : {}),
      createdAt: new Date(Date.UTC(2026, 0, 2, 9, at)),
      version: 1,
      surplus: 0,
    });
  }
  const ids = [...account.customers.keys()];
  for (let at = 0; at < invoices; at += 1) fillInvoice(account, nextId('inv'), { at, ids });
}

function fillInvoice(
  account: Account,
  id: string,
  { at, ids }: { at: number; ids: readonly string[] },
): void {
  account.lastNumber += 1;
  account.invoices.set(id, {
    id,
    number: `2026-${String(account.lastNumber).padStart(4, '0')}`,
    status: ['draft', 'sent', 'void', 'sent'][at % 4] ?? 'draft',
    customerId: ids[(at * 7) % ids.length] ?? '',
    currency: at % 5 === 0 ? 'CHF' : 'EUR',
    issuedOn: new Date(Date.UTC(2026, 0, 5 + at * 2)).toISOString().slice(0, 10),
    lines: [
      { description: 'Work', quantity: 1 + (at % 4), unitPrice: `${String(9 + at * 3)}.90` },
      { description: 'Travel', quantity: 1, unitPrice: `${String((at * 13) % 40)}.05` },
    ],
    taxPercent: at % 3 === 0 ? 19 : 0,
    note: at % 4 === 0 ? null : `Order ${String(500 + at)}, "as agreed"`,
    tags: at % 5 === 0 ? [] : at % 2 === 0 ? ['repair', 'urgent'] : ['repair'],
    payments: [],
    createdAt: new Date(Date.UTC(2026, 2, 1, 8, at)),
    version: 1,
    wrong: {},
  });
}

import { createHash } from 'node:crypto';
import type { Account, Customer, Invoice, Payment, Service } from './account.ts';
import { addDays, cents, money } from './money.ts';

/** Where links start: empty, or the origin of the service. */
export interface Shown {
  readonly service: Service;
  readonly account: Account;
  readonly base: string;
}

export function showTime(moment: Date, { has, varies }: Service): string {
  const text = moment.toISOString();
  if (has('created-without-zone')) return text.slice(0, 19);
  if (!varies('times-with-offset')) return `${text.slice(0, 19)}Z`;
  const later = new Date(moment.getTime() + 7_200_000).toISOString();
  return `${later.slice(0, 23)}123+02:00`;
}

export function showCustomer(customer: Customer, { service, account, base }: Shown): object {
  const { has } = service;
  const { version, surplus, createdAt, ...fields } = customer;
  const count = account.countOf(customer.id) + surplus;
  const others = [...account.customers.keys()].filter((id) => id !== customer.id);
  const href = `${base}/customers/${has('href-of-other') ? (others[0] ?? '') : customer.id}`;
  return {
    ...fields,
    ...(has('unicode-mangled')
      ? { name: Buffer.from(fields.name, 'utf8').toString('latin1').slice(0, 80) }
      : {}),
    invoiceCount: has('count-as-text') ? String(count) : count,
    href,
    createdAt: showTime(createdAt, service),
  };
}

interface Totals {
  readonly subtotal: bigint;
  readonly tax: bigint;
  readonly total: bigint;
  readonly paid: bigint;
}

const amountOf = (line: { quantity: number; unitPrice: string }): bigint =>
  BigInt(line.quantity) * cents(line.unitPrice);

/** The amounts of an invoice in cents. */
export function totalsOf(invoice: Invoice, { has }: Service): Totals {
  const counted = has('total-without-last-line') ? invoice.lines.slice(0, -1) : invoice.lines;
  const subtotal = counted.reduce((sum, line) => sum + amountOf(line), 0n);
  const share = subtotal * BigInt(invoice.taxPercent);
  const tax = (share + (has('tax-rounded-down') ? 0n : 50n)) / 100n;
  const paid = invoice.payments.reduce((sum, { amount }) => sum + cents(amount), 0n);
  return { subtotal, tax, total: has('total-without-tax') ? subtotal : subtotal + tax, paid };
}

function dueOn({ issuedOn }: Invoice, { has }: Service): string {
  if (has('due-counts-from-today')) return addDays(new Date().toISOString().slice(0, 10), 30);
  if (has('due-as-date-time')) return `${addDays(issuedOn, 30)}T00:00:00Z`;
  if (!has('due-after-a-month')) return addDays(issuedOn, 30);
  const due = new Date(`${issuedOn}T00:00:00Z`);
  due.setUTCMonth(due.getUTCMonth() + 1);
  return due.toISOString().slice(0, 10);
}

export function showInvoice(invoice: Invoice, shown: Shown, inList = false): object {
  const { service, account, base } = shown;
  const { has } = service;
  const { wrong, version, payments, createdAt, ...fields } = invoice;
  const totals = totalsOf(invoice, service);
  const write = (amount: bigint): string =>
    has('amount-drops-zeros') ? money(amount).replace(/\.?0+$/, '') : money(amount);
  const customer = account.customers.get(invoice.customerId);
  const link = `${base}/invoices/${invoice.id}`;
  const view: Record<string, unknown> = {
    ...fields,
    customer: {
      id: customer?.id ?? invoice.customerId,
      name: customer?.name ?? '',
      email: customer?.email ?? 'unknown@unknown.example',
      href: `${base}/customers/${invoice.customerId}`,
    },
    dueOn: dueOn(invoice, service),
    lines: invoice.lines.map((line) => ({ ...line, amount: write(amountOf(line)) })),
    subtotal: write(totals.subtotal),
    tax: write(totals.tax),
    total: write(totals.total),
    paid: write(totals.paid),
    balance: write(has('balance-not-lowered') ? totals.total : totals.total - totals.paid),
    tags: has('tags-are-null') && invoice.tags.length === 0 ? null : invoice.tags,
    href: has('href-broken') ? `${base}/invoice/${invoice.id}` : link,
    paymentsHref: `${link}/${has('payments-href-broken') ? 'payment' : 'payments'}`,
    createdAt: showTime(createdAt, service),
    ...wrong,
  };
  if (inList && has('amount-as-number')) view['total'] = Number(view['total']);
  if (inList && has('status-in-capitals')) view['status'] = invoice.status.toUpperCase();
  if (inList && has('customer-missing-in-list')) delete view['customer'];
  return view;
}

export function showPayment(payment: Payment, invoice: Invoice, { service, base }: Shown): object {
  return {
    ...payment,
    invoiceId: service.has('payment-names-other-invoice') ? invoice.number : invoice.id,
    href: `${base}/invoices/${invoice.id}/payments/${payment.id}`,
    createdAt: showTime(payment.createdAt, service),
  };
}

/** The ETag of a record as it is shown; it changes with all that is shown. */
export function etagOf(view: object, { has }: Service): string {
  if (has('etag-constant')) return '"v1"';
  const text = JSON.stringify(view, (_key, part: unknown) =>
    typeof part === 'bigint' ? String(part) : part,
  );
  return `"${createHash('sha1').update(text).digest('hex').slice(0, 16)}"`;
}

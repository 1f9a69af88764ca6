import type { Ask, Client, Got } from '../serving/client.ts';

/** Whether a defect shows to this client. */
export type Show = (client: Client) => Promise<boolean>;

export interface CustomerView {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly country: string;
  readonly vatId: string | null;
  readonly ledgerAccount?: number | bigint;
  readonly invoiceCount: number;
  readonly href: string;
}

export interface InvoiceView {
  readonly id: string;
  readonly number: string;
  readonly status: string;
  readonly customerId: string;
  readonly customer: { readonly id: string; readonly name: string };
  readonly currency: string;
  readonly issuedOn: string;
  readonly dueOn: string;
  readonly lines: readonly { readonly description: string; readonly amount: string }[];
  readonly subtotal: string;
  readonly tax: string;
  readonly total: string;
  readonly paid: string;
  readonly balance: string;
  readonly note: string | null;
  readonly tags: readonly string[];
  readonly href: string;
  readonly paymentsHref: string;
}

export interface PaymentView {
  readonly id: string;
  readonly invoiceId: string;
  readonly method?: string;
  readonly href: string;
}

export interface ListView<Record> {
  readonly data: readonly Record[];
  readonly totalCount: number;
  readonly nextCursor: string | null;
}

export interface ExportView {
  readonly id: string;
  readonly status: string;
  readonly rows?: number;
  readonly resultHref?: string;
}

let last = 0;

/** A text that occurs in no other record. */
export function unique(prefix: string): string {
  last += 1;
  return `${prefix}-${String(last)}-${String(process.pid)}`;
}

export function postCustomer(
  client: Client,
  fields: object = {},
  ask: Ask = {},
): Promise<Got<CustomerView>> {
  const email = `${unique('mail')}@client.example`;
  const json = { name: 'Client', email, ...fields };
  return client.ask<CustomerView>('POST', '/customers', { json, ...ask });
}

export async function newCustomer(
  client: Client,
  fields: object = {},
  as = 'first',
): Promise<CustomerView> {
  return (await postCustomer(client, fields, { as })).body;
}

export const oneLine = [{ description: 'Work', quantity: 1, unitPrice: '10.00' }];

/** Lines of this total. */
export function costing(unitPrice: string): object {
  return { lines: [{ description: 'Work', quantity: 1, unitPrice }] };
}

/** Creates an invoice, for a new customer if the fields name none. */
export async function postInvoice(
  client: Client,
  fields: object = {},
  ask: Ask = {},
): Promise<Got<InvoiceView>> {
  const customerId = Object.hasOwn(fields, 'customerId')
    ? {}
    : { customerId: (await newCustomer(client, {}, ask.as)).id };
  const json = { ...customerId, lines: oneLine, ...fields };
  return client.ask<InvoiceView>('POST', '/invoices', { json, ...ask });
}

export async function newInvoice(
  client: Client,
  fields: object = {},
  as = 'first',
): Promise<InvoiceView> {
  return (await postInvoice(client, fields, { as })).body;
}

export async function newSent(client: Client, fields: object = {}): Promise<InvoiceView> {
  const { id } = await newInvoice(client, fields);
  return (await client.ask<InvoiceView>('POST', `/invoices/${id}/send`)).body;
}

export function pay(
  client: Client,
  id: string,
  fields: object = {},
  ask: Ask = {},
): Promise<Got<PaymentView>> {
  const json = { amount: '10.00', ...fields };
  return client.ask<PaymentView>('POST', `/invoices/${id}/payments`, { json, ...ask });
}

export async function readInvoice(client: Client, id: string): Promise<InvoiceView> {
  return (await client.ask<InvoiceView>('GET', `/invoices/${id}`)).body;
}

export async function readCustomer(client: Client, id: string): Promise<CustomerView> {
  return (await client.ask<CustomerView>('GET', `/customers/${id}`)).body;
}

export function list(
  client: Client,
  query: string,
  ask: Ask = {},
): Promise<Got<ListView<InvoiceView>>> {
  return client.ask<ListView<InvoiceView>>('GET', `/invoices?${query}`, ask);
}

/** The ids of all pages, at most 12 of them. */
export async function walk(client: Client, query: string): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < 12; pages += 1) {
    const from: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await list(client, query + from);
    ids.push(...(body.data ?? []).map(({ id }) => id));
    cursor = body.nextCursor;
    if (cursor === null) break;
  }
  return ids;
}

/** Invoices with one tag that no other invoice has, in the order of the fields. */
export async function tagged(
  client: Client,
  all: readonly object[],
): Promise<{ tag: string; ids: string[] }> {
  const tag = unique('t').slice(0, 20);
  const { id: customerId } = await newCustomer(client);
  const ids: string[] = [];
  for (const fields of all) {
    const { tags = [] } = fields as { tags?: string[] };
    ids.push((await newInvoice(client, { customerId, ...fields, tags: [tag, ...tags] })).id);
  }
  return { tag, ids };
}

/** Creates invoices until there are so many, and says how many there are. */
export async function atLeast(client: Client, count: number): Promise<number> {
  const { totalCount } = (await list(client, 'limit=1')).body;
  if (totalCount < count)
    await tagged(
      client,
      Array.from({ length: count - totalCount }, () => ({})),
    );
  return Math.max(totalCount, count);
}

/** Whether the list of this query has other invoices, or in another order, than these. */
export async function listsOther(
  client: Client,
  query: string,
  ids: readonly string[],
): Promise<boolean> {
  const { body } = await list(client, query);
  return (body.data ?? []).map(({ id }) => id).join() !== ids.join();
}

/** The rows of a CSV file (RFC 4180). */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain = '', end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g,
  )) {
    if (end === '' && row.length === 0 && quoted === undefined && plain === '') break;
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

/** Reads an export until it is done, for two seconds. */
export async function waitForExport(
  client: Client,
  fields: object = {},
): Promise<{ started: Got<ExportView>; job: ExportView; rows: string[][] }> {
  const started = await client.ask<ExportView>('POST', '/exports', { json: fields });
  const location = started.headers.get('location') ?? '';
  const path = location.replace(/^https?:\/\/[^/]+/, '');
  const until = Date.now() + 2_100;
  let job = started.body;
  while (job.status !== 'done' && path !== '' && Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    job = (await client.ask<ExportView>('GET', path)).body;
    if (job.id === undefined) break;
  }
  const href = job.resultHref?.replace(/^https?:\/\/[^/]+/, '');
  const { text } = href === undefined ? { text: '' } : await client.ask('GET', href);
  return { started, job, rows: parseCsv(text) };
}

/** The path of a link of this service. */
export function pathOf(link: string): string {
  return link.replace(/^https?:\/\/[^/]+/, '');
}

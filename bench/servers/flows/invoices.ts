import { counts, has, isThere, lacks, matches, not } from './claims.ts';
import type { Flow, Step } from './step.ts';

const pages = { at: 'nextCursor', as: 'cursor' };
const line = (quantity: number, unitPrice: string) => ({
  description: 'Repair of the boiler',
  quantity,
  unitPrice,
});
const invoice = '/invoices/{invoice}';
const customer = '/customers/{customer}';

const customers: Step[] = [
  {
    does: 'creates a customer, with the defaults of what it leaves out',
    send: 'POST /customers',
    json: { name: 'Flow Bakery', email: 'office@flow.example', country: 'AT' },
    headers: { 'Idempotency-Key': 'flow-customer' },
    status: 201,
    sees: { country: 'AT', vatId: null, locale: 'en', invoiceCount: 0 },
    keeps: { customer: 'id', place: 'header:location', tag: 'header:etag', href: 'href' },
  },
  {
    does: 'reads it where Location says',
    send: 'GET {place}',
    sees: { id: '{customer}', name: 'Flow Bakery', 'header:etag': '{tag}' },
  },
  { does: 'reads it by its own link', send: 'GET {href}', sees: { id: '{customer}' } },
  {
    does: 'repeats the idempotency key and gets the same customer',
    send: 'POST /customers',
    json: { name: 'Flow Bakery', email: 'office@flow.example', country: 'AT' },
    headers: { 'Idempotency-Key': 'flow-customer' },
    status: 201,
    sees: { id: '{customer}' },
  },
  {
    does: 'is refused the key with another body',
    send: 'POST /customers',
    json: { name: 'Other', email: 'other@flow.example' },
    headers: { 'Idempotency-Key': 'flow-customer' },
    status: 422,
  },
  {
    does: 'is refused the email a second time, in any case',
    send: 'POST /customers',
    json: { name: 'Twin', email: 'OFFICE@flow.example' },
    status: 409,
  },
  {
    does: 'is refused a customer without an email',
    send: 'POST /customers',
    json: { name: 'Nobody' },
    status: 422,
  },
  {
    does: 'is refused another media type',
    send: 'POST /customers',
    bytes: 'name=x',
    type: 'text/plain',
    status: 415,
  },
  {
    does: 'creates two customers at once',
    send: 'POST /customers/bulk',
    json: {
      customers: [
        { name: 'Flow Plumbing', email: 'plumbing@flow.example' },
        { name: 'Flow Studio', email: 'studio@flow.example', country: 'NO' },
      ],
    },
    status: 201,
    sees: { 'customers * name': ['Flow Plumbing', 'Flow Studio'] },
    keeps: { plumbing: 'customers 0 id', studio: 'customers 1 id' },
  },
  {
    does: 'creates none of two when an email is taken',
    send: 'POST /customers/bulk',
    json: {
      customers: [
        { name: 'Flow New', email: 'new@flow.example' },
        { name: 'Flow Taken', email: 'office@flow.example' },
      ],
    },
    status: 409,
  },
  {
    does: 'searches customers in names and emails, in any case',
    send: 'GET /customers?q=FLOW',
    sees: { totalCount: 3, 'data * id': ['{customer}', '{plumbing}', '{studio}'] },
  },
  {
    does: 'lists by country',
    send: 'GET /customers?q=flow&country=NO',
    sees: { 'data * id': ['{studio}'] },
  },
  {
    does: 'sorts by name, descending, and pages to the end',
    send: 'GET /customers?q=flow&sort=-name&limit=2',
    next: pages,
    sees: { pages: counts(2), 'pages * data * id': ['{studio}', '{plumbing}', '{customer}'] },
  },
  { does: 'is refused a cursor that is none', send: 'GET /customers?cursor=no-such', status: 400 },
  {
    does: 'changes the name only',
    send: `PATCH ${customer}`,
    json: { name: 'Flow Bakery Ltd', vatId: 'ATU12345678' },
    headers: { 'If-Match': '{tag}' },
    sees: {
      name: 'Flow Bakery Ltd',
      vatId: 'ATU12345678',
      country: 'AT',
      'header:etag': not('{tag}'),
    },
    keeps: { tag2: 'header:etag' },
  },
  {
    does: 'is refused a stale If-Match',
    send: `PATCH ${customer}`,
    json: { name: 'Late' },
    headers: { 'If-Match': '{tag}' },
    status: 412,
  },
  {
    does: 'is told that nothing changed since',
    send: `GET ${customer}`,
    headers: { 'If-None-Match': '{tag2}' },
    status: 304,
  },
  {
    does: 'clears a field by null',
    send: `PATCH ${customer}`,
    json: { vatId: null },
    sees: { vatId: null },
  },
  {
    does: 'is refused the email of another',
    send: `PATCH ${customer}`,
    json: { email: 'studio@flow.example' },
    status: 409,
  },
];

const drafts: Step[] = [
  {
    does: 'creates an invoice, with the computed amounts',
    send: 'POST /invoices',
    json: {
      customerId: '{customer}',
      issuedOn: '2026-02-10',
      taxPercent: 19,
      lines: [line(2, '49.90'), { description: 'Travel', quantity: 1, unitPrice: '20.00' }],
      note: 'Flow repair',
      tags: ['flow', 'urgent'],
    },
    status: 201,
    sees: {
      status: 'draft',
      currency: 'EUR',
      dueOn: '2026-03-12',
      'lines * amount': ['99.80', '20.00'],
      subtotal: '119.80',
      tax: '22.76',
      total: '142.56',
      paid: '0.00',
      balance: '142.56',
      'customer name': 'Flow Bakery Ltd',
    },
    keeps: { invoice: 'id', number: 'number', itag: 'header:etag', payments: 'paymentsHref' },
  },
  {
    does: 'reads the invoice',
    send: `GET ${invoice}`,
    sees: { number: '{number}', total: '142.56', tags: ['flow', 'urgent'] },
  },
  {
    does: 'is refused an invoice of a customer that is not there',
    send: 'POST /invoices',
    json: { customerId: 'no-such', lines: [line(1, '1.00')] },
    status: 422,
  },
  {
    does: 'is refused an invoice without lines',
    send: 'POST /invoices',
    json: { customerId: '{customer}', lines: [] },
    status: 422,
  },
  {
    does: 'creates a second invoice',
    send: 'POST /invoices',
    json: {
      customerId: '{customer}',
      issuedOn: '2026-03-01',
      lines: [line(1, '9.00')],
      tags: ['flow'],
    },
    status: 201,
    sees: { total: '9.00', note: null, taxPercent: 0, number: not('{number}') },
    keeps: { second: 'id' },
  },
  {
    does: 'creates a third invoice',
    send: 'POST /invoices',
    json: {
      customerId: '{studio}',
      issuedOn: '2026-01-05',
      lines: [line(10, '30.00')],
      tags: ['flow'],
    },
    status: 201,
    keeps: { third: 'id' },
  },
  { does: 'sees the count of invoices follow', send: `GET ${customer}`, sees: { invoiceCount: 2 } },
  {
    does: 'lists the invoices of a customer',
    send: 'GET /invoices?customerId={customer}',
    sees: { 'data * id': ['{invoice}', '{second}'], totalCount: 2 },
  },
  {
    does: 'lists by a tag',
    send: 'GET /invoices?tag=flow',
    sees: { 'data * id': ['{invoice}', '{second}', '{third}'] },
  },
  {
    does: 'lists by two tags',
    send: 'GET /invoices?tag=flow&tag=urgent',
    sees: { 'data * id': ['{invoice}'] },
  },
  {
    does: 'lists what was issued after a date',
    send: 'GET /invoices?tag=flow&issuedAfter=2026-02-10',
    sees: { 'data * id': ['{second}'] },
  },
  {
    does: 'lists from an amount on',
    send: 'GET /invoices?tag=flow&minTotal=142.56',
    sees: { 'data * id': ['{invoice}', '{third}'] },
  },
  {
    does: 'searches in notes',
    send: 'GET /invoices?q=FLOW%20rep',
    sees: { 'data * id': ['{invoice}'] },
  },
  {
    does: 'sorts by total, as amounts, and pages to the end',
    send: 'GET /invoices?tag=flow&sort=-total&limit=1',
    next: pages,
    sees: { pages: counts(3), 'pages * data * id': ['{third}', '{invoice}', '{second}'] },
  },
  { does: 'is refused a status that is none', send: 'GET /invoices?status=lost', status: 400 },
  {
    does: 'replaces the draft; what is left out becomes its default',
    send: `PUT ${invoice}`,
    json: {
      customerId: '{customer}',
      issuedOn: '2026-02-10',
      lines: [line(1, '100.00')],
      tags: ['flow'],
    },
    headers: { 'If-Match': '{itag}' },
    sees: {
      total: '100.00',
      note: null,
      taxPercent: 0,
      number: '{number}',
      'header:etag': not('{itag}'),
    },
  },
  {
    does: 'sees a new name in the copy',
    send: `PATCH ${customer}`,
    json: { name: 'Flow Baker' },
    sees: { name: 'Flow Baker' },
  },
  {
    does: 'reads the copy',
    send: `GET ${invoice}`,
    sees: { 'customer name': 'Flow Baker', 'customer id': '{customer}' },
  },
];

const life: Step[] = [
  {
    does: 'is refused a payment of a draft',
    send: 'POST {payments}',
    json: { amount: '1.00' },
    status: 409,
  },
  { does: 'is refused to void a draft', send: `POST ${invoice}/void`, status: 409 },
  { does: 'sends the invoice', send: `POST ${invoice}/send`, sees: { status: 'sent' } },
  { does: 'reads it as sent', send: `GET ${invoice}`, sees: { status: 'sent' } },
  {
    does: 'lists it as sent',
    send: 'GET /invoices?tag=flow&status=sent',
    sees: { 'data * id': ['{invoice}'] },
  },
  { does: 'is refused to send it again', send: `POST ${invoice}/send`, status: 409 },
  { does: 'is refused to delete it', send: `DELETE ${invoice}`, status: 409 },
  {
    does: 'is refused to replace it',
    send: `PUT ${invoice}`,
    json: { customerId: '{customer}', lines: [line(1, '1.00')] },
    status: 409,
  },
  {
    does: 'records a payment',
    send: 'POST {payments}',
    json: { amount: '40.00', method: 'card' },
    status: 201,
    sees: { invoiceId: '{invoice}', amount: '40.00', reference: null },
    keeps: { payment: 'id', paymentPlace: 'header:location' },
  },
  {
    does: 'reads the payment',
    send: 'GET {paymentPlace}',
    sees: { id: '{payment}', method: 'card' },
  },
  {
    does: 'sees the balance fall',
    send: `GET ${invoice}`,
    sees: { paid: '40.00', balance: '60.00', status: 'sent' },
  },
  {
    does: 'is refused more than the balance',
    send: 'POST {payments}',
    json: { amount: '60.01' },
    status: 422,
  },
  { does: 'is refused to void what has payments', send: `POST ${invoice}/void`, status: 409 },
  {
    does: 'pays the rest',
    send: 'POST {payments}',
    json: { amount: '60.00' },
    status: 201,
    sees: { method: 'transfer' },
  },
  {
    does: 'sees the invoice paid',
    send: `GET ${invoice}`,
    sees: { status: 'paid', balance: '0.00' },
  },
  {
    does: 'lists the payments',
    send: 'GET {payments}',
    sees: { 'data * amount': ['40.00', '60.00'], totalCount: 2 },
  },
  { does: 'sends another invoice', send: 'POST /invoices/{third}/send', sees: { status: 'sent' } },
  { does: 'voids it', send: 'POST /invoices/{third}/void', sees: { status: 'void' } },
  { does: 'deletes a draft', send: 'DELETE /invoices/{second}', status: 204 },
  { does: 'does not find it', send: 'GET /invoices/{second}', status: 404 },
  { does: 'sees the count of invoices fall', send: `GET ${customer}`, sees: { invoiceCount: 1 } },
];

const files: Step[] = [
  {
    does: 'uploads an attachment',
    send: `PUT ${invoice}/attachment`,
    bytes: 'these are bytes',
    type: 'application/octet-stream',
    status: 204,
  },
  {
    does: 'downloads it with the same bytes and media type',
    send: `GET ${invoice}/attachment`,
    sees: { 'text:': 'these are bytes', 'header:content-type': matches(/octet-stream/) },
  },
  {
    does: 'replaces it',
    send: `PUT ${invoice}/attachment`,
    bytes: 'a picture',
    type: 'image/png',
    status: 204,
  },
  {
    does: 'downloads the later one',
    send: `GET ${invoice}/attachment`,
    sees: { 'text:': 'a picture', 'header:content-type': matches(/png/) },
  },
  {
    does: 'does not find an attachment of another',
    send: 'GET /invoices/{third}/attachment',
    status: 404,
  },
  {
    does: 'downloads the invoice as PDF',
    send: `GET ${invoice}/pdf`,
    sees: { 'header:content-type': matches(/pdf/), 'header:content-disposition': has('{number}') },
  },
  {
    does: 'downloads invoices as CSV',
    send: 'GET /invoices/csv?status=paid',
    sees: {
      'text:': has('id,number,status,customerId,issuedOn,total,note', '{invoice},{number},paid'),
      'header:content-type': matches(/csv/),
    },
  },
  {
    does: 'starts an export',
    send: 'POST /exports',
    json: { status: 'paid' },
    status: 202,
    sees: { id: isThere },
    keeps: { export: 'header:location' },
  },
  {
    does: 'reads the export until it is done',
    send: 'GET {export}',
    until: { status: 'done' },
    sees: { status: 'done', rows: isThere },
    keeps: { result: 'resultHref' },
  },
  {
    does: 'downloads the result',
    send: 'GET {result}',
    sees: { 'text:': has('{invoice},{number}') },
  },
  {
    does: 'replaces the settings',
    send: 'PUT /admin/settings',
    as: 'admin',
    json: { footer: 'Thanks from the flow', remindAfterDays: 21 },
    sees: { remindAfterDays: 21 },
  },
  {
    does: 'reads the settings',
    send: 'GET /admin/settings',
    as: 'admin',
    sees: { footer: 'Thanks from the flow' },
  },
  {
    does: 'is refused to delete a customer with invoices',
    send: `DELETE ${customer}`,
    status: 409,
  },
  {
    does: 'deletes a customer without invoices',
    send: 'DELETE /customers/{plumbing}',
    status: 204,
  },
  { does: 'does not find the customer', send: 'GET /customers/{plumbing}', status: 404 },
  {
    does: 'does not list the customer',
    send: 'GET /customers?q=flow',
    sees: { 'data * id': lacks('{plumbing}') },
  },
];

/** Customers, invoices, payments and files. */
export const invoices: Flow = {
  name: 'invoices',
  steps: [...customers, ...drafts, ...life, ...files],
};

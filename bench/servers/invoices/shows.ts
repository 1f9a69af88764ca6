import type { Client } from '../serving/client.ts';
import type { DefectName, defects } from './defects.ts';
import { listShows } from './show-lists.ts';
import { recordShows } from './show-records.ts';
import {
  atLeast,
  costing,
  list,
  newCustomer,
  newInvoice,
  newSent,
  oneLine,
  parseCsv,
  pay,
  postCustomer,
  postInvoice,
  readCustomer,
  unique,
  waitForExport,
  type CustomerView,
  type ExportView,
  type Show,
} from './use.ts';

type Of<Kind extends keyof typeof defects> = Record<keyof (typeof defects)[Kind], Show>;

async function etagOf(client: Client, path: string): Promise<string> {
  return (await client.ask('GET', path)).headers.get('etag') ?? '';
}

async function conditional(client: Client, etag?: string): Promise<number> {
  const { id } = await newCustomer(client);
  const path = `/customers/${id}`;
  const headers = { 'If-None-Match': etag ?? (await etagOf(client, path)) };
  return (await client.ask('GET', path, { headers })).status;
}

/** A change with the ETag from before another change. */
async function changeStale(client: Client): Promise<{ status: number; name: string }> {
  const { id } = await newCustomer(client);
  const path = `/customers/${id}`;
  const headers = { 'If-Match': await etagOf(client, path) };
  await client.ask('PATCH', path, { json: { name: 'Second' } });
  const { status } = await client.ask('PATCH', path, { json: { name: 'Third' }, headers });
  return { status, name: (await readCustomer(client, id)).name };
}

const conditions: Of<'conditions'> = {
  'etag-constant': async (client) => {
    const { id } = await newCustomer(client);
    const before = await etagOf(client, `/customers/${id}`);
    await client.ask('PATCH', `/customers/${id}`, { json: { name: 'Second' } });
    return (await etagOf(client, `/customers/${id}`)) === before;
  },
  'if-match-ignored': async (client) => (await changeStale(client)).status !== 412,
  'if-match-too-late': async (client) => (await changeStale(client)).name !== 'Second',
  'if-none-match-ignored': async (client) => (await conditional(client)) !== 304,
  'not-modified-always': async (client) => (await conditional(client, '"other"')) !== 200,
  'idempotency-ignored': async (client) => {
    const { id: customerId } = await newCustomer(client);
    const headers = { 'Idempotency-Key': unique('key') };
    const first = await postInvoice(client, { customerId }, { headers });
    const second = await postInvoice(client, { customerId }, { headers });
    return first.body.id !== second.body.id;
  },
  'idempotency-any-body': async (client) => {
    const { id: customerId } = await newCustomer(client);
    const headers = { 'Idempotency-Key': unique('key') };
    await postInvoice(client, { customerId }, { headers });
    const other = await postInvoice(client, { customerId, note: 'other' }, { headers });
    return other.status !== 422;
  },
  'idempotency-across-accounts': async (client) => {
    const headers = { 'Idempotency-Key': unique('key') };
    const fields = { email: `${unique('both')}@client.example` };
    const first = await postCustomer(client, fields, { headers });
    const second = await postCustomer(client, fields, { headers, as: 'second' });
    return first.body.id === second.body.id;
  },
};

const anonymously = { as: 'anonymous' };

const credentials: Of<'credentials'> = {
  'any-token-accepted': async (client) =>
    (await list(client, '', { as: 'wrongToken' })).status !== 401,
  'list-without-token': async (client) => (await list(client, '', anonymously)).status !== 401,
  'csv-without-token': async (client) =>
    (await client.ask('GET', '/invoices/csv', anonymously)).status !== 401,
  'admin-without-key': async (client) =>
    (await client.ask('GET', '/admin/settings')).status !== 403,
  'any-admin-key-accepted': async (client) =>
    (await client.ask('GET', '/admin/settings', { as: 'wrongAdmin' })).status !== 403,
  'admin-key-without-token': async (client) =>
    (await client.ask('GET', '/admin/settings', { as: 'adminKeyOnly' })).status !== 401,
  'update-without-token': async (client) => {
    const { id } = await newCustomer(client);
    const json = { name: 'New' };
    return (await client.ask('PATCH', `/customers/${id}`, { json, ...anonymously })).status !== 401;
  },
  'challenge-missing': async (client) => (await list(client, '', anonymously)).faults.length > 0,
};

const everyByte = Buffer.from(Array.from({ length: 1_280 }, (_, index) => index % 256));

/** Uploads, and says whether the download is different. */
async function differs(client: Client, uploads: readonly Buffer[], type: string) {
  const { id } = await newInvoice(client);
  const path = `/invoices/${id}/attachment`;
  for (const bytes of uploads) await client.ask('PUT', path, { bytes, type });
  const got = await client.ask('GET', path);
  const isSame = got.bytes.equals(uploads.at(-1) ?? Buffer.alloc(0));
  return !isSame || got.headers.get('content-type') !== type;
}

const octets = 'application/octet-stream';

async function pdf(client: Client): Promise<boolean> {
  const { id } = await newInvoice(client);
  const { bytes, faults } = await client.ask('GET', `/invoices/${id}/pdf`);
  return faults.length > 0 || !bytes.toString('latin1').startsWith('%PDF-');
}

const files: Of<'files'> = {
  'attachment-as-text': (client) => differs(client, [everyByte.subarray(0, 256)], octets),
  'attachment-type-lost': (client) => differs(client, [everyByte], 'image/png'),
  'attachment-cut': (client) => differs(client, [everyByte], octets),
  'attachment-shared': async (client) => {
    const { id } = await newInvoice(client);
    const path = `/invoices/${id}/attachment`;
    await client.ask('PUT', path, { bytes: 'mine', type: octets });
    const other = await newInvoice(client);
    return (await client.ask('GET', `/invoices/${other.id}/attachment`)).status !== 404;
  },
  'attachment-not-replaced': (client) =>
    differs(client, [Buffer.from('one'), Buffer.from('two')], octets),
  'pdf-empty': pdf,
  'pdf-is-html': pdf,
};

async function csvRows(client: Client, query = ''): Promise<string[][]> {
  return parseCsv((await client.ask('GET', `/invoices/csv${query}`)).text);
}

const csv: Of<'csv'> = {
  'csv-last-row-missing': async (client) => {
    const { id } = await newInvoice(client);
    return !(await csvRows(client)).some((row) => row[0] === id);
  },
  'csv-one-page-only': async (client) => {
    const count = await atLeast(client, 21);
    return (await csvRows(client)).length !== count + 1;
  },
  'csv-not-quoted': async (client) => {
    const { id } = await newInvoice(client, { note: 'a, "b"' });
    const row = (await csvRows(client)).find(([first]) => first === id);
    return row?.length !== 7 || row[6] !== 'a, "b"';
  },
  'csv-filter-ignored': async (client) => {
    const { id } = await newInvoice(client);
    return (await csvRows(client, '?status=sent')).some((row) => row[0] === id);
  },
  'csv-without-header': async (client) => {
    await newInvoice(client);
    return (await csvRows(client))[0]?.join() !== 'id,number,status,customerId,issuedOn,total,note';
  },
};

const jobs: Of<'jobs'> = {
  'job-never-ends': async (client) => (await waitForExport(client)).job.status !== 'done',
  'job-result-missing': async (client) => {
    const { job } = await waitForExport(client);
    return (await client.ask('GET', `/exports/${job.id}/result`)).status !== 200;
  },
  'job-result-empty': async (client) => {
    const { id } = await newInvoice(client);
    return !(await waitForExport(client)).rows.some((row) => row[0] === id);
  },
  'job-location-missing': async (client) =>
    (await client.ask('POST', '/exports', { json: {} })).faults.length > 0,
  'job-location-broken': async (client) => {
    const { headers } = await client.ask('POST', '/exports', { json: {} });
    const path = (headers.get('location') ?? '/').replace(/^https?:\/\/[^/]+/, '');
    return (await client.ask('GET', path)).status !== 200;
  },
  'job-filter-ignored': async (client) => {
    const { id } = await newInvoice(client);
    const { rows } = await waitForExport(client, { status: 'sent' });
    return rows.some((row) => row[0] === id);
  },
  'job-goes-back': async (client) => {
    const { job } = await waitForExport(client);
    for (let reads = 0; reads < 3; reads += 1) {
      const { body } = await client.ask<ExportView>('GET', `/exports/${job.id}`);
      if (body.status !== 'done') return true;
    }
    return false;
  },
  'job-rows-wrong': async (client) => {
    const { job, rows } = await waitForExport(client);
    return job.rows !== rows.length - 1;
  },
};

function twoCustomers(): { name: string; email: string }[] {
  return ['One', 'Two'].map((name) => ({ name, email: `${unique('bulk')}@client.example` }));
}

async function inBulk(client: Client, customers: readonly object[]) {
  const got = await client.ask<{ customers?: CustomerView[] }>('POST', '/customers/bulk', {
    json: { customers },
  });
  return { status: got.status, created: got.body.customers ?? [] };
}

const bulk: Of<'bulk'> = {
  'bulk-half-done': async (client) => {
    const [first = { name: '', email: '' }] = twoCustomers();
    await inBulk(client, [first, { name: 'No email' }]);
    return (await postCustomer(client, { email: first.email })).status !== 201;
  },
  'bulk-order-reversed': async (client) =>
    (await inBulk(client, twoCustomers())).created[0]?.name !== 'One',
  'bulk-drops-last': async (client) => (await inBulk(client, twoCustomers())).created.length !== 2,
  'bulk-repeats-accepted': async (client) => {
    const [first = { name: '', email: '' }] = twoCustomers();
    return (await inBulk(client, [first, first])).status !== 409;
  },
};

const isAccepted = async (posted: Promise<{ status: number }>): Promise<boolean> =>
  (await posted).status < 300;

const validation: Of<'validation'> = {
  'overpayment-accepted': async (client) => {
    const { id } = await newSent(client);
    return isAccepted(pay(client, id, { amount: '10.01' }));
  },
  'no-lines-accepted': (client) => isAccepted(postInvoice(client, { lines: [] })),
  'zero-quantity-accepted': (client) =>
    isAccepted(
      postInvoice(client, { lines: [{ description: 'Gift', quantity: 0, unitPrice: '1.00' }] }),
    ),
  'number-amount-accepted': (client) =>
    isAccepted(
      postInvoice(client, { lines: [{ description: 'Gift', quantity: 1, unitPrice: 1.5 }] }),
    ),
  'long-name-accepted': (client) => isAccepted(postCustomer(client, { name: 'n'.repeat(81) })),
  'bad-email-accepted': (client) => isAccepted(postCustomer(client, { email: 'no address' })),
  'bad-status-filter-accepted': (client) => isAccepted(list(client, 'status=lost')),
  'huge-limit-accepted': (client) => isAccepted(list(client, 'limit=101')),
  'media-type-ignored': (client) => isAccepted(postCustomer(client, {}, { type: 'text/plain' })),
  'impossible-date-accepted': (client) =>
    isAccepted(postInvoice(client, { issuedOn: '2026-02-30' })),
  'longest-name-refused': async (client) =>
    (await postCustomer(client, { name: 'n'.repeat(80) })).status !== 201,
  'locale-refused': async (client) => (await postCustomer(client, { locale: 'fr' })).status !== 201,
};

const fails = async (posted: Promise<{ status: number }>): Promise<boolean> =>
  (await posted).status >= 500;

const robustness: Of<'robustness'> = {
  'empty-body-500': (client) => fails(client.ask('POST', '/invoices')),
  'broken-json-500': (client) => fails(client.ask('POST', '/invoices', { bytes: '{"a":' })),
  'array-body-500': (client) => fails(client.ask('POST', '/invoices', { json: [] })),
  'huge-limit-500': (client) => fails(list(client, `limit=${'9'.repeat(20)}`)),
  'odd-date-500': (client) => fails(list(client, 'issuedAfter=2026-13-45')),
  'bracket-in-search-500': async (client) => {
    await newInvoice(client, costing('1.00'));
    return fails(list(client, 'q=%5B'));
  },
  'quote-in-name-500': (client) => fails(postCustomer(client, { name: "O'Neill" })),
  'null-lines-500': (client) => fails(postInvoice(client, { lines: null })),
  'body-cut-off': async (client) => {
    await newInvoice(client, { lines: oneLine });
    return (await list(client, '')).status === 0;
  },
};

/** For each defect: whether it shows to a client that reads the document. */
export const shows: Readonly<Record<DefectName, Show>> = {
  ...listShows,
  ...recordShows,
  ...conditions,
  ...credentials,
  ...files,
  ...csv,
  ...jobs,
  ...bulk,
  ...validation,
  ...robustness,
};

import type { Client, Got } from '../serving/client.ts';
import type { defects } from './defects.ts';
import {
  costing,
  list,
  newCustomer,
  newInvoice,
  newSent,
  oneLine,
  pathOf,
  pay,
  postCustomer,
  postInvoice,
  readCustomer,
  readInvoice,
  unique,
  type CustomerView,
  type InvoiceView,
  type ListView,
  type PaymentView,
  type Show,
} from './use.ts';

type Of<Kind extends keyof typeof defects> = Record<keyof (typeof defects)[Kind], Show>;

const isFaulty = ({ faults }: Got<unknown>): boolean => faults.length > 0;

const statuses: Of<'statuses'> = {
  'create-answers-200': async (client) => (await postInvoice(client)).status !== 201,
  'delete-answers-200': async (client) => {
    const { id } = await newCustomer(client);
    return (await client.ask('DELETE', `/customers/${id}`)).status !== 204;
  },
  'missing-answers-200': async (client) => {
    const { id } = await newInvoice(client);
    return (await client.ask('GET', `/invoices/${id}/payments/none`)).status !== 404;
  },
  'missing-answers-500': async (client) =>
    (await client.ask('GET', '/invoices/none')).status !== 404,
  'missing-delete-answers-204': async (client) =>
    (await client.ask('DELETE', '/invoices/none')).status !== 404,
  'conflict-answers-400': async (client) => {
    const { email } = await newCustomer(client);
    return (await postCustomer(client, { email })).status !== 409;
  },
  'export-answers-200': async (client) =>
    (await client.ask('POST', '/exports', { json: {} })).status !== 202,
};

const transitions: Of<'transitions'> = {
  'send-twice-accepted': async (client) => {
    const { id } = await newSent(client);
    return (await client.ask('POST', `/invoices/${id}/send`)).status !== 409;
  },
  'void-paid-accepted': async (client) => {
    const { id } = await newSent(client);
    await pay(client, id);
    return (await client.ask('POST', `/invoices/${id}/void`)).status !== 409;
  },
  'sent-is-editable': async (client) => {
    const { id, customerId } = await newSent(client);
    const json = { customerId, lines: oneLine };
    return (await client.ask('PUT', `/invoices/${id}`, { json })).status !== 409;
  },
  'delete-sent-accepted': async (client) => {
    const { id } = await newSent(client);
    return (await client.ask('DELETE', `/invoices/${id}`)).status !== 409;
  },
  'send-changes-nothing': async (client) => {
    const { id } = await newSent(client);
    return (await readInvoice(client, id)).status !== 'sent';
  },
  'pay-draft-accepted': async (client) => {
    const { id } = await newInvoice(client);
    return (await pay(client, id)).status !== 409;
  },
};

async function isListFaulty(client: Client, fields: object = {}): Promise<boolean> {
  const { customerId } = await newInvoice(client, fields);
  return isFaulty(await list(client, `customerId=${customerId}`));
}

const shapes: Of<'shapes'> = {
  'amount-as-number': (client) => isListFaulty(client),
  'amount-drops-zeros': async (client) => isFaulty(await postInvoice(client, costing('12.50'))),
  'due-as-date-time': async (client) => isFaulty(await postInvoice(client)),
  'status-in-capitals': (client) => isListFaulty(client),
  'tags-are-null': async (client) => isFaulty(await postInvoice(client)),
  'customer-missing-in-list': (client) => isListFaulty(client),
  'error-as-html': async (client) => isFaulty(await client.ask('GET', '/invoices/none')),
  'created-without-zone': async (client) => isFaulty(await postInvoice(client)),
  'empty-page-is-null': async (client) => isFaulty(await list(client, 'tag=nothing')),
  'count-as-text': async (client) => isFaulty(await postCustomer(client)),
};

async function changesLines(client: Client): Promise<boolean> {
  const { id, customerId } = await newInvoice(client, costing('5.00'));
  const json = { customerId, ...costing('7.00') };
  await client.ask('PUT', `/invoices/${id}`, { json });
  return (await readInvoice(client, id)).total !== '7.00';
}

const totals: Of<'totals'> = {
  'tax-rounded-down': async (client) => {
    const { tax } = await newInvoice(client, { ...costing('0.50'), taxPercent: 19 });
    return tax !== '0.10';
  },
  'total-without-last-line': async (client) => {
    const lines = [...oneLine, { description: 'Travel', quantity: 3, unitPrice: '0.35' }];
    return (await newInvoice(client, { lines })).subtotal !== '11.05';
  },
  'total-without-tax': async (client) =>
    (await newInvoice(client, { taxPercent: 10 })).total !== '11.00',
  'due-after-a-month': async (client) =>
    (await newInvoice(client, { issuedOn: '2026-01-20' })).dueOn !== '2026-02-19',
  'due-counts-from-today': async (client) =>
    (await newInvoice(client, { issuedOn: '2025-06-01' })).dueOn !== '2025-07-01',
  'balance-not-lowered': async (client) => {
    const { id } = await newSent(client);
    await pay(client, id, { amount: '4.00' });
    return (await readInvoice(client, id)).balance !== '6.00';
  },
  'never-paid': async (client) => {
    const { id } = await newSent(client);
    await pay(client, id);
    return (await readInvoice(client, id)).status !== 'paid';
  },
  'total-is-stale': changesLines,
};

async function comesBackOther(
  client: Client,
  fields: object,
  field: keyof InvoiceView,
): Promise<boolean> {
  const { id } = await newInvoice(client, fields);
  const sent = (fields as Record<string, unknown>)[field];
  return JSON.stringify((await readInvoice(client, id))[field]) !== JSON.stringify(sent);
}

async function patched(client: Client, before: object, change: object): Promise<CustomerView> {
  const { id } = await newCustomer(client, before);
  await client.ask('PATCH', `/customers/${id}`, { json: change });
  return readCustomer(client, id);
}

const asAdmin = { as: 'admin' };

const writes: Of<'writes'> = {
  'create-lost': async (client) => {
    const { id } = await newInvoice(client);
    return (await client.ask('GET', `/invoices/${id}`)).status !== 200;
  },
  'note-trimmed': (client) => comesBackOther(client, { note: '  two spaces ' }, 'note'),
  'unicode-mangled': async (client) => {
    const { id } = await newCustomer(client, { name: 'Ærø Öl ☕ 🚲' });
    return (await readCustomer(client, id)).name !== 'Ærø Öl ☕ 🚲';
  },
  'lines-reversed': async (client) => {
    const lines = [...oneLine, { description: 'Travel', quantity: 1, unitPrice: '1.00' }];
    return (await newInvoice(client, { lines })).lines[0]?.description !== 'Work';
  },
  'tags-sorted': (client) => comesBackOther(client, { tags: ['z', 'a', 'm'] }, 'tags'),
  'replace-keeps-old': async (client) => {
    const { id, customerId } = await newInvoice(client, { note: 'old' });
    await client.ask('PUT', `/invoices/${id}`, { json: { customerId, lines: oneLine } });
    return (await readInvoice(client, id)).note !== null;
  },
  'update-lost': async (client) => (await patched(client, {}, { name: 'New' })).name !== 'New',
  'update-resets-others': async (client) =>
    (await patched(client, { vatId: 'ATU123' }, { name: 'New' })).vatId !== 'ATU123',
  'null-does-not-clear': async (client) =>
    (await patched(client, { vatId: 'ATU123' }, { vatId: null })).vatId !== null,
  'refused-replace-is-kept': async (client) => {
    const { id, customerId } = await newInvoice(client, { note: 'old' });
    const json = { customerId, lines: [], note: 'new' };
    await client.ask('PUT', `/invoices/${id}`, { json });
    return (await readInvoice(client, id)).note !== 'old';
  },
  'account-number-rounded': async (client) => {
    const email = `${unique('mail')}@client.example`;
    const bytes = `{"name":"Big","email":"${email}","ledgerAccount":9007199254740993}`;
    const { id } = (await client.ask<CustomerView>('POST', '/customers', { bytes })).body;
    return (await readCustomer(client, id)).ledgerAccount !== 9_007_199_254_740_993n;
  },
  'settings-lost': async (client) => {
    const json = { footer: 'Bye', remindAfterDays: 3 };
    await client.ask('PUT', '/admin/settings', { json, ...asAdmin });
    const { body } = await client.ask('GET', '/admin/settings', asAdmin);
    return body['footer'] !== 'Bye' || body['remindAfterDays'] !== 3;
  },
  'delete-not-done': async (client) => {
    const { id } = await newInvoice(client);
    await client.ask('DELETE', `/invoices/${id}`);
    return (await client.ask('GET', `/invoices/${id}`)).status !== 404;
  },
};

const defaults: Of<'defaults'> = {
  'default-currency-wrong': async (client) => (await newInvoice(client)).currency !== 'EUR',
  'default-method-missing': async (client) => {
    const { id } = await newSent(client);
    return (await pay(client, id)).body.method !== 'transfer';
  },
  'default-country-null': async (client) => (await newCustomer(client)).country !== 'DE',
};

const readOnly: Of<'readOnly'> = {
  'status-writable': async (client) =>
    (await newInvoice(client, { status: 'paid' })).status !== 'draft',
  'id-writable': async (client) => (await newInvoice(client, { id: 'inv_own' })).id === 'inv_own',
  'total-writable': async (client) =>
    (await newInvoice(client, { total: '0.01' })).total !== '10.00',
  'count-writable': async (client) =>
    (await patched(client, {}, { name: 'New', invoiceCount: 99 })).invoiceCount !== 0,
};

async function payments(client: Client, id: string): Promise<ListView<PaymentView>> {
  return (await client.ask<ListView<PaymentView>>('GET', `/invoices/${id}/payments`)).body;
}

const relations: Of<'relations'> = {
  'unknown-customer-accepted': async (client) =>
    (await postInvoice(client, { customerId: 'cus_none' })).status !== 422,
  'unknown-customer-on-replace': async (client) => {
    const { id } = await newInvoice(client);
    const json = { customerId: 'cus_none', lines: oneLine };
    return (await client.ask('PUT', `/invoices/${id}`, { json })).status !== 422;
  },
  'payments-of-all': async (client) => {
    await pay(client, (await newSent(client)).id);
    const { id } = await newSent(client);
    return (await payments(client, id)).data.length > 0;
  },
  'payment-below-other-invoice': async (client) => {
    const { body } = await pay(client, (await newSent(client)).id);
    const { id } = await newSent(client);
    return (await client.ask('GET', `/invoices/${id}/payments/${body.id}`)).status !== 404;
  },
  'payments-of-unknown-invoice': async (client) =>
    (await client.ask('GET', '/invoices/none/payments')).status !== 404,
  'customer-with-invoices-deleted': async (client) => {
    const { customerId } = await newInvoice(client);
    return (await client.ask('DELETE', `/customers/${customerId}`)).status !== 409;
  },
  'payment-names-other-invoice': async (client) => {
    const { id } = await newSent(client);
    return (await pay(client, id)).body.invoiceId !== id;
  },
};

async function moved(client: Client): Promise<{ from: string; to: string; id: string }> {
  const { id, customerId: from } = await newInvoice(client);
  const { id: to } = await newCustomer(client, { name: 'Next' });
  const json = { customerId: to, lines: oneLine };
  await client.ask('PUT', `/invoices/${id}`, { json });
  return { from, to, id };
}

const counts: Of<'counts'> = {
  'count-not-raised': async (client) => {
    const { customerId } = await newInvoice(client);
    return (await readCustomer(client, customerId)).invoiceCount !== 1;
  },
  'count-not-lowered': async (client) => {
    const { id, customerId } = await newInvoice(client);
    await client.ask('DELETE', `/invoices/${id}`);
    return (await readCustomer(client, customerId)).invoiceCount !== 0;
  },
  'count-not-moved': async (client) => {
    const { from, to } = await moved(client);
    const [old, next] = [await readCustomer(client, from), await readCustomer(client, to)];
    return old.invoiceCount !== 0 || next.invoiceCount !== 1;
  },
  'payment-count-wrong': async (client) => {
    const { id } = await newSent(client);
    await pay(client, id, { amount: '1.00' });
    return (await payments(client, id)).totalCount !== 1;
  },
};

const copies: Of<'copies'> = {
  'copy-is-stale': async (client) => {
    const { id, customerId } = await newInvoice(client);
    await client.ask('PATCH', `/customers/${customerId}`, { json: { name: 'Renamed' } });
    return (await readInvoice(client, id)).customer.name !== 'Renamed';
  },
  'copy-of-other': async (client) => {
    const { id } = await moved(client);
    return (await readInvoice(client, id)).customer.name !== 'Next';
  },
};

async function leadsElsewhere(client: Client, link: string | null, id: string): Promise<boolean> {
  const { status, body } = await client.ask('GET', pathOf(link ?? '/nowhere'));
  return status !== 200 || body['id'] !== id;
}

const links: Of<'links'> = {
  'href-broken': async (client) => {
    const { id, href } = await newInvoice(client);
    return leadsElsewhere(client, href, id);
  },
  'payments-href-broken': async (client) => {
    const { paymentsHref } = await newInvoice(client);
    return (await client.ask('GET', pathOf(paymentsHref))).status !== 200;
  },
  'href-of-other': async (client) => {
    await newCustomer(client);
    const { id, href } = await newCustomer(client);
    return leadsElsewhere(client, href, id);
  },
  'location-of-list': async (client) => {
    const { headers, body } = await postInvoice(client);
    return leadsElsewhere(client, headers.get('location'), body.id);
  },
  'location-missing': async (client) => {
    const { headers, body } = await postCustomer(client);
    return leadsElsewhere(client, headers.get('location'), body.id);
  },
};

const uniqueness: Of<'uniqueness'> = {
  'email-not-unique': async (client) => {
    const { email } = await newCustomer(client);
    return (await postCustomer(client, { email })).status !== 409;
  },
  'email-case-sensitive': async (client) => {
    const { email } = await newCustomer(client);
    return (await postCustomer(client, { email: email.toUpperCase() })).status !== 409;
  },
  'email-free-on-update': async (client) => {
    const { email } = await newCustomer(client);
    const { id } = await newCustomer(client);
    return (await client.ask('PATCH', `/customers/${id}`, { json: { email } })).status !== 409;
  },
  'email-race': async (client) => {
    const email = `${unique('race')}@client.example`;
    const tries = Array.from({ length: 5 }, () => postCustomer(client, { email }));
    return (await Promise.all(tries)).filter(({ status }) => status === 201).length !== 1;
  },
  'number-race': async (client) => {
    const { id: customerId } = await newCustomer(client);
    const tries = Array.from({ length: 5 }, () => newInvoice(client, { customerId }));
    return new Set((await Promise.all(tries)).map(({ number }) => number)).size !== 5;
  },
};

export const recordShows = {
  ...statuses,
  ...transitions,
  ...shapes,
  ...totals,
  ...writes,
  ...defaults,
  ...readOnly,
  ...relations,
  ...counts,
  ...copies,
  ...links,
  ...uniqueness,
};

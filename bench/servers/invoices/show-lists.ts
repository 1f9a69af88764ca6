import type { Client } from '../serving/client.ts';
import type { defects } from './defects.ts';
import {
  atLeast,
  costing,
  list,
  listsOther,
  newCustomer,
  newInvoice,
  newSent,
  tagged,
  unique,
  walk,
  type CustomerView,
  type ListView,
  type Show,
} from './use.ts';

type Of<Kind extends keyof typeof defects> = Record<keyof (typeof defects)[Kind], Show>;

const three = [costing('9.00'), costing('100.00'), costing('25.00')];

const filters: Of<'filters'> = {
  'status-filter-ignored': async (client) => {
    const { tag } = await tagged(client, [{}]);
    return listsOther(client, `status=sent&tag=${tag}`, []);
  },
  'customer-filter-ignored': async (client) => {
    const { tag } = await tagged(client, [{}]);
    const { id } = await newCustomer(client);
    return listsOther(client, `customerId=${id}&tag=${tag}`, []);
  },
  'issued-after-includes-day': async (client) => {
    const days = ['2026-03-09', '2026-03-10', '2026-03-11'];
    const { tag, ids } = await tagged(
      client,
      days.map((issuedOn) => ({ issuedOn })),
    );
    return listsOther(client, `issuedAfter=2026-03-10&tag=${tag}`, ids.slice(2));
  },
  'min-total-excludes-bound': async (client) => {
    const { tag, ids } = await tagged(client, three);
    return listsOther(client, `minTotal=25.00&tag=${tag}`, ids.slice(1));
  },
  'min-total-as-text': async (client) => {
    const { tag, ids } = await tagged(client, three);
    return listsOther(client, `minTotal=9.00&tag=${tag}`, ids);
  },
  'tags-any-instead-of-all': async (client) => {
    const { tag, ids } = await tagged(client, [{ tags: ['b'] }, {}, { tags: ['b', 'c'] }]);
    return listsOther(client, `tag=${tag}&tag=b`, [ids[0] ?? '', ids[2] ?? '']);
  },
  'only-last-tag-counts': async (client) => {
    const { tag } = await tagged(client, [{}]);
    return listsOther(client, `tag=none&tag=${tag}`, []);
  },
  'search-leaves-out-note': (client) => missesNote(client, 'Garden fence', 'fence'),
  'search-is-case-sensitive': (client) => missesNote(client, 'Garden fence', 'gARDEN'),
  'search-as-pattern': async (client) => {
    const { tag } = await tagged(client, [{ note: 'xaybz' }]);
    return listsOther(client, `q=a.b&tag=${tag}`, []);
  },
  'filters-joined-by-or': async (client) => {
    const { id: customerId } = await newInvoice(client).then(({ customer }) => customer);
    return listsOther(client, `customerId=${customerId}&status=sent`, []);
  },
  'filter-after-page': async (client) => {
    const { tag, ids } = await tagged(client, three);
    const last = ids[2] ?? '';
    await client.ask('POST', `/invoices/${last}/send`);
    const { body } = await list(client, `status=sent&tag=${tag}&limit=2`);
    return body.totalCount !== 1 || body.data[0]?.id !== last;
  },
  'country-filter-ignored': async (client) => {
    await newCustomer(client, { country: 'SE' });
    await newCustomer(client, { country: 'PT' });
    const { body } = await client.ask<ListView<CustomerView>>('GET', '/customers?country=PT');
    return body.data.length === 0 || body.data.some(({ country }) => country !== 'PT');
  },
};

async function missesNote(client: Client, note: string, q: string): Promise<boolean> {
  const { tag, ids } = await tagged(client, [{ note }]);
  return listsOther(client, `q=${q}&tag=${tag}`, ids);
}

const five = [{}, {}, {}, {}, {}];

async function visitsOther(client: Client): Promise<boolean> {
  const { tag, ids } = await tagged(client, five);
  return (await walk(client, `tag=${tag}&limit=2`)).join() !== ids.join();
}

const paging: Of<'paging'> = {
  'cursor-ignored': visitsOther,
  'cursor-skips-one': visitsOther,
  'cursor-repeats-one': visitsOther,
  'cursor-forgets-filter': async (client) => {
    const { tag, ids } = await tagged(client, five);
    for (const id of ids.slice(0, 3)) await client.ask('POST', `/invoices/${id}/send`);
    const visited = await walk(client, `tag=${tag}&status=sent&limit=2`);
    return visited.join() !== ids.slice(0, 3).join();
  },
  'cursor-never-null': visitsOther,
  'cursor-ends-early': visitsOther,
  'limit-ignored': async (client) => {
    const { tag } = await tagged(client, three);
    return (await list(client, `tag=${tag}&limit=2`)).body.data.length !== 2;
  },
  'limit-one-more': async (client) => {
    const { tag } = await tagged(client, three);
    return (await list(client, `tag=${tag}&limit=2`)).body.data.length > 2;
  },
  'default-limit-ignored': async (client) => {
    await atLeast(client, 21);
    return (await list(client, '')).body.data.length !== 20;
  },
  'count-of-page': async (client) => {
    const { tag } = await tagged(client, three);
    return (await list(client, `tag=${tag}&limit=2`)).body.totalCount !== 3;
  },
  'count-of-all': async (client) => {
    const { tag } = await tagged(client, [{}]);
    await newInvoice(client);
    return (await list(client, `tag=${tag}`)).body.totalCount !== 1;
  },
  'foreign-cursor-500': async (client) => (await list(client, 'cursor=%7B')).status >= 500,
};

async function sortsOther(client: Client, sort: string, order: readonly number[]) {
  const { tag, ids } = await tagged(client, three);
  const expected = order.map((index) => ids[index] ?? '');
  return listsOther(client, `tag=${tag}&sort=${sort}`, expected);
}

const sorting: Of<'sorting'> = {
  'sort-ignored': (client) => sortsOther(client, 'total', [0, 2, 1]),
  'descending-ignored': (client) => sortsOther(client, '-total', [1, 2, 0]),
  'total-sorted-as-text': (client) => sortsOther(client, 'total', [0, 2, 1]),
  'sort-lost-with-filter': async (client) => {
    await newSent(client);
    return sortsOther(client, '-total', [1, 2, 0]);
  },
  'sort-within-page': async (client) => {
    const { tag, ids } = await tagged(client, three);
    const expected = [ids[1] ?? '', ids[2] ?? ''];
    return listsOther(client, `tag=${tag}&sort=-total&limit=2`, expected);
  },
};

async function readOfOther(client: Client, tag: string): Promise<ListView<unknown>> {
  return (await list(client, `tag=${tag}`)).body;
}

const identities: Of<'identities'> = {
  'other-account-reads': async (client) => {
    const { id } = await newInvoice(client);
    return (await client.ask('GET', `/invoices/${id}`, { as: 'second' })).status !== 404;
  },
  'other-account-listed': async (client) => {
    const tag = unique('o').slice(0, 20);
    await newInvoice(client, { tags: [tag] }, 'second');
    return (await readOfOther(client, tag)).data.length > 0;
  },
  'other-account-deletes': async (client) => {
    const { id } = await newInvoice(client);
    const deleted = await client.ask('DELETE', `/invoices/${id}`, { as: 'second' });
    const { status } = await client.ask('GET', `/invoices/${id}`);
    return deleted.status !== 404 || status !== 200;
  },
  'other-account-downloads': async (client) => {
    const { id } = await newInvoice(client);
    const path = `/invoices/${id}/attachment`;
    await client.ask('PUT', path, { bytes: 'secret', type: 'application/octet-stream' });
    return (await client.ask('GET', path, { as: 'second' })).status !== 404;
  },
  'other-account-in-csv': async (client) => {
    const { id } = await newInvoice(client, {}, 'second');
    return (await client.ask('GET', '/invoices/csv')).text.includes(id);
  },
  'other-account-referenced': async (client) => {
    const { id: customerId } = await newCustomer(client, {}, 'second');
    const lines = [{ description: 'Work', quantity: 1, unitPrice: '1.00' }];
    const json = { customerId, lines };
    return (await client.ask('POST', '/invoices', { json })).status !== 422;
  },
  'other-account-counted': async (client) => {
    const tag = unique('o').slice(0, 20);
    await newInvoice(client, { tags: [tag] }, 'second');
    return (await readOfOther(client, tag)).totalCount !== 0;
  },
  'other-account-pays': async (client) => {
    const { id } = await newSent(client);
    const json = { amount: '1.00' };
    const paid = await client.ask('POST', `/invoices/${id}/payments`, { json, as: 'second' });
    return paid.status !== 404;
  },
};

export const listShows = { ...filters, ...paging, ...sorting, ...identities };

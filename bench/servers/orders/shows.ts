import type { Client } from '../serving/client.ts';
import { isOther, pathOf, unique, type Show } from '../serving/showing.ts';
import type { DefectName, defects } from './defects.ts';
import {
  addLine,
  after,
  all,
  create,
  etagOf,
  filled,
  get,
  linkOf,
  moved,
  patch,
  places,
  post,
  products,
  send,
  shipment,
  stale,
  type View,
} from './use.ts';

type Of<Kind extends keyof typeof defects> = Record<keyof (typeof defects)[Kind], Show>;

/** The first line of a new order that is not the first one, and its path. */
async function firstLine(client: Client): Promise<{ order: string; line: View | undefined }> {
  await filled(client);
  const order = await filled(client);
  const { _embedded } = await get(client, `${order}/lines`);
  return { order, line: _embedded?.lines?.[0] };
}

const isLinked = async (client: Client, order: Promise<string>, name: string) =>
  linkOf(await get(client, await order), name) !== '';

const links: Of<'links'> = {
  'self-of-list': async (client) => {
    const order = await create(client);
    return !(await all(client, '/orders?size=40')).includes(order);
  },
  'self-leads-nowhere': async (client) =>
    isOther(send(client, 'GET', linkOf((await firstLine(client)).line)), 200),
  'order-link-of-other': async (client) => {
    const { order, line } = await firstLine(client);
    return linkOf(line, 'order') !== order;
  },
  'product-link-of-other': async (client) => {
    const { line } = await firstLine(client);
    return (await get(client, linkOf(line, 'product'))).name !== line?.name;
  },
  'pay-always-linked': (client) => isLinked(client, create(client), 'pay'),
  'ship-never-linked': async (client) => !(await isLinked(client, moved(client, 2), 'ship')),
  'edit-linked-after-draft': (client) => isLinked(client, moved(client, 1), 'edit'),
  'submit-linked-without-lines': (client) => isLinked(client, create(client), 'submit'),
  'root-link-dead': async (client) =>
    isOther(send(client, 'GET', linkOf(await get(client, '/'), 'products')), 200),
  'location-missing': async (client) => (await post(client)).headers.get('location') === null,
  'location-of-list': async (client) => {
    const { headers, body } = await post(client);
    return pathOf(headers.get('location') ?? '') !== linkOf(body);
  },
  'line-location-of-order': async (client) => {
    const { headers, body } = await addLine(client, await create(client));
    return pathOf(headers.get('location') ?? '') !== linkOf(body);
  },
};

/** The lines in _embedded of a new order with two, beside another order. */
async function embeddedLines(client: Client): Promise<readonly View[]> {
  await filled(client);
  return (await get(client, await filled(client, 2)))._embedded?.lines ?? [];
}

const notTwo: Show = async (client) => (await embeddedLines(client)).length !== 2;

const embedded: Of<'embedded'> = {
  'lines-not-embedded': notTwo,
  'embedded-lines-of-all': notTwo,
  'embedded-line-without-links': async (client) =>
    (await embeddedLines(client)).some((line) => linkOf(line) === ''),
  'embedded-first-only': notTwo,
};

/** A line that had the quantity 2, as it is read after a change to 5. */
async function changedLine(client: Client): Promise<View> {
  const path = linkOf((await addLine(client, await create(client))).body);
  await send(client, 'PUT', path, { quantity: 5 });
  return get(client, path);
}

const writes: Of<'writes'> = {
  'create-not-stored': async (client) => isOther(send(client, 'GET', await create(client)), 200),
  'patch-not-stored': async (client) => (await after(client, { note: 'New' })).note !== 'New',
  'note-lost': async (client) =>
    (await get(client, await create(client, { note: 'Old' }))).note !== 'Old',
  'priority-default-express': async (client) => (await post(client)).body.priority !== 'normal',
  'patch-replaces': async (client) => (await after(client, { priority: 'normal' })).note !== 'Old',
  'null-ignored': async (client) => (await after(client, { note: null })).note !== '',
  'reference-in-capitals': async (client) => {
    const reference = unique('po');
    return (await get(client, await create(client, { reference }))).reference !== reference;
  },
  'updated-frozen': async (client) => {
    const { created, updated } = await after(client, { note: 'New' });
    return created === updated;
  },
  'delete-not-done': async (client) => {
    const order = await create(client);
    await send(client, 'DELETE', order);
    return isOther(send(client, 'GET', order), 404);
  },
  'line-not-removed': async (client) => {
    const path = linkOf((await addLine(client, await create(client))).body);
    await send(client, 'DELETE', path);
    return isOther(send(client, 'GET', path), 404);
  },
  'quantity-not-stored': async (client) => (await changedLine(client)).quantity !== 5,
  'quantity-of-new-is-one': async (client) =>
    (await addLine(client, await create(client), 2)).body.quantity !== 2,
  'carrier-lost': async (client) => (await get(client, await moved(client, 3))).carrier !== 'Post',
};

/** Whether an order with two lines has another total than its lines. */
const wrongTotal: Show = async (client) => {
  const order = await filled(client, 2);
  const { _embedded } = await get(client, `${order}/lines`);
  const amounts = (_embedded?.lines ?? []).map(({ price = 0, quantity = 0 }) => price * quantity);
  return (await get(client, order)).total !== amounts.reduce((sum, one) => sum + one, 0);
};

/** What the stock of a product becomes by an order of two. */
const stockAfter = (steps: readonly string[], change: number): Show => {
  return async (client) => {
    const stock = async () => (await products(client))[1]?.stock ?? 0;
    const before = await stock();
    const order = await filled(client);
    for (const step of steps) await send(client, 'POST', `${order}/${step}`);
    return (await stock()) !== before + change;
  };
};

/** An order of two of the second product and of more of the third than there are. */
async function tooMany(client: Client): Promise<string> {
  const order = await filled(client);
  for (const quantity of [99, 99]) await addLine(client, order, quantity, 2);
  return order;
}

const sums: Of<'sums'> = {
  'total-ignores-quantity': wrongTotal,
  'total-of-first-line': wrongTotal,
  'amount-frozen': async (client) => {
    const { amount, price = 0 } = await changedLine(client);
    return amount !== price * 5;
  },
  'line-count-not-lowered': async (client) => {
    const order = await create(client);
    await send(client, 'DELETE', linkOf((await addLine(client, order)).body));
    return (await get(client, order)).lineCount !== 0;
  },
  'stock-not-lowered': stockAfter(['submit'], -2),
  'stock-not-returned': stockAfter(['submit', 'cancel'], 0),
  'stock-returned-for-draft': stockAfter(['cancel'], 0),
  'stock-unchecked': async (client) =>
    isOther(send(client, 'POST', `${await tooMany(client)}/submit`), 409),
  'submit-half-done': async (client) => {
    const before = (await products(client))[1]?.stock;
    await send(client, 'POST', `${await tooMany(client)}/submit`);
    return (await products(client))[1]?.stock !== before;
  },
};

/** Whether this step is not refused with 409 after so many of submit, pay and ship. */
const steps = (count: number, step: string, json?: unknown): Show => {
  return async (client) =>
    isOther(send(client, 'POST', `${await moved(client, count)}/${step}`, json), 409);
};

const states: Of<'states'> = {
  'submit-not-stored': async (client) =>
    (await get(client, await moved(client, 1))).status !== 'submitted',
  'submit-without-lines': async (client) =>
    isOther(send(client, 'POST', `${await create(client)}/submit`), 409),
  'draft-paid': steps(0, 'pay'),
  'paid-again': steps(2, 'pay'),
  'unpaid-shipped': steps(1, 'ship', shipment),
  'paid-cancelled': steps(2, 'cancel'),
  'cancelled-again': async (client) => {
    const path = `${await create(client)}/cancel`;
    await send(client, 'POST', path);
    return isOther(send(client, 'POST', path), 409);
  },
  'submitted-patched': async (client) =>
    isOther(patch(client, await moved(client, 1), { note: 'New' }), 409),
  'submitted-deleted': async (client) =>
    isOther(send(client, 'DELETE', await moved(client, 1)), 409),
  'lines-added-later': async (client) => isOther(addLine(client, await moved(client, 1)), 409),
  'paid-time-missing': async (client) =>
    (await get(client, await moved(client, 2))).paid === undefined,
};

/** Whether a request with a stale ETag has another status than 412. */
const takesStale = (method: string, below = '', json?: unknown): Show => {
  return async (client) => {
    const { order, headers } = await stale(client);
    return isOther(send(client, method, order + below, json, { headers }), 412);
  };
};

const patchesStale = takesStale('PATCH', '', { note: 'Again' });

const etags: Of<'etags'> = {
  'stale-etag-patches': patchesStale,
  'stale-etag-deletes': takesStale('DELETE'),
  'stale-etag-submits': takesStale('POST', '/submit'),
  'stale-etag-is-409': patchesStale,
  'if-match-not-needed': async (client) =>
    isOther(patch(client, await create(client), { note: 'New' }, {}), 428),
  'any-etag-refused': async (client) =>
    isOther(patch(client, await create(client), { note: 'New' }), 200),
  'etag-constant': async (client) => {
    const { order, headers } = await stale(client);
    return (await etagOf(client, order)) === headers['If-Match'];
  },
  'etag-without-lines': async (client) => {
    const order = await create(client);
    const before = await etagOf(client, order);
    await addLine(client, order);
    return (await etagOf(client, order)) === before;
  },
  'etag-of-patch-stale': async (client) => {
    const order = await create(client);
    const headers = { 'If-Match': await etagOf(client, order) };
    const patched = await patch(client, order, { note: 'New' }, headers);
    return patched.headers.get('etag') !== (await etagOf(client, order));
  },
  'always-unchanged': async (client) => {
    const headers = { 'If-None-Match': '"another"' };
    return isOther(send(client, 'GET', await create(client), undefined, { headers }), 200);
  },
};

/** New orders with these members, and their paths. */
async function several(client: Client, many: readonly object[]): Promise<string[]> {
  const paths: string[] = [];
  for (const fields of many) paths.push(await create(client, fields));
  return paths;
}

const five = [{}, {}, {}, {}, {}];

const pagesWrong: Show = async (client) =>
  (await places(client, '/orders?size=3', await several(client, five))) !== '01234';

/** Whether the drafts have another total than their number. */
const totalWrong: Show = async (client) => {
  await moved(client, 1);
  await several(client, five);
  const drafts = await all(client, '/orders?status=draft&size=40');
  return (await get(client, '/orders?status=draft&size=2')).total !== drafts.length;
};

const lists = (query: string): Show => {
  return (client) => isOther(send(client, 'GET', `/orders?${query}`), 400);
};

const paging: Of<'paging'> = {
  'cursor-ignored': pagesWrong,
  'pages-overlap': async (client) => {
    await several(client, five);
    const found = await all(client, '/orders?size=3');
    return new Set(found).size < found.length;
  },
  'pages-skip': async (client) => {
    await several(client, five);
    const found = await all(client, '/orders?size=3');
    return found.length !== (await get(client, '/orders?size=1')).total;
  },
  'next-on-last-page': async (client) =>
    linkOf(await get(client, '/orders?size=40&status=cancelled'), 'next') !== '',
  'next-missing': pagesWrong,
  'next-forgets-filter': async (client) => {
    const paid = [await moved(client, 2)];
    await several(client, [{}, {}]);
    paid.push(await moved(client, 2));
    const found = await all(client, '/orders?status=paid&size=1');
    const read = await Promise.all(found.map((order) => get(client, order)));
    return read.some(({ status }) => status !== 'paid');
  },
  'size-ignored': async (client) => {
    await several(client, five);
    return (await get(client, '/orders?size=2'))._embedded?.orders?.length !== 2;
  },
  'size-zero-accepted': lists('size=0'),
  'any-cursor-accepted': lists('cursor=bm9uZQ'),
  'total-of-page': totalWrong,
  'total-ignores-filter': totalWrong,
  'deleted-on-later-pages': async (client) => {
    const [first = '', ...others] = await several(client, five);
    await send(client, 'DELETE', first);
    return (await places(client, '/orders?size=1', [first, ...others])).includes('0');
  },
};

/** Whether a list has another order of a draft, an express draft and a submitted order. */
const filters = (query: string, expected: string): Show => {
  return async (client) => {
    const orders = await several(client, [{}, { priority: 'express' }]);
    return (
      (await places(client, `/orders?size=40&${query}`, [...orders, await moved(client, 1)])) !==
      expected
    );
  };
};

/** Whether a list has another order of orders for 2, 30 and 1 of a product. */
const sorts = (query: string, expected: string): Show => {
  return async (client) => {
    const orders = await several(client, [{}, {}, {}]);
    for (const [at, quantity] of [2, 30, 1].entries())
      await addLine(client, orders[at] ?? '', quantity, 0);
    return (await places(client, `/orders?size=40&${query}`, orders)) !== expected;
  };
};

const filterDefects: Of<'filters'> = {
  'status-ignored': filters('status=draft', '01'),
  'priority-ignored': filters('status=draft&priority=express', '1'),
  'sort-ignored': sorts('sort=total', '201'),
  'descending-ignored': sorts('sort=-total', '102'),
  'totals-sorted-as-text': sorts('sort=total', '201'),
  'unknown-sort-accepted': lists('sort=colour'),
  'unknown-parameter-accepted': lists('colour=red'),
};

/** The responses to two creations with the same Idempotency-Key. */
async function repeated(client: Client, isSame: boolean) {
  const headers = { 'Idempotency-Key': unique('key') };
  const [first, second] = [unique('PO'), unique('PO')];
  const made = await post(client, { reference: first }, { headers });
  const again = await post(client, { reference: isSame ? first : second }, { headers });
  return { made, again };
}

const relations: Of<'relations'> = {
  'unknown-product-accepted': async (client) => {
    const json = { product: '/products/none', quantity: 1 };
    return isOther(send(client, 'POST', `${await create(client)}/lines`, json), 422);
  },
  'line-below-any-order': async (client) => {
    const { order, line } = await firstLine(client);
    const path = linkOf(line).replace(order, await create(client));
    return isOther(send(client, 'GET', path), 404);
  },
  'lines-of-all': async (client) => {
    const { order } = await firstLine(client);
    return (await get(client, `${order}/lines`))._embedded?.lines?.length !== 1;
  },
  'unknown-order-empty': (client) => isOther(send(client, 'GET', '/orders/none/lines'), 404),
  'reference-twice': async (client) => {
    const reference = unique('PO');
    await post(client, { reference });
    return isOther(post(client, { reference }), 409);
  },
  'reference-unchecked-in-patch': async (client) => {
    const reference = unique('PO');
    await post(client, { reference });
    return isOther(patch(client, await create(client), { reference }), 409);
  },
  'same-reference-refused': async (client) => {
    const reference = unique('PO');
    return isOther(patch(client, await create(client, { reference }), { reference }), 200);
  },
  'key-ignored': async (client) => {
    const { made, again } = await repeated(client, true);
    return linkOf(made.body) !== linkOf(again.body);
  },
  'key-of-other-body': async (client) => (await repeated(client, false)).again.status !== 422,
};

/** Whether such a new order, or line, is not refused. */
const takes = (fields: object): Show => {
  return (client) => isOther(post(client, fields), 422);
};
const takesLine = (quantity: unknown): Show => {
  return async (client) => isOther(addLine(client, await create(client), quantity), 422);
};

const validation: Of<'validation'> = {
  'reference-too-long': takes({ reference: unique('r'.repeat(40)) }),
  'reference-empty': takes({ reference: '' }),
  'quantity-zero-accepted': takesLine(0),
  'quantity-as-text-accepted': takesLine('2'),
  'tracking-any-text': async (client) => {
    const json = { ...shipment, tracking: 'rx100200' };
    return isOther(send(client, 'POST', `${await moved(client, 2)}/ship`, json), 422);
  },
  'unknown-field-accepted': takes({ colour: 'red' }),
  'status-from-body': takes({ status: 'paid' }),
  'any-media-type-accepted': (client) => isOther(post(client, {}, { type: 'text/plain' }), 415),
};

const missing = (client: Client) => send(client, 'GET', '/orders/none');

const errors: Of<'errors'> = {
  'missing-order-500': (client) => isOther(missing(client), 404),
  'missing-order-empty': (client) => isOther(missing(client), 404),
  'plain-problems': async (client) =>
    (await missing(client)).headers.get('content-type') !== 'application/problem+json',
  'other-status-in-problem': async (client) => Number((await missing(client)).body.status) !== 404,
  'pointer-elsewhere': async (client) =>
    (await post(client, { priority: 'none' })).body.errors?.[0]?.pointer !== '/priority',
  'no-key-needed': (client) =>
    isOther(send(client, 'GET', '/orders', undefined, { as: 'anonymous' }), 401),
};

export const shows: Record<DefectName, Show> = {
  ...links,
  ...embedded,
  ...writes,
  ...sums,
  ...states,
  ...etags,
  ...paging,
  ...filterDefects,
  ...relations,
  ...validation,
  ...errors,
};

import type { Client } from '../serving/client.ts';
import { isOther, unique, type Show } from '../serving/showing.ts';
import type { DefectName, defects } from './defects.ts';
import * as use from './use.ts';
import type { Row } from './use.ts';

type Of<Kind extends keyof typeof defects> = Record<keyof (typeof defects)[Kind], Show>;

const { add, ask, get, lineOf, newCode, newCustomer, newProduct, newVariant } = use;
const { order, refund, stockOf, variant } = use;

const at = ({ id }: Row, kind = 'products'): string => `${kind}/${String(id)}`;

/** Whether the request is not refused with 422. */
const isTaken = (got: Promise<{ readonly status: number }>): Promise<boolean> =>
  isOther(got as ReturnType<typeof ask>, 422);

const put = (client: Client, path: string, product: object) =>
  ask(client, `PUT ${path}`, { product });

const answers: Of<'answers'> = {
  'created-answers-200': (client) => isOther(add(client, 'products', { title: 'Cap' }), 201),
  'deleted-again-200': async (client) => {
    const path = at(await newProduct(client));
    await ask(client, `DELETE ${path}`);
    return isOther(ask(client, `DELETE ${path}`), 404);
  },
  'blank-title-accepted': (client) => isTaken(add(client, 'products', { title: '  ' })),
  'wrapper-not-required': (client) => isOther(ask(client, 'POST products', { title: 'Cap' }), 400),
  'limit-251-accepted': (client) => isOther(ask(client, 'GET orders?limit=251'), 400),
};

/** The query of these and of more products. */
const idsOf = (...products: Row[]): string => `ids=${products.map(({ id }) => id).join(',')}`;

/** Three new products, the first page of two of them, and the page behind it. */
async function twoPages(client: Client) {
  const made = [await newProduct(client), await newProduct(client), await newProduct(client)];
  const first = await ask(client, `GET products?limit=2&${idsOf(...made)}`);
  const next = first.linkTo('next') ?? '';
  return { made, next, second: await ask(client, `GET ${next}`) };
}

const pages: Of<'pages'> = {
  'page-skips-record': async (client) => {
    const { made, second } = await twoPages(client);
    return !second.ids.includes(made[2]?.id ?? 0);
  },
  'page-loses-filters': async (client) => {
    const made = [await newProduct(client), await newProduct(client)];
    const extra = await newProduct(client);
    const last = await newProduct(client);
    const first = await ask(client, `GET products?limit=2&${idsOf(...made, last)}`);
    return (await ask(client, `GET ${first.linkTo('next') ?? ''}`)).ids.includes(extra.id);
  },
  'page-loses-limit': async (client) => !/limit=2\b/.test((await twoPages(client)).next),
  'last-page-has-next': async (client) => {
    const made = [await newProduct(client), await newProduct(client)];
    const page = await ask(client, `GET products?limit=2&${idsOf(...made)}`);
    return page.linkTo('next') !== undefined;
  },
  'previous-link-missing': async (client) => {
    const { second, made } = await twoPages(client);
    const back = second.linkTo('previous');
    return back === undefined || (await ask(client, `GET ${back}`)).ids[0] !== made[0]?.id;
  },
  'filter-beside-page-info': async (client) =>
    isOther(ask(client, `GET ${(await twoPages(client)).next}&vendor=Mill`), 400),
  'count-ignores-status': async (client) => {
    const query = idsOf(await newProduct(client), await newProduct(client, { status: 'draft' }));
    return Number(await get(client, `products/count?${query}&status=draft`)) !== 1;
  },
};

const filters: Of<'filters'> = {
  'since-id-includes-it': async (client) => {
    const { id } = await newProduct(client);
    return (await ask(client, `GET products?since_id=${String(id)}`)).ids.includes(id);
  },
  'times-compared-as-texts': async (client) => {
    const product = await newProduct(client);
    const before = Date.parse(product.created_at) - 60_000 + 11 * 3_600_000;
    const min = `${new Date(before).toISOString().slice(0, 19)}+11:00`;
    const query = `${idsOf(product)}&created_at_min=${encodeURIComponent(min)}`;
    return (await ask(client, `GET products?${query}`)).rows.length !== 1;
  },
  'orders-default-any': async (client) => {
    const { row } = await order(client);
    await ask(client, `POST ${at(row, 'orders')}/close`);
    return (await ask(client, `GET orders?${idsOf(row)}`)).rows.length !== 0;
  },
  'vendor-by-beginning': async (client) => {
    const { vendor, id } = await newProduct(client);
    await newProduct(client, { vendor: `${vendor} Two` });
    return (await ask(client, `GET products?vendor=${vendor}`)).ids.join() !== String(id);
  },
  'second-filter-ignored': async (client) => {
    const product = await newProduct(client, { status: 'draft' });
    const query = `${idsOf(product)}&status=active&vendor=${product.vendor}`;
    return (await ask(client, `GET products?${query}`)).rows.length !== 0;
  },
  'fields-of-one-ignored': async (client) => {
    const found = await get(client, `${at(await newProduct(client))}?fields=id,title`);
    return Object.keys(found).length !== 2;
  },
  'levels-location-ignored': async (client) => {
    const { inventory_item_id: item } = await newVariant(client);
    const query = `inventory_levels?inventory_item_ids=${String(item)}`;
    const { location_id } = (await ask(client, `GET ${query}`)).rows[0] ?? { location_id: 0 };
    const found = await ask(client, `GET ${query}&location_ids=${String(location_id)}`);
    return found.rows.length !== 1;
  },
};

const putVariant = ({ id }: Row, client: Client, json: object) =>
  ask(client, `PUT variants/${String(id)}`, { variant: json });

const email = (): string => `${unique('lee')}@post.example`;

const records: Of<'records'> = {
  'put-clears-left-out': async (client) => {
    const product = await newProduct(client);
    await put(client, at(product), { title: 'Hat' });
    return (await get(client, at(product))).vendor !== product.vendor;
  },
  'handle-taken-accepted': async (client) => {
    const json = { title: 'Hat', handle: unique('hat') };
    await add(client, 'products', json);
    return isTaken(add(client, 'products', json));
  },
  'updated-at-still': async (client) => {
    const [first] = (await ask(client, 'GET products?limit=1')).rows;
    if (first === undefined) return true;
    return (await put(client, at(first), { title: 'Hat' })).row.updated_at === first.updated_at;
  },
  'published-at-stays': async (client) => {
    const path = at(await newProduct(client));
    return (await put(client, path, { status: 'draft' })).row.published_at !== null;
  },
  'variant-option-taken': async (client) =>
    isTaken(add(client, `${at(await newProduct(client))}/variants`, variant)),
  'email-taken-in-other-case': async (client) => {
    const address = email();
    await newCustomer(client, { email: address });
    return isTaken(newCustomer(client, { email: address.toUpperCase() }));
  },
  'email-taken-by-change': async (client) => {
    const customer = { email: email() };
    await newCustomer(client, customer);
    const path = at((await newCustomer(client)).row, 'customers');
    return isTaken(ask(client, `PUT ${path}`, { customer }));
  },
  'variant-change-lost': async (client) => {
    const product = await newProduct(client);
    await putVariant(product.variants[0], client, { sku: 'TWO' });
    return (await get(client, at(product))).variants[0].sku !== 'TWO';
  },
};

const atomicity: Of<'atomicity'> = {
  'refused-variant-change-kept': async (client) => {
    const product = await newProduct(client);
    await putVariant(product.variants[0], client, { sku: 'TWO', price: 'much' });
    return (await get(client, at(product))).variants[0].sku !== 'ONE';
  },
  'refused-product-created': async (client) => {
    const vendor = unique('Kiln');
    await newProduct(client, { vendor, variants: [variant, { title: 'Moss', price: '-1' }] });
    return (await ask(client, `GET products?vendor=${vendor}`)).rows.length !== 0;
  },
  'refused-order-takes-stock': async (client) => {
    const [first, second] = [await newVariant(client), await newVariant(client)];
    await order(client, { line_items: [lineOf(first), lineOf(second, 6)] });
    return (await stockOf(client, first)) !== 5;
  },
  'order-number-lost': async (client) => {
    const before = (await order(client)).row.order_number;
    await order(client, { line_items: [lineOf(await newVariant(client), 6)] });
    return (await order(client)).row.order_number !== before + 1;
  },
};

/** What is available of the variant of a new order of two after this. */
async function stockAfter(client: Client, act: (made: Row) => Promise<unknown>): Promise<number> {
  const { row } = await order(client);
  await act(row);
  return stockOf(client, row.line_items[0]);
}

const cancel = (client: Client, made: Row) =>
  ask(client, `POST ${at(made, 'orders')}/cancel`, { restock: true });

/** The answer to a change of the level at a location of a new variant. */
async function changeLevel(client: Client, place: number, what: string, json: object) {
  const { inventory_item_id, product_id } = await newVariant(client);
  const query = `inventory_item_ids=${String(inventory_item_id)}`;
  const location_id = (await ask(client, `GET inventory_levels?${query}`)).rows[place]?.location_id;
  const body = { inventory_item_id, location_id, ...json };
  const { row } = await ask(client, `POST inventory_levels/${what}`, body);
  return { row, product_id };
}

const stock: Of<'stock'> = {
  'adjust-sets': async (client) =>
    (await changeLevel(client, 0, 'adjust', { available_adjustment: 3 })).row.available !== 8,
  'order-leaves-stock': async (client) =>
    (await stockAfter(client, () => ask(client, 'GET orders'))) !== 3,
  'cancel-keeps-stock': async (client) =>
    (await stockAfter(client, (made) => cancel(client, made))) !== 5,
  'no-restock-restocks': async (client) =>
    (await stockAfter(client, (made) => refund(client, made, 1))) !== 3,
  'oversold-accepted': async (client) =>
    isTaken(order(client, { line_items: [lineOf(await newVariant(client), 6)] })),
  'repeated-lines-oversold': async (client) => {
    const line = lineOf(await newVariant(client), 3);
    return isTaken(order(client, { line_items: [line, line] }));
  },
  'quantity-of-main-location': async (client) => {
    const { product_id } = await changeLevel(client, 1, 'set', { available: 4 });
    return (await stockOf(client, { product_id } as Row)) !== 9;
  },
};

/** Whether a new order for a customer is counted so after this. */
async function customerOf(client: Client, act: (made: Row) => Promise<unknown>): Promise<Row> {
  const { id } = (await newCustomer(client)).row;
  await act((await order(client, { customer: { id } })).row);
  return get(client, `customers/${String(id)}`);
}

/** The order of one or more of a new variant with a code. */
async function discounted(client: Client, rule: object, price = '10.10'): Promise<Row> {
  const { discount_codes } = await newCode(client, rule);
  const line_items = [lineOf(await newVariant(client, { price }), 1)];
  return (await order(client, { line_items, discount_codes })).row;
}

const sums: Of<'sums'> = {
  'shipping-not-in-total': async (client) => {
    const shipping_lines = [{ title: 'Parcel', price: '4.90' }];
    return (await order(client, { shipping_lines })).row.total_price !== '25.10';
  },
  'discount-below-zero': async (client) => {
    const made = await discounted(client, { value_type: 'fixed_amount', value: '-99.00' });
    return made.subtotal_price !== '0.00';
  },
  'percentage-cut-off': async (client) =>
    (await discounted(client, {}, '9.99')).total_discounts !== '5.00',
  'price-follows-variant': async (client) => {
    const sold = await newVariant(client);
    const { row } = await order(client, { line_items: [lineOf(sold)] });
    await putVariant(sold, client, { price: '12' });
    return (await get(client, at(row, 'orders'))).line_items[0].price !== '10.10';
  },
  'spent-with-cancelled': async (client) =>
    (await customerOf(client, (made) => cancel(client, made))).total_spent !== '0.00',
  'refund-not-deducted': async (client) => {
    const { row } = await order(client);
    await refund(client, row, 1);
    return (await get(client, at(row, 'orders'))).current_total_price !== '10.10';
  },
};

/** The path of a new draft of two of a new variant. */
async function draft(client: Client): Promise<string> {
  const line_items = [lineOf(await newVariant(client))];
  return `${at((await add(client, 'draft_orders', { line_items })).row, 'draft_orders')}/complete`;
}

const states: Of<'states'> = {
  'cancelled-reopened': async (client) => {
    const path = at((await order(client)).row, 'orders');
    for (const verb of ['close', 'cancel']) await ask(client, `POST ${path}/${verb}`);
    return isTaken(ask(client, `POST ${path}/open`));
  },
  'cancelled-again': async (client) => {
    const { row } = await order(client);
    await cancel(client, row);
    return isTaken(cancel(client, row));
  },
  'pending-refunded': async (client) =>
    isTaken(refund(client, (await order(client, { financial_status: 'pending' })).row, 1)),
  'refunded-beyond-quantity': async (client) => {
    const { row } = await order(client);
    await refund(client, row, 1);
    return isTaken(refund(client, row, 2));
  },
  'full-refund-partial': async (client) => {
    const { row } = await order(client);
    await refund(client, row, 2);
    return (await get(client, at(row, 'orders'))).financial_status !== 'refunded';
  },
  'draft-completed-twice': async (client) => {
    const path = await draft(client);
    await ask(client, `PUT ${path}`);
    return isTaken(ask(client, `PUT ${path}`));
  },
  'draft-pending-paid': async (client) => {
    const { row } = await ask(client, `PUT ${await draft(client)}?payment_pending=true`);
    const made = await get(client, `orders/${String(row.order_id)}`);
    return made.financial_status !== 'pending';
  },
};

const discounts: Of<'discounts'> = {
  'code-taken-in-other-case': async (client) => {
    const { path, code } = await newCode(client);
    return isTaken(add(client, path, { code: code.toLowerCase() }));
  },
  'usage-limit-ignored': async (client) => {
    const { discount_codes } = await newCode(client, { usage_limit: 1 });
    await order(client, { discount_codes });
    return isTaken(order(client, { discount_codes }));
  },
  'usage-count-still': async (client) => {
    const { path, discount_codes } = await newCode(client);
    await order(client, { discount_codes });
    return (await ask(client, `GET ${path}`)).rows[0]?.usage_count !== 1;
  },
  'expired-code-accepted': async (client) => {
    const { discount_codes } = await newCode(client, { ends_at: '2025-02-01T00:00:00Z' });
    return isTaken(order(client, { discount_codes }));
  },
};

const access: Of<'access'> = {
  'any-token-accepted': (client) =>
    isOther(ask(client, 'GET orders', undefined, 'wrongToken'), 401),
  'product-of-other-shop': async (client) =>
    isOther(ask(client, `GET ${at(await newProduct(client, {}, 'second'))}`), 404),
  'email-taken-across-shops': async (client) => {
    const mail = email();
    await newCustomer(client, { email: mail }, 'second');
    return isOther(newCustomer(client, { email: mail }), 201);
  },
  'variant-of-other-shop-ordered': async (client) => {
    const [other] = (await newProduct(client, {}, 'second')).variants;
    return isTaken(order(client, { line_items: [lineOf(other)] }));
  },
  'count-of-all-shops': async (client) => {
    const { vendor } = await newProduct(client, {}, 'second');
    return Number(await get(client, `products/count?vendor=${vendor}`)) !== 0;
  },
};

/** For each defect: whether it shows to a client that reads the document. */
export const shows: Readonly<Record<DefectName, Show>> = {
  ...{ ...answers, ...pages, ...filters, ...records, ...atomicity },
  ...{ ...stock, ...sums, ...states, ...discounts, ...access },
};

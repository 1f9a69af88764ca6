import type { Client, Got } from '../serving/client.ts';
import { pathOf, unique } from '../serving/showing.ts';

type Numbers = 'id' | 'product_id' | 'order_number' | 'usage_count';
type Stock = 'inventory_item_id' | 'inventory_quantity' | 'location_id' | 'available' | 'order_id';
type Sums = 'total_price' | 'subtotal_price' | 'total_discounts' | 'current_total_price';
type Texts = 'sku' | 'price' | 'title' | 'vendor' | 'total_spent' | 'created_at' | 'updated_at';
type Lists = 'variants' | 'line_items';

/** What any record may have. */
export type Row = Readonly<Record<Numbers | Stock, number>> &
  Readonly<Record<Sums | Texts | 'financial_status', string>> &
  Readonly<Record<'published_at', string | null>> &
  Readonly<Record<Lists, readonly [Row, ...Row[]]>>;

type Answer = Got<unknown> & {
  /** The record in the wrapper. */
  readonly row: Row;
  readonly rows: readonly Row[];
  readonly ids: readonly number[];
  /** The path that the Link header has for a relation. */
  readonly linkTo: (rel: string) => string | undefined;
};

type Asked = Promise<Answer>;

/** Sends `METHOD /path`, without the `.json`; a path with `page_info` is whole. */
export async function ask(client: Client, what: string, json?: unknown, as = 'first'): Asked {
  const [, method = '', path = '', query = ''] = /^(\S+) \/?([^?]*)(.*)$/.exec(what) ?? [];
  const address = `/admin/api/2026-01/${path}.json${query}`;
  const target = path.startsWith('admin/') ? `/${path}${query}` : address;
  const got = await client.ask<unknown>(method, target, json === undefined ? { as } : { as, json });
  const body = typeof got.body === 'object' ? got.body : {};
  const value = (Object.values(body ?? {}) as unknown[])[0];
  const rows = (Array.isArray(value) ? value : []) as readonly Row[];
  const linkTo = (rel: string): string | undefined => {
    const links = (got.headers.get('link') ?? '').split(', ');
    const found = links.find((one) => one.endsWith(`rel="${rel}"`));
    return found === undefined ? undefined : pathOf(found.slice(1).split('>')[0] ?? '');
  };
  const row = (value ?? {}) as Row;
  return { ...got, row, rows, ids: rows.map(({ id }) => id), linkTo };
}

export const get = async (client: Client, path: string): Promise<Row> =>
  (await ask(client, `GET ${path}`)).row;

/** Adds a record, whose wrapper this is. */
export function add(client: Client, path: string, record: object, as?: string): Asked {
  const wrapper = path.replace(/^.*\//, '').replace(/s$/, '');
  return ask(client, `POST ${path}`, { [wrapper]: record }, as);
}

export const variant = { title: 'Grey', price: '10.10', sku: 'ONE', inventory_quantity: 5 };

/** A new product with such variants. */
export async function newProduct(client: Client, more: object = {}, as?: string): Promise<Row> {
  const json = { title: unique('Cap'), vendor: unique('Mill'), body_html: 'Warm.', ...more };
  return (await add(client, 'products', { variants: [variant], ...json }, as)).row;
}

/** A new variant of a new product. */
export const newVariant = async (client: Client, more: object = {}): Promise<Row> =>
  (await newProduct(client, { variants: [{ ...variant, ...more }] })).variants[0];

export const newCustomer = (client: Client, more: object = {}, as?: string): Asked =>
  add(client, 'customers', { email: `${unique('Kim')}@post.example`, ...more }, as);

export const lineOf = ({ id }: Row, quantity = 2): object => ({ variant_id: id, quantity });

/** Orders two of a new variant, or such lines. */
export async function order(client: Client, more: object = {}): Asked {
  const line_items = 'line_items' in more ? [] : [lineOf(await newVariant(client))];
  return add(client, 'orders', { line_items, financial_status: 'paid', ...more });
}

/** What is available of the variant of an order, or of a variant. */
export async function stockOf(client: Client, { product_id }: Row): Promise<number> {
  return (await get(client, `products/${String(product_id)}`)).variants[0].inventory_quantity;
}

/** Refunds of the first line of the order. */
export function refund(client: Client, { id, line_items }: Row, quantity: number): Asked {
  const refund_line_items = [{ line_item_id: line_items[0].id, quantity }];
  return add(client, `orders/${String(id)}/refunds`, { refund_line_items });
}

interface Coded {
  readonly path: string;
  readonly code: string;
  readonly discount_codes: readonly object[];
}

/** A code of a new price rule with this. */
export async function newCode(client: Client, more: object = {}): Promise<Coded> {
  const rule = { title: 'Sale', value_type: 'percentage', value: '-50' };
  const json = { ...rule, starts_at: '2025-01-01T00:00:00Z', ...more };
  const path = `price_rules/${String((await add(client, 'price_rules', json)).row.id)}`;
  const code = unique('CODE');
  await add(client, `${path}/discount_codes`, { code });
  return { path: `${path}/discount_codes`, code, discount_codes: [{ code }] };
}

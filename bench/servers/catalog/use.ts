import type { Ask, Client, Got } from '../serving/client.ts';
import { isOther, pathOf, type Show } from '../serving/showing.ts';

/** A product, review, category, list or error. */
export interface View {
  readonly '@odata.context'?: string;
  readonly '@odata.etag'?: string;
  readonly '@odata.count'?: number;
  readonly '@odata.nextLink'?: string;
  readonly ID?: number;
  readonly Name?: string;
  readonly Sku?: string;
  readonly Price?: number;
  readonly Stock?: number;
  readonly Tags?: readonly string[];
  readonly ReleaseDate?: string | null;
  readonly CategoryCode?: string | null;
  readonly CreatedAt?: string;
  readonly ModifiedAt?: string;
  readonly Rating?: number;
  readonly Text?: string | null;
  readonly Code?: string;
  readonly Category?: View | null;
  readonly Reviews?: readonly View[];
  readonly value?: readonly View[];
  readonly error?: { readonly code: string; readonly target?: string };
}

export function send(
  client: Client,
  method: string,
  path: string,
  json?: unknown,
  ask: Ask = {},
): Promise<Got<View>> {
  return client.ask<View>(method, path, json === undefined ? ask : { json, ...ask });
}

export const get = async (client: Client, path: string): Promise<View> =>
  (await send(client, 'GET', path)).body;

export type Query = Readonly<Record<string, string | number | boolean>>;

/** A query of system options, whose names come without $. */
export function query(options: Query): string {
  const parts = Object.entries(options).map(
    ([name, value]) => `$${name}=${encodeURIComponent(String(value))}`,
  );
  return `?${parts.join('&')}`;
}

let last = 0;

/** A Sku that no other product has. */
export function newSku(): string {
  last += 1;
  return `ZZ-${String(100 + last)}`;
}

export function post(client: Client, fields: object = {}, ask: Ask = {}): Promise<Got<View>> {
  return send(
    client,
    'POST',
    '/Products',
    { Name: 'Kite', Sku: newSku(), Price: 20, ...fields },
    ask,
  );
}

export const at = (product: View): string => `/Products(${String(product.ID)})`;

export const create = async (client: Client, fields: object = {}): Promise<View> =>
  (await post(client, fields)).body;

export async function change(
  client: Client,
  path: string,
  json: unknown,
  { method = 'PATCH', etag = '*' }: { readonly method?: string; readonly etag?: string } = {},
): Promise<Got<View>> {
  return send(client, method, path, json, etag === '' ? {} : { headers: { 'If-Match': etag } });
}

export const full = {
  Price: 20,
  Stock: 7,
  Tags: ['wind', 'red'],
  ReleaseDate: '2024-05-01',
};

/** A new product with all properties, as it is read after a change. */
export async function after(client: Client, json: unknown, method = 'PATCH'): Promise<View> {
  const product = await create(client, full);
  const etag = (await send(client, 'GET', at(product))).headers.get('etag') ?? '';
  await change(client, at(product), json, { method, etag });
  return get(client, at(product));
}

/** A new product, and an ETag from before its last change. */
export async function stale(
  client: Client,
): Promise<{ path: string; headers: { 'If-Match': string } }> {
  const path = at(await create(client));
  const headers = { 'If-Match': (await send(client, 'GET', path)).headers.get('etag') ?? '' };
  await send(client, 'PATCH', path, { Stock: 3 }, { headers });
  return { path, headers };
}

export function review(client: Client, path: string, fields: object = {}): Promise<Got<View>> {
  return send(client, 'POST', `${path}/Reviews`, { Rating: 4, ...fields });
}

/** The entities on all pages. */
export async function all(client: Client, path: string): Promise<View[]> {
  const found: View[] = [];
  let next = path;
  for (let round = 0; round < 40 && next !== ''; round += 1) {
    const page = await get(client, next);
    found.push(...(page.value ?? []));
    next = pathOf(page['@odata.nextLink'] ?? '');
  }
  return found;
}

/** New products with these properties, and a filter that only they match. */
export async function several(
  client: Client,
  many: readonly object[],
): Promise<{ readonly ids: readonly (number | undefined)[]; readonly mine: string }> {
  const made: View[] = [];
  for (const fields of many) made.push(await create(client, fields));
  const ids = made.map(({ ID }) => ID);
  const mine = made.map(({ Sku = '' }) => `Sku eq '${Sku}'`).join(' or ');
  return { ids, mine: `(${mine})` };
}

/** The places of new products with these properties that a list of them has. */
export async function places(
  client: Client,
  many: readonly object[],
  { filter, ...options }: Query,
): Promise<string> {
  const { ids, mine } = await several(client, many);
  const both = filter === undefined ? mine : `${mine} and (${String(filter)})`;
  const found = await all(client, `/Products${query({ filter: both, ...options })}`);
  return found.map(({ ID }) => ids.indexOf(ID)).join('');
}

/** Whether a list of products with such an option is not refused. */
export const lists = (options: Query): Show => {
  return (client) => isOther(send(client, 'GET', `/Products${query(options)}`), 400);
};

/** Whether such a new product is not refused. */
export const takes = (fields: object, status = 400): Show => {
  return (client) => isOther(post(client, fields), status);
};

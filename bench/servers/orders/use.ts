import type { Ask, Client, Got } from '../serving/client.ts';
import { pathOf, unique } from '../serving/showing.ts';

interface Link {
  readonly href: string;
}

/** An order, line, product, page or problem. */
export interface View {
  readonly reference?: string;
  readonly note?: string;
  readonly priority?: string;
  readonly status?: string | number;
  readonly total?: number;
  readonly lineCount?: number;
  readonly created?: string;
  readonly updated?: string;
  readonly paid?: string;
  readonly carrier?: string;
  readonly name?: string;
  readonly quantity?: number;
  readonly amount?: number;
  readonly price?: number;
  readonly stock?: number;
  readonly errors?: readonly { readonly pointer: string }[];
  readonly _links?: Readonly<Record<string, Link | undefined>>;
  readonly _embedded?: {
    readonly orders?: readonly View[];
    readonly lines?: readonly View[];
    readonly products?: readonly View[];
  };
}

export function send(
  client: Client,
  method: string,
  path: string,
  json?: unknown,
  ask: Ask = {},
): Promise<Got<View>> {
  const type = method === 'PATCH' ? { type: 'application/merge-patch+json' } : {};
  return client.ask<View>(method, path, {
    ...(json === undefined ? {} : { json }),
    ...type,
    ...ask,
  });
}

export const get = async (client: Client, path: string): Promise<View> =>
  (await send(client, 'GET', path)).body;

/** The path that a link leads to; empty if it is not there. */
export const linkOf = (view: View | undefined, name = 'self'): string =>
  pathOf(view?._links?.[name]?.href ?? '');

export function post(client: Client, fields: object = {}, ask: Ask = {}): Promise<Got<View>> {
  return send(client, 'POST', '/orders', { reference: unique('PO'), ...fields }, ask);
}

/** The path of a new order. */
export async function create(client: Client, fields: object = {}): Promise<string> {
  return linkOf((await post(client, fields)).body);
}

export async function products(client: Client): Promise<readonly View[]> {
  return (await get(client, '/products?size=40'))._embedded?.products ?? [];
}

/** Adds so many of the product with this place. */
export async function addLine(
  client: Client,
  order: string,
  quantity: unknown = 2,
  place = 1,
): Promise<Got<View>> {
  const product = linkOf((await products(client))[place]);
  return send(client, 'POST', `${order}/lines`, { product, quantity });
}

/** The path of a new order with so many lines. */
export async function filled(client: Client, count = 1): Promise<string> {
  const order = await create(client);
  for (let at = 0; at < count; at += 1) await addLine(client, order, 2, at + 1);
  return order;
}

export const shipment = { carrier: 'Post', tracking: 'RX100200' };

const steps: readonly (readonly [string, unknown])[] = [
  ['submit', undefined],
  ['pay', undefined],
  ['ship', shipment],
];

/** The path of an order that went through so many of submit, pay and ship. */
export async function moved(client: Client, count: number): Promise<string> {
  const order = await filled(client);
  for (const [step, json] of steps.slice(0, count))
    await send(client, 'POST', `${order}/${step}`, json);
  return order;
}

export async function patch(
  client: Client,
  order: string,
  json: unknown,
  headers: Readonly<Record<string, string>> = { 'If-Match': '*' },
): Promise<Got<View>> {
  return send(client, 'PATCH', order, json, { headers });
}

export async function etagOf(client: Client, order: string): Promise<string> {
  return (await send(client, 'GET', order)).headers.get('etag') ?? '';
}

/** A new order and an ETag from before its last change. */
export async function stale(
  client: Client,
): Promise<{ order: string; headers: { 'If-Match': string } }> {
  const order = await filled(client);
  const headers = { 'If-Match': await etagOf(client, order) };
  await patch(client, order, { note: 'Moved' }, headers);
  return { order, headers };
}

/** A new order, as it is read after a patch. */
export async function after(client: Client, json: unknown): Promise<View> {
  const order = await create(client, { note: 'Old', priority: 'express' });
  await patch(client, order, json, { 'If-Match': await etagOf(client, order) });
  return get(client, order);
}

/** The paths of the orders on all pages of a list. */
export async function all(client: Client, path: string): Promise<string[]> {
  const found: string[] = [];
  let next = path;
  for (let round = 0; round < 60 && next !== ''; round += 1) {
    const page = await get(client, next);
    found.push(...(page._embedded?.orders ?? []).map((order) => linkOf(order)));
    next = linkOf(page, 'next');
  }
  return found;
}

/** The places of these orders in a list, on all its pages. */
export async function places(
  client: Client,
  path: string,
  orders: readonly string[],
): Promise<string> {
  const found = (await all(client, path)).map((one) => orders.indexOf(one));
  return found.filter((place) => place >= 0).join('');
}

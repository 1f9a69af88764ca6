import type { Client, Got } from '../serving/client.ts';
import { unique } from '../serving/showing.ts';

const catalog = '/tmf-api/productCatalogManagement/v4';
const ordering = '/tmf-api/productOrderingManagement/v4';

/** Where each kind of entities is. */
export const at = {
  category: `${catalog}/category`,
  spec: `${catalog}/productSpecification`,
  offering: `${catalog}/productOffering`,
  hub: `${catalog}/hub`,
  order: `${ordering}/productOrder`,
  cancel: `${ordering}/cancelProductOrder`,
} as const;

export type Place = keyof typeof at;

export interface RefView {
  readonly id: string;
  readonly name?: string;
  readonly '@referredType'?: string;
}

export interface PriceView {
  readonly priceType: string;
  readonly price: { readonly value: number };
}

/** What any entity or error may have. */
export interface View {
  readonly id: string;
  readonly href: string;
  readonly name: string;
  readonly description?: string;
  readonly lifecycleStatus: string;
  readonly lastUpdate: string;
  readonly isBundle: boolean;
  readonly isSellable: boolean;
  readonly validFor?: { readonly startDateTime?: string; readonly endDateTime?: string };
  readonly category?: readonly RefView[];
  readonly subCategory?: readonly RefView[];
  readonly productSpecification?: RefView;
  readonly productSpecCharacteristic?: readonly unknown[];
  readonly productOfferingPrice?: readonly PriceView[];
  readonly state: string;
  readonly completionDate?: string;
  readonly productOrderItem: readonly { readonly state: string }[];
  readonly orderTotalPrice?: readonly PriceView[];
  readonly reason?: string;
  readonly status?: string;
}

export function post(
  client: Client,
  place: Place,
  fields: object = {},
  as = 'first',
): Promise<Got<View>> {
  const json = ['order', 'cancel', 'hub'].includes(place)
    ? fields
    : { name: unique(place), ...fields };
  return client.ask<View>('POST', at[place], { json, as });
}

export async function make(client: Client, place: Place, fields: object = {}): Promise<View> {
  return (await post(client, place, fields)).body;
}

export const get = (client: Client, place: Place, id: string, as = 'first'): Promise<Got<View>> =>
  client.ask<View>('GET', `${at[place]}/${id}`, { as });

export const read = async (client: Client, place: Place, id: string): Promise<View> =>
  (await get(client, place, id)).body;

export const list = (client: Client, place: Place, query = ''): Promise<Got<readonly View[]>> =>
  client.ask<readonly View[]>('GET', `${at[place]}?${query}`);

export function change(
  client: Client,
  place: Place,
  id: string,
  json: object,
  type = 'application/merge-patch+json',
): Promise<Got<View>> {
  return client.ask<View>('PATCH', `${at[place]}/${id}`, { json, type });
}

export const remove = (client: Client, place: Place, id: string): Promise<Got<unknown>> =>
  client.ask('DELETE', `${at[place]}/${id}`);

/** Makes an entity, changes it, and reads it. */
export async function changed(
  client: Client,
  place: Place,
  fields: object,
  patches: readonly object[],
): Promise<View> {
  const { id } = await make(client, place, fields);
  for (const patch of patches) await change(client, place, id, patch);
  return read(client, place, id);
}

/** An offering that can be ordered, at this price. */
export const active = (client: Client, value = 2.5): Promise<View> =>
  make(client, 'offering', {
    lifecycleStatus: 'Active',
    productOfferingPrice: [{ priceType: 'oneTime', price: { unit: 'EUR', value } }],
  });

/** Items of an order, one for each offering. */
export const itemsOf = (offerings: readonly RefView[], quantity = 2): object[] =>
  offerings.map(({ id }, index) => ({
    id: String(index + 1),
    action: 'add',
    quantity,
    productOffering: { id },
  }));

export async function order(client: Client, fields: object = {}, as = 'first'): Promise<View> {
  const productOrderItem = itemsOf([await active(client)]);
  return (await post(client, 'order', { productOrderItem, ...fields }, as)).body;
}

/** An order that went through these states. */
export async function orderIn(client: Client, ...states: readonly string[]): Promise<View> {
  const { id } = await order(client);
  for (const state of states) await change(client, 'order', id, { state });
  return read(client, 'order', id);
}

/** Offerings of a new category, in this order; gives the filter of it. */
export async function three(client: Client, all: readonly object[]): Promise<string> {
  const category = [{ id: (await make(client, 'category')).id }];
  for (const [index, fields] of all.entries())
    await make(client, 'offering', { name: 'abc'.charAt(index), category, ...fields });
  return `category.id=${category[0]?.id ?? ''}`;
}

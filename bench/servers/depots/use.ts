import type { Ask, Client, Got } from '../serving/client.ts';

/** Whether a defect shows to this client. */
export type Show = (client: Client) => Promise<boolean>;

/** Any response: a resource, a page, an operation, or an error. */
export interface View {
  readonly name: string;
  readonly display_name?: string;
  readonly region?: string;
  readonly capacity?: number;
  readonly address?: { readonly street?: string; readonly city?: string };
  readonly vehicle_count?: number;
  readonly license_plate?: string;
  readonly odometer_km?: number;
  readonly features?: readonly string[];
  readonly backup_depot?: string;
  readonly state?: string;
  readonly retire_time?: string;
  readonly create_time: string;
  readonly update_time: string;
  readonly delete_time?: string;
  readonly etag: string;
  readonly depots?: readonly View[];
  readonly vehicles?: readonly View[];
  readonly next_page_token?: string;
  readonly total_size?: number;
  readonly done?: boolean;
  readonly response?: { readonly inspected_count: number };
  readonly error?: {
    readonly code: number;
    readonly status?: string;
    readonly details?: readonly { readonly field_violations?: readonly { field: string }[] }[];
  };
}

let last = 0;

/** An identifier that no other resource has. */
export function unique(prefix: string): string {
  last += 1;
  return `${prefix}-${String(last)}-${String(process.pid)}`;
}

export const plate = (): string => unique('K').replaceAll('-', '').padStart(6, 'Z').slice(0, 10);

export function send(
  client: Client,
  method: string,
  path: string,
  json?: unknown,
  ask: Ask = {},
): Promise<Got<View>> {
  return client.ask<View>(method, `/v1/${path}`, json === undefined ? ask : { ...ask, json });
}

export async function get(client: Client, path: string): Promise<View> {
  return (await send(client, 'GET', path)).body;
}

export function postDepot(client: Client, fields: object = {}, query = ''): Promise<Got<View>> {
  const json = { display_name: 'Yard', ...fields };
  return send(client, 'POST', `depots?depot_id=${unique('d')}${query}`, json);
}

export async function newDepot(client: Client, fields: object = {}): Promise<View> {
  return (await postDepot(client, fields)).body;
}

export function postVehicle(
  client: Client,
  parent: string,
  fields: object = {},
  query = '',
): Promise<Got<View>> {
  const json = { license_plate: plate(), kind: 'BUS', ...fields };
  return send(client, 'POST', `${parent}/vehicles?${query}`, json);
}

/** A vehicle, in a new depot without a parent. */
export async function newVehicle(
  client: Client,
  fields: object = {},
  parent?: string,
): Promise<View> {
  const depot = parent ?? (await newDepot(client)).name;
  return (await postVehicle(client, depot, fields)).body;
}

/** The name of a new depot with these vehicles, whose names are the identifiers a, b, c. */
export async function fleet(client: Client, all: readonly object[]): Promise<string> {
  const { name } = await newDepot(client);
  for (const [at, fields] of all.entries())
    await postVehicle(client, name, fields, `vehicle_id=${'abcdefgh'.charAt(at)}`);
  return name;
}

export function list(
  client: Client,
  path: string,
  query: Readonly<Record<string, string>>,
): Promise<Got<View>> {
  return send(client, 'GET', `${path}?${new URLSearchParams(query).toString()}`);
}

/** The identifiers on all pages, in their order; at most 200 pages. */
export async function allOf(
  client: Client,
  path: string,
  query: Readonly<Record<string, string>>,
): Promise<string> {
  const found: string[] = [];
  let page_token = '';
  for (let page = 0; page < 200; page += 1) {
    const { body } = await list(client, path, { ...query, ...(page > 0 ? { page_token } : {}) });
    for (const { name } of body.vehicles ?? body.depots ?? [])
      found.push(name.split('/').at(-1) ?? '');
    page_token = body.next_page_token ?? '';
    if (page_token === '') break;
  }
  return found.join('');
}

/** Whether the response has another status. */
export async function isOther(got: Promise<Got<unknown>>, status: number): Promise<boolean> {
  return (await got).status !== status;
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

/** The operation with this name when it is done, or after a second. */
export async function finished(client: Client, started: View): Promise<View> {
  let operation = started;
  for (let round = 0; round < 12 && operation.done !== true; round += 1) {
    await pause(80);
    operation = await get(client, started.name);
  }
  return operation;
}

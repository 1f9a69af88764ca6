import type { Ask, Client, Got } from '../serving/client.ts';
import { unique } from '../serving/showing.ts';

/** What any answer, or an entry of a list, may have. */
export interface View {
  readonly name: string;
  readonly vhost?: string;
  readonly tags: readonly string[];
  readonly durable?: boolean;
  readonly limit?: number | null;
  readonly policy?: string | null;
  readonly priority: number;
  readonly arguments: { readonly max_length?: number };
  readonly messages: number;
  readonly messages_unacknowledged: number;
  readonly consumers: number;
  readonly type: string;
  readonly message_stats: object & { readonly publish_in?: number };
  readonly items: readonly View[];
  readonly page_count: number;
  readonly total_count: number;
  readonly queues: number & readonly View[];
  readonly object_totals: { readonly queues: number };
  readonly queue_totals: Readonly<Record<string, number>>;
  readonly permissions: readonly { readonly vhost: string }[];
  readonly payload: string;
  readonly payload_encoding: string;
  readonly redelivered: boolean;
  readonly message_count: number;
  readonly properties: { readonly message_id?: string };
  readonly source: string;
  readonly properties_key: string;
}

export const basic = (name: string, password: string): Readonly<Record<string, string>> => ({
  Authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
});

export const send = (
  client: Client,
  method: string,
  path: string,
  json?: object,
  more: Ask = {},
): Promise<Got<View>> =>
  client.ask<View>(method, `/api${path}`, { ...more, ...(json === undefined ? {} : { json }) });

export async function read(client: Client, path: string, more?: Ask): Promise<View> {
  return (await send(client, 'GET', path, undefined, more)).body;
}

/** The entries of a list that is a plain array. */
export async function rows(client: Client, path: string, more?: Ask): Promise<readonly View[]> {
  const body: unknown = await read(client, path, more);
  return Array.isArray(body) ? (body as View[]) : [];
}

/** A new virtual host. */
export async function space(client: Client, form: object = {}): Promise<string> {
  const name = unique('space');
  await send(client, 'PUT', `/vhosts/${name}`, form);
  return name;
}

/** The path of a new queue. */
export async function queue(client: Client, at: string, name = 'q', form = {}): Promise<string> {
  await send(client, 'PUT', `/queues/${at}/${name}`, form);
  return `/queues/${at}/${name}`;
}

/** Publishes to an exchange. */
export const publish = (
  client: Client,
  at: string,
  routing_key: string,
  { to = 'amq.fanout', ...form }: { readonly to?: string; readonly [name: string]: unknown } = {},
): Promise<Got<View>> =>
  send(client, 'POST', `/exchanges/${at}/${to}/publish`, { routing_key, payload: 'x', ...form });

export const bind = (
  client: Client,
  at: string,
  to: string,
  form: object = {},
): Promise<Got<View>> => send(client, 'POST', `/bindings/${at}/e/${to}/q/q`, form);

export async function take(client: Client, path: string, form = {}): Promise<readonly View[]> {
  const json = { ack_mode: 'requeue', count: 10, ...form };
  const body: unknown = (await send(client, 'POST', `${path}/get`, json)).body;
  return Array.isArray(body) ? (body as View[]) : [];
}

/** A new virtual host, in it a queue q with these payloads, each with itself as routing key. */
export async function filled(
  client: Client,
  payloads: readonly string[],
  form: object = {},
): Promise<{ at: string; path: string }> {
  const at = await space(client);
  const path = await queue(client, at, 'q', form);
  await bind(client, at, 'amq.fanout');
  for (const payload of payloads) await publish(client, at, payload, { payload });
  return { at, path };
}

const all = { configure: '.*', write: '.*', read: '.*' };

/** A new user with this permission for the virtual host. */
export async function person(
  client: Client,
  at: string,
  { tags = ['management'], permission = {} }: { tags?: string[]; permission?: object } = {},
): Promise<{ name: string; ask: Ask }> {
  const name = unique('user');
  const password = 'Carrot+Tunnel:7';
  await send(client, 'PUT', `/users/${name}`, { tags, password });
  await send(client, 'PUT', `/permissions/${at}/${name}`, { ...all, ...permission });
  return { name, ask: { headers: basic(name, password) } };
}

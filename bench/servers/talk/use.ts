import type { Ask, Client, Got } from '../serving/client.ts';

/** Whether a defect shows to this client. */
export type Show = (client: Client) => Promise<boolean>;

export interface ChannelView {
  readonly id: string;
  readonly name: string;
  readonly is_private: boolean;
  readonly is_archived: boolean;
  readonly is_member: boolean;
  readonly updated: number;
  readonly topic: { readonly value: string };
  readonly previous_names?: readonly string[];
  readonly num_members?: number;
}

export interface MessageView {
  readonly ts: string;
  readonly user: string;
  readonly text: string;
  readonly reply_count?: number;
  readonly latest_reply?: string;
  readonly edited?: { readonly user: string };
  readonly reactions?: readonly { readonly users: readonly string[]; readonly count: number }[];
}

/** Any answer; `channel` is read by `channelOf` where it is an object. */
export interface View {
  readonly ok?: boolean;
  readonly error?: string;
  readonly channel?: ChannelView | string;
  readonly ts?: string;
  readonly message?: MessageView;
  readonly messages?: readonly MessageView[];
  readonly has_more?: boolean;
  readonly channels?: readonly ChannelView[];
  readonly members?: readonly string[];
  readonly response_metadata?: {
    readonly next_cursor?: string;
    readonly messages?: readonly string[];
  };
}

export type Query = Readonly<Record<string, string>>;

let last = 0;

/** A name that no other channel has. */
export function unique(): string {
  last += 1;
  return `room-${String(last)}-${String(process.pid)}`;
}

export function read(
  client: Client,
  name: string,
  query: Query,
  ask: Ask = {},
): Promise<Got<View>> {
  return client.ask<View>('GET', `/api/${name}?${new URLSearchParams(query).toString()}`, ask);
}

export function write(
  client: Client,
  name: string,
  json: object,
  ask: Ask = {},
): Promise<Got<View>> {
  return client.ask<View>('POST', `/api/${name}`, { json, ...ask });
}

/** Whether a call is not refused with this error. */
export async function lacks(got: Promise<Got<View>>, error: string): Promise<boolean> {
  return (await got).body.error !== error;
}

export const second: Ask = { as: 'second' };

/** The identifier of a new channel. */
export async function open(client: Client, more: object = {}): Promise<string> {
  const { body } = await write(client, 'channels.create', { name: unique(), ...more });
  return (body.channel as ChannelView).id;
}

export async function info(client: Client, channel: string): Promise<ChannelView> {
  const query = { channel, include_num_members: 'true' };
  return (await read(client, 'channels.info', query)).body.channel as ChannelView;
}

export async function archived(client: Client): Promise<string> {
  const channel = await open(client);
  await write(client, 'channels.archive', { channel });
  return channel;
}

/** The ts of a new message. */
export async function say(
  client: Client,
  channel: string,
  text: string,
  more: object = {},
): Promise<string> {
  const { body } = await write(client, 'chat.postMessage', { channel, text, ...more });
  return body.ts ?? '';
}

/** A new channel with the messages 1 to 5: its identifier, and their ts. */
export async function five(client: Client): Promise<{ channel: string; all: string[] }> {
  const channel = await open(client);
  const all: string[] = [];
  for (const text of '12345') all.push(await say(client, channel, text));
  return { channel, all };
}

/** The answers on all pages, at most 100. */
export async function pages(client: Client, name: string, query: Query): Promise<View[]> {
  const found: View[] = [];
  let cursor = '';
  for (let page = 0; page < 100; page += 1) {
    const more = cursor === '' ? {} : { cursor };
    const { body } = await read(client, name, { ...query, ...more });
    found.push(body);
    cursor = body.response_metadata?.next_cursor ?? '';
    if (cursor === '') break;
  }
  return found;
}

/** The texts on all pages of a history, or thread. */
export async function texts(client: Client, name: string, query: Query): Promise<string> {
  const all = await pages(client, name, query);
  return all.flatMap(({ messages = [] }) => messages.map(({ text }) => text)).join('');
}

/** The identifiers on all pages of channels. */
export async function listed(client: Client, query: Query): Promise<string[]> {
  const all = await pages(client, 'channels.list', query);
  return all.flatMap(({ channels = [] }) => channels.map(({ id }) => id));
}

/** The message with this ts in the history of a channel. */
export async function messageAt(
  client: Client,
  channel: string,
  ts: string,
): Promise<MessageView | undefined> {
  const { body } = await read(client, 'channels.history', { channel, limit: '200' });
  return body.messages?.find((one) => one.ts === ts);
}

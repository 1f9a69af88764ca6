import { createHash } from 'node:crypto';
import type { Client, Got } from '../serving/client.ts';
import { unique } from '../serving/showing.ts';

type Texts = 'id' | 'status' | 'language' | 'last_changed' | 'instance';
type Numbers = 'merge_id' | 'tags_count' | 'emails_sent' | 'total_items' | 'error_count';
type Objects = 'merge_fields' | 'stats' | 'settings' | 'recipients';

/** What any answer may have. */
export type Reply = Readonly<Record<Texts, string> & Record<Numbers, number>> &
  Readonly<Record<Objects, Readonly<Record<string, unknown>>>> &
  Readonly<Record<'unsubscribe_reason' | 'send_time', string | null>> &
  Readonly<Record<'lists' | 'members' | 'new_members', readonly Reply[]>> & {
    readonly _links: readonly { readonly rel: string; readonly href: string }[];
  };

type Promised = Promise<Got<Reply>>;
type Path = Promise<string>;

/** A method and a body. */
export type Request = readonly [method: string, json?: unknown];

/** Sends `METHOD /path`. */
export function ask(client: Client, what: string, json?: unknown, as = 'first'): Promised {
  const [method = '', path = ''] = what.split(' ');
  return client.ask<Reply>(method, `/3.0${path}`, json === undefined ? { as } : { as, json });
}

export const get = async (client: Client, path: string): Promise<Reply> =>
  (await ask(client, `GET ${path}`)).body;

export const address = (): string => `${unique('reader')}@post.example`;

export const hashOf = (email: string): string =>
  createHash('md5').update(email.toLowerCase()).digest('hex');

/** The path of a new list. */
export async function newList(client: Client, as?: string): Path {
  const contact = { company: 'Mill', address1: 'Road 1', city: 'Ås', country: 'NO' };
  const sender = { from_name: 'Mill', from_email: 'news@mill.example', subject: 'News' };
  const texts = { name: unique('list'), permission_reminder: 'You signed up.' };
  const json = { ...texts, contact, campaign_defaults: { ...sender, language: 'en' } };
  return `/lists/${(await ask(client, 'POST /lists', json, as)).body.id}`;
}

/** The path of a new member. */
export async function join(client: Client, list: string, fields = {}, as?: string): Path {
  const json = { status: 'subscribed', email_address: address(), ...fields };
  await ask(client, `POST ${list}/members`, json, as);
  return `${list}/members/${hashOf(json.email_address)}`;
}

/** The path of a new list with such members. */
export async function listOf(client: Client, ...members: object[]): Path {
  const list = await newList(client);
  for (const fields of members) await join(client, list, fields);
  return list;
}

/** The path of a new member of a new list. */
export const newMember = async (client: Client, fields: object = {}): Path =>
  join(client, await newList(client), fields);

/** The record of the path after these requests to it. */
export async function after(client: Client, path: string, ...requests: Request[]): Promise<Reply> {
  for (const [method, json] of requests) await ask(client, `${method} ${path}`, json);
  return get(client, path);
}

/** Whether the request is not refused with 400. */
export const isTaken = async (client: Client, what: string, json?: unknown): Promise<boolean> =>
  (await ask(client, what, json)).status !== 400;

/** Adds a campaign for the list. */
export function addCampaign(
  client: Client,
  list: string,
  { as, ...more }: { readonly as?: string; readonly segment_opts?: object } = {},
): Promised {
  const recipients = { list_id: list.replace('/lists/', ''), ...more };
  const json = { type: 'regular', recipients, settings: { title: 'May', preview_text: 'Hi' } };
  return ask(client, 'POST /campaigns', json, as);
}

/** The path of a new campaign for the list, after these actions. */
export async function newCampaign(client: Client, list: string, ...actions: string[]): Path {
  const path = `/campaigns/${(await addCampaign(client, list)).body.id}`;
  for (const action of actions) await act(client, path, action);
  return path;
}

export function act(client: Client, campaign: string, action: string): Promised {
  const json = { schedule_time: '2044-05-01T09:15:00+02:00' };
  return ask(client, `POST ${campaign}/actions/${action}`, json);
}

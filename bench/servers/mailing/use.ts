import { createHash } from 'node:crypto';
import type { Client, Got } from '../serving/client.ts';
import { unique } from '../serving/showing.ts';

/** What any answer may have. */
export interface Reply {
  readonly id: string;
  readonly status: string;
  readonly language: string;
  readonly last_changed: string;
  readonly unsubscribe_reason: string | null;
  readonly merge_id: number;
  readonly merge_fields: Readonly<Record<string, unknown>>;
  readonly tags_count: number;
  readonly stats: Readonly<Record<string, unknown>>;
  readonly emails_sent: number;
  readonly send_time: string | null;
  readonly recipients: { readonly list_name: string; readonly recipient_count: number };
  readonly settings: Readonly<Record<string, string>>;
  readonly total_items: number;
  readonly lists: readonly Reply[];
  readonly members: readonly Reply[];
  readonly new_members: readonly Reply[];
  readonly error_count: number;
  readonly instance: string;
  readonly _links: readonly { readonly rel: string; readonly href: string }[];
}

/** Sends `METHOD /path`. */
export function ask(
  client: Client,
  what: string,
  json?: unknown,
  as = 'first',
): Promise<Got<Reply>> {
  const [method = '', path = ''] = what.split(' ');
  return client.ask<Reply>(method, `/3.0${path}`, json === undefined ? { as } : { as, json });
}

export const get = async (client: Client, path: string): Promise<Reply> =>
  (await ask(client, `GET ${path}`)).body;

export const address = (): string => `${unique('reader')}@post.example`;

export const hashOf = (email: string): string =>
  createHash('md5').update(email.toLowerCase()).digest('hex');

/** The path of a new list. */
export async function newList(client: Client, as?: string): Promise<string> {
  const contact = { company: 'Mill', address1: 'Road 1', city: 'Ås', country: 'NO' };
  const sender = { from_name: 'Mill', from_email: 'news@mill.example' };
  const campaign_defaults = { ...sender, subject: 'News', language: 'en' };
  const texts = { name: unique('list'), permission_reminder: 'You signed up.' };
  const json = { ...texts, contact, campaign_defaults };
  return `/lists/${(await ask(client, 'POST /lists', json, as)).body.id}`;
}

/** The path of a new member. */
export async function join(
  client: Client,
  list: string,
  fields: object = {},
  as?: string,
): Promise<string> {
  const json = { status: 'subscribed', email_address: address(), ...fields };
  await ask(client, `POST ${list}/members`, json, as);
  return `${list}/members/${hashOf(json.email_address)}`;
}

/** The path of a new list with such members. */
export async function listOf(client: Client, ...members: object[]): Promise<string> {
  const list = await newList(client);
  for (const fields of members) await join(client, list, fields);
  return list;
}

/** The path of a new member of a new list. */
export const newMember = async (client: Client, fields: object = {}): Promise<string> =>
  join(client, await newList(client), fields);

/** The member, after such a change. */
export async function changed(client: Client, path: string, json: object): Promise<Reply> {
  await ask(client, `PATCH ${path}`, json);
  return get(client, path);
}

/** Adds a campaign for the list. */
export function addCampaign(
  client: Client,
  list: string,
  { as, ...more }: { readonly as?: string; readonly segment_opts?: object } = {},
): Promise<Got<Reply>> {
  const recipients = { list_id: list.replace('/lists/', ''), ...more };
  const json = { type: 'regular', recipients, settings: { title: 'May', preview_text: 'Hi' } };
  return ask(client, 'POST /campaigns', json, as);
}

/** The path of a new campaign for the list, after these actions. */
export async function newCampaign(
  client: Client,
  list: string,
  ...actions: string[]
): Promise<string> {
  const path = `/campaigns/${(await addCampaign(client, list)).body.id}`;
  for (const action of actions) await act(client, path, action);
  return path;
}

export const act = (client: Client, campaign: string, action: string): Promise<Got<Reply>> =>
  ask(
    client,
    `POST ${campaign}/actions/${action}`,
    action === 'schedule' ? { schedule_time: '2044-05-01T09:15:00+02:00' } : undefined,
  );

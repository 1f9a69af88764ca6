import type { Client, Got } from '../serving/client.ts';
import { unique } from '../serving/showing.ts';

export interface TicketView {
  readonly id: string;
  readonly subject: string;
  readonly body: string;
  readonly status: string;
  readonly priority: string;
  readonly queue_id: string;
  readonly customer_id: string;
  readonly creator: string;
  readonly assignee: string;
  readonly tags: readonly string[];
  readonly reply_count: string;
  readonly minutes: string;
  readonly created: string;
  readonly updated: string;
  readonly closed_at: string | null;
  readonly lock_version: string;
}

/** What any answer may have. */
export interface Reply {
  readonly result?: string;
  readonly errors?: readonly { readonly field?: string; readonly text?: string }[];
  readonly id: string;
  readonly total?: string;
  readonly ticket: TicketView;
  readonly tickets: readonly TicketView[];
  readonly replies: readonly { readonly text: string }[];
  readonly customer: { readonly vip: unknown; readonly name: string };
  readonly customers: readonly { readonly id: string }[];
  readonly queue: { readonly ticket_count: string };
  readonly macros: readonly { readonly id: string; readonly owner: string }[];
}

export type Form = Readonly<Record<string, string | readonly string[]>>;

export const formType = 'application/x-www-form-urlencoded';

/** The text of a form; a list gives one pair each. */
const write = (form: Form): string =>
  new URLSearchParams(
    Object.entries(form).flatMap(([name, value]) =>
      [value].flat().map((one) => [name, one] as [string, string]),
    ),
  ).toString();

export function send(
  client: Client,
  path: string,
  form: Form = {},
  as?: string,
): Promise<Got<Reply>> {
  const ask = { bytes: write(form), type: formType, ...(as === undefined ? {} : { as }) };
  return client.ask<Reply>('POST', `/index.php${path}`, ask);
}

export const read = (client: Client, path: string, as?: string): Promise<Got<Reply>> =>
  client.ask<Reply>('GET', `/index.php${path}`, as === undefined ? {} : { as });

export async function newCustomer(client: Client, form: Form = {}): Promise<string> {
  const email = `${unique('c')}@client.example`;
  return (await send(client, '/customers', { name: 'Nina', email, ...form })).body.id;
}

export async function newQueue(client: Client, form: Form = {}): Promise<string> {
  return (await send(client, '/queues', { name: unique('queue'), ...form })).body.id;
}

/** Posts a ticket, in a new queue and of a new customer unless the form has others. */
export async function post(client: Client, form: Form = {}, as?: string): Promise<Got<Reply>> {
  const queue_id = form['queue_id'] ?? (await newQueue(client));
  const customer_id = form['customer_id'] ?? (await newCustomer(client));
  const text = { subject: 'Paper jam', body: 'Third time this week.' };
  return send(client, '/tickets', { ...text, ...form, queue_id, customer_id }, as);
}

export async function newTicket(client: Client, form: Form = {}): Promise<string> {
  return (await post(client, form)).body.id;
}

export async function ticket(client: Client, id: string): Promise<TicketView> {
  return (await read(client, `/tickets/${id}`)).body.ticket ?? ({} as TicketView);
}

/** The ticket as it is read after these actions on a new one. */
export async function after(
  client: Client,
  form: Form,
  actions: readonly (readonly [string, Form?])[],
): Promise<TicketView> {
  const id = await newTicket(client, form);
  for (const [action, fields] of actions) await send(client, `/tickets/${id}${action}`, fields);
  return ticket(client, id);
}

/** Whether the list with this query of one customer's tickets has other subjects than these. */
export async function listsOther(
  client: Client,
  forms: readonly Form[],
  { query, subjects }: { query: string; subjects: string },
): Promise<boolean> {
  const customer_id = await newCustomer(client);
  const queue_id = await newQueue(client);
  for (const form of forms) await newTicket(client, { customer_id, queue_id, ...form });
  const { body } = await read(client, `/tickets?filter[customer_id]=${customer_id}&${query}`);
  return (body.tickets ?? []).map(({ subject }) => subject).join('') !== subjects;
}

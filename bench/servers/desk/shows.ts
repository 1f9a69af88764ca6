import type { Client, Got } from '../serving/client.ts';
import { isOther, unique, type Show } from '../serving/showing.ts';
import type { DefectName, defects } from './defects.ts';
import {
  after,
  formType,
  listsOther,
  newCustomer,
  newQueue,
  newTicket,
  post,
  read,
  send,
  ticket,
  type Form,
  type Reply,
} from './use.ts';

type Of<Kind extends keyof typeof defects> = Record<keyof (typeof defects)[Kind], Show>;

const isText = (value: unknown): boolean => typeof value === 'string';

async function badForm(client: Client): Promise<Got<Reply>> {
  return send(client, '/tickets', { subject: '' });
}

async function closed(client: Client): Promise<string> {
  const id = await newTicket(client);
  await send(client, `/tickets/${id}/close`);
  return id;
}

const errors: Of<'errors'> = {
  'missing-ticket-200': (client) => isOther(read(client, '/tickets/1'), 404),
  'errors-without-field': async (client) =>
    (await badForm(client)).body.errors?.every(({ field }) => isText(field)) !== true,
};

const shapes: Of<'shapes'> = {
  'priority-as-number': async (client) => !isText((await after(client, {}, [])).priority),
  'vip-as-boolean': async (client) => {
    const id = await newCustomer(client, { vip: '1' });
    return (await read(client, `/customers/${id}`)).body.customer.vip !== '1';
  },
  'total-missing': async (client) => !isText((await read(client, '/tickets')).body.total),
  'closed-at-zero': async (client) => (await after(client, {}, [])).closed_at !== null,
  'tags-as-object': async (client) =>
    !Array.isArray((await after(client, { 'tags[]': ['a'] }, [])).tags),
};

const three = [
  { subject: 'a', priority: '4', 'tags[]': ['net', 'vpn'] },
  { subject: 'b', priority: '2', body: 'Smoke in the Kitchen' },
  { subject: 'c', priority: '5', 'tags[]': ['network'] },
];

const lists =
  (query: string, subjects: string): Show =>
  (client) =>
    listsOther(client, three, { query, subjects });

const filters: Of<'filters'> = {
  'status-filter-ignored': lists('filter[status]=closed', ''),
  'priority-min-excludes-bound': lists('filter[priority_min]=4&order=id', 'ac'),
  'to-excludes-day': async (client) => {
    const { id, created, customer_id } = await after(client, {}, []);
    const query = `filter[customer_id]=${customer_id}&filter[to]=${created.slice(0, 10)}`;
    return (await read(client, `/tickets?${query}`)).body.tickets[0]?.id !== id;
  },
  'text-case-sensitive': lists('filter[text]=kITCHEN', 'b'),

  'filters-joined-by-or': lists('filter[text]=Kitchen', 'b'),
  'unassigned-finds-all': async (client) => {
    const { customer_id } = await after(client, {}, [['/assign', { assignee: 'mira' }]]);
    const query = `filter[customer_id]=${customer_id}&filter[assignee]=`;
    return (await read(client, `/tickets?${query}`)).body.total !== '0';
  },
};

const order: Of<'order'> = {
  'order-ignored': lists('order=priority', 'bac'),
  'ids-ordered-as-texts': async (client) => {
    const { tickets } = (await read(client, '/tickets?order=id&count=100')).body;
    return tickets.some(({ id }, at) => at > 0 && Number(id) < Number(tickets[at - 1]?.id));
  },
};

const total =
  (query: string): Show =>
  async (client) => {
    const customer_id = await newCustomer(client);
    for (const form of three) await newTicket(client, { ...form, customer_id });
    const path = `/tickets?filter[customer_id]=${customer_id}&${query}`;
    return (await read(client, path)).body.total !== '3';
  };

const paging: Of<'paging'> = {
  'start-ignored': lists('order=id&start=1', 'bc'),
  'start-counts-pages': lists('order=id&start=1&count=2', 'bc'),

  'total-unfiltered': total(''),
  'count-101-accepted': (client) => isOther(read(client, '/tickets?count=101'), 400),
};

const change = { subject: 'New', priority: '5' };

/** Whether a new ticket reads otherwise after a change. */
async function changesOther(client: Client, form: Form, expected: object): Promise<boolean> {
  const found = await after(client, { 'tags[]': ['one', 'two'] }, [['', form]]);
  return Object.entries(expected).some(
    ([name, value]) => String((found as unknown as Form)[name]) !== value,
  );
}

/** Whether a new ticket has another subject than it was given. */
async function storesOther(client: Client, subject: string): Promise<boolean> {
  return (await after(client, { subject }, [])).subject !== subject;
}

async function changeWithOldVersion(client: Client): Promise<{ id: string; status: number }> {
  const { id, lock_version } = await after(client, {}, []);
  await send(client, `/tickets/${id}`, { priority: '1', lock_version });
  const { status } = await send(client, `/tickets/${id}`, { priority: '5', lock_version });
  return { id, status };
}

const writes: Of<'writes'> = {
  'change-lost': (client) => changesOther(client, change, { subject: 'New' }),
  'change-without-priority': (client) => changesOther(client, change, { priority: '5' }),
  'change-empties-tags': (client) => changesOther(client, change, { tags: 'one,two' }),
  'create-lost': async (client) =>
    isOther(read(client, `/customers/${await newCustomer(client)}`), 200),
  'html-escaped': (client) => storesOther(client, 'Tom & "Jerry" <3'),
  'decoded-twice': (client) => storesOther(client, '100%25 of 2+2'),
  'queue-priority-ignored': async (client) => {
    const queue_id = await newQueue(client, { default_priority: '5' });
    return (await after(client, { queue_id }, [])).priority !== '5';
  },
  'last-tag-only': async (client) =>
    (await after(client, { 'tags[]': ['one', 'two'] }, [])).tags.length !== 2,
  'refused-change-kept': async (client) => {
    const { id } = await changeWithOldVersion(client);
    return (await ticket(client, id)).priority !== '1';
  },
};

/** Two tickets of one customer, the first merged into the second. */
async function merged(client: Client): Promise<{ from: string; into: string }> {
  const customer_id = await newCustomer(client);
  const from = await newTicket(client, { customer_id });
  const into = await newTicket(client, { customer_id });
  await send(client, `/tickets/${from}/replies`, { text: 'Hello' });
  await send(client, `/tickets/${from}/merge`, { into });
  return { from, into };
}

const deletion: Of<'deletion'> = {
  'delete-not-done': async (client) => {
    const id = await newCustomer(client);
    await send(client, `/customers/${id}/delete`);
    return isOther(read(client, `/customers/${id}`), 404);
  },
  'deleted-still-listed': async (client) => {
    const { id, customer_id } = await after(client, {}, []);
    await send(client, `/tickets/${id}/delete`);
    const { body } = await read(client, `/tickets?filter[customer_id]=${customer_id}`);
    return body.tickets.length !== 0;
  },
  'merged-outlive-target': async (client) => {
    const { from, into } = await merged(client);
    await send(client, `/tickets/${into}/delete`);
    return isOther(read(client, `/tickets/${from}`), 404);
  },
  'customer-with-tickets-deleted': async (client) => {
    const { customer_id } = await after(client, {}, []);
    return isOther(send(client, `/customers/${customer_id}/delete`), 409);
  },
  'queue-with-tickets-deleted': async (client) => {
    const { queue_id } = await after(client, {}, []);
    return isOther(send(client, `/queues/${queue_id}/delete`), 409);
  },
};

const relations: Of<'relations'> = {
  'unknown-customer-accepted': (client) => isOther(post(client, { customer_id: '2' }), 400),
  'unknown-queue-on-change': async (client) =>
    isOther(send(client, `/tickets/${await newTicket(client)}`, { queue_id: '999999' }), 400),
  'inactive-queue-accepted': async (client) =>
    isOther(post(client, { queue_id: await newQueue(client, { active: '0' }) }), 400),
};

const states: Of<'states'> = {
  'close-again-accepted': async (client) =>
    isOther(send(client, `/tickets/${await closed(client)}/close`), 409),
  'reply-to-closed-accepted': async (client) =>
    isOther(send(client, `/tickets/${await closed(client)}/replies`, { text: 'Hi' }), 409),
  'merge-into-itself': async (client) => {
    const into = await newTicket(client);
    return isOther(send(client, `/tickets/${into}/merge`, { into }), 400);
  },
  'merge-loses-replies': async (client) => {
    const { into } = await merged(client);
    return (await read(client, `/tickets/${into}/replies`)).body.replies[0]?.text !== 'Hello';
  },
  'merge-across-customers': async (client) => {
    const into = await newTicket(client);
    return isOther(send(client, `/tickets/${await newTicket(client)}/merge`, { into }), 409);
  },
  'reopened-has-closed-at': async (client) =>
    (await after(client, {}, [['/close'], ['/reopen']])).closed_at !== null,
};

/** Whether a second ticket with the same request_key is, or is not, the first one. */
async function repeats(client: Client, as: string, isSame: boolean): Promise<boolean> {
  const request_key = unique('key');
  const queue_id = await newQueue(client);
  const customer_id = await newCustomer(client);
  const form = { request_key, queue_id, customer_id };
  const first = await post(client, form);
  const second = await post(client, form, as);
  return (first.body.id === second.body.id) !== isSame;
}

const uniqueness: Of<'uniqueness'> = {
  'email-twice-in-capitals': async (client) => {
    const email = `${unique('m')}@client.example`;
    await newCustomer(client, { email });
    const form = { name: 'Other', email: email.toUpperCase() };
    return isOther(send(client, '/customers', form), 409);
  },
  'queue-name-taken-on-change': async (client) => {
    const name = unique('queue');
    await newQueue(client, { name });
    return isOther(send(client, `/queues/${await newQueue(client)}`, { name }), 409);
  },
  'request-key-ignored': (client) => repeats(client, 'first', true),
  'request-key-of-all': (client) => repeats(client, 'second', false),
};

const two = [
  ['/replies', { text: 'One', minutes: '10' }],
  ['/replies', { text: 'Two', minutes: '15', internal: '1' }],
] as const;

/** The ticket that was changed longest ago, before and after a change. */
async function change1(client: Client): Promise<Pick<Reply, 'ticket'>[]> {
  const [first] = (await read(client, '/tickets?order=updated&filter[status]=open')).body.tickets;
  await send(client, `/tickets/${first?.id ?? ''}`, { subject: 'Old' });
  const found = await ticket(client, first?.id ?? '');
  return [{ ticket: first ?? found }, { ticket: found }];
}

const counts: Of<'counts'> = {
  'minutes-of-last-reply': async (client) => (await after(client, {}, two)).minutes !== '25',
  'reply-count-without-internal': async (client) =>
    (await after(client, {}, two)).reply_count !== '2',
  'queue-counts-closed': async (client) => {
    const { queue_id } = await after(client, {}, [['/close']]);
    return (await read(client, `/queues/${queue_id}`)).body.queue.ticket_count !== '0';
  },
  'version-unchanged': async (client) =>
    (await after(client, {}, [['', { subject: 'Two' }]])).lock_version !== '2',
  'old-version-accepted': async (client) => (await changeWithOldVersion(client)).status !== 409,
  'updated-unchanged': async (client) => {
    const [before, now] = await change1(client);
    return before?.ticket.updated === now?.ticket.updated;
  },
  'created-moves': async (client) => {
    const [before, now] = await change1(client);
    return before?.ticket.created !== now?.ticket.created;
  },
};

async function logIn(client: Client, password = 'Winter-Desk-77'): Promise<Got<Reply>> {
  return send(client, '/login', { login: 'ines', password }, 'anonymous');
}

/** A macro of the second agent. */
async function macroOfOther(client: Client, shared: string): Promise<string> {
  return (await send(client, '/macros', { title: 'Mine', text: 'Hi', shared }, 'second')).body.id;
}

const sessions: Of<'sessions'> = {
  'list-without-cookie': (client) => isOther(read(client, '/customers', 'anonymous'), 401),
  'any-cookie-accepted': (client) => isOther(read(client, '/tickets', 'wrongKey'), 401),
  'any-password-accepted': (client) => isOther(logIn(client, 'summer'), 401),
  'logout-not-done': async (client) => {
    const [cookie = ''] = ((await logIn(client)).headers.get('set-cookie') ?? '').split(';');
    const ask = { as: 'anonymous', headers: { Cookie: cookie } };
    await client.ask('POST', '/index.php/logout', ask);
    return isOther(client.ask('GET', '/index.php/session', ask), 401);
  },
  'macro-of-other-shown': async (client) =>
    isOther(read(client, `/macros/${await macroOfOther(client, '0')}`), 404),
  'macros-of-others-listed': async (client) => {
    const id = await macroOfOther(client, '0');
    return (await read(client, '/macros?count=100')).body.macros.some((macro) => macro.id === id);
  },
  'macro-of-other-deleted': async (client) =>
    isOther(send(client, `/macros/${await macroOfOther(client, '1')}/delete`), 404),
  'creator-from-form': async (client) =>
    (await after(client, { creator: 'mira' }, [])).creator !== 'ines',
};

const robustness: Of<'robustness'> = {
  'id-cast': async (client) =>
    isOther(send(client, `/tickets/${await newTicket(client)}x/close`), 404),
  'list-as-text-500': async (client) => {
    const bytes = 'subject[]=a&body=b';
    const got = await client.ask('POST', '/index.php/tickets', { bytes, type: formType });
    return got.status !== 400;
  },
  'quote-500': (client) => isOther(read(client, "/tickets?filter[text]=O'Brien"), 200),
  'subject-of-120-refused': (client) => isOther(post(client, { subject: 'x'.repeat(120) }), 200),
  'minutes-601-accepted': async (client) => {
    const form = { text: 'Long', minutes: '601' };
    return isOther(send(client, `/tickets/${await newTicket(client)}/replies`, form), 400);
  },
};

/** For each defect: whether it shows to a client that reads the document. */
export const shows: Readonly<Record<DefectName, Show>> = {
  ...errors,
  ...shapes,
  ...filters,
  ...order,
  ...paging,
  ...writes,
  ...deletion,
  ...relations,
  ...states,
  ...uniqueness,
  ...counts,
  ...sessions,
  ...robustness,
};

import type { Answer } from '../serving/serve.ts';
import { fail, find, ok, pageOf, Reader, writeFlag, writeTime, type Call } from './forms.ts';
import { addTicket, agents, now, type Reply, type Service, type Ticket } from './store.ts';

const repliesOf = ({ replies }: Service, { id }: Ticket): Reply[] =>
  [...replies.values()].filter(({ ticketId }) => ticketId === id);

function showTicket(ticket: Ticket, service: Service): object {
  const { has } = service;
  const { status, closedAt, mergedInto } = ticket;
  const replies = repliesOf(service, ticket);
  const timed = has('minutes-of-last-reply') ? replies.slice(-1) : replies;
  const counted = has('reply-count-without-internal')
    ? replies.filter(({ internal }) => !internal)
    : replies;
  const unclosed = has('closed-at-zero') ? '0000-00-00' : null;
  return {
    id: String(ticket.id),
    subject: ticket.subject,
    body: ticket.body,
    status,
    priority: has('priority-as-number') ? ticket.priority : String(ticket.priority),
    queue_id: String(ticket.queueId),
    customer_id: String(ticket.customerId),
    creator: ticket.creator,
    assignee: ticket.assignee,
    tags: has('tags-as-object') ? { ...ticket.tags } : ticket.tags,
    reply_count: String(counted.length),
    minutes: String(timed.reduce((sum, { minutes }) => sum + minutes, 0)),
    created: writeTime(ticket.created),
    updated: writeTime(ticket.updated),
    closed_at: closedAt === null ? unclosed : writeTime(closedAt),
    merged_into: mergedInto === null ? null : String(mergedInto),
    lock_version: String(ticket.version),
  };
}

type Test = (ticket: Ticket) => boolean;

/** The tests of the filters that are given. */
function filtersOf(reader: Reader, { has }: Service): Test[] {
  const status = reader.oneOf('filter[status]', ['open', 'pending', 'closed', 'merged']);
  const queue = reader.id('filter[queue_id]');
  const customer = reader.id('filter[customer_id]');
  const assignee = reader.raw('filter[assignee]');
  const least = reader.number('filter[priority_min]', 1, 5);
  const tag = reader.raw('filter[tag]');
  const part = reader.raw('filter[text]');
  const from = reader.date('filter[from]');
  const to = reader.date('filter[to]');
  if (has('quote-500') && part?.includes("'") === true)
    throw new Error('SQLSTATE[42000]: Syntax error or access violation');
  const fold = (text: string): string => (has('text-case-sensitive') ? text : text.toLowerCase());
  const dayOf = ({ created }: Ticket): string => writeTime(created).slice(0, 10);
  const tests: (Test | false)[] = [
    status !== undefined && !has('status-filter-ignored') && ((one) => one.status === status),
    queue !== undefined && ((one) => one.queueId === queue),
    customer !== undefined && ((one) => one.customerId === customer),
    assignee !== undefined &&
      !(assignee === '' && has('unassigned-finds-all')) &&
      ((one) => one.assignee === assignee),
    least !== undefined &&
      ((one) => one.priority > least - (has('priority-min-excludes-bound') ? 0 : 1)),
    tag !== undefined && ((one) => one.tags.includes(tag)),
    part !== undefined &&
      ((one) => fold(one.subject).includes(fold(part)) || fold(one.body).includes(fold(part))),
    from !== undefined && ((one) => dayOf(one) >= from),
    to !== undefined &&
      ((one) => dayOf(one) < to || (dayOf(one) === to && !has('to-excludes-day'))),
  ];
  return tests.filter((test) => test !== false);
}

const orders = ['id', 'created', 'updated', 'priority'] as const;

export function listTickets(call: Call): Answer {
  const { service } = call;
  const { has, tickets, ghosts } = service;
  const reader = Reader.ofQuery(call);
  const tests = filtersOf(reader, service);
  const names = orders.flatMap((name) => [name, `-${name}`] as const);
  const order = reader.oneOf('order', names) ?? '-id';
  const field = orders.find((name) => order.endsWith(name)) ?? 'id';
  const sign = order.startsWith('-') ? -1 : 1;
  const compare = (a: Ticket, b: Ticket): number =>
    field === 'id' && has('ids-ordered-as-texts')
      ? sign * (String(a.id) < String(b.id) ? -1 : 1)
      : sign * (a[field] - b[field]) || a.id - b.id;
  const records = (): Ticket[] => {
    const found = [...tickets.values(), ...ghosts].filter((ticket) =>
      has('filters-joined-by-or') && tests.length > 0
        ? tests.some((test) => test(ticket))
        : tests.every((test) => test(ticket)),
    );
    return has('order-ignored') ? found.toSorted((a, b) => b.id - a.id) : found.toSorted(compare);
  };
  const show = (ticket: Ticket): object => showTicket(ticket, service);
  return pageOf(call, { name: 'tickets', records, show, all: tickets.size }, reader);
}

/** The queue of the form, which must be active. */
function readQueue(reader: Reader, { queues, has }: Service, isNew: boolean): number | undefined {
  const id = reader.id('queue_id', isNew);
  if (id === undefined) return undefined;
  const queue = queues.get(id);
  if (queue === undefined)
    return !isNew && has('unknown-queue-on-change')
      ? id
      : reader.fault('queue_id', 'There is no such queue.');
  if (!queue.active && !has('inactive-queue-accepted'))
    return reader.fault('queue_id', 'The queue is not active.');
  return id;
}

export function createTicket(call: Call): Answer {
  const { service, login } = call;
  const { has, customers, queues, requestKeys } = service;
  const longest = has('subject-of-120-refused') ? 119 : 120;
  const reader = Reader.ofBody(call);
  const subject = reader.text('subject', longest, true) ?? '';
  const body = reader.text('body', 4000, true) ?? '';
  const queueId = readQueue(reader, service, true) ?? 0;
  const customerId = reader.id('customer_id', true) ?? 0;
  if (reader.has('customer_id') && !customers.has(customerId) && !has('unknown-customer-accepted'))
    reader.fault('customer_id', 'There is no such customer.');
  const standard = has('queue-priority-ignored') ? 3 : (queues.get(queueId)?.defaultPriority ?? 3);
  const priority = reader.number('priority', 1, 5) ?? standard;
  const tags = reader.tags() ?? [];
  const requestKey = reader.text('request_key', 40, false, 0) ?? '';
  const creator = (has('creator-from-form') ? reader.raw('creator') : undefined) ?? login;
  reader.end();
  const key = has('request-key-of-all') ? requestKey : `${login} ${requestKey}`;
  const known = requestKeys.get(key);
  if (requestKey !== '' && known !== undefined && !has('request-key-ignored'))
    return ok({ id: String(known) });
  const fields = { subject, body, queueId, customerId, priority, tags, creator };
  const { id } = addTicket(service, fields);
  if (requestKey !== '') requestKeys.set(key, id);
  return ok({ id: String(id) });
}

const findTicket = (call: Call): Ticket => find(call, call.service.tickets);

const answerWith = (ticket: Ticket, { service }: Call): Answer =>
  ok({ ticket: showTicket(ticket, service) });

export function showOne(call: Call): Answer {
  const { has, tickets } = call.service;
  if (!tickets.has(Number(call.incoming.params['id']))) {
    const errors = [{ field: 'id', text: 'There is no such ticket.' }];
    if (has('missing-ticket-200')) return { status: 200, json: { result: 'error', errors } };
  }
  return answerWith(findTicket(call), call);
}

/** Notes that the ticket was changed. */
function touch(ticket: Ticket, { has }: Service): void {
  if (!has('version-unchanged')) ticket.version += 1;
  if (!has('updated-unchanged')) ticket.updated = now();
  if (has('created-moves')) ticket.created = now();
}

export function changeTicket(call: Call): Answer {
  const { service } = call;
  const { has } = service;
  const ticket = findTicket(call);
  const longest = has('subject-of-120-refused') ? 119 : 120;
  const reader = Reader.ofBody(call);
  const version = reader.id('lock_version');
  const status = reader.oneOf('status', ['open', 'pending']);
  const subject = reader.text('subject', longest) ?? ticket.subject;
  const body = reader.text('body', 4000) ?? ticket.body;
  const queueId = readQueue(reader, service, false) ?? ticket.queueId;
  const given = reader.number('priority', 1, 5);
  const priority = (has('change-without-priority') ? undefined : given) ?? ticket.priority;
  const tags = reader.tags() ?? (has('change-empties-tags') ? [] : ticket.tags);
  reader.end();
  if (ticket.status === 'merged') fail(service, 409, 'The ticket is merged.');
  if (ticket.status === 'closed' && status !== undefined)
    fail(service, 409, 'The ticket is closed.', 'status');
  const changed = { ...ticket, subject, body, queueId, priority, tags };
  if (status !== undefined) changed.status = status;
  const isOld = version !== undefined && version !== ticket.version;
  if (has('refused-change-kept') && isOld) Object.assign(ticket, changed);
  if (isOld && !has('old-version-accepted'))
    fail(service, 409, 'The ticket was changed meanwhile.', 'lock_version');
  touch(changed, service);
  if (!has('change-lost')) Object.assign(ticket, changed);
  return answerWith(changed, call);
}

/** Removes the ticket with its replies and what was merged into it. */
export function removeTicket(service: Service, ticket: Ticket): void {
  const { tickets, replies, has } = service;
  tickets.delete(ticket.id);
  for (const reply of replies.values()) if (reply.ticketId === ticket.id) replies.delete(reply.id);
  if (has('merged-outlive-target')) return;
  for (const other of tickets.values())
    if (other.mergedInto === ticket.id) removeTicket(service, other);
}

export function deleteTicket(call: Call): Answer {
  const { service } = call;
  const ticket = findTicket(call);
  removeTicket(service, ticket);
  if (service.has('deleted-still-listed')) service.ghosts.push(ticket);
  return ok();
}

const isActive = ({ status }: Ticket): boolean => status === 'open' || status === 'pending';

export function listReplies(call: Call): Answer {
  const ticket = findTicket(call);
  const records = (): Reply[] => repliesOf(call.service, ticket).toSorted((a, b) => a.id - b.id);
  const show = (reply: Reply): object => ({
    id: String(reply.id),
    ticket_id: String(reply.ticketId),
    author: reply.author,
    text: reply.text,
    internal: writeFlag(reply.internal),
    minutes: String(reply.minutes),
    created: writeTime(reply.created),
  });
  return pageOf(call, { name: 'replies', records, show });
}

export function addReply(call: Call): Answer {
  const { service, login } = call;
  const { has, replies } = service;
  const ticket = findTicket(call);
  const reader = Reader.ofBody(call);
  const text = reader.text('text', 4000, true) ?? '';
  const internal = reader.flag('internal') ?? false;
  const minutes = reader.number('minutes', 0, has('minutes-601-accepted') ? 601 : 600) ?? 0;
  reader.end();
  const isOpen =
    isActive(ticket) || (ticket.status === 'closed' && has('reply-to-closed-accepted'));
  if (!isOpen) fail(service, 409, `The ticket is ${ticket.status}.`);
  const id = service.nextId('reply');
  const made = { ticketId: ticket.id, author: login, created: now() };
  replies.set(id, { id, ...made, text, internal, minutes });
  ticket.updated = now();
  return ok({ id: String(id) });
}

export function assign(call: Call): Answer {
  const { service } = call;
  const ticket = findTicket(call);
  const reader = Reader.ofBody(call);
  const assignee = reader.text('assignee', 40, true, 0) ?? '';
  if (assignee !== '' && !Object.hasOwn(agents, assignee))
    reader.fault('assignee', 'There is no such agent.');
  reader.end();
  if (!isActive(ticket)) fail(service, 409, `The ticket is ${ticket.status}.`);
  ticket.assignee = assignee;
  touch(ticket, service);
  return answerWith(ticket, call);
}

export function close(call: Call): Answer {
  const { service } = call;
  const { has } = service;
  const ticket = findTicket(call);
  const isAgain = ticket.status === 'closed';
  if (!isActive(ticket) && !(isAgain && has('close-again-accepted')))
    fail(service, 409, `The ticket is ${ticket.status}.`);
  ticket.status = 'closed';
  ticket.closedAt = now();
  touch(ticket, service);
  return answerWith(ticket, call);
}

export function reopen(call: Call): Answer {
  const { service } = call;
  const ticket = findTicket(call);
  if (ticket.status !== 'closed') fail(service, 409, `The ticket is ${ticket.status}.`);
  ticket.status = 'open';
  if (!service.has('reopened-has-closed-at')) ticket.closedAt = null;
  touch(ticket, service);
  return answerWith(ticket, call);
}

export function merge(call: Call): Answer {
  const { service } = call;
  const { has, tickets, replies } = service;
  const ticket = findTicket(call);
  const reader = Reader.ofBody(call);
  const into = reader.id('into', true);
  const target = tickets.get(into ?? 0);
  if (into !== undefined && target === undefined) reader.fault('into', 'There is no such ticket.');
  if (target === ticket && !has('merge-into-itself'))
    reader.fault('into', 'A ticket cannot be merged into itself.');
  reader.end();
  if (target === undefined) return fail(service, 400, 'There is no such ticket.', 'into');
  if (!isActive(ticket) || !isActive(target)) fail(service, 409, 'Both must be open or pending.');
  if (target.customerId !== ticket.customerId && !has('merge-across-customers'))
    fail(service, 409, 'The tickets are of different customers.');
  ticket.status = 'merged';
  ticket.mergedInto = target.id;
  for (const reply of replies.values())
    if (reply.ticketId === ticket.id && !has('merge-loses-replies')) reply.ticketId = target.id;
  touch(ticket, service);
  if (target !== ticket) touch(target, service);
  return answerWith(target, call);
}

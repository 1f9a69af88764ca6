import { email as isEmail } from '../serving/fields.ts';
import type { Answer } from '../serving/serve.ts';
import {
  fail,
  find,
  inOrder,
  ok,
  pageOf,
  Reader,
  writeFlag,
  writeTime,
  type Call,
} from './forms.ts';
import { now, type Customer, type Macro, type Queue, type Service } from './store.ts';
import { removeTicket } from './tickets.ts';

const nameOf = ({ name }: { readonly name: string }): string => name;

function showCustomer(customer: Customer, { has, tickets }: Service): object {
  const own = [...tickets.values()].filter(({ customerId }) => customerId === customer.id);
  return {
    id: String(customer.id),
    name: customer.name,
    email: customer.email,
    company: customer.company,
    vip: has('vip-as-boolean') ? customer.vip : writeFlag(customer.vip),
    ticket_count: String(own.length),
    created: writeTime(customer.created),
  };
}

export function listCustomers(call: Call): Answer {
  const { service } = call;
  const reader = Reader.ofQuery(call);
  const vip = reader.flag('filter[vip]');
  const start = reader.raw('filter[name]') ?? '';
  const records = (): Customer[] =>
    inOrder(call, [...service.customers.values()], nameOf).filter(
      (one) => (vip === undefined || one.vip === vip) && one.name.startsWith(start),
    );
  const show = (customer: Customer): object => showCustomer(customer, service);
  return pageOf(call, { name: 'customers', records, show }, reader);
}

/** The fields of the form over those of the customer. */
function readCustomer(call: Call, before: Customer, isNew: boolean): Customer {
  const { service } = call;
  const { has, customers } = service;
  const reader = Reader.ofBody(call);
  const name = reader.text('name', 80, isNew) ?? before.name;
  const given = reader.text('email', 120, isNew);
  const fault = given === undefined ? undefined : isEmail(given, 'email');
  if (fault !== undefined) reader.fault('email', fault);
  const email = given ?? before.email;
  const company = reader.text('company', 80, false, 0) ?? before.company;
  const vip = reader.flag('vip') ?? before.vip;
  reader.end();
  const fold = (text: string): string =>
    has('email-twice-in-capitals') ? text : text.toLowerCase();
  for (const other of customers.values())
    if (other.id !== before.id && fold(other.email) === fold(email))
      fail(service, 409, 'Another customer has this address.', 'email');
  return { ...before, name, email, company, vip };
}

export function createCustomer(call: Call): Answer {
  const { service } = call;
  const empty = { id: 0, name: '', email: '', company: '', vip: false, created: now() };
  const fields = readCustomer(call, empty, true);
  const id = service.nextId('customer');
  if (!service.has('create-lost')) service.customers.set(id, { ...fields, id });
  return ok({ id: String(id) });
}

export function getCustomer(call: Call): Answer {
  const { service } = call;
  return ok({ customer: showCustomer(find(call, service.customers), service) });
}

export function changeCustomer(call: Call): Answer {
  const { service } = call;
  const customer = find(call, service.customers);
  Object.assign(customer, readCustomer(call, customer, false));
  return ok({ customer: showCustomer(customer, service) });
}

export function deleteCustomer(call: Call): Answer {
  const { service } = call;
  const { has, customers, tickets } = service;
  const { id } = find(call, customers);
  const isUsed = [...tickets.values()].some(({ customerId }) => customerId === id);
  if (isUsed && !has('customer-with-tickets-deleted'))
    fail(service, 409, 'The customer has tickets.');
  if (!has('delete-not-done')) customers.delete(id);
  return ok();
}

function showQueue(queue: Queue, { has, tickets }: Service): object {
  const counted = [...tickets.values()].filter(
    ({ queueId, status }) =>
      queueId === queue.id &&
      (status === 'open' || status === 'pending' || has('queue-counts-closed')),
  );
  return {
    id: String(queue.id),
    name: queue.name,
    default_priority: String(queue.defaultPriority),
    active: writeFlag(queue.active),
    ticket_count: String(counted.length),
  };
}

export function listQueues(call: Call): Answer {
  const { service } = call;
  const records = (): Queue[] => inOrder(call, [...service.queues.values()], nameOf);
  const show = (queue: Queue): object => showQueue(queue, service);
  return pageOf(call, { name: 'queues', records, show });
}

/** The fields of the form over those of the queue. */
function readQueue(call: Call, before: Queue, isNew: boolean): Queue {
  const { service } = call;
  const reader = Reader.ofBody(call);
  const name = reader.text('name', 40, isNew) ?? before.name;
  const defaultPriority = reader.number('default_priority', 1, 5) ?? before.defaultPriority;
  const active = reader.flag('active') ?? before.active;
  reader.end();
  const isTaken = [...service.queues.values()].some(
    (other) => other.name === name && other.id !== before.id,
  );
  if (isTaken && (isNew || !service.has('queue-name-taken-on-change')))
    fail(service, 409, 'Another queue has this name.', 'name');
  return { ...before, name, defaultPriority, active };
}

export function createQueue(call: Call): Answer {
  const { service } = call;
  const fields = readQueue(call, { id: 0, name: '', defaultPriority: 3, active: true }, true);
  const id = service.nextId('queue');
  service.queues.set(id, { ...fields, id });
  return ok({ id: String(id) });
}

export function getQueue(call: Call): Answer {
  const { service } = call;
  return ok({ queue: showQueue(find(call, service.queues), service) });
}

export function changeQueue(call: Call): Answer {
  const { service } = call;
  const queue = find(call, service.queues);
  Object.assign(queue, readQueue(call, queue, false));
  return ok({ queue: showQueue(queue, service) });
}

export function deleteQueue(call: Call): Answer {
  const { service } = call;
  const { has, queues, tickets } = service;
  const { id } = find(call, queues);
  const own = [...tickets.values()].filter(({ queueId }) => queueId === id);
  if (own.length > 0 && !has('queue-with-tickets-deleted'))
    fail(service, 409, 'The queue has tickets.');
  for (const ticket of own) removeTicket(service, ticket);
  queues.delete(id);
  return ok();
}

const showMacro = ({ id, title, text, shared, owner }: Macro): object => ({
  id: String(id),
  title,
  text,
  shared: writeFlag(shared),
  owner,
});

export function listMacros(call: Call): Answer {
  const { service, login } = call;
  const isSeen = ({ owner, shared }: Macro): boolean =>
    owner === login || shared || service.has('macros-of-others-listed');
  const records = (): Macro[] =>
    inOrder(call, [...service.macros.values()], ({ title }) => title).filter(isSeen);
  return pageOf(call, { name: 'macros', records, show: showMacro });
}

export function createMacro(call: Call): Answer {
  const { service, login } = call;
  const reader = Reader.ofBody(call);
  const title = reader.text('title', 60, true) ?? '';
  const text = reader.text('text', 4000, true) ?? '';
  const shared = reader.flag('shared') ?? false;
  reader.end();
  const id = service.nextId('macro');
  service.macros.set(id, { id, title, text, shared, owner: login });
  return ok({ id: String(id) });
}

export function getMacro(call: Call): Answer {
  const { service, login } = call;
  const macro = find(call, service.macros);
  if (macro.owner !== login && !macro.shared && !service.has('macro-of-other-shown'))
    fail(service, 404, 'There is no such record.');
  return ok({ macro: showMacro(macro) });
}

export function deleteMacro(call: Call): Answer {
  const { service, login } = call;
  const macro = find(call, service.macros);
  const isShared = macro.shared && service.has('macro-of-other-deleted');
  if (macro.owner !== login && !isShared) fail(service, 404, 'There is no such record.');
  service.macros.delete(macro.id);
  return ok();
}

import { counts, has, isThere, lacks, not } from './claims.ts';
import type { Flow, Step } from './step.ts';

const at = '/index.php';
const ticket = `${at}/tickets/{ticket}`;

const people: Step[] = [
  {
    does: 'logs in and gets a cookie',
    send: `POST ${at}/login`,
    form: { login: 'ines', password: 'Winter-Desk-77' },
    as: 'anonymous',
    sees: { result: 'ok', login: 'ines' },
    keeps: { cookie: 'header:set-cookie' },
  },
  {
    does: 'is who it logged in as',
    send: `GET ${at}/session`,
    as: 'anonymous',
    headers: { Cookie: '{cookie}' },
    sees: { login: 'ines' },
  },
  {
    does: 'is refused without a session',
    send: `GET ${at}/tickets`,
    as: 'anonymous',
    status: 401,
    sees: { result: 'error', errors: counts(1) },
  },
  {
    does: 'makes a customer',
    send: `POST ${at}/customers`,
    form: { name: 'Nora Flow', email: 'nora@flow.example', vip: '1' },
    sees: { result: 'ok' },
    keeps: { customer: 'id' },
  },
  {
    does: 'reads the customer',
    send: `GET ${at}/customers/{customer}`,
    sees: { 'customer name': 'Nora Flow', 'customer vip': '1', 'customer ticket_count': '0' },
  },
  {
    does: 'is refused the same address',
    send: `POST ${at}/customers`,
    form: { name: 'Other', email: 'NORA@flow.example' },
    status: 409,
    sees: { 'errors 0 field': 'email' },
  },
  {
    does: 'makes a queue with a priority',
    send: `POST ${at}/queues`,
    form: { name: 'Flow', default_priority: '4' },
    keeps: { queue: 'id' },
  },
];

const fields = { queue_id: '{queue}', customer_id: '{customer}' };

const tickets: Step[] = [
  {
    does: 'makes a ticket with the priority of its queue',
    send: `POST ${at}/tickets`,
    form: { subject: 'VPN & 100% down', body: 'Since noon.', 'tags[]': 'vpn', ...fields },
    keeps: { ticket: 'id' },
  },
  {
    does: 'reads the ticket',
    send: `GET ${ticket}`,
    sees: {
      'ticket subject': 'VPN & 100% down',
      'ticket priority': '4',
      'ticket status': 'open',
      'ticket tags': ['vpn'],
      'ticket customer_id': '{customer}',
      'ticket reply_count': '0',
    },
    keeps: { version: 'ticket lock_version' },
  },
  {
    does: 'is told which field is wrong',
    send: `POST ${at}/tickets`,
    form: { subject: '', queue_id: '{queue}', customer_id: '999999' },
    status: 400,
    sees: { 'errors * field': has('subject') },
  },
  {
    does: 'makes a second ticket, once for one request_key',
    send: `POST ${at}/tickets`,
    form: { subject: 'Also down', body: 'Still.', priority: '2', request_key: 'flow-1', ...fields },
    keeps: { second: 'id' },
  },
  {
    does: 'gets the same one again',
    send: `POST ${at}/tickets`,
    form: { subject: 'Also down', body: 'Still.', priority: '2', request_key: 'flow-1', ...fields },
    sees: { id: '{second}' },
  },
  {
    does: 'lists by customer, highest priority first',
    send: `GET ${at}/tickets`,
    query: { 'filter[customer_id]': '{customer}', order: '-priority' },
    sees: { 'tickets * id': ['{ticket}', '{second}'], total: '2' },
  },
  {
    does: 'skips the first',
    send: `GET ${at}/tickets`,
    query: { 'filter[customer_id]': '{customer}', order: '-priority', start: 1, count: 1 },
    sees: { 'tickets * id': ['{second}'], total: '2', start: '1', count: '1' },
  },
  {
    does: 'finds by a part of the text in other case',
    send: `GET ${at}/tickets`,
    query: { 'filter[text]': 'vpn &', 'filter[customer_id]': '{customer}' },
    sees: { 'tickets * id': ['{ticket}'] },
  },
  {
    does: 'changes one field',
    send: `POST ${ticket}`,
    form: { priority: '5', lock_version: '{version}' },
    sees: {
      'ticket priority': '5',
      'ticket tags': ['vpn'],
      'ticket lock_version': not('{version}'),
    },
  },
  {
    does: 'is refused the old version',
    send: `POST ${ticket}`,
    form: { priority: '1', lock_version: '{version}' },
    status: 409,
  },
];

const work: Step[] = [
  {
    does: 'assigns the ticket',
    send: `POST ${ticket}/assign`,
    form: { assignee: 'mira' },
    sees: { 'ticket assignee': 'mira', 'ticket priority': '5' },
  },
  {
    does: 'replies to the second ticket',
    send: `POST ${at}/tickets/{second}/replies`,
    form: { text: 'Looking at it', minutes: '15' },
    keeps: { reply: 'id' },
  },
  {
    does: 'merges the second ticket into the first',
    send: `POST ${at}/tickets/{second}/merge`,
    form: { into: '{ticket}' },
    sees: { 'ticket id': '{ticket}', 'ticket minutes': '15', 'ticket reply_count': '1' },
  },
  {
    does: 'finds the reply there',
    send: `GET ${ticket}/replies`,
    sees: { 'replies * id': ['{reply}'], 'replies 0 author': isThere, total: '1' },
  },
  {
    does: 'closes the ticket',
    send: `POST ${ticket}/close`,
    sees: { 'ticket status': 'closed', 'ticket closed_at': isThere },
  },
  {
    does: 'is refused a reply to it',
    send: `POST ${ticket}/replies`,
    form: { text: 'Too late' },
    status: 409,
  },
  {
    does: 'reopens it',
    send: `POST ${ticket}/reopen`,
    sees: { 'ticket status': 'open', 'ticket closed_at': null },
  },
  {
    does: 'is refused to delete a customer with tickets',
    send: `POST ${at}/customers/{customer}/delete`,
    status: 409,
  },
  { does: 'deletes the ticket', send: `POST ${ticket}/delete`, sees: { result: 'ok' } },
  {
    does: 'finds it and what was merged into it gone',
    send: `GET ${at}/tickets/{second}`,
    status: 404,
  },
  {
    does: 'does not list it any more',
    send: `GET ${at}/tickets?count=100`,
    sees: { 'tickets * id': lacks('{ticket}', '{second}') },
  },
];

/** The ticket system: forms, sessions, merged tickets. */
export const desk: Flow = { name: 'desk', steps: [...people, ...tickets, ...work] };

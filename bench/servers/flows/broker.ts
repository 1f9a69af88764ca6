import { counts, has, inOrder, isThere, matches } from './claims.ts';
import type { Flow, Step } from './step.ts';

const everything = { configure: '.*', write: '.*', read: '.*' };
const picker = { Authorization: `Basic ${Buffer.from('picker:Pallet-Jack-3').toString('base64')}` };
const queues = '/api/queues/warehouse';
const pair = '/api/bindings/warehouse/e/goods/q/goods.in';
const publish = 'POST /api/exchanges/warehouse/goods/publish';

const places: Step[] = [
  {
    does: 'is refused without credentials',
    send: 'GET /api/overview',
    as: 'anonymous',
    status: 401,
    sees: { error: 'not_authorized', 'header:www-authenticate': matches(/^Basic /) },
  },
  {
    does: 'reads the queues of the default virtual host',
    send: 'GET /api/queues/%2F',
    sees: { '* vhost': has('/') },
  },
  {
    does: 'creates a virtual host',
    send: 'PUT /api/vhosts/warehouse',
    json: { description: 'Goods in and out', tags: ['eu'] },
    status: 201,
  },
  {
    does: 'finds it among its own, with the selected columns',
    send: 'GET /api/vhosts',
    query: { name: 'WARE', columns: 'name,tags' },
    sees: { '': [{ name: 'warehouse', tags: ['eu'] }] },
  },
  {
    does: 'declares a topic exchange',
    send: 'PUT /api/exchanges/warehouse/goods',
    json: { type: 'topic' },
    status: 201,
  },
  {
    does: 'declares it again with what is the default',
    send: 'PUT /api/exchanges/warehouse/goods',
    json: { type: 'topic', durable: true, internal: false },
    status: 204,
  },
  {
    does: 'declares a queue that holds two messages',
    send: `PUT ${queues}/goods.in`,
    json: { arguments: { max_length: 2 } },
    status: 201,
  },
  {
    does: 'is refused another length',
    send: `PUT ${queues}/goods.in`,
    json: { arguments: { max_length: 3 } },
    status: 409,
    sees: { error: 'conflict', reason: isThere },
  },
  {
    does: 'reads the empty queue',
    send: `GET ${queues}/goods.in`,
    sees: { durable: true, limit: 2, messages: 0, 'arguments max_length': 2 },
  },
];

const messages: Step[] = [
  {
    does: 'binds the queue',
    send: `POST ${pair}`,
    json: { routing_key: 'in.#' },
    status: 201,
    keeps: { binding: 'header:location' },
  },
  {
    does: 'binds it in the same way again',
    send: `POST ${pair}`,
    json: { routing_key: 'in.#' },
    status: 204,
    sees: { 'header:location': '{binding}' },
  },
  {
    does: 'sees one binding',
    send: `GET ${pair}`,
    sees: { '': counts(1), '0 routing_key': 'in.#', '0 source': 'goods', '0 arguments': {} },
  },
  {
    does: 'publishes with no word for the #',
    send: publish,
    json: { routing_key: 'in', payload: 'one' },
    sees: { routed: true, queues: 1 },
  },
  {
    does: 'publishes to nowhere',
    send: publish,
    json: { routing_key: 'out.rail', payload: 'lost' },
    sees: { routed: false, queues: 0 },
  },
  {
    does: 'publishes bytes',
    send: publish,
    json: { routing_key: 'in.ship', payload: '/wD+', payload_encoding: 'base64' },
    sees: { queues: 1 },
  },
  {
    does: 'publishes one more than fits',
    send: publish,
    json: { routing_key: 'in.a.b', payload: 'Kø 3', properties: { message_id: 'g-3' } },
    sees: { queues: 1 },
  },
  {
    does: 'looks at what is left and puts it back',
    send: `POST ${queues}/goods.in/get`,
    json: { ack_mode: 'requeue', count: 5 },
    sees: {
      '* payload': ['/wD+', 'Kø 3'],
      '* payload_encoding': ['base64', 'string'],
      '* redelivered': [false, false],
      '* message_count': [1, 0],
      '1 payload_bytes': 5,
      '1 properties': { message_id: 'g-3' },
    },
  },
  {
    does: 'takes the first',
    send: `POST ${queues}/goods.in/get`,
    json: { ack_mode: 'ack' },
    sees: { '': counts(1), '0 payload': '/wD+', '0 redelivered': true },
  },
  {
    does: 'reads what the queue has counted',
    send: `GET ${queues}/goods.in`,
    sees: { messages: 1, message_bytes_ready: 5, message_stats: { publish: 3, get: 3 } },
  },
];

const rules: Step[] = [
  {
    does: 'sets a policy',
    send: 'PUT /api/policies/warehouse/short',
    json: { pattern: '^goods', apply_to: 'queues', priority: 5, definition: { max_length: 1 } },
    status: 201,
  },
  {
    does: 'lists the queue in a page, with the lower limit',
    send: `GET ${queues}`,
    query: { page: 1, page_size: 1, columns: 'name,policy,limit' },
    sees: {
      items: [{ name: 'goods.in', policy: 'short', limit: 1 }],
      total_count: 1,
      page_count: 1,
      item_count: 1,
    },
  },
  {
    does: 'lists the exchanges backwards',
    send: 'GET /api/exchanges/warehouse?sort_reverse=true',
    sees: {
      '* name': inOrder('goods', 'amq.topic', 'amq.direct'),
      '[name=goods] message_stats': [{ publish_in: 4, publish_out: 3 }],
    },
  },
  {
    does: 'makes a user',
    send: 'PUT /api/users/picker',
    json: { tags: ['management'], password: 'Pallet-Jack-3' },
    status: 201,
  },
  {
    does: 'lets it in, but write nothing',
    send: 'PUT /api/permissions/warehouse/picker',
    json: { ...everything, write: '' },
    status: 201,
  },
  {
    does: 'counts as the new user',
    send: 'GET /api/overview',
    headers: picker,
    sees: { 'object_totals vhosts': 1, 'object_totals queues': 1, 'queue_totals messages': 1 },
  },
  {
    does: 'is refused to publish as the new user',
    send: publish,
    headers: picker,
    json: { routing_key: 'in', payload: 'x' },
    status: 403,
    sees: { error: 'access_refused' },
  },
  {
    does: 'imports what is there and one queue more',
    send: 'POST /api/definitions',
    json: {
      exchanges: [{ vhost: 'warehouse', name: 'goods', type: 'topic' }],
      queues: [{ vhost: 'warehouse', name: 'goods.out' }],
    },
    sees: { '': { vhosts: 0, exchanges: 0, queues: 1, bindings: 0, policies: 0 } },
  },
  { does: 'deletes the binding', send: 'DELETE {binding}', status: 204 },
  { does: 'deletes the virtual host', send: 'DELETE /api/vhosts/warehouse', status: 204 },
  {
    does: 'finds the user without the permission for it',
    send: 'GET /api/users/picker',
    sees: { source: 'api', tags: ['management'], permissions: [] },
  },
];

/** The message broker: what is declared, routed, limited and permitted. */
export const broker: Flow = { name: 'broker', steps: [...places, ...messages, ...rules] };

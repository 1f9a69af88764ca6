import { counts, has, isEmpty, isThere, lacks, matches, more, not } from './claims.ts';
import type { Flow, Step } from './step.ts';

const merge = 'application/merge-patch+json';
const pages = { at: '_links next href' };
const lines = '_embedded lines';

const drafts: Step[] = [
  {
    does: 'starts where the links are',
    send: 'GET /',
    sees: { '_links find-orders templated': true },
    keeps: { orders: '_links orders href', products: '_links products href' },
  },
  {
    does: 'lists products to the end',
    send: 'GET {products}?size=2',
    next: pages,
    sees: { 'pages 0 total': isThere },
    keeps: {
      pen: 'pages 0 _embedded products 0 _links self href',
      price: 'pages 0 _embedded products 0 price',
    },
  },
  {
    does: 'reads a product by its link',
    send: 'GET {pen}',
    sees: { price: '{price}', name: isThere },
    keeps: { stock: 'stock', penName: 'name' },
  },
  {
    does: 'counts the orders before',
    send: 'GET {orders}',
    sees: { 'header:content-type': matches(/hal\+json/) },
    keeps: { before: 'total' },
  },
  {
    does: 'creates an order, with the defaults of what it leaves out',
    send: 'POST {orders}',
    json: { reference: 'FLOW-1' },
    headers: { 'Idempotency-Key': 'flow-key-1' },
    status: 201,
    sees: {
      status: 'draft',
      note: '',
      priority: 'normal',
      total: 0,
      lineCount: 0,
      '_links cancel': isThere,
      '_links submit': isEmpty,
      '_links pay': isEmpty,
      'header:etag': isThere,
    },
    keeps: {
      order: '_links self href',
      place: 'header:location',
      tag: 'header:etag',
      edit: '_links edit href',
      addLine: '_links add-line href',
    },
  },
  {
    does: 'reads it where Location says',
    send: 'GET {place}',
    sees: { reference: 'FLOW-1', '_links self href': '{order}', 'header:etag': '{tag}' },
  },
  {
    does: 'repeats the idempotency key and gets the same order',
    send: 'POST {orders}',
    json: { reference: 'FLOW-1' },
    headers: { 'Idempotency-Key': 'flow-key-1' },
    status: 201,
    sees: { '_links self href': '{order}' },
  },
  {
    does: 'is refused the key with another body',
    send: 'POST {orders}',
    json: { reference: 'FLOW-1b' },
    headers: { 'Idempotency-Key': 'flow-key-1' },
    status: 422,
  },
  {
    does: 'is refused the reference a second time',
    send: 'POST {orders}',
    json: { reference: 'FLOW-1' },
    status: 409,
  },
  {
    does: 'is refused an order without a reference',
    send: 'POST {orders}',
    json: {},
    status: 422,
    sees: { 'errors * pointer': counts(1), status: 422 },
  },
  {
    does: 'is refused another media type',
    send: 'POST {orders}',
    bytes: 'reference=x',
    type: 'text/plain',
    status: 415,
  },
  {
    does: 'creates two more orders',
    send: 'POST {orders}',
    json: { reference: 'FLOW-3', priority: 'express' },
    status: 201,
    keeps: { express: '_links self href' },
  },
  {
    does: 'creates an order with a note',
    send: 'POST {orders}',
    json: { reference: 'FLOW-2', note: 'Ring twice' },
    status: 201,
    sees: { note: 'Ring twice' },
    keeps: { noted: '_links self href', notedTag: 'header:etag' },
  },
  {
    does: 'lists all of them, and the total follows',
    send: 'GET {orders}?size=40',
    sees: {
      total: more('{before}', 3),
      '_embedded orders * reference': has('FLOW-1', 'FLOW-2', 'FLOW-3'),
      '_embedded orders 0 _embedded': isEmpty,
    },
  },
  {
    does: 'lists by priority',
    send: 'GET {orders}?priority=express&size=40',
    sees: {
      '_embedded orders * reference': has('FLOW-3'),
      '_embedded orders * priority': lacks('normal'),
    },
  },
  {
    does: 'sorts by reference, descending, and pages to the end',
    send: 'GET {orders}?sort=-reference&size=2&status=draft',
    next: pages,
    sees: { 'pages * _embedded orders * reference': has('FLOW-1', 'FLOW-2', 'FLOW-3') },
  },
  { does: 'is refused a sort that is none', send: 'GET {orders}?sort=colour', status: 400 },
  { does: 'is refused a cursor that is none', send: 'GET {orders}?cursor=no-such', status: 400 },
  {
    does: 'is refused a change without If-Match',
    send: 'PATCH {edit}',
    json: { note: 'x' },
    type: merge,
    status: 428,
  },
  {
    does: 'changes the note',
    send: 'PATCH {edit}',
    json: { note: 'Back door', priority: 'express' },
    type: merge,
    headers: { 'If-Match': '{tag}' },
    sees: {
      note: 'Back door',
      priority: 'express',
      reference: 'FLOW-1',
      'header:etag': not('{tag}'),
    },
    keeps: { tag2: 'header:etag' },
  },
  {
    does: 'is refused a stale If-Match',
    send: 'PATCH {edit}',
    json: { note: 'Front door' },
    type: merge,
    headers: { 'If-Match': '{tag}' },
    status: 412,
  },
  {
    does: 'finds the order as it was',
    send: 'GET {order}',
    sees: { note: 'Back door', 'header:etag': '{tag2}' },
  },
  {
    does: 'is told that nothing changed since',
    send: 'GET {order}',
    headers: { 'If-None-Match': '{tag2}' },
    status: 304,
  },
  {
    does: 'sets note and priority to their defaults by null',
    send: 'PATCH {edit}',
    json: { note: null, priority: null },
    type: merge,
    headers: { 'If-Match': '*' },
    sees: { note: '', priority: 'normal' },
    keeps: { tag3: 'header:etag' },
  },
];

const stock: Step[] = [
  {
    does: 'is refused to submit an order without lines',
    send: 'POST {order}/submit',
    status: 409,
  },
  {
    does: 'adds a line',
    send: 'POST {addLine}',
    json: { product: '{pen}', quantity: 2 },
    status: 201,
    sees: {
      quantity: 2,
      price: '{price}',
      name: '{penName}',
      '_links product href': '{pen}',
      '_links order href': '{order}',
    },
    keeps: { line: '_links self href', amount: 'amount' },
  },
  {
    does: 'sees the line embedded, the total and the links follow',
    send: 'GET {order}',
    sees: {
      total: '{amount}',
      lineCount: 1,
      [`${lines} * quantity`]: [2],
      '_links submit': isThere,
      'header:etag': not('{tag3}'),
    },
  },
  {
    does: 'is refused a line of a product that is not there',
    send: 'POST {addLine}',
    json: { product: '/products/no-such', quantity: 1 },
    status: 422,
  },
  {
    does: 'is refused a quantity of zero',
    send: 'POST {addLine}',
    json: { product: '{pen}', quantity: 0 },
    status: 422,
  },
  {
    does: 'changes the quantity',
    send: 'PUT {line}',
    json: { quantity: 1 },
    sees: { quantity: 1, amount: '{price}' },
  },
  { does: 'reads the line', send: 'GET {line}', sees: { quantity: 1, price: '{price}' } },
  {
    does: 'adds a second line',
    send: 'POST {addLine}',
    json: { product: '{pen}', quantity: 1 },
    status: 201,
    keeps: { line2: 'header:location' },
  },
  {
    does: 'lists the lines in the order of creation',
    send: 'GET {order}/lines',
    sees: { [`${lines} 0 _links self href`]: '{line}', [`${lines} * quantity`]: [1, 1] },
  },
  { does: 'removes the second line', send: 'DELETE {line2}', status: 204 },
  { does: 'does not find it', send: 'GET {line2}', status: 404 },
  { does: 'sees the total fall', send: 'GET {order}', sees: { total: '{price}', lineCount: 1 } },
];

const states: Step[] = [
  {
    does: 'submits the order',
    send: 'POST {order}/submit',
    sees: {
      status: 'submitted',
      '_links pay': isThere,
      '_links edit': isEmpty,
      '_links submit': isEmpty,
    },
    keeps: { pay: '_links pay href', submitted: 'header:etag' },
  },
  { does: 'sees the stock taken', send: 'GET {pen}', sees: { stock: more('{stock}', -1) } },
  {
    does: 'lists it as submitted',
    send: 'GET {orders}?status=submitted&size=40',
    sees: { '_embedded orders * reference': has('FLOW-1') },
  },
  {
    does: 'is refused another line',
    send: 'POST {order}/lines',
    json: { product: '{pen}', quantity: 1 },
    status: 409,
  },
  { does: 'is refused to submit again', send: 'POST {order}/submit', status: 409 },
  {
    does: 'is refused to change it',
    send: 'PATCH {order}',
    json: { note: 'late' },
    type: merge,
    headers: { 'If-Match': '{submitted}' },
    status: 409,
  },
  {
    does: 'is refused to pay with a stale If-Match',
    send: 'POST {pay}',
    headers: { 'If-Match': '{tag}' },
    status: 412,
  },
  {
    does: 'pays',
    send: 'POST {pay}',
    sees: { status: 'paid', paid: isThere, '_links ship': isThere, '_links cancel': isEmpty },
  },
  { does: 'is refused to cancel what is paid', send: 'POST {order}/cancel', status: 409 },
  {
    does: 'ships',
    send: 'POST {order}/ship',
    json: { carrier: 'Post', tracking: 'RX100200' },
    sees: { status: 'shipped', carrier: 'Post', tracking: 'RX100200' },
  },
  {
    does: 'reads it as shipped',
    send: 'GET {order}',
    sees: { status: 'shipped', tracking: 'RX100200' },
  },
  { does: 'is refused to delete it', send: 'DELETE {order}', status: 409 },
  {
    does: 'adds a line to another order',
    send: 'POST {noted}/lines',
    json: { product: '{pen}', quantity: 3 },
    status: 201,
  },
  { does: 'submits that', send: 'POST {noted}/submit', sees: { status: 'submitted' } },
  {
    does: 'cancels it',
    send: 'POST {noted}/cancel',
    sees: { status: 'cancelled', '_links pay': isEmpty },
  },
  { does: 'sees its stock come back', send: 'GET {pen}', sees: { stock: more('{stock}', -1) } },
  { does: 'deletes a draft', send: 'DELETE {express}', status: 204 },
  { does: 'does not find it', send: 'GET {express}', status: 404 },
  {
    does: 'does not list it',
    send: 'GET {orders}?size=40',
    sees: { total: more('{before}', 2), '_embedded orders * reference': lacks('FLOW-3') },
  },
];

/** Orders and their lines. */
export const orders: Flow = { name: 'orders', steps: [...drafts, ...stock, ...states] };

import { namesIn, sortBy, type Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import { etagOf, pageOf, requireMatch, type Call } from './call.ts';
import { listLine, showProduct } from './lines.ts';
import { fail, linesOf, priceOf, writeTime } from './store.ts';
import type { Line, Order, Service } from './store.ts';

const pathOf = ({ id }: Order): string => `/orders/${id}`;

/** The links of an order in its state. */
function linksOf({ service, at }: Call, order: Order, isListed: boolean): Json {
  const { has, varies } = service;
  const path = pathOf(order);
  const { status } = order;
  const isDraft = status === 'draft';
  const hasLines = linesOf(service, order).length > 0 || has('submit-linked-without-lines');
  const actions = {
    edit: isDraft || has('edit-linked-after-draft'),
    'add-line': isDraft,
    submit: isDraft && hasLines,
    pay: status === 'submitted' || has('pay-always-linked'),
    ship: status === 'paid' && !has('ship-never-linked'),
    cancel: isDraft || status === 'submitted',
  };
  const below: Readonly<Record<string, string>> = { edit: '', 'add-line': '/lines' };
  const links = Object.entries(actions)
    .filter(([, isLinked]) => isLinked)
    .map(([name]) => [name, { href: at(path + (below[name] ?? `/${name}`)) }]);
  const more = { help: [{ href: at('/help/orders') }, { href: at('/help') }] };
  return {
    self: { href: at(isListed && has('self-of-list') ? '/orders' : path) },
    lines: { href: at(`${path}/lines`) },
    ...(varies('more-links') ? more : {}),
    ...(Object.fromEntries(links) as Json),
  };
}

function show(call: Call, order: Order, isListed = false): Json {
  const { service } = call;
  const { has, lines, removed } = service;
  const { id, paid, carrier, ...fields } = order;
  const own = linesOf(service, order);
  const amounts = own.map(
    (line) => priceOf(service, line) * (has('total-ignores-quantity') ? 1 : line.quantity),
  );
  const counted = has('total-of-first-line') ? amounts.slice(0, 1) : amounts;
  const kept = has('line-count-not-lowered') ? (removed.get(id) ?? 0) : 0;
  const embedded = has('embedded-lines-of-all') ? [...lines.values()] : own;
  const shown = (has('embedded-first-only') ? embedded.slice(0, 1) : embedded).map((line) => {
    const { _links, ...rest } = listLine(call, line);
    return has('embedded-line-without-links') ? rest : { ...rest, _links };
  });
  const hasLines = !isListed && !has('lines-not-embedded');
  return {
    ...fields,
    ...(paid === undefined || has('paid-time-missing') ? {} : { paid }),
    ...(carrier === undefined || has('carrier-lost') ? {} : { carrier }),
    total: counted.reduce((sum, amount) => sum + amount, 0),
    lineCount: own.length + kept,
    _links: linksOf(call, order, isListed),
    ...(hasLines ? { _embedded: { lines: shown } } : {}),
  };
}

const answer = (call: Call, order: Order, status = 200): Answer => ({
  status,
  headers: { ETag: etagOf(call.service, order) },
  json: show(call, order),
});

export function start({ service, at }: Call): Answer {
  const products = at(service.has('root-link-dead') ? '/product' : '/products');
  const find = at('/orders{?status,priority,sort,size}');
  const _links = {
    self: { href: at('/') },
    orders: { href: at('/orders') },
    'find-orders': { href: find, templated: true },
    products: { href: products },
  };
  return { status: 200, json: { _links } };
}

/** The order of the path. */
function findOrder({ service, params }: Call): Order {
  const order = service.orders.get(params['order'] ?? '');
  return order ?? fail(service, 404, 'There is no such order.');
}

export function listOrders(call: Call): Answer {
  const { service, query } = call;
  const { has, orders, deleted } = service;
  const isWanted = ({ status, priority }: Order): boolean => {
    const isStatus = status === (query['status'] ?? status) || has('status-ignored');
    const isIgnored = query['status'] !== undefined && has('priority-ignored');
    return isStatus && (priority === (query['priority'] ?? priority) || isIgnored);
  };
  const [sort = ''] = has('sort-ignored') ? [] : namesIn(query['sort']);
  const member = sort.replace('-', '');
  const valueOf = (order: Order): unknown => {
    const value = show(call, order)[member];
    return has('totals-sorted-as-text') ? String(value) : value;
  };
  const sign = sort.startsWith('-') && !has('descending-ignored') ? -1 : 1;
  const { page, total, links } = pageOf(call, (from) => {
    const isLater = from > 0;
    const gone = isLater && has('deleted-on-later-pages') ? deleted : [];
    const every = [...orders.values(), ...gone];
    const isFree = isLater && has('next-forgets-filter');
    const found = isFree ? every : every.filter(isWanted);
    return { every, found: member === '' ? found : sortBy(found, [{ valueOf, sign }]) };
  });
  const shown = page.map((order) => show(call, order, true));
  return { status: 200, json: { total, _links: links, _embedded: { orders: shown } } };
}

function requireReference({ service }: Call, reference: unknown, self?: Order): void {
  const { has, orders } = service;
  const isLoose = has(self === undefined ? 'reference-twice' : 'reference-unchecked-in-patch');
  const isOwn = (one: Order): boolean => one === self && !has('same-reference-refused');
  const isTaken = [...orders.values()].some((one) => one.reference === reference && !isOwn(one));
  if (isTaken && !isLoose) fail(service, 409, 'Another order has the reference.');
}

/** Creates the order, or repeats the answer of its Idempotency-Key. */
export function createOrder(call: Call): Answer {
  const { service, headers, body } = call;
  const { has, answered } = service;
  const key = headers['idempotency-key'];
  if (typeof key !== 'string' || has('key-ignored')) return created(call);
  if (key.length < 1 || key.length > 64) fail(service, 400, 'The Idempotency-Key is invalid.');
  const asked = JSON.stringify(body);
  const before = answered.get(key);
  if (before !== undefined && (before.asked === asked || has('key-of-other-body')))
    return before.answer;
  if (before !== undefined) fail(service, 422, 'The Idempotency-Key was used before.');
  const made = created(call);
  answered.set(key, { asked, answer: made });
  return made;
}

function created(call: Call): Answer {
  const { service, body, at } = call;
  const { has, orders } = service;
  const { reference, note = '', priority, status } = body as Partial<Order>;
  requireReference(call, reference);
  const time = writeTime(service.now());
  const order: Order = {
    id: service.nextId(),
    reference: has('reference-in-capitals') ? String(reference).toUpperCase() : String(reference),
    note: has('note-lost') ? '' : note,
    priority: priority ?? (has('priority-default-express') ? 'express' : 'normal'),
    status: status ?? 'draft',
    created: time,
    updated: time,
  };
  if (!has('create-not-stored')) orders.set(order.id, order);
  const made = answer(call, order, 201);
  const Location = at(has('location-of-list') ? '/orders' : pathOf(order));
  return {
    ...made,
    headers: { ...made.headers, ...(has('location-missing') ? {} : { Location }) },
  };
}

export function readOrder(call: Call): Answer {
  const { service, params, headers, at } = call;
  const { has, orders } = service;
  if (!orders.has(params['order'] ?? '')) {
    const self = { href: at(call.path) };
    if (has('missing-order-500')) throw new TypeError("Cannot read 'status' of undefined");
    if (has('missing-order-empty')) return { status: 200, json: { _links: { self } } };
  }
  const order = findOrder(call);
  const tags = (headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim());
  const ETag = etagOf(service, order);
  const isKnown = tags.includes(ETag) || tags.includes('*');
  if (isKnown || (tags[0] !== '' && has('always-unchanged')))
    return { status: 304, headers: { ETag } };
  return answer(call, order);
}

const nothing = { note: '', priority: 'normal' };

export function changeOrder(call: Call): Answer {
  const { service, body, headers } = call;
  const { has, orders } = service;
  const order = findOrder(call);
  if (headers['if-match'] === undefined && !has('if-match-not-needed'))
    fail(service, 428, 'If-Match is required.');
  requireMatch(call, order, has('stale-etag-patches'));
  if (order.status !== 'draft' && !has('submitted-patched'))
    fail(service, 409, 'The order is no draft.');
  if (body['reference'] !== undefined) requireReference(call, body['reference'], order);
  const given = Object.entries(body).filter(([, part]) => part !== null);
  const reset = Object.entries(nothing).filter(([name]) => body[name] === null);
  const after: Order = {
    ...order,
    ...(has('patch-replaces') ? nothing : {}),
    ...(has('null-ignored') ? {} : Object.fromEntries(reset)),
    ...Object.fromEntries(given),
    updated: has('updated-frozen') ? order.updated : writeTime(service.now()),
  };
  const before = etagOf(service, order);
  if (!has('patch-not-stored')) orders.set(order.id, after);
  const changed = answer(call, after);
  return has('etag-of-patch-stale') ? { ...changed, headers: { ETag: before } } : changed;
}

export function deleteOrder(call: Call): Answer {
  const { service } = call;
  const { has, orders, lines, deleted } = service;
  const order = findOrder(call);
  requireMatch(call, order, has('stale-etag-deletes'));
  if (order.status !== 'draft' && !has('submitted-deleted'))
    fail(service, 409, 'The order is no draft.');
  if (has('delete-not-done')) return { status: 204 };
  for (const { id } of linesOf(service, order)) lines.delete(id);
  orders.delete(order.id);
  deleted.push(order);
  return { status: 204 };
}

/** Adds the quantities of the lines to the stock, or takes them from it. */
function raise({ products }: Service, lines: readonly Line[], sign: 1 | -1): void {
  for (const { product, quantity } of lines) {
    const found = products.get(product);
    if (found === undefined) continue;
    products.set(product, { ...found, stock: found.stock + sign * quantity });
  }
}

/** Takes the quantities of the order from the stock. */
function takeStock({ service }: Call, order: Order): void {
  const { has, products } = service;
  const own = linesOf(service, order);
  const wanted = new Map<string, number>();
  for (const { product, quantity } of own)
    wanted.set(product, (wanted.get(product) ?? 0) + quantity);
  const isLow = [...wanted].some(([id, count]) => (products.get(id)?.stock ?? 0) < count);
  if (isLow && has('submit-half-done')) raise(service, own.slice(0, 1), -1);
  if (isLow && !has('stock-unchecked')) fail(service, 409, 'The stock is too low.');
  if (!has('stock-not-lowered')) raise(service, own, -1);
}

/** Moves an order to another status, from one of these. */
const move =
  (to: string, from: readonly string[], more: (call: Call, order: Order) => object = () => ({})) =>
  (call: Call): Answer => {
    const { service } = call;
    const { has } = service;
    const order = findOrder(call);
    requireMatch(call, order, to === 'submitted' && has('stale-etag-submits'));
    const loose: Readonly<Record<string, string | false>> = {
      paid: (has('draft-paid') && 'draft') || (has('paid-again') && 'paid'),
      shipped: has('unpaid-shipped') && 'submitted',
      cancelled: (has('paid-cancelled') && 'paid') || (has('cancelled-again') && 'cancelled'),
    };
    if (!from.includes(order.status) && order.status !== loose[to])
      fail(service, 409, `An order that is ${order.status} does not become ${to}.`);
    const changes = { ...more(call, order), updated: writeTime(service.now()) };
    const after = { ...order, ...changes, status: to };
    if (to !== 'submitted' || !has('submit-not-stored')) service.orders.set(order.id, after);
    return answer(call, after);
  };

export const submitOrder = move('submitted', ['draft'], (call, order) => {
  const isEmpty = linesOf(call.service, order).length === 0;
  if (isEmpty && !call.service.has('submit-without-lines'))
    fail(call.service, 409, 'The order has no lines.');
  takeStock(call, order);
  return {};
});

export const payOrder = move('paid', ['submitted'], ({ service }) => ({
  paid: writeTime(service.now()),
}));

export const shipOrder = move('shipped', ['paid'], ({ body }) => body);

export const cancelOrder = move('cancelled', ['draft', 'submitted'], ({ service }, order) => {
  const { has } = service;
  const isTaken = order.status === 'submitted' || has('stock-returned-for-draft');
  if (isTaken && !has('stock-not-returned')) raise(service, linesOf(service, order), 1);
  return {};
});

export function listProducts(call: Call): Answer {
  const every = [...call.service.products.values()];
  const { page, total, links } = pageOf(call, () => ({ found: every, every }));
  const products = page.map((product) => showProduct(call, product));
  return { status: 200, json: { total, _links: links, _embedded: { products } } };
}

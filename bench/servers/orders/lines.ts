import type { Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import type { Call } from './call.ts';
import { fail, linesOf, priceOf, type Line, type Order, type Product } from './store.ts';

/** A line as responses have it. */
export function listLine({ service, at }: Call, line: Line): Json {
  const { has, products, orders } = service;
  const price = priceOf(service, line);
  const [firstOrder = ''] = orders.keys();
  const [firstProduct = ''] = products.keys();
  const order = has('order-link-of-other') ? firstOrder : line.order;
  const product = has('product-link-of-other') ? firstProduct : line.product;
  const self = has('self-leads-nowhere')
    ? `/lines/${line.id}`
    : `/orders/${line.order}/lines/${line.id}`;
  return {
    name: products.get(line.product)?.name ?? '',
    price,
    quantity: line.quantity,
    amount: has('amount-frozen') && line.first > 0 ? line.first : price * line.quantity,
    _links: {
      self: { href: at(self) },
      order: { href: at(`/orders/${order}`) },
      product: { href: at(`/products/${product}`) },
    },
  };
}

export function showProduct({ at }: Call, { id, ...product }: Product): Json {
  return { ...product, _links: { self: { href: at(`/products/${id}`) } } };
}

/** The order of the path; a draft where it is to be changed. */
function orderOf({ service, params }: Call, isChange = false): Order {
  const order = service.orders.get(params['order'] ?? '');
  if (order === undefined) return fail(service, 404, 'There is no such order.');
  if (isChange && order.status !== 'draft' && !service.has('lines-added-later'))
    return fail(service, 409, 'The order is no draft.');
  return order;
}

export function listLines(call: Call): Answer {
  const { service, path, at } = call;
  const { has, orders, lines } = service;
  const isUnknown = !orders.has(call.params['order'] ?? '') && has('unknown-order-empty');
  const own = isUnknown ? [] : linesOf(service, orderOf(call));
  const found = has('lines-of-all') ? [...lines.values()] : own;
  const shown = found.map((line) => listLine(call, line));
  return {
    status: 200,
    json: { _links: { self: { href: at(path) } }, _embedded: { lines: shown } },
  };
}

export function addLine(call: Call): Answer {
  const { service, body, at } = call;
  const { has, products, lines } = service;
  const order = orderOf(call, true);
  const [, product = ''] =
    /^(?:https?:\/\/[^/]+)?\/products\/([^/]+)$/.exec(String(body['product'])) ?? [];
  if (!products.has(product) && !has('unknown-product-accepted'))
    return fail(service, 422, 'There is no such product.', '/product');
  const quantity = has('quantity-of-new-is-one') ? 1 : Number(body['quantity']);
  const made = { id: service.nextId(), order: order.id, product, quantity };
  const line = { ...made, first: priceOf(service, { ...made, first: 0 }) * quantity };
  lines.set(line.id, line);
  const below = has('line-location-of-order') ? '' : `/lines/${line.id}`;
  const headers = { Location: at(`/orders/${order.id}${below}`) };
  return { status: 201, headers, json: listLine(call, line) };
}

/** The line of the path. */
function lineOf(call: Call, isChange = false): Line {
  const { service, params } = call;
  const { id } = orderOf(call, isChange);
  const line = service.lines.get(params['line'] ?? '');
  const isBelow = line?.order === id || service.has('line-below-any-order');
  if (line === undefined || !isBelow) return fail(service, 404, 'There is no such line.');
  return line;
}

export const readLine = (call: Call): Answer => ({
  status: 200,
  json: listLine(call, lineOf(call)),
});

export function setQuantity(call: Call): Answer {
  const { service, body } = call;
  const line = { ...lineOf(call, true), quantity: Number(body['quantity']) };
  if (!service.has('quantity-not-stored')) service.lines.set(line.id, line);
  return { status: 200, json: listLine(call, line) };
}

export function removeLine(call: Call): Answer {
  const { has, lines, removed } = call.service;
  const { id, order } = lineOf(call, true);
  if (has('line-not-removed')) return { status: 204 };
  lines.delete(id);
  removed.set(order, (removed.get(order) ?? 0) + 1);
  return { status: 204 };
}

export function readProduct(call: Call): Answer {
  const { service, params } = call;
  const product = service.products.get(params['product'] ?? '');
  if (product === undefined) return fail(service, 404, 'There is no such product.');
  return { status: 200, json: showProduct(call, product) };
}

import { fields, flag, listOf, oneOf, orNull, pick, text, whole } from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import * as api from './call.ts';
import { discountBy } from './discounts.ts';
import { amount } from './products.ts';
import { now, type Draft, type Line, type Order, type Refund, type Service } from './store.ts';

type Call = api.Call;

const note = orNull(text(0, 500));
const quantity = whole(1, 1000);
const line = fields({ variant_id: api.id, quantity }, ['variant_id', 'quantity']);
const line_items = listOf(line, { min: 1, max: 50 });
const customer = fields({ id: api.id }, ['id']);
const draftRules = { line_items, customer, note };
const newDraft = fields(draftRules, ['line_items']);

const shipping = fields({ title: text(1, 100), price: amount }, ['title', 'price']);
const newOrder = fields(
  {
    ...draftRules,
    shipping_lines: listOf(shipping, { max: 5 }),
    discount_codes: listOf(fields({ code: text(0, Infinity) }, ['code']), { max: 1 }),
    financial_status: oneOf(['pending', 'paid']),
  },
  ['line_items'],
);

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

type Summed = Pick<Order, 'lines' | 'shipping' | 'discounts' | 'refunds'>;

const priceOf = ({ variant, price }: Line, { has }: Service): number =>
  has('price-follows-variant') ? variant.price : price;

type Sums = Readonly<Record<'items' | 'taken' | 'total' | 'left', number>>;

/** The sums of an order, in cents. */
export function sumsOf(
  { lines, shipping: ways, discounts, refunds }: Summed,
  service: Service,
): Sums {
  const items = sum(lines.map((one) => priceOf(one, service) * one.quantity));
  const taken = sum(discounts.map((one) => one.amount));
  const sent = service.has('shipping-not-in-total') ? 0 : sum(ways.map((one) => one.price));
  const total = items - taken + sent;
  const refunded = service.has('refund-not-deducted') ? 0 : sum(refunds.map((one) => one.amount));
  return { items, taken, total, left: total - refunded };
}

const showLine = (one: Line, { service }: Call): Json => ({
  ...{ id: one.id, variant_id: one.variant.id, product_id: one.variant.product.id },
  ...{ title: one.title, quantity: one.quantity, current_quantity: one.current_quantity },
  price: api.money(priceOf(one, service)),
});

const showRefund = (refund: Refund, order: Order, call: Call): Json => ({
  ...{ id: refund.id, order_id: order.id, note: refund.note, amount: api.money(refund.amount) },
  refund_line_items: refund.refund_line_items,
  created_at: api.time(refund.created_at, call),
});

const showBase = (
  one: Pick<Draft, 'id' | 'customer' | 'note' | 'lines' | 'created_at'>,
  call: Call,
) => ({
  ...{ id: one.id, note: one.note, created_at: api.time(one.created_at, call) },
  customer: one.customer === undefined ? null : pick(one.customer, ['id', 'email']),
  line_items: one.lines.map((each) => showLine(each, call)),
});

function show(order: Order, call: Call): Json {
  const { items, taken, total, left } = sumsOf(order, call.service);
  return {
    ...showBase(order, call),
    order_number: order.order_number,
    shipping_lines: order.shipping.map((one) => ({ ...one, price: api.money(one.price) })),
    discount_codes: order.discounts.map((one) => ({ ...one, amount: api.money(one.amount) })),
    ...{ total_line_items_price: api.money(items), total_discounts: api.money(taken) },
    ...{ subtotal_price: api.money(items - taken), total_price: api.money(total) },
    ...{ current_total_price: api.money(left), financial_status: order.financial_status },
    refunds: order.refunds.map((one) => showRefund(one, order, call)),
    cancel_reason: order.cancel_reason,
    closed_at: api.time(order.closed_at, call),
    cancelled_at: api.time(order.cancelled_at, call),
  };
}

const answer = (order: Order, call: Call, status = 200): Answer =>
  api.answer(call, 'order', show(order, call), status);

const stateOf = ({ cancelled_at, closed_at }: Order): string =>
  cancelled_at === null ? (closed_at === null ? 'open' : 'closed') : 'cancelled';

const paid = ['pending', 'paid', 'partially_refunded', 'refunded', 'voided'];

const filters: api.Filters<Order> = {
  ...api.common,
  status: (value) => {
    api.oneOf(value, 'status', ['open', 'closed', 'cancelled', 'any']);
    return (one) => value === 'any' || stateOf(one) === value;
  },
  financial_status: (value) => {
    api.oneOf(value, 'financial_status', paid);
    return (one) => one.financial_status === value;
  },
  ...api.byIds('customer_id', (one: Order) => one.customer?.id),
};

export function listOrders(call: Call): Answer {
  const { incoming, service } = call;
  const own = service.orders.filter((one) => one.shop === call.shop);
  // A cursor stands for the status as well.
  const from = new URLSearchParams(incoming.query);
  const isBare = !from.has('status') && !from.has('page_info');
  if (isBare && !service.has('orders-default-any')) from.set('status', 'open');
  const defaulted = { ...call, incoming: { ...incoming, query: from } };
  const list = { name: 'orders', records: own, filters };
  return api.listOf(defaulted, { ...list, show: (one) => show(one, call) });
}

/** The lines, customer and note of a body. */
function readBase(body: Json, { service, shop }: Call) {
  const { has, customers, variants, newId } = service;
  const wanted = (body['customer'] as { readonly id: number } | undefined)?.id;
  const found = customers.find((one) => one.id === wanted && one.shop === shop);
  if (wanted !== undefined && found === undefined) api.invalid('customer.id', 'is not known');
  const isOfAll = has('variant-of-other-shop-ordered');
  const lines = (body['line_items'] as readonly Json[]).map((given, at): Line => {
    const variant = variants.find((one) => one.id === given['variant_id']);
    if (variant === undefined || (variant.shop !== shop && !isOfAll))
      return api.invalid(`line_items[${String(at)}].variant_id`, 'is not known');
    const count = Number(given['quantity']);
    const { price, product } = variant;
    const rest = { title: product.title, quantity: count, current_quantity: count, price };
    return { id: newId(), variant, ...rest };
  });
  return { customer: found, note: (body['note'] ?? null) as string | null, lines };
}

const restock = ({ variant }: Line, count: number): void => {
  const [main] = variant.levels;
  if (main === undefined) return;
  Object.assign(main, { available: main.available + count, updated_at: now() });
};

/** Takes the stock of the lines, or refuses all of them. */
function takeStock(lines: readonly Line[], { has }: Service): void {
  const isAtOnce = has('refused-order-takes-stock');
  for (const one of lines) {
    const { variant } = one;
    const all = lines.filter((other) => other.variant === variant);
    const isAlone = has('repeated-lines-oversold') || isAtOnce;
    const need = sum((isAlone ? [one] : all).map((other) => other.quantity));
    const isLacking = need > (variant.levels[0]?.available ?? 0);
    if (isLacking && variant.inventory_policy === 'deny' && !has('oversold-accepted'))
      api.invalid('line_items', `has more of ${variant.title} than is available`);
    if (isAtOnce) restock(one, -one.quantity);
  }
  if (!isAtOnce && !has('order-leaves-stock')) for (const one of lines) restock(one, -one.quantity);
}

type Given = Pick<Order, 'customer' | 'note' | 'lines' | 'financial_status'> & Partial<Order>;

/** Adds an order, for which there is stock. */
export function addOrder(call: Pick<Call, 'service' | 'shop'>, given: Given): Order {
  const { service, shop } = call;
  if (service.has('order-number-lost')) shop.lastOrder += 1;
  takeStock(given.lines, service);
  if (!service.has('order-number-lost')) shop.lastOrder += 1;
  const order: Order = {
    ...{ id: service.newId(), shop, created_at: now(), order_number: shop.lastOrder },
    ...{ shipping: [], discounts: [], refunds: [] },
    ...{ cancel_reason: null, closed_at: null, cancelled_at: null, ...given },
  };
  service.orders.push(order);
  return order;
}

export function createOrder(call: Call): Answer {
  const body = api.readBody(call, newOrder, 'order');
  const base = readBase(body, call);
  const items = sum(base.lines.map((one) => one.price * one.quantity));
  const [wanted] = (body['discount_codes'] ?? []) as readonly { readonly code: string }[];
  const discount = wanted === undefined ? undefined : discountBy(wanted.code, items, call);
  const ways = (body['shipping_lines'] ?? []) as readonly { title: string; price: string }[];
  const order = addOrder(call, {
    ...base,
    financial_status: (body['financial_status'] ?? 'pending') as string,
    shipping: ways.map(({ title, price }) => ({ title, price: api.cents(price) })),
    discounts:
      discount === undefined ? [] : [{ code: discount.code.code, amount: discount.amount }],
  });
  if (discount !== undefined) discount.code.usage_count += 1;
  return answer(order, call, 201);
}

const find = (call: Call): Order => api.find(call, 'order_id', call.service.orders);

export const getOrder = (call: Call): Answer => answer(find(call), call);

export function closeOrder(call: Call): Answer {
  const order = find(call);
  if (stateOf(order) !== 'open') api.invalid('base', 'The order is not open.');
  order.closed_at = now();
  return answer(order, call);
}

export function openOrder(call: Call): Answer {
  const order = find(call);
  const isSpared = call.service.has('cancelled-reopened');
  if (order.closed_at === null || (order.cancelled_at !== null && !isSpared))
    api.invalid('base', 'The order is not closed, or it is cancelled.');
  order.closed_at = null;
  return answer(order, call);
}

const reasons = ['customer', 'inventory', 'fraud', 'declined', 'other'];
const cancellation = fields({ reason: oneOf(reasons), restock: flag }, []);

export function cancelOrder(call: Call): Answer {
  const { has } = call.service;
  const order = find(call);
  const body = call.incoming.bytes.length > 0 ? api.readBody(call, cancellation) : {};
  if (order.cancelled_at !== null && !has('cancelled-again'))
    api.invalid('base', 'The order is cancelled already.');
  if (body['restock'] === true && !has('cancel-keeps-stock'))
    for (const one of order.lines) restock(one, one.current_quantity);
  order.financial_status = order.financial_status === 'pending' ? 'voided' : 'refunded';
  order.cancel_reason = (body['reason'] ?? 'other') as string;
  order.cancelled_at = now();
  return answer(order, call);
}

const types = { restock_type: oneOf(['return', 'no_restock']) };
const refunded = fields({ line_item_id: api.id, quantity, ...types }, ['line_item_id', 'quantity']);
const refund_line_items = listOf(refunded, { min: 1, max: 50 });
const newRefund = fields({ note, refund_line_items }, ['refund_line_items']);

export function createRefund(call: Call): Answer {
  const { service, shop } = call;
  const { has } = service;
  const order = find(call);
  const body = api.readBody(call, newRefund, 'refund');
  const open = ['paid', 'partially_refunded', ...(has('pending-refunded') ? ['pending'] : [])];
  if (!open.includes(order.financial_status)) api.invalid('base', 'The order is not paid.');
  const given = (body['refund_line_items'] as readonly Json[]).map((one) => ({
    ...{ line_item_id: Number(one['line_item_id']), quantity: Number(one['quantity']) },
    restock_type: (one['restock_type'] ?? 'no_restock') as string,
  }));
  const parts = given.map((one, at) => {
    const found = order.lines.find(({ id }) => id === one.line_item_id);
    const field = `refund_line_items[${String(at)}]`;
    if (found === undefined) return api.invalid(`${field}.line_item_id`, 'is not known');
    const all = given.filter((other) => other.line_item_id === found.id);
    const most = has('refunded-beyond-quantity') ? found.quantity : found.current_quantity;
    if (sum(all.map((other) => other.quantity)) > most)
      api.invalid(`${field}.quantity`, 'is more than is left of the line');
    return { ...one, line: found };
  });
  const total = sum(parts.map((one) => one.line.price * one.quantity));
  const most = sumsOf(order, service).total - sum(order.refunds.map((one) => one.amount));
  for (const one of parts) {
    one.line.current_quantity -= one.quantity;
    if (one.restock_type === 'return' || has('no-restock-restocks'))
      restock(one.line, one.quantity);
  }
  const refund: Refund = {
    ...{ id: service.newId(), shop, created_at: now(), refund_line_items: given },
    ...{ note: (body['note'] ?? null) as string | null, amount: Math.min(total, most) },
  };
  order.refunds.push(refund);
  const isLeft = order.lines.some((one) => one.current_quantity > 0) || has('full-refund-partial');
  order.financial_status = isLeft ? 'partially_refunded' : 'refunded';
  return { status: 201, json: { refund: showRefund(refund, order, call) } };
}

function answerDraft(draft: Draft, call: Call, status = 200): Answer {
  const { order_id, completed_at } = draft;
  const total = sum(draft.lines.map((one) => one.price * one.quantity));
  const json = {
    ...showBase(draft, call),
    ...{ status: completed_at === null ? 'open' : 'completed', order_id },
    ...{ total_price: api.money(total), completed_at: api.time(completed_at, call) },
  };
  return api.answer(call, 'draft_order', json, status);
}

export function createDraft(call: Call): Answer {
  const { service, shop } = call;
  const base = readBase(api.readBody(call, newDraft, 'draft_order'), call);
  const more = { created_at: now(), order_id: null, completed_at: null };
  const draft: Draft = { id: service.newId(), shop, ...base, ...more };
  service.drafts.push(draft);
  return answerDraft(draft, call, 201);
}

export function completeDraft(call: Call): Answer {
  const { has, drafts, newId } = call.service;
  const draft = api.find(call, 'draft_order_id', drafts);
  const given = call.incoming.query.get('payment_pending') ?? 'false';
  const isPending = api.oneOf(given, 'payment_pending', ['true', 'false']) === 'true';
  if (draft.completed_at !== null && !has('draft-completed-twice'))
    api.invalid('base', 'The draft is completed already.');
  const order = addOrder(call, {
    ...{ customer: draft.customer, note: draft.note },
    lines: draft.lines.map((one) => ({ ...one, id: newId() })),
    financial_status: isPending && !has('draft-pending-paid') ? 'pending' : 'paid',
  });
  Object.assign(draft, { order_id: order.id, completed_at: now() });
  return answerDraft(draft, call);
}

import { dateTime, fields, listOf, oneOf, text, whole } from '../serving/fields.ts';
import { anyText, offering, ref, types } from './catalogue-kinds.ts';
import { fail, hrefOf, isTaken, refTo, type Call, type Kind } from './entities.ts';
import { moment, type Entity, type Item, type Json, type Order, type Price } from './store.ts';

const base = '/tmf-api/productOrderingManagement/v4';
const states = ['acknowledged', 'inProgress', 'held', 'completed', 'cancelled'];

const moves: Readonly<Record<string, readonly string[]>> = {
  acknowledged: ['inProgress'],
  inProgress: ['held', 'completed'],
  held: ['inProgress'],
};

const cents = (value: number): number => Math.round(value * 100) / 100;

/** Prices by their type, each the sum of all of its type. */
function sumOf(prices: readonly Price[]): Price[] {
  const sums = new Map<string, number>();
  for (const { priceType, price } of prices)
    sums.set(priceType, (sums.get(priceType) ?? 0) + price.value);
  return [...sums].map(([priceType, value]) => ({
    priceType,
    price: { unit: 'EUR', value: cents(value) },
  }));
}

/** What an item costs, by type of price. */
function pricesOf({ productOffering, prices, quantity }: Item, { service }: Call): Price[] {
  const { has, offerings } = service;
  const present = offerings.get(productOffering.id)?.['productOfferingPrice'];
  const each = has('total-follows-price') ? ((present ?? []) as Price[]) : prices;
  const times = has('total-without-quantity') ? 1 : quantity;
  return each.map(({ priceType, price }) => ({
    priceType,
    price: { unit: price.unit, value: price.value * times },
  }));
}

function showOrder(entity: Entity, call: Call): Json {
  const { has } = call.service;
  const { owner, productOrderItem: items, lastUpdate, ...shown } = entity as Order;
  return {
    ...shown,
    productOrderItem: items.map((item) => {
      const { prices, productOffering, state, ...one } = item;
      return {
        ...one,
        state: has('item-state-in-snake-case') ? state.replace('inProgress', 'in_progress') : state,
        productOffering: refTo(call, offering, productOffering),
        itemTotalPrice: sumOf(pricesOf(item, call)),
      };
    }),
    orderTotalPrice: sumOf(items.flatMap((item) => pricesOf(item, call))),
    relatedParty: [{ id: owner, name: owner, '@referredType': 'Organization' }],
  };
}

function checkOrder(next: Entity, before: Entity | undefined, call: Call): void {
  const { service } = call;
  const { has, offerings } = service;
  const [order, old] = [next as Order, before as Order | undefined];
  const ids = order.productOrderItem.map(({ id }) => id);
  if (new Set(ids).size < ids.length) fail(service, 400, 'Two items have one id.');
  const isKept = order.productOrderItem === old?.productOrderItem;
  for (const { productOffering } of isKept ? [] : order.productOrderItem) {
    const found = offerings.get(productOffering.id);
    if (found === undefined) fail(service, 400, 'There is no such product offering.');
    if (found['lifecycleStatus'] !== 'Active' && !has('inactive-offering-ordered'))
      fail(service, 400, 'The product offering is not Active.');
  }
  if (old === undefined) {
    const own = { ...order, owner: call.client };
    if (isTaken(productOrder, own, 'externalId', call) && !has('external-id-twice'))
      fail(service, 409, 'There is an order with this externalId.');
    return;
  }
  const [from, to] = [old.state, order.state];
  if (moves[from] === undefined) fail(service, 409, `The order is ${from}.`);
  if (from !== to && !moves[from].includes(to))
    fail(service, 409, `An order that is ${from} cannot become ${to}.`);
  if (!isKept && from !== 'acknowledged')
    fail(service, 409, 'The items cannot be changed any more.');
}

/** What the service sets: owner, states and dates, and the prices of new items. */
function completeOrder(next: Entity, before: Entity | undefined, call: Call): Entity {
  const { service, client } = call;
  const { has, offerings } = service;
  const order = next as Order;
  const old = before as Order | undefined;
  const date = moment(service);
  const started = { owner: client, state: 'acknowledged', orderDate: date };
  const { state } = old === undefined ? started : order;
  const isKept = order.productOrderItem === old?.productOrderItem;
  const items = order.productOrderItem.map((item) => {
    const present = offerings.get(item.productOffering.id)?.['productOfferingPrice'];
    const { id, action, quantity = 1, productOffering } = item;
    const made = { id, action, quantity, productOffering, prices: (present ?? []) as Price[] };
    const own = isKept && has('items-keep-their-state') ? item.state : state;
    return { ...(isKept ? item : made), state: own };
  });
  const isDone = state === 'completed' && old?.state !== 'completed';
  return {
    ...order,
    ...(old === undefined ? started : {}),
    ...(isDone && !has('completion-date-missing') ? { completionDate: date } : {}),
    productOrderItem: items,
  };
}

export const productOrder: Kind = {
  type: 'ProductOrder',
  path: `${base}/productOrder`,
  rule: ({ has }) =>
    fields(
      {
        ...types,
        externalId: anyText,
        description: anyText,
        priority: text(1, 1, /^[0-4]$/),
        requestedCompletionDate: dateTime,
        state: oneOf(states),
        productOrderItem: listOf(
          fields(
            {
              id: text(1, 1e6),
              action: oneOf(['add', 'modify', 'delete', 'noChange']),
              quantity: whole(has('quantity-zero-accepted') ? 0 : 1, 1000),
              productOffering: ref,
            },
            ['id', 'action', 'productOffering'],
          ),
          { min: 1, max: 1e6 },
        ),
      },
      ['productOrderItem', 'state'],
    ),
  names: [
    ...['description', 'priority', 'requestedCompletionDate'],
    ...['externalId', 'state', 'productOrderItem'],
  ],
  fixed: ['id', 'href', '@type', 'lastUpdate', 'orderDate', 'externalId'],
  defaults: () => ({ priority: '4', state: 'acknowledged' }),
  filters: {
    state: states,
    priority: 'text',
    externalId: 'text',
    'orderDate.gt': 'date',
    'orderDate.lt': 'date',
  },
  sorts: ['orderDate', 'state', 'priority', 'id'],
  recordsOf: ({ orders }) => orders,
  check: checkOrder,
  complete: completeOrder,
  show: showOrder,
  guard: (entity, { service }) => {
    if (['inProgress', 'held'].includes(String(entity['state'])))
      fail(service, 409, `The order is ${String(entity['state'])}.`);
  },
};

/** The order of a cancellation, if the client may see it. */
function orderOf(next: Entity, { service, client }: Call): Order {
  const order = service.orders.get((next['productOrder'] as { id: string }).id);
  const isSeen = order?.owner === client || service.has('order-of-other-cancelled');
  return order !== undefined && isSeen ? order : fail(service, 400, 'There is no such order.');
}

export const cancellation: Kind = {
  type: 'CancelProductOrder',
  path: `${base}/cancelProductOrder`,
  rule: () =>
    fields({ ...types, cancellationReason: anyText, productOrder: ref }, ['productOrder']),
  names: ['cancellationReason', 'productOrder'],
  fixed: [],
  defaults: () => ({}),
  filters: { 'productOrder.id': 'text' },
  sorts: ['effectiveCancellationDate', 'id'],
  recordsOf: ({ cancellations }) => cancellations,
  check: (next, _before, call) => {
    const { service } = call;
    const { state } = orderOf(next, call);
    const isDone = state === 'completed' && service.has('completed-order-cancelled');
    if (moves[state] === undefined && !isDone) fail(service, 409, `The order is ${state}.`);
  },
  complete: ({ lastUpdate, ...next }, _before, call) => {
    const { has, orders } = call.service;
    const order = orderOf(next, call);
    const date = moment(call.service);
    const reason = next['cancellationReason'];
    if (!has('cancellation-without-effect'))
      orders.set(order.id, {
        ...order,
        state: 'cancelled',
        cancellationDate: date,
        ...(reason === undefined ? {} : { cancellationReason: reason }),
        productOrderItem: order.productOrderItem.map((item) => ({ ...item, state: 'cancelled' })),
      });
    return {
      ...next,
      owner: call.client,
      state: 'done',
      effectiveCancellationDate: date,
    };
  },
  show: ({ owner, ...entity }, call) => {
    const { id } = entity['productOrder'] as { id: string };
    const href = hrefOf(call, productOrder.path, id);
    return { ...entity, productOrder: { id, href, '@referredType': 'ProductOrder' } };
  },
};

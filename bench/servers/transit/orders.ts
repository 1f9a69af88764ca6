import { isDeepStrictEqual } from 'node:util';
import { email, fields, pick, text, whole } from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import {
  accountOf,
  answer,
  answerRead,
  bodyOf,
  datesOf,
  fail,
  failMember,
  failParameter,
  failState,
  findOwn,
  isAny,
  isIn,
  isoOrNull,
  parameter,
  privacyOf,
  urlOf,
  type Call,
} from './call.ts';
import { momentOf, pageOf } from './lists.ts';
import { freeSeats } from './network.ts';
import { pricesOf, totalOf } from './prices.ts';
import type { Order, Trip } from './store.ts';

function show(order: Order): Json {
  const { owner: _owner, cancelled, created, modified, ...rest } = order;
  const { priceLines, refundAmount, ...head } = rest;
  return {
    ...head,
    priceLines,
    totalAmount: totalOf(priceLines),
    currency: 'EUR',
    refundAmount,
    cancelledAt: isoOrNull(cancelled),
    ...datesOf({ id: rest.id, created, modified }),
  };
}

export function listOrders(call: Call): Answer {
  const { id } = accountOf(call);
  const status = parameter(call, 'status', isIn(['booked', 'cancelled']));
  const tripId = parameter(call, 'tripId', isAny);
  const from = momentOf(call, 'from') ?? -Infinity;
  const until = momentOf(call, 'until') ?? Infinity;
  const records = [...call.service.orders.values()].filter(
    (order) =>
      order.owner === id &&
      (status ?? order.status) === order.status &&
      (tripId ?? order.tripId) === order.tripId &&
      order.created >= from &&
      order.created < until,
  );
  return pageOf(call, {
    records,
    keysOf: (order) => [order.created, order.id],
    signs: [-1, 1],
    show,
    headers: privacyOf(call),
  });
}

const find = (call: Call, isShared = false): Order =>
  findOwn(call, call.service.orders, { name: 'orderId', isShared });

export const getOrder = (call: Call): Answer =>
  answerRead(call, show(find(call)), { headers: privacyOf(call) });

const rules = {
  tripId: text(0, 200),
  adults: whole(1, 20),
  children: whole(0, 20),
  bicycles: whole(0, 20),
  contactEmail: email,
};

interface Sent {
  readonly tripId: string;
  readonly adults: number;
  readonly children: number;
  readonly bicycles: number;
  readonly contactEmail: string;
}

function readOrder(call: Call): { sent: Sent; trip: Trip } {
  const body = bodyOf(call, fields(rules, ['tripId', 'adults', 'contactEmail']));
  const given = pick(body, Object.keys(rules)) as Partial<Sent> as Sent;
  const sent = { ...given, children: given.children ?? 0, bicycles: given.bicycles ?? 0 };
  const trip = call.service.trips.get(sent.tripId);
  if (trip === undefined) return failMember(call, 'tripId', 'tripId must be a trip.');
  if (sent.bicycles > sent.adults + sent.children)
    failMember(call, 'bicycles', 'There are more bicycles than passengers.');
  return { sent, trip };
}

/** Under which name an Idempotency-Key of the account is kept. */
function keyOf(call: Call): string | undefined {
  const { 'idempotency-key': key } = call.incoming.headers;
  if (typeof key !== 'string') return undefined;
  if (key.length < 8 || key.length > 64) failParameter(call, 'Idempotency-Key');
  return call.service.has('key-shared') ? key : `${accountOf(call).id} ${key}`;
}

function answerBooked(call: Call, order: Order, headers: Record<string, string> = {}): Answer {
  const Location = urlOf(call, `/v1/orders/${order.id}`);
  return answer(show(order), {
    status: 201,
    headers: { Location, ...privacyOf(call), ...headers },
  });
}

export function bookSeats(call: Call): Answer {
  const { service } = call;
  const { has, kept, orders } = service;
  const { id: owner } = accountOf(call);
  const key = keyOf(call);
  const { sent, trip } = readOrder(call);
  const earlier = key === undefined ? undefined : kept.get(key);
  if (earlier !== undefined && !has('key-books-twice')) {
    if (!isDeepStrictEqual(earlier.body, sent))
      fail(call, 'key', { message: 'You used the key for another order.' });
    return answerBooked(call, earlier.order, { 'Idempotent-Replayed': 'true' });
  }
  const created = service.now();
  if (trip.status === 'cancelled') failState(call, 'The trip is cancelled.');
  if (trip.start <= created) failState(call, 'The trip has left.');
  const spare = has('last-seats-oversold') ? 1 : 0;
  if (sent.adults + sent.children > freeSeats(service, trip) + spare)
    fail(call, 'sold', { message: 'There are not enough seats left.' });
  const groupSize = has('group-from-six') ? 6 : 5;
  const isForBicycles = has('discount-on-bicycles');
  const order: Order = {
    id: `ord_${service.nextId()}`,
    owner,
    status: 'booked',
    ...sent,
    priceLines: pricesOf(trip.prices, sent, { groupSize, isForBicycles }),
    refundAmount: null,
    cancelled: null,
    created,
    modified: created,
  };
  orders.set(order.id, order);
  if (key !== undefined) kept.set(key, { body: sent, order });
  return answerBooked(call, order);
}

const day = 86_400_000;

export function cancelOrder(call: Call): Answer {
  const { service } = call;
  const { has, orders, trips } = service;
  const order = find(call, has('order-of-other-cancelled'));
  const trip = trips.get(order.tripId);
  const now = service.now();
  if (order.status === 'cancelled') failState(call, 'The order is cancelled already.');
  const start = trip?.start ?? 0;
  if (start <= now) failState(call, 'The trip has left.');
  const total = totalOf(order.priceLines);
  const isEarly = start - now >= day || trip?.status === 'cancelled' || has('refund-always-whole');
  const changed: Order = {
    ...order,
    status: 'cancelled',
    refundAmount: isEarly ? total : Math.floor(total / 2),
    cancelled: now,
    modified: now,
  };
  orders.set(order.id, changed);
  return answer(show(changed), { headers: privacyOf(call) });
}

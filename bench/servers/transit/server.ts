import { manners, type Manner } from '../serving/manners.ts';
import type { Start } from '../serving/plant.ts';
import {
  listen,
  Refused,
  type Answer,
  type Handler,
  type Routes,
  type ServiceRequest,
} from '../serving/serve.ts';
import type { ServerUnderTest } from '../server-under-test.ts';
import { fail, type Call } from './call.ts';
import {
  deleteDisruption,
  draftDisruption,
  getDisruption,
  listDisruptions,
  patchDisruption,
  publishDisruption,
  withdrawDisruption,
} from './disruptions.ts';
import {
  deleteJourney,
  getJourney,
  listJourneys,
  replaceJourney,
  saveJourney,
} from './journeys.ts';
import { getLine, getStop, getTrip, listDepartures, listLines, listStops } from './network.ts';
import { bookSeats, cancelOrder, getOrder, listOrders } from './orders.ts';
import { openTransit } from './seeds.ts';
import { accounts, type Account, type Service } from './store.ts';
import {
  confirmSubscription,
  getSubscription,
  listSubscriptions,
  patchSubscription,
  subscribe,
  unsubscribe,
} from './subscriptions.ts';

/** Starts the transport authority on loopback. */
export function startTransit(how: Start = {}): Promise<ServerUnderTest> {
  const service = openTransit(how);
  const isWritten = (manner: Manner): boolean =>
    Object.hasOwn(manners, manner) && (service.varies as (name: string) => boolean)(manner);
  return listen(routesOf(service), { port: how.port, isWritten });
}

const partners: readonly Account[] = Object.values(accounts);

/** What a request needs: a key, a token, or either. */
type Need = 'key' | 'token' | 'either';

interface Caller {
  readonly account: Account | undefined;
  /** Whose requests are counted. */
  readonly name: string;
}

function callerOf({ headers }: ServiceRequest, service: Service, need: Need): Caller | undefined {
  const [, token] = /^bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  const account = partners.find((each) => each.token === token);
  if (account !== undefined && need !== 'key') return { account, name: account.id };
  const key = headers['x-api-key'];
  const holder = partners.find((each) => each.key === key);
  if (need === 'token') return undefined;
  if (holder !== undefined) return { account: undefined, name: holder.id };
  const isOpen = key !== undefined && service.has('key-not-checked');
  return isOpen ? { account: undefined, name: '' } : undefined;
}

const perMinute = 60_000;

/** Counts the request, and tells what remains of the minute. */
function countRequest({ minutes, has }: Service, name: string) {
  const now = Date.now();
  const known = minutes.get(name);
  const start = known === undefined || now - known.start >= 60_000 ? now : known.start;
  const used = 1 + (known?.start === start ? known.used : 0);
  minutes.set(name, { start, used });
  const left = has('remaining-stays') ? perMinute - 1 : Math.max(0, perMinute - used);
  const seconds = String(Math.ceil((start + 60_000 - now) / 1000));
  const headers = {
    'X-RateLimit-Limit': String(perMinute),
    'X-RateLimit-Remaining': String(left),
    'X-RateLimit-Reset': seconds,
  };
  return { isOver: used > perMinute, seconds, headers };
}

/** The answer, or that of a refusal. */
function attempt(operation: () => Answer): Answer {
  try {
    return operation();
  } catch (error) {
    if (error instanceof Refused) return error.answer;
    throw error;
  }
}

/** Another operator at work. */
function workElsewhere(service: Service): void {
  const { disruptions, journeys, now, requests } = service;
  const [message, journey] = [disruptions.get('dis_110'), journeys.get('jrn_208')];
  const created = now();
  const dates = { created, modified: created };
  if (message !== undefined) {
    const id = `dis_x${String(requests)}`;
    disruptions.set(id, { ...message, id, status: 'published', published: created, ...dates });
  }
  if (journey === undefined) return;
  const id = `jrn_x${String(requests)}`;
  journeys.set(id, { ...journey, id, owner: 'hafenlinien', name: `Run ${id}`, ...dates });
}

function routesOf(service: Service): Routes {
  const on =
    (need: Need, operation: (call: Call) => Answer): Handler =>
    (incoming) => {
      service.requests += 1;
      const { requests } = service;
      if (service.varies('others-work-too') && requests % 7 === 0) workElsewhere(service);
      const requestId = `req-${String(requests).padStart(6, '0')}`;
      const caller = callerOf(incoming, service, need);
      const limit = caller === undefined ? undefined : countRequest(service, caller.name);
      const given = attempt(() => {
        const call = { incoming, service, account: caller?.account, requestId };
        if (limit === undefined)
          return fail(call, 'credentials', { message: 'Credentials are missing or not known.' });
        if (limit.isOver) fail(call, 'often', { message: 'Too many requests.' });
        return operation(call);
      });
      const retry =
        given.status === 429 && limit !== undefined ? { 'Retry-After': limit.seconds } : {};
      const headers = { ...given.headers, ...limit?.headers, ...retry, 'Request-Id': requestId };
      return { ...given, headers };
    };
  const disruption = '/v1/disruptions/{disruptionId}';
  const subscription = '/v1/subscriptions/{subscriptionId}';
  return {
    '/v1/stops': { GET: on('key', listStops) },
    '/v1/stops/{stopId}': { GET: on('key', getStop) },
    '/v1/stops/{stopId}/departures': { GET: on('key', listDepartures) },
    '/v1/lines': { GET: on('key', listLines) },
    '/v1/lines/{lineId}': { GET: on('key', getLine) },
    '/v1/trips/{tripId}': { GET: on('key', getTrip) },
    '/v1/disruptions': {
      GET: on('either', listDisruptions),
      POST: on('token', draftDisruption),
    },
    [disruption]: {
      GET: on('either', getDisruption),
      PATCH: on('token', patchDisruption),
      DELETE: on('token', deleteDisruption),
    },
    [`${disruption}/publish`]: { POST: on('token', publishDisruption) },
    [`${disruption}/withdraw`]: { POST: on('token', withdrawDisruption) },
    '/v1/journeys': { GET: on('token', listJourneys), POST: on('token', saveJourney) },
    '/v1/journeys/{journeyId}': {
      GET: on('token', getJourney),
      PUT: on('token', replaceJourney),
      DELETE: on('token', deleteJourney),
    },
    '/v1/subscriptions': { GET: on('token', listSubscriptions), POST: on('token', subscribe) },
    [subscription]: {
      GET: on('token', getSubscription),
      PATCH: on('token', patchSubscription),
      DELETE: on('token', unsubscribe),
    },
    [`${subscription}/confirm`]: { POST: on('token', confirmSubscription) },
    '/v1/orders': { GET: on('token', listOrders), POST: on('token', bookSeats) },
    '/v1/orders/{orderId}': { GET: on('token', getOrder) },
    '/v1/orders/{orderId}/cancel': { POST: on('token', cancelOrder) },
  };
}

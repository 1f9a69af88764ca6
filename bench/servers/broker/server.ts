import { manners, type Manner } from '../serving/manners.ts';
import type { Start } from '../serving/plant.ts';
import { listen, type Answer, type Handler, type Routes } from '../serving/serve.ts';
import type { ServerUnderTest } from '../server-under-test.ts';
import * as access from './access.ts';
import { byName, messagesOf, numberOf, seenVhosts, userOf, type Call } from './call.ts';
import * as definitions from './definitions.ts';
import * as messages from './messages.ts';
import * as objects from './objects.ts';
import { newQueue, openBroker, type Queue, type Service } from './store.ts';

/** Starts the management of the broker on loopback. */
export function startBroker(how: Start = {}): Promise<ServerUnderTest> {
  const service = openBroker(how);
  const isWritten = (manner: Manner): boolean =>
    Object.hasOwn(manners, manner) && (service.varies as (name: string) => boolean)(manner);
  return listen(routesOf(service), { port: how.port, isWritten });
}

function overview(call: Call): Answer {
  const { has } = call.service;
  const vhosts = seenVhosts(call, has('overview-of-all-vhosts'));
  const queues = vhosts.flatMap((vhost) => [...vhost.queues.values()]);
  const sum = (count: (queue: Queue) => number): number =>
    queues.reduce((total, queue) => total + count(queue), 0);
  const ready = sum((queue) => queue.ready.length);
  const object_totals = {
    vhosts: vhosts.length,
    exchanges: vhosts.reduce((total, { exchanges }) => total + exchanges.size, 0),
    queues: queues.length,
    consumers: sum(({ consumers }) => consumers),
  };
  const queue_totals = {
    messages: has('overview-ready-only') ? ready : sum(messagesOf),
    messages_ready: ready,
    messages_unacknowledged: sum(({ unacknowledged }) => unacknowledged),
  };
  return { status: 200, json: { broker_version: '5.2.0', object_totals, queue_totals } };
}

function checkBacklog(call: Call): Answer {
  const limit = numberOf(call, 'limit', 0) ?? 10_000;
  const most = limit - (call.service.has('backlog-limit-itself-fails') ? 1 : 0);
  const queues = seenVhosts(call).flatMap(({ name: vhost, queues: all }) =>
    [...all.values()]
      .sort(byName)
      .map((queue) => ({ vhost, name: queue.name, messages: messagesOf(queue) }))
      .filter(({ messages: count }) => count > most),
  );
  if (queues.length === 0) return { status: 200, json: { status: 'ok', limit } };
  const reason = `${String(queues.length)} queues have more than ${String(limit)} messages`;
  return { status: 503, json: { status: 'failed', limit, reason, queues } };
}

/** Another program declares a queue. */
function declareElsewhere({ vhosts }: Service): void {
  const queues = vhosts.get('orders')?.queues;
  const name = `courier.${String(queues?.size ?? 0)}`;
  queues?.set(name, newQueue(name, true, {}));
}

function routesOf(service: Service): Routes {
  const on =
    (operation: (call: Call) => Answer): Handler =>
    (incoming) => {
      service.requests += 1;
      if (service.varies('others-at-work') && service.requests % 5 === 0) declareElsewhere(service);
      return operation({ incoming, service, user: userOf(incoming, service) });
    };
  const pair = '/api/bindings/{vhost}/e/{exchange}/q/{queue}';
  return {
    '/api/overview': { GET: on(overview) },
    '/api/whoami': { GET: on(access.whoAmI) },
    '/api/health/checks/backlog': { GET: on(checkBacklog) },
    '/api/definitions': {
      GET: on(definitions.exportDefinitions),
      POST: on(definitions.importDefinitions),
    },
    '/api/vhosts': { GET: on(objects.listVhosts) },
    '/api/vhosts/{vhost}': { PUT: on(objects.putVhost), DELETE: on(objects.deleteVhost) },
    '/api/exchanges/{vhost}': { GET: on(objects.listExchanges) },
    '/api/exchanges/{vhost}/{name}': {
      PUT: on(objects.putExchange),
      DELETE: on(objects.deleteExchange),
    },
    '/api/exchanges/{vhost}/{name}/publish': { POST: on(messages.publish) },
    '/api/queues/{vhost}': { GET: on(objects.listQueues) },
    '/api/queues/{vhost}/{name}': {
      GET: on(objects.getQueue),
      PUT: on(objects.putQueue),
      DELETE: on(objects.deleteQueue),
    },
    '/api/queues/{vhost}/{name}/contents': { DELETE: on(messages.purge) },
    '/api/queues/{vhost}/{name}/get': { POST: on(messages.getMessages) },
    [pair]: { GET: on(objects.listBindings), POST: on(objects.bind) },
    [`${pair}/{properties_key}`]: { DELETE: on(objects.unbind) },
    '/api/users/{user}': { GET: on(access.getUser), PUT: on(access.putUser) },
    '/api/permissions/{vhost}/{user}': { PUT: on(access.putPermission) },
    '/api/policies/{vhost}': { GET: on(access.listPolicies) },
    '/api/policies/{vhost}/{name}': {
      PUT: on(access.putPolicy),
      DELETE: on(access.deletePolicy),
    },
  };
}

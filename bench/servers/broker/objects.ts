import { isDeepStrictEqual } from 'node:util';
import { fields, flag, listOf, oneOf, text, type Rule } from '../serving/fields.ts';
import { originOf } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import {
  anyObject,
  bodyOf,
  byName,
  fail,
  find,
  flagOf,
  isOfPair,
  isSeen,
  keyOf,
  limitOf,
  limits,
  messagesOf,
  nameOf,
  need,
  needAdministrator,
  policyOf,
  put,
  refuseReserved,
  seenVhosts,
  vhostOf,
  type Call,
  type Json,
} from './call.ts';
import { list } from './lists.ts';
import {
  everything,
  newExchange,
  newQueue,
  newVhost,
  type Binding,
  type Exchange,
  type Limits,
  type Queue,
  type Service,
  type Vhost,
} from './store.ts';

export const more = ({ varies }: Service): Json =>
  varies('entries-have-more') ? { node: 'burrow@host-2', revision: 7 } : {};

const tags = listOf(text(1, 30), { max: 10 });
export const vhostRule = fields({ description: text(0, 200), tags }, []);

export const isVhostName = (name: string): boolean => /^[A-Za-z0-9_-]{1,60}$/.test(name);

export function listVhosts(call: Call): Answer {
  const entries = seenVhosts(call, call.service.has('vhosts-of-others-listed')).map((vhost) => {
    const messages = [...vhost.queues.values()].reduce((sum, one) => sum + messagesOf(one), 0);
    return { name: vhost.name, description: vhost.description, tags: vhost.tags, messages };
  });
  return list(call, entries, ['name', 'description', 'messages']);
}

/** Creates or replaces; whether it is new. */
export function setVhost({ service, user }: Call, name: string, form: Json): boolean {
  const { has, vhosts } = service;
  const before = vhosts.get(name);
  const isForeign = before !== undefined && !isSeen(before, user);
  if (isForeign && !has('vhost-of-others-replaced')) fail(service, 409, `'${name}' is taken`);
  const vhost = before ?? newVhost(name);
  vhost.description = (form['description'] as string | undefined) ?? '';
  const given = form['tags'] as readonly string[] | undefined;
  vhost.tags = given ?? (has('vhost-tags-kept') ? vhost.tags : []);
  vhosts.set(name, vhost);
  if (before === undefined) user.permissions.set(name, everything);
  return before === undefined;
}

export function putVhost(call: Call): Answer {
  if (!call.service.has('vhost-by-anyone')) needAdministrator(call);
  const name = nameOf(call, 'vhost', isVhostName);
  return put(setVhost(call, name, bodyOf(call, vhostRule)));
}

export function deleteVhost(call: Call): Answer {
  const { service } = call;
  needAdministrator(call);
  const { name } = vhostOf(call);
  if (name === '/') fail(service, 409, 'the default vhost stays');
  service.vhosts.delete(name);
  for (const user of service.users.values())
    if (!service.has('vhost-leaves-permissions')) user.permissions.delete(name);
  return { status: 204 };
}

export const exchangeRule = fields(
  { type: oneOf(['direct', 'fanout', 'topic']), durable: flag, internal: flag },
  ['type'],
);

export const ofExchange = (vhost: Vhost, name: string): Binding[] =>
  vhost.bindings.filter(({ source }) => source === name);

export function listExchanges(call: Call): Answer {
  const vhost = vhostOf(call);
  const entries = [...vhost.exchanges.values()].sort(byName).map((one) => ({
    name: one.name,
    vhost: vhost.name,
    type: one.type,
    durable: one.durable,
    internal: one.internal,
    bindings: ofExchange(vhost, one.name).length,
    policy: policyOf(vhost, one.name, 'exchanges', call.service)?.name ?? null,
    message_stats: { publish_in: one.publishIn, publish_out: one.publishOut },
    ...more(call.service),
  }));
  const names = ['name', 'vhost', 'type', 'durable', 'internal', 'bindings', 'policy'];
  const stats = ['message_stats.publish_in', 'message_stats.publish_out'];
  return list(call, entries, [...names, ...stats]);
}

/** Declares it; whether it is new. */
export function setExchange({ service }: Call, vhost: Vhost, name: string, form: Json): boolean {
  const {
    type,
    durable = true,
    internal = false,
  } = form as {
    readonly type: string;
    readonly durable?: boolean;
    readonly internal?: boolean;
  };
  const before = vhost.exchanges.get(name);
  const isOther = before?.durable !== durable || before.internal !== internal;
  const isOtherType = before?.type !== type && !service.has('exchange-type-changed');
  if (before !== undefined && (isOther || isOtherType))
    fail(service, 409, `exchange '${name}' in vhost '${vhost.name}' has other properties`);
  const counts = { publishIn: before?.publishIn ?? 0, publishOut: before?.publishOut ?? 0 };
  vhost.exchanges.set(name, { ...newExchange(name, type, durable, internal), ...counts });
  return before === undefined;
}

export function putExchange(call: Call): Answer {
  const vhost = vhostOf(call);
  const name = nameOf(call);
  const form = bodyOf(call, exchangeRule);
  refuseReserved(call, name);
  need(call, 'configure', vhost, name);
  return put(setExchange(call, vhost, name, form) || call.service.has('redeclared-201'));
}

export function deleteExchange(call: Call): Answer {
  const { has } = call.service;
  const vhost = vhostOf(call);
  const { name } = find(call, vhost.exchanges, 'name');
  const isOnlyUnused = flagOf(call, 'if-unused') && !has('exchange-if-unused-ignored');
  refuseReserved(call, name);
  need(call, 'configure', vhost, name);
  if (isOnlyUnused && ofExchange(vhost, name).length > 0)
    fail(call.service, 409, `exchange '${name}' has bindings`);
  vhost.exchanges.delete(name);
  if (!has('exchange-leaves-bindings'))
    vhost.bindings = vhost.bindings.filter(({ source }) => source !== name);
  return { status: 204 };
}

export const queueRule = (service: Service): Rule =>
  fields({ durable: flag, arguments: limits(service) }, []);

const showQueue = (vhost: Vhost, queue: Queue, service: Service): Json => ({
  name: queue.name,
  vhost: vhost.name,
  durable: queue.durable,
  arguments: queue.arguments,
  policy: policyOf(vhost, queue.name, 'queues', service)?.name ?? null,
  limit: limitOf(vhost, queue, service) ?? null,
  messages: messagesOf(queue),
  messages_ready: queue.ready.length,
  messages_unacknowledged: queue.unacknowledged,
  message_bytes_ready: queue.ready.reduce(
    (sum, { payload }) => sum + Buffer.from(payload, 'base64').length,
    0,
  ),
  consumers: queue.consumers,
  message_stats: { publish: queue.published, get: queue.handedOut },
  ...more(service),
});

export function listQueues(call: Call): Answer {
  const vhost = vhostOf(call);
  const queues = [...vhost.queues.values()].sort(byName);
  const entries = queues.map((queue) => showQueue(vhost, queue, call.service));
  const sizes = ['messages', 'messages_ready', 'messages_unacknowledged', 'message_bytes_ready'];
  const stats = ['message_stats.publish', 'message_stats.get'];
  const names = ['name', 'vhost', 'durable', 'policy', 'limit', 'consumers'];
  const limited = ['arguments.max_length', 'arguments.overflow'];
  return list(call, entries, [...names, ...sizes, ...stats, ...limited]);
}

export function getQueue(call: Call): Answer {
  const vhost = vhostOf(call, call.service.has('queue-of-others-shown'));
  const queue = find(call, vhost.queues, 'name');
  return { status: 200, json: showQueue(vhost, queue, call.service) };
}

/** Declares it; whether it is new. */
export function setQueue({ service }: Call, vhost: Vhost, name: string, form: Json): boolean {
  const { has } = service;
  const isDurable = (form['durable'] as boolean | undefined) ?? !has('queue-not-durable');
  const given = (form['arguments'] ?? {}) as Limits;
  const before = vhost.queues.get(name);
  if (before === undefined) {
    vhost.queues.set(name, newQueue(name, isDurable, given));
    return true;
  }
  const isSame = isDeepStrictEqual(before.arguments, given) || has('other-arguments-accepted');
  if (before.durable !== isDurable || !isSame)
    fail(service, 409, `queue '${name}' in vhost '${vhost.name}' has other properties`);
  return false;
}

export function putQueue(call: Call): Answer {
  const vhost = vhostOf(call);
  const name = nameOf(call);
  const form = bodyOf(call, queueRule(call.service));
  refuseReserved(call, name);
  need(call, 'configure', vhost, name);
  return put(setQueue(call, vhost, name, form));
}

export function deleteQueue(call: Call): Answer {
  const { service } = call;
  const vhost = vhostOf(call);
  const queue = find(call, vhost.queues, 'name');
  const isOnlyEmpty = flagOf(call, 'if-empty') && !service.has('if-empty-ignored');
  const isOnlyUnused = flagOf(call, 'if-unused') && !service.has('queue-if-unused-ignored');
  need(call, 'configure', vhost, queue.name);
  if (isOnlyEmpty && messagesOf(queue) > 0) fail(service, 409, `'${queue.name}' has messages`);
  if (isOnlyUnused && queue.consumers > 0) fail(service, 409, `'${queue.name}' has consumers`);
  vhost.queues.delete(queue.name);
  vhost.bindings = vhost.bindings.filter(({ destination }) => destination !== queue.name);
  return { status: 204 };
}

export const bindingRule = fields({ routing_key: text(0, 255), arguments: anyObject }, []);

/** The virtual host of the path, and the names of exchange and queue; 404 without one of them. */
function pairOf(call: Call): { vhost: Vhost; source: string; destination: string } {
  const vhost = vhostOf(call);
  const { name: source }: Exchange = find(call, vhost.exchanges, 'exchange');
  const destination = call.incoming.params['queue'] ?? '';
  const isLax = call.incoming.method === 'POST' && call.service.has('missing-queue-bound');
  if (!isLax) find(call, vhost.queues, 'queue');
  return { vhost, source, destination };
}

export function listBindings(call: Call): Answer {
  const { vhost, source, destination } = pairOf(call);
  const isAny = call.service.has('bindings-of-any-exchange');
  const found = vhost.bindings.filter((one) =>
    isAny ? one.destination === destination : isOfPair(one, source, destination),
  );
  return { status: 200, json: found.map((one) => ({ vhost: vhost.name, ...one })) };
}

type Pair = Pick<Binding, 'source' | 'destination'>;

/** Binds the pair; the key of the binding, and whether it is new. */
export function setBinding(
  { service }: Call,
  vhost: Vhost,
  { source, destination }: Pair,
  form: Json,
): { readonly key: string; readonly isNew: boolean } {
  const routing_key = (form['routing_key'] as string | undefined) ?? '';
  const given = form['arguments'] ?? {};
  const key = keyOf(routing_key, given, service);
  const isKnown = vhost.bindings.some(
    (one) => isOfPair(one, source, destination) && one.properties_key === key,
  );
  const isNew = !isKnown || service.has('binding-twice');
  const binding = { source, destination, routing_key, arguments: given, properties_key: key };
  if (isNew) vhost.bindings.push(binding);
  return { key, isNew };
}

function needBoth(call: Call, vhost: Vhost, { source, destination }: Pair): void {
  need(call, 'write', vhost, destination);
  need(call, 'read', vhost, source);
}

export function bind(call: Call): Answer {
  const { service, incoming } = call;
  const { vhost, ...pair } = pairOf(call);
  const form = bodyOf(call, bindingRule);
  needBoth(call, vhost, pair);
  const { key, isNew } = setBinding(call, vhost, pair, form);
  const names = [vhost.name, 'e', pair.source, 'q', pair.destination].map(encodeURIComponent);
  const last = service.has('location-not-encoded') ? key : encodeURIComponent(key);
  const origin = service.varies('location-is-whole') ? originOf(incoming.headers) : '';
  const headers = { Location: `${origin}/api/bindings/${[...names, last].join('/')}` };
  return { ...put(isNew), headers };
}

export function unbind(call: Call): Answer {
  const { vhost, ...pair } = pairOf(call);
  const key = call.incoming.params['properties_key'] ?? '';
  const isMeant = (one: Binding): boolean =>
    isOfPair(one, pair.source, pair.destination) &&
    (one.properties_key === key || call.service.has('unbind-all-of-pair'));
  if (!vhost.bindings.some((one) => isMeant(one) && one.properties_key === key))
    fail(call.service, 404, `no binding '${key}'`);
  needBoth(call, vhost, pair);
  vhost.bindings = vhost.bindings.filter((one) => !isMeant(one));
  return { status: 204 };
}

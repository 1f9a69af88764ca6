import { isUtf8 } from 'node:buffer';
import { fields, oneOf, text, whole, type Rule } from '../serving/fields.ts';
import type { Answer } from '../serving/serve.ts';
import {
  anyObject,
  bodyOf,
  fail,
  find,
  limitOf,
  need,
  policyOf,
  vhostOf,
  type Call,
  type Json,
} from './call.ts';
import { more, ofExchange } from './objects.ts';
import type { Message, Queue, Service, Vhost } from './store.ts';

/** Whether the words of a topic match those of a binding. */
function matchesWords(
  [first, ...pattern]: readonly string[],
  words: readonly string[],
  service: Service,
): boolean {
  if (first === undefined) return words.length === 0;
  if (first === '#') {
    const least = service.has('hash-needs-a-word') ? 1 : 0;
    for (let skipped = least; skipped <= words.length; skipped += 1)
      if (matchesWords(pattern, words.slice(skipped), service)) return true;
    return false;
  }
  const [word, ...rest] = words;
  const isFit = word !== undefined && (first === '*' || first === word);
  return isFit && matchesWords(pattern, rest, service);
}

const wordsOf = (key: string): string[] => (key === '' ? [] : key.split('.'));

function isRouted(type: string, bound: string, key: string, service: Service): boolean {
  if (type === 'fanout') return true;
  if (type === 'direct') return bound === key;
  return matchesWords(wordsOf(bound), wordsOf(key), service);
}

/** Puts the message into the queue, if the queue takes it. */
function take(vhost: Vhost, queue: Queue, message: Message, service: Service): boolean {
  const limit = limitOf(vhost, queue, service) ?? Infinity;
  const policy = policyOf(vhost, queue.name, 'queues', service);
  const overflow = queue.arguments.overflow ?? policy?.definition.overflow;
  const isFull = queue.ready.length >= limit;
  if (isFull && overflow === 'reject_publish') return false;
  queue.published += 1;
  if (isFull && service.has('full-drops-newest')) return true;
  queue.ready.push({ ...message });
  if (isFull) queue.ready.shift();
  return true;
}

const properties = fields(
  {
    message_id: text(0, Infinity),
    content_type: text(0, Infinity),
    priority: whole(0, 9),
    headers: anyObject,
  },
  [],
  true,
);

const publishRule: Rule = fields(
  {
    routing_key: text(0, 255),
    payload: text(0, Infinity),
    payload_encoding: oneOf(['string', 'base64']),
    properties,
  },
  ['routing_key', 'payload'],
);

const isBase64 = (payload: string): boolean =>
  /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(payload);

export function publish(call: Call): Answer {
  const { service } = call;
  const { has } = service;
  const vhost = vhostOf(call);
  const exchange = find(call, vhost.exchanges, 'name');
  const form = bodyOf(call, publishRule);
  const payload = String(form['payload']);
  const isEncoded = form['payload_encoding'] === 'base64';
  if (isEncoded && !isBase64(payload)) fail(service, 400, 'payload is no base64');
  need(call, has('publish-needs-configure') ? 'configure' : 'write', vhost, exchange.name);
  if (exchange.internal) fail(service, 403, `exchange '${exchange.name}' is internal`);
  const routingKey = String(form['routing_key']);
  const message: Message = {
    payload:
      isEncoded && !has('base64-not-decoded') ? payload : Buffer.from(payload).toString('base64'),
    exchange: exchange.name,
    routingKey,
    properties: has('properties-lost') ? {} : (form['properties'] ?? {}),
    redelivered: false,
  };
  const names = ofExchange(vhost, exchange.name)
    .filter(({ routing_key: bound }) => isRouted(exchange.type, bound, routingKey, service))
    .map(({ destination }) => destination);
  const queues = (has('one-copy-per-binding') ? names : [...new Set(names)])
    .map((name) => vhost.queues.get(name))
    .filter((queue) => queue !== undefined);
  const taken = queues.filter((queue) => take(vhost, queue, message, service)).length;
  exchange.publishOut += taken;
  if (taken > 0 || !has('publish-in-routed-only')) exchange.publishIn += 1;
  return { status: 200, json: { routed: taken > 0, queues: taken, ...more(service) } };
}

const getRule = fields(
  {
    count: whole(1, 1000),
    ack_mode: oneOf(['ack', 'requeue']),
    encoding: oneOf(['auto', 'base64']),
    truncate: whole(1, Infinity),
  },
  ['ack_mode'],
);

function show(message: Message, behind: number, { encoding, truncate }: Json): Json {
  const all = Buffer.from(message.payload, 'base64');
  const bytes = all.subarray(0, Number(truncate ?? Infinity));
  const isText = encoding !== 'base64' && isUtf8(bytes);
  return {
    payload: bytes.toString(isText ? 'utf8' : 'base64'),
    payload_encoding: isText ? 'string' : 'base64',
    payload_bytes: all.length,
    redelivered: message.redelivered,
    exchange: message.exchange,
    routing_key: message.routingKey,
    message_count: behind,
    properties: message.properties,
  };
}

export function getMessages(call: Call): Answer {
  const { has } = call.service;
  const vhost = vhostOf(call);
  const queue = find(call, vhost.queues, 'name');
  const form = bodyOf(call, getRule);
  need(call, 'read', vhost, queue.name);
  const taken = queue.ready.slice(0, Number(form['count'] ?? 1));
  const left = queue.ready.slice(taken.length);
  const one = has('message-count-with-itself') ? 0 : 1;
  const json = taken.map((message, at) => show(message, queue.ready.length - at - one, form));
  queue.handedOut += taken.length;
  if (!has('never-redelivered')) for (const message of taken) message.redelivered = true;
  const isLast = has('requeued-to-the-end');
  if (form['ack_mode'] === 'ack') queue.ready = left;
  else queue.ready = isLast ? [...left, ...taken] : [...taken, ...left];
  return { status: 200, json };
}

export function purge(call: Call): Answer {
  const vhost = vhostOf(call);
  const queue = find(call, vhost.queues, 'name');
  need(call, 'read', vhost, queue.name);
  queue.ready = [];
  if (call.service.has('purge-takes-unacknowledged')) queue.unacknowledged = 0;
  return { status: 204 };
}

import { choose, type Start } from '../serving/plant.ts';
import { defectNames, type DefectName } from './defects.ts';
import { variantNames, type VariantName } from './variants.ts';

export interface Message {
  /** Base64. */
  readonly payload: string;
  readonly exchange: string;
  readonly routingKey: string;
  readonly properties: object;
  redelivered: boolean;
}

export interface Limits {
  readonly max_length?: number;
  readonly overflow?: 'drop_head' | 'reject_publish';
}

export interface Queue {
  readonly name: string;
  readonly durable: boolean;
  readonly arguments: Limits;
  ready: Message[];
  unacknowledged: number;
  consumers: number;
  published: number;
  handedOut: number;
}

export interface Exchange {
  readonly name: string;
  readonly type: string;
  readonly durable: boolean;
  readonly internal: boolean;
  publishIn: number;
  publishOut: number;
}

export interface Binding {
  readonly source: string;
  readonly destination: string;
  readonly routing_key: string;
  readonly arguments: object;
  readonly properties_key: string;
}

export interface Policy {
  readonly name: string;
  readonly pattern: string;
  readonly apply_to: string;
  readonly priority: number;
  readonly definition: Limits;
}

export interface Vhost {
  readonly name: string;
  description: string;
  tags: readonly string[];
  readonly exchanges: Map<string, Exchange>;
  readonly queues: Map<string, Queue>;
  bindings: Binding[];
  readonly policies: Map<string, Policy>;
  /** Policies that apply though they are deleted. */
  readonly ghosts: Policy[];
}

export const patterns = ['configure', 'write', 'read'] as const;
export type Permission = Readonly<Record<(typeof patterns)[number], string>>;

export interface User {
  readonly name: string;
  /** The present one, and those before it. */
  readonly passwords: readonly string[];
  readonly tags: readonly string[];
  readonly source: 'config' | 'api';
  /** By virtual host. */
  readonly permissions: Map<string, Permission>;
}

/** A started broker: what is declared in it, and what is wrong or different in it. */
export interface Service {
  readonly has: (defect: DefectName) => boolean;
  readonly varies: (variant: VariantName) => boolean;
  vhosts: Map<string, Vhost>;
  readonly users: Map<string, User>;
  requests: number;
}

export const passwords = { ines: 'burrow-Admin-41', tomas: 'Lab:coat=White9' } as const;

export const everything: Permission = { configure: '.*', write: '.*', read: '.*' };

/** An empty virtual host with its reserved exchanges. */
export function newVhost(name: string, description = '', tags: readonly string[] = []): Vhost {
  const types = ['direct', 'fanout', 'topic'];
  const exchanges = types.map((type) => newExchange(`amq.${type}`, type, true, false));
  return {
    name,
    description,
    tags,
    exchanges: new Map(exchanges.map((exchange) => [exchange.name, exchange])),
    queues: new Map(),
    bindings: [],
    policies: new Map(),
    ghosts: [],
  };
}

export const newExchange = (
  name: string,
  type: string,
  durable: boolean,
  internal: boolean,
): Exchange => ({ name, type, durable, internal, publishIn: 0, publishOut: 0 });

export const newQueue = (name: string, durable: boolean, limits: Limits): Queue => ({
  name,
  durable,
  arguments: limits,
  ready: [],
  unacknowledged: 0,
  consumers: 0,
  published: 0,
  handedOut: 0,
});

/** What is there at the start. */
export function openBroker({ defect, variant }: Start): Service {
  const configured = (
    name: keyof typeof passwords,
    tags: readonly string[],
    vhosts: readonly string[],
  ): User => ({
    name,
    passwords: [passwords[name]],
    tags,
    source: 'config',
    permissions: new Map(vhosts.map((vhost) => [vhost, everything])),
  });
  const users = [
    configured('ines', ['administrator'], ['/', 'orders']),
    configured('tomas', ['management'], ['lab']),
  ];
  const vhosts = [
    newVhost('/', 'The default virtual host'),
    newVhost('orders', 'Orders and their bills', ['production', 'eu']),
    newVhost('lab', 'Measurements'),
  ];
  for (const vhost of vhosts) fill(vhost);
  return {
    has: choose('defect', defectNames, defect),
    varies: choose('variant', variantNames, variant),
    vhosts: new Map(vhosts.map((vhost) => [vhost.name, vhost])),
    users: new Map(users.map((user) => [user.name, user])),
    requests: 0,
  };
}

/** Queue, how many messages are ready and unacknowledged, consumers, limits. */
type Row = readonly [string, number, number, number, Limits?];

const rows: Readonly<Record<string, readonly Row[]>> = {
  '/': [
    ['audit', 3, 0, 0],
    ['events', 0, 2, 1],
  ],
  orders: [
    ['orders.new', 12, 3, 2],
    ['orders.billing', 5, 1, 1, { max_length: 500 }],
    ['orders.archive', 2, 0, 0, { max_length: 50, overflow: 'reject_publish' }],
    ['Returns', 0, 0, 0],
  ],
  lab: [
    ['probe.left', 4, 2, 1],
    ['probe.right', 1, 0, 0],
  ],
};

function fill(vhost: Vhost): void {
  const exchange = vhost.name === '/' ? 'amq.fanout' : vhost.name;
  if (vhost.name !== '/')
    vhost.exchanges.set(exchange, newExchange(exchange, 'topic', true, false));
  for (const [name, ready, unacknowledged, consumers, limits] of rows[vhost.name] ?? []) {
    const queue = newQueue(name, true, limits ?? {});
    Object.assign(queue, { unacknowledged, consumers, published: ready + unacknowledged });
    for (let at = 1; at <= ready; at += 1)
      queue.ready.push({
        payload: Buffer.from(`{"number": ${String(1900 + at)}, "city": "Tromsø"}`).toString(
          'base64',
        ),
        exchange,
        routingKey: `${name}.made`,
        properties: { message_id: `m-${String(at)}`, headers: { try: 1 } },
        redelivered: false,
      });
    vhost.queues.set(name, queue);
    const routing_key = vhost.name === '/' ? '' : `${name}.#`;
    const properties_key = routing_key === '' ? '~' : routing_key;
    const pair = { source: exchange, destination: name };
    vhost.bindings.push({ ...pair, routing_key, arguments: {}, properties_key });
  }
  const definition = { max_length: 10_000 };
  const policy = { name: 'cap', pattern: '.', apply_to: 'queues', priority: -10, definition };
  if (vhost.name === 'orders') vhost.policies.set('cap', policy);
}

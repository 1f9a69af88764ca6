import type { Client } from '../serving/client.ts';
import { isOther, unique, type Show } from '../serving/showing.ts';
import type { DefectName, defects } from './defects.ts';
import {
  bind,
  filled,
  person,
  publish,
  queue,
  read,
  rows,
  send,
  space,
  take,
  type View,
} from './use.ts';

type Of<Kind extends keyof typeof defects> = Record<keyof (typeof defects)[Kind], Show>;

const gone = { configure: '', write: '', read: '' };
const namesOf = (entries: readonly View[]): string => entries.map(({ name }) => name).join();

const credentials: Of<'credentials'> = {
  'any-password-accepted': (client) =>
    isOther(send(client, 'GET', '/whoami', undefined, { as: 'wrongKey' }), 401),
  'old-password-accepted': async (client) => {
    const { name, ask } = await person(client, await space(client));
    const form = { tags: ['management'], password: 'Another-one-5' };
    await send(client, 'PUT', `/users/${name}`, form);
    return isOther(send(client, 'GET', '/whoami', undefined, ask), 401);
  },
  'untagged-user-let-in': async (client) => {
    const { ask } = await person(client, await space(client), { tags: [] });
    return isOther(send(client, 'GET', '/whoami', undefined, ask), 401);
  },
  'tags-as-text': async (client) => !Array.isArray((await read(client, '/whoami')).tags),
};

/** A queue of a virtual host that the user sees, which has consumers and what they hold. */
async function consumed(client: Client): Promise<string> {
  for (const { name } of await rows(client, '/vhosts')) {
    const at = encodeURIComponent(name);
    const found = (await rows(client, `/queues/${at}`)).find(
      (one) => one.consumers > 0 && one.messages_unacknowledged > 0,
    );
    if (found !== undefined) return `/queues/${at}/${found.name}`;
  }
  return '/none';
}

const cluster: Of<'cluster'> = {
  'overview-of-all-vhosts': async (client) => {
    const { at } = await filled(client, []);
    const { ask } = await person(client, at);
    return (await read(client, '/overview', ask)).object_totals.queues !== 1;
  },
  'overview-ready-only': async (client) => {
    const { queue_totals: totals } = await read(client, '/overview');
    const { messages_ready: ready = 0, messages_unacknowledged: held = 0 } = totals;
    return totals['messages'] !== ready + held;
  },
  'backlog-limit-itself-fails': async (client) => {
    const { ask } = await person(client, (await filled(client, ['a', 'b'])).at);
    return isOther(send(client, 'GET', '/health/checks/backlog?limit=2', undefined, ask), 200);
  },
};

const definitions: Of<'definitions'> = {
  'export-without-arguments': async (client) => {
    const { at } = await filled(client, [], { arguments: { max_length: 5 } });
    const { queues: exported } = await read(client, '/definitions');
    return exported.find(({ vhost }) => vhost === at)?.arguments.max_length !== 5;
  },
  'import-in-part': async (client) => {
    const vhost = await space(client);
    await queue(client, vhost);
    const queues = [
      { vhost, name: 'before' },
      { vhost, name: 'q', durable: false },
    ];
    await send(client, 'POST', '/definitions', { queues });
    return isOther(send(client, 'GET', `/queues/${vhost}/before`), 404);
  },
  'import-changes-queue': async (client) => {
    const { at: vhost } = await filled(client, []);
    const queues = [{ vhost, name: 'q', arguments: { max_length: 7 } }];
    return isOther(send(client, 'POST', '/definitions', { queues }), 409);
  },
  'import-counts-all': async (client) => {
    const { at: vhost } = await filled(client, []);
    const queues = [{ vhost, name: 'q' }];
    return Number((await send(client, 'POST', '/definitions', { queues })).body.queues) !== 0;
  },
  'import-dangling-binding': async (client) => {
    const binding = { vhost: await space(client), source: 'amq.topic', destination: 'none' };
    return isOther(send(client, 'POST', '/definitions', { bindings: [binding] }), 400);
  },
};

const vhosts: Of<'vhosts'> = {
  'vhosts-of-others-listed': async (client) => {
    const at = await space(client);
    return (await rows(client, '/vhosts', { as: 'second' })).some(({ name }) => name === at);
  },
  'vhost-tags-kept': async (client) => {
    const at = await space(client, { tags: ['eu'] });
    await send(client, 'PUT', `/vhosts/${at}`, {});
    return (await rows(client, '/vhosts')).find(({ name }) => name === at)?.tags.length !== 0;
  },
  'vhost-of-others-replaced': async (client) => {
    const [own] = await rows(client, '/vhosts', { as: 'second' });
    return isOther(send(client, 'PUT', `/vhosts/${own?.name ?? ''}`, {}), 409);
  },
  'vhost-leaves-permissions': async (client) => {
    const at = await space(client);
    const { name } = await person(client, at);
    await send(client, 'DELETE', `/vhosts/${at}`);
    return (await read(client, `/users/${name}`)).permissions.length !== 0;
  },
  'vhost-by-anyone': (client) =>
    isOther(send(client, 'PUT', `/vhosts/${unique('own')}`, {}, { as: 'second' }), 403),
};

async function exchange(client: Client, type = 'direct'): Promise<{ at: string; path: string }> {
  const { at } = await filled(client, []);
  await send(client, 'PUT', `/exchanges/${at}/e`, { type });
  return { at, path: `/exchanges/${at}/e` };
}

const exchanges: Of<'exchanges'> = {
  'redeclared-201': async (client) => {
    const { path } = await exchange(client);
    return isOther(send(client, 'PUT', path, { type: 'direct', durable: true }), 204);
  },
  'exchange-type-changed': async (client) =>
    isOther(send(client, 'PUT', (await exchange(client)).path, { type: 'topic' }), 409),
  'exchange-leaves-bindings': async (client) => {
    const { at, path } = await exchange(client);
    await bind(client, at, 'e');
    await send(client, 'DELETE', path);
    await send(client, 'PUT', path, { type: 'direct' });
    return (await rows(client, `/bindings/${at}/e/e/q/q`)).length !== 0;
  },
  'exchange-if-unused-ignored': async (client) => {
    const { at, path } = await exchange(client);
    await bind(client, at, 'e');
    return isOther(send(client, 'DELETE', `${path}?if-unused=true`), 409);
  },
  'publish-in-routed-only': async (client) => {
    const { at } = await exchange(client);
    await publish(client, at, 'nowhere', { to: 'e' });
    const found = (await rows(client, `/exchanges/${at}`)).find(({ name }) => name === 'e');
    return found?.message_stats.publish_in !== 1;
  },
};

/** A virtual host with the queues B1, a1 and c1, limited to 10, 9 and 200 messages. */
async function three(client: Client): Promise<string> {
  const at = await space(client);
  for (const [name, max_length] of [
    ['B1', 10],
    ['a1', 9],
    ['c1', 200],
  ] as const)
    await queue(client, at, name, { arguments: { max_length } });
  return `/queues/${at}`;
}

/** Whether the list or page of three queues has others than these. */
const lists =
  (query: string, names: string): Show =>
  async (client) => {
    const body: unknown = await read(client, `${await three(client)}?${query}`);
    return namesOf(Array.isArray(body) ? (body as View[]) : (body as View).items) !== names;
  };

const listing: Of<'lists'> = {
  'page-count-rounded-down': async (client) =>
    (await read(client, `${await three(client)}?page_size=2`)).page_count !== 2,
  'total-count-filtered': async (client) =>
    (await read(client, `${await three(client)}?page=1&name=a`)).total_count !== 3,
  'name-case-sensitive': lists('name=b', 'B1'),
  'regex-as-text': lists('name=%5E[ac]&use_regex=true', 'a1,c1'),
  'numbers-sorted-as-texts': lists('sort=limit', 'a1,B1,c1'),
  'reverse-within-page': lists('sort=limit&sort_reverse=true&page=1&page_size=2', 'c1,B1'),
  'nested-columns-whole': async (client) => {
    const [found] = await rows(client, `${await three(client)}?columns=name,message_stats.get`);
    return JSON.stringify(found?.message_stats) !== '{"get":0}';
  },
  'second-page-overlaps': lists('sort=limit&page=2&page_size=1', 'B1'),
};

/** How many messages there are after a publish by topic to a queue with these bindings. */
async function routed(client: Client, keys: readonly string[], key: string): Promise<number> {
  const { at, path } = await filled(client, []);
  for (const routing_key of keys) await bind(client, at, 'amq.topic', { routing_key });
  await publish(client, at, key, { to: 'amq.topic' });
  return (await read(client, path)).messages;
}

const publishing: Of<'publishing'> = {
  'hash-needs-a-word': async (client) => (await routed(client, ['order.#'], 'order')) !== 1,
  'one-copy-per-binding': async (client) => (await routed(client, ['a.*', '*.b'], 'a.b')) !== 1,
  'base64-not-decoded': async (client) => {
    const { at, path } = await filled(client, []);
    await publish(client, at, '', { payload: 'SGk=', payload_encoding: 'base64' });
    return (await take(client, path))[0]?.payload !== 'Hi';
  },
  'properties-lost': async (client) => {
    const { at, path } = await filled(client, []);
    await publish(client, at, '', { properties: { message_id: 'm-7' } });
    return (await take(client, path))[0]?.properties.message_id !== 'm-7';
  },
  'full-drops-newest': async (client) => {
    const { path } = await filled(client, ['a', 'b', 'c'], { arguments: { max_length: 2 } });
    return (await take(client, path))[0]?.payload !== 'b';
  },
};

const queues: Of<'queues'> = {
  'queue-not-durable': async (client) =>
    (await read(client, (await filled(client, [])).path)).durable !== true,
  'other-arguments-accepted': async (client) => {
    const { path } = await filled(client, []);
    return isOther(send(client, 'PUT', path, { arguments: { max_length: 3 } }), 409);
  },
  'unknown-argument-accepted': async (client) => {
    const path = `/queues/${await space(client)}/q`;
    return isOther(send(client, 'PUT', path, { arguments: { max_size: 3 } }), 400);
  },
  'if-empty-ignored': async (client) => {
    const { path } = await filled(client, ['a']);
    return isOther(send(client, 'DELETE', `${path}?if-empty=true`), 409);
  },
  'queue-if-unused-ignored': async (client) =>
    isOther(send(client, 'DELETE', `${await consumed(client)}?if-unused=true`), 409),
  'purge-takes-unacknowledged': async (client) => {
    const path = await consumed(client);
    await send(client, 'DELETE', `${path}/contents`);
    return (await read(client, path)).messages === 0;
  },
  'queue-of-others-shown': async (client) => {
    const { path } = await filled(client, []);
    return isOther(send(client, 'GET', path, undefined, { as: 'second' }), 404);
  },
};

const getting: Of<'getting'> = {
  'requeued-to-the-end': async (client) => {
    const { path } = await filled(client, ['a', 'b']);
    await take(client, path, { count: 1 });
    return (await take(client, path))[0]?.payload !== 'a';
  },
  'never-redelivered': async (client) => {
    const { path } = await filled(client, ['a']);
    await take(client, path);
    return (await take(client, path))[0]?.redelivered !== true;
  },
  'message-count-with-itself': async (client) =>
    (await take(client, (await filled(client, ['a', 'b'])).path))[0]?.message_count !== 1,
};

/** The bindings of a queue to amq.topic after these binds. */
async function bound(client: Client, forms: readonly object[]): Promise<readonly View[]> {
  const { at } = await filled(client, []);
  for (const form of forms) await bind(client, at, 'amq.topic', form);
  return rows(client, `/bindings/${at}/e/amq.topic/q/q`);
}

const bindings: Of<'bindings'> = {
  'binding-twice': async (client) => (await bound(client, [{}, {}])).length !== 1,
  'arguments-not-compared': async (client) =>
    (await bound(client, [{}, { arguments: { x: 1 } }])).length !== 2,
  'location-not-encoded': async (client) => {
    const { at } = await filled(client, []);
    const { headers } = await bind(client, at, 'amq.topic', { routing_key: 'a.#' });
    const path = (headers.get('location') ?? '').replace(/^.*?\/api\//, '/');
    return isOther(send(client, 'DELETE', path), 204);
  },
  'unbind-all-of-pair': async (client) => {
    const { at } = await filled(client, []);
    const pair = `/bindings/${at}/e/amq.topic/q/q`;
    for (const routing_key of ['a', 'b']) await bind(client, at, 'amq.topic', { routing_key });
    const [first] = await rows(client, pair);
    await send(client, 'DELETE', `${pair}/${first?.properties_key ?? ''}`);
    return (await rows(client, pair)).length !== 1;
  },
  'bindings-of-any-exchange': async (client) => (await bound(client, [])).length !== 0,
  'missing-queue-bound': async (client) =>
    isOther(bind(client, await space(client), 'amq.topic'), 404),
};

const users: Of<'users'> = {
  'user-loses-permissions': async (client) => {
    const { name } = await person(client, await space(client));
    await send(client, 'PUT', `/users/${name}`, { tags: ['management'] });
    return (await read(client, `/users/${name}`)).permissions.length !== 1;
  },
  'patterns-find-part': async (client) => {
    const at = await space(client);
    const { ask } = await person(client, at, { permission: { configure: 'my' } });
    return isOther(send(client, 'PUT', `/queues/${at}/my-queue`, {}, ask), 403);
  },
  'publish-needs-configure': async (client) => {
    const at = await space(client);
    const { ask } = await person(client, at, { permission: { configure: '' } });
    const path = `/exchanges/${at}/amq.topic/publish`;
    return isOther(send(client, 'POST', path, { routing_key: 'a', payload: 'b' }, ask), 200);
  },
  'empty-patterns-keep-access': async (client) => {
    const at = await space(client);
    const { name } = await person(client, at);
    await send(client, 'PUT', `/permissions/${at}/${name}`, gone);
    return (await read(client, `/users/${name}`)).permissions.length !== 0;
  },
};

/** The queue q as it is read after these policies, with a limit of its own or without. */
async function ruled(
  client: Client,
  policies: Readonly<Record<string, object>>,
  form: object = {},
): Promise<View> {
  const { at, path } = await filled(client, [], form);
  for (const [name, policy] of Object.entries(policies))
    await send(client, 'PUT', `/policies/${at}/${name}`, { pattern: 'q', ...policy });
  return read(client, path);
}

const limit = (max_length: number): object => ({ definition: { max_length } });

const policies: Of<'policies'> = {
  'lowest-priority-applies': async (client) =>
    (await ruled(client, { a: limit(5), b: { priority: 2, ...limit(6) } })).policy !== 'b',
  'deleted-policy-applies': async (client) => {
    const { at, path } = await filled(client, []);
    await send(client, 'PUT', `/policies/${at}/p`, { pattern: 'q', ...limit(5) });
    await send(client, 'DELETE', `/policies/${at}/p`);
    return typeof (await read(client, path)).limit === 'number';
  },
  'policy-limit-alone': async (client) =>
    (await ruled(client, { a: limit(9) }, { arguments: { max_length: 4 } })).limit !== 4,
  'apply-to-ignored': async (client) =>
    typeof (await ruled(client, { a: { apply_to: 'exchanges', ...limit(5) } })).policy === 'string',
  'priority-kept': async (client) => {
    const at = await space(client);
    for (const more of [{ priority: 8 }, {}])
      await send(client, 'PUT', `/policies/${at}/p`, { pattern: 'q', ...limit(5), ...more });
    return (await rows(client, `/policies/${at}`))[0]?.priority !== 0;
  },
};

/** For each defect: whether it shows to a client that reads the document. */
export const shows: Readonly<Record<DefectName, Show>> = {
  ...credentials,
  ...cluster,
  ...definitions,
  ...vhosts,
  ...exchanges,
  ...listing,
  ...publishing,
  ...queues,
  ...getting,
  ...bindings,
  ...users,
  ...policies,
};

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Api } from '../api.ts';
import { objectOf, objectsOf, textOf } from '../json.ts';
import type { CensusRecord, Place, Service } from '../service.ts';

const version = '26.5.0';
const [user, password] = ['admin', 'secret'] as const;
const credentials = Buffer.from(`${user}:${password}`).toString('base64');

/**
 * Kinto: buckets, collections, groups and records in memory, with accounts and the flush endpoint.
 */
export const kinto: Service = {
  name: 'kinto',
  title: 'Kinto',
  version,
  install: { from: 'pypi', requirements: 'kinto.txt' },
  start: ({ installed, data, ports }) => {
    const file = join(data, 'kinto.ini');
    writeFileSync(file, settings(ports[0]));
    return {
      program: join(installed, 'bin/kinto'),
      args: ['start', '--ini', file, '--port', String(ports[0])],
    };
  },
  ready: { path: '/v1/__lbheartbeat__' },
  document: async ({ data }: Place, api) => {
    const file = join(data, 'kinto.json');
    writeFileSync(file, (await api.send('GET', '/v1/__api__')).text);
    return file;
  },
  basePath: '/v1',
  auth: { headers: { authorization: `Basic ${credentials}` }, token: `${user}:${password}` },
  examples: {
    '*': { bucket_id: 'blog', collection_id: 'articles', principal: 'account:alice' },
    get_account: { id: 'alice' },
    get_bucket: { id: 'blog' },
    get_collection: { id: 'articles' },
    get_group: { id: 'editors' },
    get_record: { id: 'first' },
  },
  kinds: [
    { name: 'account', createdBy: ['POST /accounts', 'PUT /accounts/{id}', 'POST /batch'] },
    { name: 'bucket', createdBy: ['POST /buckets', 'PUT /buckets/{id}', 'POST /batch'] },
    { name: 'collection', createdBy: createdBy('collections') },
    { name: 'group', createdBy: createdBy('groups') },
    { name: 'record', createdBy: createdBy('collections/{collection_id}/records') },
  ],
  seed,
  census,
};

function createdBy(below: string): string[] {
  const path = `/buckets/{bucket_id}/${below}`;
  return [`POST ${path}`, `PUT ${path}/{id}`, 'POST /batch'];
}

/**
 * The account that checks may write everywhere, as the account of a continuous integration often
 * may.
 */
function settings(port: number): string {
  return `[server:main]
use = egg:waitress#main
host = 127.0.0.1
port = ${String(port)}
[app:main]
use = egg:kinto
kinto.includes = kinto.plugins.accounts
                 kinto.plugins.flush
kinto.storage_backend = kinto.core.storage.memory
kinto.cache_backend = kinto.core.cache.memory
kinto.permission_backend = kinto.core.permission.memory
kinto.userid_hmac_secret = bench
multiauth.policies = account basicauth
multiauth.policy.account.use = kinto.plugins.accounts.AccountsPolicy
kinto.account_create_principals = system.Everyone
kinto.account_write_principals = account:${user}
kinto.bucket_create_principals = system.Authenticated
kinto.bucket_read_principals = account:${user}
kinto.bucket_write_principals = account:${user}
kinto.account_read_principals = account:${user}
kinto.flush_endpoint_enabled = true
`;
}

const people = ['alice', 'bob', 'carol', 'dave', 'erin'];

async function seed(api: Api): Promise<void> {
  await api.send('PUT', `/v1/accounts/${user}`, { data: { password } }, { authorization: '' });
  for (const name of people)
    await api.ask('PUT', `/v1/accounts/${name}`, { data: { password: 'pass' } });
  for (const bucket of ['blog', 'shop', 'wiki', 'forum', 'photos']) {
    await api.ask('PUT', `/v1/buckets/${bucket}`, {
      data: { owner: 'alice' },
      permissions: { read: ['account:bob'] },
    });
    await api.ask('PUT', `/v1/buckets/${bucket}/groups/editors`, {
      data: { members: ['account:carol'] },
    });
    await api.ask('PUT', `/v1/buckets/${bucket}/collections/articles`, { data: { sort: 'title' } });
    await api.ask('PUT', `/v1/buckets/${bucket}/collections/comments`, {
      permissions: { write: ['account:dave'] },
    });
    for (const id of ['first', 'second'])
      await api.ask('PUT', `/v1/buckets/${bucket}/collections/articles/records/${id}`, {
        data: { title: `${id} of ${bucket}` },
      });
  }
}

async function census(api: Api): Promise<CensusRecord[]> {
  const buckets = await read(api, 'bucket', '/v1/buckets', '');
  const records = [...(await read(api, 'account', '/v1/accounts', '')), ...buckets];
  for (const { names } of buckets) {
    const [bucket = ''] = names;
    const below = `/v1/buckets/${bucket}`;
    const collections = await read(api, 'collection', `${below}/collections`, `${bucket}/`);
    records.push(...collections, ...(await read(api, 'group', `${below}/groups`, `${bucket}/`)));
    for (const {
      names: [collection = ''],
    } of collections)
      records.push(
        ...(await read(
          api,
          'record',
          `${below}/collections/${collection}/records`,
          `${bucket}/${collection}/`,
        )),
      );
  }
  return records;
}

/**
 * Everything in one list, each record read by itself: only that shows its permissions. What is
 * below the buckets of other accounts cannot be read.
 */
async function read(api: Api, kind: string, path: string, prefix: string): Promise<CensusRecord[]> {
  const { status, json } = await api.send('GET', path);
  if (status === 403) return [];
  if (status !== 200) throw new Error(`GET ${path} was answered ${String(status)}`);
  const ids = objectsOf(objectOf(json)['data']).map((record) => textOf(record, 'id'));
  const contents = await Promise.all(
    ids.map((id) => api.ask('GET', `${path}/${encodeURIComponent(id)}`)),
  );
  return ids.map((id, at) => ({
    kind,
    id: prefix + id,
    names: [id],
    content: contents[at] ?? null,
  }));
}

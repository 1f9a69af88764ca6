import { join } from 'node:path';
import type { Api } from '../api.ts';
import { objectOf, objectsOf, textOf, without, type Json } from '../json.ts';
import type { CensusRecord, Service } from '../service.ts';

const version = '3.6.8';
const swagger = 'Documentation/dev-guide/apispec/swagger/rpc.swagger.json';

/**
 * etcd through its gRPC gateway: keys with their history, leases, users, roles, members and
 * switches.
 */
export const etcd: Service = {
  name: 'etcd',
  title: 'etcd',
  version,
  install: {
    from: 'go',
    module: 'go.etcd.io/etcd/server/v3',
    version: `v${version}`,
    command: '',
    copy: [{ from: 'go.etcd.io/etcd/v3', path: swagger }],
  },
  start: ({ installed, data, ports: [port, peers] }) => {
    const [client, peer] = [
      `http://127.0.0.1:${String(port)}`,
      `http://127.0.0.1:${String(peers)}`,
    ];
    const cluster = [
      '--listen-peer-urls',
      peer,
      '--initial-advertise-peer-urls',
      peer,
      '--initial-cluster',
      `default=${peer}`,
    ];
    return {
      program: join(installed, 'program'),
      args: [
        '--data-dir',
        join(data, 'etcd'),
        '--listen-client-urls',
        client,
        '--advertise-client-urls',
        client,
        ...cluster,
      ],
    };
  },
  ready: { path: '/health' },
  document: ({ installed }) => join(installed, 'rpc.swagger.json'),
  basePath: '',
  auth: { headers: {} },
  kinds: [
    { name: 'key', createdBy: ['POST /v3/kv/put', 'POST /v3/kv/txn'] },
    { name: 'history', createdBy: [], notLeft: 'an earlier state of a key' },
    { name: 'lease', createdBy: ['POST /v3/lease/grant'] },
    { name: 'user', createdBy: ['POST /v3/auth/user/add'] },
    { name: 'role', createdBy: ['POST /v3/auth/role/add'] },
    { name: 'member', createdBy: ['POST /v3/cluster/member/add'] },
    { name: 'alarm', createdBy: ['POST /v3/maintenance/alarm'] },
    { name: 'setting', createdBy: [] },
  ],
  seed,
  census,
};

const names = ['alpha', 'beta', 'gamma', 'delta', 'epsilon'];
const encode = (text: string): string => Buffer.from(text).toString('base64');
const decode = (text: string): string => Buffer.from(text, 'base64').toString('utf8');
const wholeRange = { key: 'AA==', range_end: 'AA==' };

/** The root user is ready for the day on which somebody switches authentication on. */
async function seed(api: Api): Promise<void> {
  for (const [at, name] of names.entries()) {
    for (const value of ['old', 'new'])
      await api.ask('POST', '/v3/kv/put', { key: encode(`config/${name}`), value: encode(value) });
    await api.ask('POST', '/v3/lease/grant', { ID: String(7_000 + at), TTL: '864000' });
    await api.ask('POST', '/v3/kv/put', {
      key: encode(`locks/${name}`),
      value: encode('held'),
      lease: String(7_000 + at),
    });
    await api.ask('POST', '/v3/auth/role/add', { name });
    await api.ask('POST', '/v3/auth/user/add', { name, password: 'pass' });
    await api.ask('POST', '/v3/auth/user/grant', { user: name, role: name });
  }
  await seedCommon(api);
  await api.ask('POST', '/v3/auth/user/add', { name: 'root', password: 'pass' });
  await api.ask('POST', '/v3/auth/role/add', { name: 'root' });
  await api.ask('POST', '/v3/auth/user/grant', { user: 'root', role: 'root' });
}

/** Names that anybody might choose, a program that makes values too. */
const common = ['hello', 'null', ' ', '漢字とかな', 'amber'];

async function seedCommon(api: Api): Promise<void> {
  for (const name of common) {
    await api.ask('POST', '/v3/kv/put', { key: encode(name), value: encode('mine') });
    await api.ask('POST', '/v3/auth/role/add', { name });
    const perm = { permType: 'READ', key: encode(name) };
    await api.ask('POST', '/v3/auth/role/grant', { name, perm });
    await api.ask('POST', '/v3/auth/user/add', { name, password: 'pass' });
  }
}

async function census(api: Api): Promise<CensusRecord[]> {
  const { isOn, ask } = await withAuthentication(api);
  const list = async (
    path: string,
    member: string,
    body: Json = {},
  ): Promise<readonly { readonly [name: string]: Json }[]> =>
    objectsOf(objectOf(await ask(path, body))[member]);
  const texts = async (path: string, member: string): Promise<string[]> =>
    listOf(objectOf(await ask(path, {}))[member]);
  const each = async (
    kind: string,
    path: string,
    ids: readonly string[],
    bodyOf: (id: string) => Json,
  ): Promise<CensusRecord[]> =>
    Promise.all(
      ids.map(async (id) =>
        recordOf(kind, id, without(await ask(path, bodyOf(id)), 'header', 'TTL')),
      ),
    );
  const leases = (await list('/v3/lease/leases', 'leases')).map((lease) => textOf(lease, 'ID'));
  return [
    ...(await list('/v3/kv/range', 'kvs', wholeRange)).map((pair): CensusRecord => ({
      kind: 'key',
      id: textOf(pair, 'key'),
      names: [textOf(pair, 'key'), decode(textOf(pair, 'key'))],
      content: pair,
    })),
    ...(await historyOf(ask)),
    ...(await each('lease', '/v3/lease/timetolive', leases, (ID) => ({ ID, keys: true }))),
    ...(await each(
      'user',
      '/v3/auth/user/get',
      await texts('/v3/auth/user/list', 'users'),
      (name) => ({ name }),
    )),
    ...(await each(
      'role',
      '/v3/auth/role/get',
      await texts('/v3/auth/role/list', 'roles'),
      (role) => ({ role }),
    )),
    ...(await list('/v3/cluster/member/list', 'members')).map((member) =>
      recordOf('member', textOf(member, 'ID'), member),
    ),
    ...(await list('/v3/maintenance/alarm', 'alarms', { action: 'GET' })).map((alarm) =>
      recordOf('alarm', `${textOf(alarm, 'memberID')} ${textOf(alarm, 'alarm')}`, alarm),
    ),
    recordOf('setting', 'authentication', isOn),
  ];
}

type Ask = (path: string, body: Json) => Promise<Json>;

/** Where a run has switched authentication on, the census reads as root. */
async function withAuthentication(
  api: Api,
): Promise<{ readonly isOn: boolean; readonly ask: Ask }> {
  const { status } = await api.send('POST', '/v3/kv/range', { key: encode('a') });
  if (status === 200) return { isOn: false, ask: (path, body) => api.ask('POST', path, body) };
  const token = textOf(
    await api.ask('POST', '/v3/auth/authenticate', { name: 'root', password: 'pass' }),
    'token',
  );
  const ask: Ask = async (path, body) => {
    const reply = await api.send('POST', path, body, { authorization: token });
    if (reply.status !== 200)
      throw new Error(`POST ${path} was answered ${String(reply.status)} to root`);
    return reply.json;
  };
  return { isOn: true, ask };
}

/**
 * The first value of each key, as long as no compaction has removed it. The first revision of the
 * data is 2.
 */
async function historyOf(ask: Ask): Promise<CensusRecord[]> {
  const records: CensusRecord[] = [];
  for (const [at, name] of names.entries()) {
    const revision = String(2 + at * 3);
    const pairs = objectsOf(
      objectOf(
        await ask('/v3/kv/range', { key: encode(`config/${name}`), revision }).catch(() => ({})),
      )['kvs'],
    );
    records.push(
      ...pairs.map((pair) =>
        recordOf('history', `config/${name} at ${revision}`, textOf(pair, 'value')),
      ),
    );
  }
  return records;
}

function listOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.map((text: Json) => textOf(text)) : [];
}

function recordOf(kind: string, id: string, content: Json): CensusRecord {
  return { kind, id, names: [id], content };
}

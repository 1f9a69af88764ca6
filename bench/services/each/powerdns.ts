import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Api } from '../api.ts';
import { objectOf, objectsOf, textOf, without, type Json } from '../json.ts';
import type { CensusRecord, Launch, Place, Service } from '../service.ts';

const key = 'secret';
const server = '/api/v1/servers/localhost';

/**
 * PowerDNS Authoritative Server: zones with their record sets, metadata and keys, TSIG keys,
 * autoprimaries and settings.
 */
export const powerdns: Service = {
  name: 'powerdns',
  title: 'PowerDNS',
  version: '4.7.3-2',
  install: { from: 'debian', packages: ['pdns-server=4.7.3-2', 'pdns-backend-sqlite3=4.7.3-2'] },
  start,
  ready: { path: server },
  document: async ({ data }, api) => {
    const file = join(data, 'powerdns.yaml');
    writeFileSync(
      file,
      (await api.send('GET', '/api/docs', undefined, { accept: 'application/x-yaml' })).text,
    );
    return file;
  },
  basePath: '/api/v1',
  auth: { headers: { 'x-api-key': key }, token: key },
  examples: {
    '*': {
      server_id: 'localhost',
      zone_id: 'example.org.',
      metadata_kind: 'ALLOW-AXFR-FROM',
      cryptokey_id: '1',
      tsigkey_id: 'transfer-0.',
      config_setting_name: 'api',
      ip: '192.0.2.100',
      nameserver: 'ns1.example.org',
    },
  },
  kinds: [
    { name: 'zone', createdBy: ['POST /servers/{server_id}/zones'] },
    {
      name: 'rrset',
      createdBy: ['PATCH /servers/{server_id}/zones/{zone_id}', 'POST /servers/{server_id}/zones'],
    },
    { name: 'metadata', createdBy: below('metadata') },
    { name: 'cryptokey', createdBy: below('cryptokeys') },
    { name: 'tsigkey', createdBy: ['POST /servers/{server_id}/tsigkeys'] },
    { name: 'autoprimary', createdBy: ['POST /servers/{server_id}/autoprimaries'] },
    { name: 'setting', createdBy: [] },
  ],
  seed,
  census,
};

function below(name: string): string[] {
  const path = `/servers/{server_id}/zones/{zone_id}/${name}`;
  return [`POST ${path}`, `PUT ${path}/{metadata_kind}`];
}

function start({ installed, data, ports }: Place): Launch {
  const libraries = join(installed, 'usr/lib/x86_64-linux-gnu');
  const database = join(data, 'zones.db');
  const schema = join(installed, 'usr/share/doc/pdns-backend-sqlite3/schema.sqlite3.sql');
  if (!existsSync(database)) execFileSync('sqlite3', [database], { input: readFileSync(schema) });
  const [port, dns] = ports;
  const web = [
    '--webserver=yes',
    '--api=yes',
    `--api-key=${key}`,
    '--webserver-address=127.0.0.1',
    `--webserver-port=${String(port)}`,
  ];
  const backend = [
    '--launch=gsqlite3',
    `--gsqlite3-database=${database}`,
    '--gsqlite3-dnssec=yes',
    `--module-dir=${join(libraries, 'pdns')}`,
  ];
  const place = [
    `--config-dir=${data}`,
    `--socket-dir=${data}`,
    '--local-address=127.0.0.1',
    `--local-port=${String(dns)}`,
    '--daemon=no',
    '--guardian=no',
  ];
  return {
    program: join(installed, 'usr/sbin/pdns_server'),
    args: [...place, ...backend, ...web],
    env: { LD_LIBRARY_PATH: libraries },
  };
}

async function seed(api: Api): Promise<void> {
  for (const [at, name] of [
    'example.org',
    'example.com',
    'shop.test',
    'mail.test',
    'corp.test',
  ].entries()) {
    const zone = `${server}/zones/${name}.`;
    const rrsets = ['www', 'mail', 'ftp'].map((host) => ({
      name: `${host}.${name}.`,
      type: 'A',
      ttl: 3600,
      records: [{ content: `192.0.2.${String(at + 1)}`, disabled: false }],
    }));
    await api.ask('POST', `${server}/zones`, {
      name: `${name}.`,
      kind: 'Native',
      nameservers: [`ns1.${name}.`],
      rrsets,
    });
    await api.ask('POST', `${zone}/metadata`, {
      kind: 'ALLOW-AXFR-FROM',
      metadata: ['192.0.2.99'],
    });
    await api.ask('POST', `${zone}/cryptokeys`, { keytype: 'csk', active: true });
    await api.ask('POST', `${server}/tsigkeys`, {
      name: `transfer-${String(at)}`,
      algorithm: 'hmac-sha256',
    });
    await api.ask('POST', `${server}/autoprimaries`, {
      ip: `192.0.2.${String(100 + at)}`,
      nameserver: `ns1.${name}`,
      account: 'team',
    });
  }
}

async function census(api: Api): Promise<CensusRecord[]> {
  const zones = objectsOf(await api.ask('GET', `${server}/zones`));
  const inZones = await Promise.all(zones.map((zone) => zoneOf(api, textOf(zone, 'id'))));
  const keys = objectsOf(await api.ask('GET', `${server}/tsigkeys`));
  // PowerDNS lists keys that it does not find, where a run has given one an odd name.
  const keysRead = await Promise.all(
    keys.map((each) =>
      api.ask('GET', `${server}/tsigkeys/${textOf(each, 'id')}`).catch(() => each),
    ),
  );
  const primaries = objectsOf(await api.ask('GET', `${server}/autoprimaries`));
  return [
    ...inZones.flat(),
    ...keysRead.map((each): CensusRecord => ({
      kind: 'tsigkey',
      id: textOf(each, 'id'),
      names: [textOf(each, 'id'), textOf(each, 'name')],
      content: each,
    })),
    ...primaries.map((each): CensusRecord => ({
      kind: 'autoprimary',
      id: `${textOf(each, 'ip')} ${textOf(each, 'nameserver')}`,
      names: [textOf(each, 'ip'), textOf(each, 'nameserver')],
      content: each,
    })),
    ...objectsOf(await api.ask('GET', `${server}/config`)).map((setting) =>
      recordOf('setting', textOf(setting, 'name'), setting),
    ),
  ];
}

async function zoneOf(api: Api, id: string): Promise<CensusRecord[]> {
  const path = `${server}/zones/${id}`;
  const zone = objectOf(await api.ask('GET', path));
  const keys = objectsOf(await api.ask('GET', `${path}/cryptokeys`));
  const metadata = objectsOf(await api.ask('GET', `${path}/metadata`));
  // The serial of the SOA is part of the zone; the record sets are records of their own.
  return [
    recordOf('zone', id, without(zone, 'rrsets')),
    ...objectsOf(zone['rrsets']).map((set): CensusRecord => ({
      kind: 'rrset',
      id: `${id} ${textOf(set, 'name')} ${textOf(set, 'type')}`,
      names: [textOf(set, 'name'), id],
      content: set,
    })),
    ...metadata.map((each): CensusRecord => ({
      kind: 'metadata',
      id: `${id} ${textOf(each, 'kind')}`,
      names: [textOf(each, 'kind')],
      content: each['metadata'] ?? null,
    })),
    ...keys.map((each): CensusRecord => ({
      kind: 'cryptokey',
      id: `${id} ${textOf(each, 'id')}`,
      names: [textOf(each, 'id')],
      content: each,
    })),
  ];
}

function recordOf(kind: string, id: string, content: Json): CensusRecord {
  return { kind, id, names: [id], content };
}

import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import { startMock } from '../../src/library/start-mock.ts';
import { reporters } from '../../src/report/reporters.ts';
import type { JsonObject } from '../../src/json/value.ts';
import { afterTest, proxied, type Setting } from './workshop.ts';

const text = { type: 'string' };
const anyBody = { content: { 'application/json': { schema: {} } } };
const document: JsonObject = {
  openapi: '3.1.0',
  info: { title: 'Accounts', version: '1' },
  servers: [{ url: '/v1' }],
  paths: {
    '/login': {
      post: {
        operationId: 'login',
        requestBody: {
          content: {
            'application/json': { schema: { type: 'object' } },
            'application/x-www-form-urlencoded': { schema: { type: 'object' } },
            'multipart/form-data': { schema: { type: 'object' } },
          },
        },
        responses: { 200: { description: 'ok', ...anyBody } },
      },
    },
    '/accounts': {
      get: {
        operationId: 'listAccounts',
        parameters: [{ name: 'pin', in: 'query', schema: { type: 'string', format: 'password' } }],
        responses: {
          200: {
            description: 'ok',
            content: {
              'application/json': {
                schema: { type: 'array', items: { $ref: '#/components/schemas/Account' } },
              },
            },
          },
        },
      },
    },
    '/accounts/{id}': {
      get: {
        operationId: 'getAccount',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: {
          200: {
            description: 'ok',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Account' } } },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Account: {
        type: 'object',
        required: ['id', 'name'],
        properties: {
          id: { type: 'integer' },
          name: text,
          password: text,
          api_key: text,
          token_type: text,
          opener: { type: 'string', format: 'password' },
        },
      },
    },
  },
};

/** One text for each place in which a client or a service may write a secret. */
const secrets = {
  body: 'S3cret-json-0001',
  nested: 'S3cret-nested-0002',
  form: 'S3cret-form-0003',
  part: 'S3cret-part-0004',
  query: 'S3cret-query-0005',
  byContract: 'S3cret-pin-0006',
  access: 'S3cret-access-0007',
  refresh: 'S3cret-refresh-0008',
  location: 'S3cret-loc-0009',
  fragment: 'S3cret-frag-0010',
  link: 'S3cret-link-0011',
  referer: 'S3cret-ref-0012',
  cookie: 'S3cret-cookie-0013',
  setCookie: 'S3cret-set-0014',
  basic: 'S3cret-basic-0015',
  bearer: 'S3cret-bearer-0016',
  record: 'S3cret-record-0017',
  key: 'S3cret-key-0018',
  opener: 'S3cret-opener-0019',
  compressed: 'S3cret-gzip-0020',
  jwt: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJTM2NyZXQifQ.c2lnbmF0dXJlLXNpZ25hdHVyZQ',
};
const basic = Buffer.from(`robin:${secrets.basic}`).toString('base64');

const service: RequestListener = (incoming, response) => {
  incoming.resume().on('end', () => {
    response.setHeader('content-type', 'application/json');
    if (incoming.url?.includes('login') === true) {
      response.setHeader(
        'location',
        `/cb?access_token=${secrets.location}#id_token=${secrets.fragment}`,
      );
      response.setHeader('link', `</a?api_key=${secrets.link}>; rel="next"`);
      response.setHeader('set-cookie', `sid=${secrets.setCookie}; Path=/`);
      const answer = {
        access_token: secrets.access,
        deep: [{ refreshToken: secrets.refresh }],
        token_type: 'bearer',
        message: `the password ${secrets.body} is old`,
      };
      return response.end(JSON.stringify(answer));
    }
    const account = {
      id: 1,
      name: 'robin',
      password: secrets.record,
      api_key: secrets.key,
      opener: secrets.opener,
      token_type: 'bearer',
    };
    if (incoming.url?.includes('accounts/1') === true) return response.end(JSON.stringify(account));
    response.setHeader('content-encoding', 'gzip');
    response.end(gzipSync(JSON.stringify([{ ...account, id: 2, password: secrets.compressed }])));
  });
};

let folder = '';
let reports: ReturnType<(typeof reporters)[number]['begin']>[] = [];
let written = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vouch-proxy-'));
  afterTest(() => rmSync(folder, { recursive: true }));
  reports = reporters.map((reporter) => reporter.begin({ color: false, width: 80, verbose: true }));
  written = '';
});

async function record(): Promise<Setting> {
  const setting = await proxied(service, {
    contract: document,
    record: join(folder, 'traffic'),
    onEvent: (event) => {
      for (const report of reports) written += report(event);
    },
  });
  const { url } = setting;
  const send = async (path: string, init: RequestInit = {}): Promise<void> =>
    void (await (await fetch(url + path, { redirect: 'manual', ...init })).text());
  const json = { 'content-type': 'application/json' };
  const user = { password: secrets.body, user: { credentials: { secret: secrets.nested } } };
  await send('/login', { method: 'POST', headers: json, body: JSON.stringify(user) });
  await send('/login', { method: 'POST', body: new URLSearchParams({ passwd: secrets.form }) });
  const parts = new FormData();
  parts.append('password', secrets.part);
  await send('/login', { method: 'POST', body: parts });
  await send(`/accounts?access_token=${secrets.query}&pin=${secrets.byContract}&limit=1`);
  const referer = `http://h/?token=${secrets.referer}`;
  await send('/accounts/1', { headers: { referer, 'x-user': secrets.jwt } });
  await send('/accounts/1', { headers: { authorization: `Basic ${basic}` } });
  const headers = { authorization: `Bearer ${secrets.bearer}`, cookie: `a=${secrets.cookie}` };
  await send('/accounts/1', { headers });
  await setting.proxy.close();
  return setting;
}

function filesOf(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
}

test('no secret is in the recording, in a report, or in a line of the terminal', async () => {
  const { seen, notes } = await record();
  const all = [...filesOf(join(folder, 'traffic')), written, JSON.stringify(seen), ...notes];
  const found = Object.entries({ ...secrets, coded: basic }).filter(([, secret]) =>
    all.some((each) => each.includes(secret)),
  );
  expect(found).toEqual([]);
  expect(written).toContain('[redacted]');
  expect(all.join('')).toContain('"token_type": "bearer"');
});

test('a mock plays the recording: what was secret has its type, all else its value', async () => {
  await record();
  const mock = await startMock({
    contract: document,
    config: false,
    fixtures: join(folder, 'traffic', 'fixtures'),
    scenarios: join(folder, 'traffic', 'scenarios'),
    scenario: 'recorded',
  });
  afterTest(() => mock.close());
  const login = await fetch(`${mock.url}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ password: 'another', user: { credentials: { secret: 'b' } } }),
  });
  expect(await login.json()).toMatchObject({ access_token: '[redacted]', token_type: 'bearer' });
  const account = await (await fetch(`${mock.url}/accounts/1`)).json();
  expect(account).toEqual({
    id: 1,
    name: 'robin',
    password: '[redacted]',
    api_key: '[redacted]',
    opener: '[redacted]',
    token_type: 'bearer',
  });
});

test('a folder for the recording that is a link is refused before a client is served', async () => {
  symlinkSync(tmpdir(), join(folder, 'traffic'));
  await expect(record()).rejects.toThrow('is a symbolic link');
});

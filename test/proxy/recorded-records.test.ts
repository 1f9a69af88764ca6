import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/json/value.ts';
import { startMock } from '../../src/library/start-mock.ts';
import { startProxy } from '../../src/library/start-proxy.ts';

const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
const shown = (schema: JsonObject): JsonObject => ({
  description: 'ok',
  content: { 'application/json': { schema } },
});
const tenant = { $ref: '#/components/schemas/Tenant' };
const body = { content: { 'application/json': { schema: { type: 'object' } } } };
const contract: JsonObject = {
  openapi: '3.1.0',
  info: { title: 'Tenants', version: '1' },
  paths: {
    '/tenants': {
      get: {
        operationId: 'listTenants',
        responses: {
          200: shown({
            type: 'array',
            items: {
              type: 'object',
              required: ['id', 'name'],
              properties: { id: { type: 'integer' }, name: { type: 'string' } },
            },
          }),
        },
      },
      post: { operationId: 'createTenant', requestBody: body, responses: { 201: shown(tenant) } },
    },
    '/tenants/{id}': {
      parameters: [id],
      get: { operationId: 'getTenant', responses: { 200: shown(tenant) } },
      patch: { operationId: 'updateTenant', requestBody: body, responses: { 200: shown(tenant) } },
    },
  },
  components: {
    schemas: {
      Tenant: {
        type: 'object',
        required: ['id', 'name', 'apiToken', 'plan'],
        properties: {
          id: { type: 'integer' },
          name: { type: 'string' },
          apiToken: { type: 'string', pattern: '^tk_[a-z]{8}$' },
          plan: { type: 'string', enum: ['free', 'paid'] },
        },
      },
    },
  },
};

const tenants = new Map<number, object>(
  ['one', 'two', 'three', 'four'].map((name, index) => [
    index + 1,
    { id: index + 1, name, apiToken: 'tk_abcdefgh', plan: 'paid' },
  ]),
);

const service = createServer((request, response) => {
  const asked = Number(/\/tenants\/(\d+)/.exec(request.url ?? '')?.[1] ?? 0);
  response.setHeader('Content-Type', 'application/json');
  const created = { ...tenants.get(4), id: 9, name: 'nine' };
  if (request.method === 'POST') tenants.set(9, created);
  if (request.method === 'PATCH') tenants.set(asked, { ...tenants.get(asked), plan: 'free' });
  response.statusCode = request.method === 'POST' ? 201 : 200;
  const list = [1, 2].map((one) => ({ id: one, name: one === 1 ? 'one' : 'two' }));
  const answer = request.method === 'POST' ? created : asked > 0 ? tenants.get(asked) : list;
  response.end(JSON.stringify(answer));
});

test('a recording keeps every record that was not made in it', async () => {
  await new Promise<void>((done) => service.listen(0, '127.0.0.1', done));
  const folder = mkdtempSync(join(tmpdir(), 'vouch-recorded-'));
  const origin = `http://127.0.0.1:${String((service.address() as AddressInfo).port)}`;
  const proxy = await startProxy({ url: origin, contract, config: false, record: folder });
  const send = async (path: string, method = 'GET'): Promise<unknown> => {
    const sent =
      method === 'GET' ? {} : { headers: { 'content-type': 'application/json' }, body: '{}' };
    return (await fetch(proxy.url + path, { method, ...sent })).json();
  };
  await send('/tenants');
  await send('/tenants/1');
  await send('/tenants/3', 'PATCH');
  await send('/tenants/3');
  await send('/tenants/2', 'PATCH');
  await send('/tenants', 'POST');
  await send('/tenants/9');
  await proxy.close();
  const fixtures = readFileSync(join(folder, 'fixtures', 'recorded.json'), 'utf8');
  expect(fixtures).not.toContain('tk_abcdefgh');
  const mock = await startMock({ contract, config: false, fixtures: join(folder, 'fixtures') });
  const kept = (await (await fetch(`${mock.url}/tenants`)).json()) as { id: number }[];
  expect(kept.map((one) => one.id)).toEqual([1, 2, 3]);
  const read = async (one: number): Promise<unknown> =>
    (await fetch(`${mock.url}/tenants/${String(one)}`)).json();
  expect([await read(1), await read(3)]).toMatchObject([
    { name: 'one', plan: 'paid' },
    { name: 'three', plan: 'free' },
  ]);
  await mock.close();
  await new Promise((done) => service.close(done));
  rmSync(folder, { recursive: true });
});

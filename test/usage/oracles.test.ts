import { fileURLToPath } from 'node:url';
import prismCore from '@stoplight/prism-core';
import prismHttp from '@stoplight/prism-http';
import prismServer from '@stoplight/prism-http-server';
import request from 'supertest';
import type { Express } from 'express';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { asOpenApi30 } from './as-openapi-30.ts';
import { createMockApp, startMock, type RunningMock } from '../../src/library/start-mock.ts';

/**
 * Two judges that share no code with vouch hold the mock's answers against the contract:
 * jest-openapi's matcher, and Stoplight Prism's validating proxy. Each is also shown an answer that
 * breaks the contract, so that its silence means something.
 */
const file = fileURLToPath(new URL('../../openapi/petstore.v1.yaml', import.meta.url));
const key = { Authorization: 'Bearer demo-key' };

/**
 * Requests over every operation and every documented status. `own`: at the server that the
 * operation has for itself.
 */
const requests: readonly {
  name: string;
  method: 'get' | 'post';
  path: string;
  own?: true;
  headers?: Record<string, string>;
  body?: object | string;
  status: number;
}[] = [
  { name: 'a list', method: 'get', path: '/pets', headers: key, status: 200 },
  {
    name: 'a filtered list',
    method: 'get',
    path: '/pets?status=sold&limit=5',
    headers: key,
    status: 200,
  },
  { name: 'no key', method: 'get', path: '/pets', status: 401 },
  {
    name: 'a wrong key',
    method: 'post',
    path: '/pets',
    headers: { Authorization: 'Bearer wrong' },
    body: { name: 'Rex', categoryId: 1 },
    status: 401,
  },
  {
    name: 'a record added',
    method: 'post',
    path: '/pets',
    headers: key,
    body: { name: 'Rex', categoryId: 1, status: 'pending' },
    status: 201,
  },
  {
    name: 'a record added without a status',
    method: 'post',
    path: '/pets',
    headers: key,
    body: { name: 'Zoë', categoryId: 2 },
    status: 201,
  },
  {
    name: 'a missing field',
    method: 'post',
    path: '/pets',
    headers: key,
    body: { name: 'Rex' },
    status: 400,
  },
  {
    name: 'a wrong value',
    method: 'post',
    path: '/pets',
    headers: key,
    body: { name: 'Rex', categoryId: 1, status: 'gone' },
    status: 400,
  },
  { name: 'a record', method: 'get', path: '/pets/1', headers: key, status: 200 },
  { name: 'no such record', method: 'get', path: '/pets/4242', headers: key, status: 404 },
  {
    name: 'a scripted refusal',
    method: 'get',
    path: '/pets/1',
    headers: { ...key, Prefer: 'code=404' },
    status: 404,
  },
  {
    name: 'a message',
    method: 'post',
    path: '/messages',
    own: true,
    headers: key,
    body: { message: 'hello' },
    status: 202,
  },
  {
    name: 'an empty message',
    method: 'post',
    path: '/messages',
    own: true,
    headers: key,
    body: {},
    status: 400,
  },
];

describe('jest-openapi accepts every response', () => {
  let app: Express;

  beforeAll(async () => {
    vi.stubGlobal('expect', expect);
    const { default: jestOpenApi } = await import('jest-openapi');
    // The package is CommonJS: its function is the default of its default.
    const install =
      typeof jestOpenApi === 'function'
        ? jestOpenApi
        : (jestOpenApi as { default: (document: object) => void }).default;
    install(asOpenApi30((await loadContract(file)).document));
    app = await createMockApp();
  });
  afterAll(() => vi.unstubAllGlobals());

  test.each(requests)('$name: $status', async ({ method, path, own, headers, body, status }) => {
    const target = `${own === true ? '' : '/v1'}${path}`;
    const sent = request(app)[method](target);
    const answer = await sent.set(headers ?? {}).send(body);
    expect(answer.status).toBe(status);
    expectToSatisfy(answer);
  });

  test('and refuses a response that violates the contract', async () => {
    const answer = await request(app).get('/v1/pets').set(key);
    answer.body = [{ id: 'one' }];
    expect(() => expectToSatisfy(answer)).toThrow(/id must be integer/);
  });
});

describe("Prism's validating proxy finds no violation", () => {
  let mock: RunningMock;
  let proxy: ReturnType<typeof prismServer.createServer>;
  let url: string;

  beforeAll(async () => {
    mock = await startMock();
    // What `prism proxy` starts, by its own code, with its defaults.
    proxy = prismServer.createServer(await prismHttp.getHttpOperationsFromSpec(file), {
      cors: true,
      components: { logger: prismCore.createLogger('PRISM', { level: 'silent' }) },
      config: {
        isProxy: true,
        upstream: new URL(mock.url),
        upstreamProxy: undefined,
        checkSecurity: true,
        validateRequest: true,
        validateResponse: true,
        errors: false,
        mock: { dynamic: false },
      },
    });
    url = await proxy.listen(0, '127.0.0.1');
  });
  afterAll(async () => {
    await proxy.close();
    await mock.close();
  });

  test.each(requests.filter(({ own }) => own !== true))(
    '$name: $status',
    async ({ method, path, headers, body, status }) => {
      const answer = await fetch(url + path, {
        method: method.toUpperCase(),
        headers: { ...headers, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      expect(answer.status).toBe(status);
      const violations = JSON.parse(answer.headers.get('sl-violations') ?? '[]') as {
        location: string[];
      }[];
      expect(violations.filter(({ location }) => location[0] === 'response')).toEqual([]);
    },
  );

  test('and detects a planted violation', async () => {
    const answer = await fetch(`${url}/pets`, {
      headers: { ...key, prefer: 'scenario=list-fails-twice' },
    });
    expect(answer.status).toBe(503);
    expect(answer.headers.get('sl-violations')).toContain('response');
  });
});

/** The matcher is declared for Jest's `expect`, not for this one. */
function expectToSatisfy(answer: request.Response): void {
  (expect(answer) as unknown as { toSatisfyApiSpec(): void }).toSatisfyApiSpec();
}

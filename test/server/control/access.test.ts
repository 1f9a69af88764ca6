import request from 'supertest';
import { describe, expect, test } from 'vitest';
import type { AppOptions } from '../../../src/server/serving-parts.ts';
import { makeControlToken } from '../../../src/server/control/control-token.ts';
import { createApp } from '../../../src/server/create-app.ts';
import { fakeMock, type FakeMock } from '../fake-mock.ts';
import { exchangeRaw } from '../raw-client.ts';
import { controlToken, serveFake } from '../serve-fake.ts';
import { controlOf } from './control-client.ts';

const bearer = `Bearer ${controlToken}`;
type Agent = ReturnType<typeof request>;
const agentOf = (mock: FakeMock = fakeMock(), options: Partial<AppOptions> = {}): Agent =>
  request(createApp(mock, { controlToken, ...options }));

describe('an unknown path of the control API', () => {
  test.each([
    [
      'GET /resource',
      'The control API has no /__vouch/resource. Did you mean GET /__vouch/' +
        'resources? curl -H "Authorization: Bearer $TOKEN" http://HOST/__vouch/' +
        'resources',
    ],
    [
      'DELETE /resources/things/record/7',
      'Did you mean DELETE /__vouch/resources/things/records/7? curl -X DELETE ' +
        '-H "Authorization: Bearer $TOKEN" http://HOST/__vouch/resources/things/' +
        'records/7',
    ],
    [
      'POST /verfy',
      'Did you mean POST /__vouch/verify? curl -X POST -H "Authorization: ' +
        "Bearer $TOKEN\" -d '{…}' http://HOST/__vouch/verify",
    ],
    ['GET /heath', 'Did you mean GET /__vouch/health? curl http://HOST/__vouch/health'],
    ['GET /record', 'Did you mean GET /__vouch/resources/{resource}/records? curl '],
    ['GET /nothing/like/it/at/all', 'See all that it has: curl http://HOST/__vouch/openapi.json'],
  ])('%s is answered with the nearest one', async (line, detail) => {
    const { status, body } = await controlOf().call(line);
    expect(status).toBe(404);
    expect(
      String((body as { detail?: string }).detail).replaceAll(/127\.0\.0\.1:\d+/g, 'HOST'),
    ).toContain(detail);
  });
});

describe('the health endpoint', () => {
  test('needs no token and returns only the status', async () => {
    const { body, headers } = await agentOf().get('/__vouch/health').expect(200);
    expect(body).toEqual({ status: 'ok' });
    expect(headers['cache-control']).toBe('no-store');
  });

  test('supports HEAD', async () => {
    await agentOf().head('/__vouch/health').expect(200);
  });
});

describe('authorization of the control API', () => {
  test.each([
    ['no token', {}, 401, 'Bearer realm="vouch control"'],
    [
      'another token',
      { Authorization: 'Bearer not-the-token' },
      401,
      'Bearer realm="vouch control", error="invalid_token"',
    ],
    [
      'the token and more',
      { Authorization: `${bearer}x` },
      401,
      'Bearer realm="vouch control", error="invalid_token"',
    ],
    [
      'another scheme',
      { Authorization: `Basic ${controlToken}` },
      401,
      'Bearer realm="vouch control", error="invalid_token"',
    ],
    ['the token', { Authorization: bearer }, 200, undefined],
    [
      'the token with a lower-case scheme',
      { Authorization: `bearer ${controlToken}` },
      200,
      undefined,
    ],
  ])('with %s', async (_name, headers, status, challenge) => {
    const response = await agentOf().get('/__vouch/state').set(headers).expect(status);
    expect(response.headers['www-authenticate']).toBe(challenge);
  });

  test.each([
    ['localhost', 200],
    ['LOCALHOST:4010', 200],
    ['127.0.0.1:4010', 200],
    ['[::1]:4010', 200],
    ['mock.internal:4010', 200],
    ['evil.test', 403],
    ['localhost.evil.test', 403],
    ['127.0.0.1.evil.test:4010', 403],
    ['127.0.0.2', 403],
  ])('under the Host %s', async (host, status) => {
    const agent = agentOf(fakeMock(), { host: 'mock.internal' });
    await agent.get('/__vouch/health').set('Host', host).expect(status);
    await agent.get('/__vouch/state').set('Host', host).set('Authorization', bearer).expect(status);
  });

  test.each([
    ['http://localhost:4010', 200],
    ['https://localhost:4010', 200],
    ['http://localhost:3000', 403],
    ['http://127.0.0.1:4010', 403],
    ['http://evil.test', 403],
    ['null', 403],
    ['', 403],
  ])('from a page of %s', async (origin, status) => {
    const mock = fakeMock();
    const response = await agentOf(mock)
      .get('/__vouch/state')
      .set({ Host: 'localhost:4010', Origin: origin, Authorization: bearer })
      .expect(status);
    expect(
      Object.keys(response.headers).filter((name) => name.startsWith('access-control')),
    ).toEqual([]);
  });

  test('a preflight allows no page', async () => {
    const { headers } = await agentOf()
      .options('/__vouch/reset')
      .set({
        Host: 'localhost',
        Origin: 'http://evil.test',
        'Access-Control-Request-Method': 'POST',
      })
      .expect(403);
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });
});

describe('paths outside the control API', () => {
  test.each([
    '/__vouch',
    '/__vouch/',
    '/__vouch/nothing',
    '/__vouch/health/',
    '/__vouch/Health',
    '/__vouch/../health',
  ])('%s is 404', async (path) => {
    const { mock, port, listening } = await serveFake();
    // Supertest would tidy the path up.
    const { response } = await exchangeRaw(port, `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    expect(response.status).toBe('HTTP/1.1 404 Not Found');
    expect(response.head).toContain('application/problem+json');
    expect(mock.requests).toEqual([]);
    await listening.close();
  });

  test.each(['/__vouchers', '/__VOUCH/health', '/things/__vouch/health'])(
    "%s is the mock's",
    async (path) => {
      const mock = fakeMock();
      await agentOf(mock).get(path).expect(200);
      expect(mock.requests).toMatchObject([{ target: path }]);
    },
  );
});

test('a control token is new each time and unguessable', () => {
  const tokens = new Set(Array.from({ length: 100 }, makeControlToken));
  expect(tokens.size).toBe(100);
  expect([...tokens].every((token) => /^[A-Za-z0-9_-]{32}$/.test(token))).toBe(true);
});

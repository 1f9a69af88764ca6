import request from 'supertest';
import { describe, expect, test } from 'vitest';
import type { AppOptions } from '../../src/server/app-options.ts';
import { makeControlToken } from '../../src/server/control-token.ts';
import { createApp } from '../../src/server/create-app.ts';
import { fakeMock, type FakeMock } from './fake-mock.ts';
import { exchangeRaw } from './raw-client.ts';
import { controlToken, serveFake } from './serve-fake.ts';

const bearer = `Bearer ${controlToken}`;
type Agent = ReturnType<typeof request>;
const agentOf = (mock: FakeMock = fakeMock(), options: Partial<AppOptions> = {}): Agent => request(createApp(mock, { controlToken, ...options }));

describe('health', () => {
  test('needs no token and says only that all is well', async () => {
    const { body, headers } = await agentOf().get('/__vouch/health').expect(200);
    expect(body).toEqual({ status: 'ok' });
    expect(headers['cache-control']).toBe('no-store');
  });

  test('answers HEAD', async () => {
    await agentOf().head('/__vouch/health').expect(200);
  });
});

describe('who may call', () => {
  test.each([
    ['no token', {}, 401, 'Bearer realm="vouch control"'],
    ['another token', { Authorization: 'Bearer not-the-token' }, 401, 'Bearer realm="vouch control", error="invalid_token"'],
    ['the token and more', { Authorization: `${bearer}x` }, 401, 'Bearer realm="vouch control", error="invalid_token"'],
    ['another scheme', { Authorization: `Basic ${controlToken}` }, 401, 'Bearer realm="vouch control", error="invalid_token"'],
    ['the token', { Authorization: bearer }, 200, undefined],
    ['the token with a lower-case scheme', { Authorization: `bearer ${controlToken}` }, 200, undefined],
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
    expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test('no page by way of a preflight', async () => {
    const { headers } = await agentOf()
      .options('/__vouch/reset')
      .set({ Host: 'localhost', Origin: 'http://evil.test', 'Access-Control-Request-Method': 'POST' })
      .expect(403);
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });
});

describe('reset', () => {
  test.each([undefined, '', '{}', ' { } '])('with the body %j resets the mock and forgets the journal', async (body) => {
    const mock = fakeMock();
    const agent = agentOf(mock);
    await agent.get('/things').expect(200);
    await agent.post('/__vouch/reset').set('Authorization', bearer).send(body).expect(204);
    expect(mock.resets).toBe(1);
    const journal = await agent.get('/__vouch/journal').set('Authorization', bearer);
    expect(journal.body).toEqual({ count: 0, forgotten: 0, exchanges: [] });
  });

  test.each([
    ['without a token', 401, {}, undefined],
    ['of a single session', 400, { Authorization: bearer }, '{"session":"a"}'],
    ['from another origin', 403, { Authorization: bearer, Origin: 'http://evil.test' }, undefined],
  ])('%s changes nothing', async (_name, status, headers, body) => {
    const mock = fakeMock();
    await agentOf(mock).post('/__vouch/reset').set(headers).send(body).expect(status);
    expect(mock.resets).toBe(0);
  });

  test('is not to be had by GET', async () => {
    const mock = fakeMock();
    const response = await agentOf(mock).get('/__vouch/reset').set('Authorization', bearer).expect(405);
    expect(response.headers['allow']).toBe('POST, OPTIONS');
    expect(mock.resets).toBe(0);
  });
});

describe('state', () => {
  test('says what runs', async () => {
    const agent = agentOf(fakeMock(), { version: '1.2.3', scenario: 'slow-list' });
    await agent.get('/things');
    const { body } = await agent.get('/__vouch/state').set('Authorization', bearer);
    expect(body).toEqual({ version: '1.2.3', scenario: 'slow-list', exchanges: 1 });
  });

  test('says what it does not know', async () => {
    const { body } = await agentOf().get('/__vouch/state').set('Authorization', bearer);
    expect(body).toEqual({ version: null, scenario: null, exchanges: 0 });
  });
});

describe('journal', () => {
  test('shows the exchanges, or those of one operation', async () => {
    const agent = agentOf();
    await agent.get('/things?a=1').set('X-Operation', 'listThings');
    await agent.post('/things').set('X-Operation', 'createThing');
    await agent.get('/nothing');
    const read = async (query: string): Promise<unknown> => (await agent.get(`/__vouch/journal${query}`).set('Authorization', bearer).expect(200)).body;
    const list = { method: 'GET', target: '/things?a=1', status: 200, operation: 'listThings', durationMs: expect.any(Number) };
    const create = { ...list, method: 'POST', target: '/things', operation: 'createThing' };
    const nothing = { ...list, target: '/nothing', operation: null };
    expect(await read('')).toEqual({ count: 3, forgotten: 0, exchanges: [list, create, nothing] });
    expect(await read('?operation=createThing')).toEqual({ count: 1, forgotten: 0, exchanges: [create] });
    expect(await read('?operation=removeThing')).toEqual({ count: 0, forgotten: 0, exchanges: [] });
  });
});

describe('what the control API is not', () => {
  test.each(['/__vouch', '/__vouch/', '/__vouch/nothing', '/__vouch/health/', '/__vouch/Health', '/__vouch/../health'])('%s is 404', async (path) => {
    const { mock, port, listening } = await serveFake();
    // Supertest would tidy the path up.
    const { response } = await exchangeRaw(port, `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    expect(response.status).toBe('HTTP/1.1 404 Not Found');
    expect(response.head).toContain('application/problem+json');
    expect(mock.requests).toEqual([]);
    await listening.close();
  });

  test.each(['/__vouchers', '/__VOUCH/health', '/things/__vouch/health'])('%s is the mock\'s', async (path) => {
    const mock = fakeMock();
    await agentOf(mock).get(path).expect(200);
    expect(mock.requests).toMatchObject([{ target: path }]);
  });
});

test('a control token is new each time and takes no guessing', () => {
  const tokens = new Set(Array.from({ length: 100 }, makeControlToken));
  expect(tokens.size).toBe(100);
  expect([...tokens].every((token) => /^[A-Za-z0-9_-]{32}$/.test(token))).toBe(true);
});

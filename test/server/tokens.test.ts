import { createRemoteJWKSet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseJson } from '../../src/json/parse-json.ts';
import { parseYaml } from '../../src/json/parse-yaml.ts';
import { isJsonObject, type JsonObject } from '../../src/json/value.ts';
import { startMock, type RunningMock } from '../../src/library/start-mock.ts';
import type { ExchangeRecord } from '../../src/server/journal/journal.ts';
import { gardenText } from '../mock/tokens/garden.ts';
import { exchangeRaw } from './raw-client.ts';
import { asPerson, discover, type OAuthClient } from './oauth-client.ts';

const seen: ExchangeRecord[] = [];
const app = {
  id: 'app: one',
  secret: 's%c:ret',
  redirectUri: 'http://127.0.0.1:5173/cb?from=login',
};
let mock: RunningMock;
let client: OAuthClient;

beforeAll(async () => {
  mock = await startMock({
    contract: gardenDocument(),
    config: false,
    keys: ['demo-key', { key: 'reader-key', scopes: ['read:trees'] }],
    onExchange: (exchange) => seen.push(exchange),
  });
  client = await discover(`${mock.origin}/__vouch/oauth2`, app);
});

afterAll(() => mock.close());

function gardenDocument(): JsonObject {
  const reading = parseYaml(gardenText);
  if (!reading.ok || !isJsonObject(reading.value)) throw new Error('The garden is no document.');
  return reading.value;
}

async function call(method: 'GET' | 'POST', token: string): Promise<Response> {
  return fetch(`${mock.url}/trees`, { method, headers: { authorization: `Bearer ${token}` } });
}

describe('a standard OAuth client', () => {
  test('logs in with a code and PKCE, sends requests, and refreshes its token', async () => {
    const first = await client.logIn('openid read:trees', asPerson('ada'));
    expect(first.scope).toBe('openid read:trees');
    expect((await call('GET', first.access_token)).status).toBe(200);
    const second = await client.renew(first);
    expect(second.access_token).not.toBe(first.access_token);
    expect((await call('GET', second.access_token)).status).toBe(200);
    await expect(client.renew(first)).rejects.toThrow('400 invalid_grant');
  });

  test('verifies its tokens with the key set, and reads the user info', async () => {
    const { access_token: access, id_token: id } = await client.logIn(
      'openid email',
      asPerson('ada <ada@example.org>'),
    );
    const keys = createRemoteJWKSet(new URL(client.metadata['jwks_uri'] ?? ''));
    const { payload } = await jwtVerify(id, keys, {
      issuer: client.metadata['issuer'] ?? '',
      audience: app.id,
    });
    expect(payload.sub).toBe('ada <ada@example.org>');
    expect(
      (await jwtVerify(access, keys, { issuer: client.metadata['issuer'] ?? '', typ: 'at+jwt' }))
        .payload['client_id'],
    ).toBe(app.id);
    const info = await fetch(client.metadata['userinfo_endpoint'] ?? '', {
      headers: { authorization: `Bearer ${access}` },
    });
    expect(await info.json()).toMatchObject({ sub: payload.sub });
  });

  test('gets the denial of the person', async () => {
    await expect(client.logIn('read:trees', asPerson('ada', 'deny'))).rejects.toThrow(
      'access_denied',
    );
  });

  test(
    "acts for itself, as far as its scopes go: 403 in the contract's own " +
      'words, with what is lacking',
    async () => {
      const narrow = await client.actForItself('read:trees');
      const refused = await call('POST', narrow.access_token);
      expect(refused.status).toBe(403);
      expect(refused.headers.get('www-authenticate')).toBe(
        'Bearer realm="Garden", error="insufficient_scope", scope="write:trees ' +
          'read:trees", ApiKey realm="Garden", in="header", name="X-Key"',
      );
      expect(await refused.json()).toMatchObject({
        message:
          'The credential lacks the scope write:trees, which this operation needs. ' +
          'It carries read:trees.',
      });
      const wide = await client.actForItself('read:trees write:trees');
      expect((await call('POST', wide.access_token)).status).toBe(204);
    },
  );

  test('finds the endpoints at the URLs of the contract', async () => {
    const response = await fetch(`${mock.origin}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'read:trees' }),
    });
    const reading = parseJson(new Uint8Array(await response.arrayBuffer()));
    const token =
      reading.ok && isJsonObject(reading.value) ? String(reading.value['access_token']) : '';
    expect((await call('GET', token)).status).toBe(200);
  });
});

describe('keys with scopes', () => {
  test.each([
    ['demo-key', 'GET', 200],
    ['demo-key', 'POST', 204],
    ['reader-key', 'GET', 200],
    ['reader-key', 'POST', 403],
    ['other-key', 'GET', 401],
  ] as const)('%s: %s gets %s', async (key, method, status) => {
    expect((await call(method, key)).status).toBe(status);
  });
});

describe('the token endpoints', () => {
  test('need no control token', async () => {
    expect((await fetch(`${mock.origin}/__vouch/oauth2/jwks.json`)).status).toBe(200);
    expect((await fetch(`${mock.origin}/__vouch/state`)).status).toBe(401);
  });

  test.each([
    ['/__vouch/oauth2/.well-known/openid-configuration', 'localhost', 'HTTP/1.1 200 OK'],
    ['/__vouch/oauth2/.well-known/openid-configuration', '[::1]:80', 'HTTP/1.1 200 OK'],
    ['/__vouch/oauth2/.well-known/openid-configuration', 'evil.example', 'HTTP/1.1 403 Forbidden'],
    [
      '/__vouch/oauth2/.well-known/openid-configuration',
      'localhost.evil.example',
      'HTTP/1.1 403 Forbidden',
    ],
    ['/oauth/authorize', 'api.example', 'HTTP/1.1 400 Bad Request'],
  ])(
    "under the prefix answer to this machine's own names alone (DNS rebinding): %s on %s",
    async (target, host, status) => {
      const { client: connection, response } = await exchangeRaw(
        mock.port,
        `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      );
      connection.socket.destroy();
      expect(response.status).toBe(status);
    },
  );

  test('refuse two Authorization headers (RFC 9110, section 5.3)', async () => {
    const twice = 'Authorization: Bearer demo-key\r\n'.repeat(2);
    const { client: connection, response } = await exchangeRaw(
      mock.port,
      `GET /v1/trees HTTP/1.1\r\nHost: localhost\r\n${twice}Connection: close\r\n\r\n`,
    );
    connection.socket.destroy();
    expect(response.status).toBe('HTTP/1.1 400 Bad Request');
  });

  test('write nothing to the journal or the log', async () => {
    seen.length = 0;
    const { access_token: token } = await client.actForItself('read:trees');
    await fetch(
      `${mock.origin}/oauth/authorize?response_type=code&client_id=a&` +
        'redirect_uri=http://localhost/cb&prompt=none',
      { redirect: 'manual' },
    );
    await call('GET', token);
    expect(seen.map(({ method, target }) => `${method} ${target}`)).toEqual(['GET /v1/trees']);
    const journal = await (
      await fetch(`${mock.origin}/__vouch/journal`, {
        headers: { authorization: `Bearer ${mock.controlToken}` },
      })
    ).text();
    expect(journal).toContain('/v1/trees');
    for (const secret of [token, app.secret, 'reader-key', 'code='])
      expect(journal).not.toContain(secret);
  });

  test('redact keys in a query', async () => {
    seen.length = 0;
    await fetch(`${mock.url}/trees?access_token=abc&x=reader-key`);
    expect(seen.map(({ target }) => target)).toEqual([
      '/v1/trees?access_token=[redacted]&x=[redacted]',
    ]);
  });

  test('are absent if the mock issues no tokens', async () => {
    const bare = await startMock({ contract: gardenDocument(), config: false, tokens: false });
    const response = await fetch(`${bare.origin}/__vouch/oauth2/token`, { method: 'POST' });
    expect(response.status).toBe(404);
    await bare.close();
  });
});

import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';
import { describe, expect, test } from 'vitest';
import { headerValue, type HeaderList } from '../../../src/http/message.ts';
import { garden, issuer, jsonOf, membersOf, openDesk, refusalOf, type Desk } from './garden.ts';

const login = {
  grant_type: 'password',
  username: 'ada',
  password: 'x',
  client_id: 'app',
  scope: 'openid email',
};
const bearer = (token: string): HeaderList => [['Authorization', `Bearer ${token}`]];

async function isActive(desk: Desk, token: string): Promise<boolean> {
  return membersOf(await desk.post('/introspect', { token }))['active'] === 'true';
}

describe('introspection (RFC 7662)', () => {
  test('returns the scope and client of an access token', async () => {
    const desk = openDesk();
    const { access_token: token = '' } = await desk.token(login);
    const { jti, ...members } = membersOf(await desk.post('/introspect', { token }));
    expect(jti).toMatch(/^[0-9a-f]{32}$/);
    expect(members).toEqual({
      active: 'true',
      scope: 'openid email',
      client_id: 'app',
      username: 'ada',
      token_type: 'Bearer',
      exp: '1893557045',
      iat: '1893553445',
      sub: 'ada',
      aud: 'http://localhost:4010',
      iss: issuer,
    });
  });

  test('knows the keys of the configuration, with their scopes', async () => {
    const desk = openDesk();
    expect(jsonOf(await desk.post('/introspect', { token: 'demo-key' }))).toEqual({
      active: true,
      token_type: 'Bearer',
      scope: 'read:trees write:trees admin',
    });
    expect(jsonOf(await desk.post('/introspect', { token: 'narrow-key' }))).toMatchObject({
      active: true,
      scope: 'read:trees',
    });
  });

  test('returns only active: false for other tokens', async () => {
    const desk = openDesk();
    const {
      access_token: access = '',
      id_token: id = '',
      refresh_token: refresh = '',
    } = await desk.token(login);
    expect(jsonOf(await desk.post('/introspect', { token: refresh }))).toMatchObject({
      active: true,
      token_type: 'refresh_token',
    });
    await desk.token({ grant_type: 'refresh_token', client_id: 'app', refresh_token: refresh });
    for (const token of ['unknown', 'a.b.c', id, refresh])
      expect(jsonOf(await desk.post('/introspect', { token }))).toEqual({ active: false });
    desk.wait(3600);
    expect(await isActive(desk, access)).toBe(false);
  });

  test('reports that a refresh token is valid for thirty days', async () => {
    const desk = openDesk();
    const { refresh_token: refresh = '' } = await desk.token(login);
    desk.wait(30 * 24 * 3600 - 1);
    expect(await isActive(desk, refresh)).toBe(true);
    desk.wait(1);
    expect(await isActive(desk, refresh)).toBe(false);
  });

  test('requires a token, and a client if clients are configured', async () => {
    expect(refusalOf(await openDesk().post('/introspect'))).toBe(
      '400 invalid_request: The parameter token is missing.',
    );
    expect(
      refusalOf(
        await openDesk({ clients: [{ id: 'a', secret: 'b' }] }).post('/introspect', { token: 'x' }),
      ),
    ).toMatch(/^401 invalid_client/);
  });
});

describe('revocation (RFC 7009)', () => {
  test('revokes an access token, or the whole grant of a refresh token', async () => {
    const desk = openDesk();
    const first = await desk.token(login);
    const second = await desk.token(login);
    expect((await desk.post('/revoke', { token: first['access_token'] ?? '' })).status).toBe(200);
    expect(await isActive(desk, first['access_token'] ?? '')).toBe(false);
    expect(await isActive(desk, first['refresh_token'] ?? '')).toBe(true);
    await desk.post('/revoke', { token: second['refresh_token'] ?? '' });
    expect([
      await isActive(desk, second['access_token'] ?? ''),
      await isActive(desk, second['refresh_token'] ?? ''),
    ]).toEqual([false, false]);
    expect(await isActive(desk, first['refresh_token'] ?? '')).toBe(true);
  });

  test('of an unknown token succeeds (section 2.2)', async () => {
    const response = await openDesk().post('/revoke', { token: 'unknown' });
    expect([response.status, response.body.length]).toEqual([200, 0]);
  });
});

describe('userinfo (OpenID Connect Core, section 5.3)', () => {
  test('returns the claims of the scopes', async () => {
    const desk = openDesk();
    const { access_token: token = '' } = await desk.token(login);
    expect(jsonOf(await desk.get('/userinfo', undefined, bearer(token)))).toEqual({
      sub: 'ada',
      email: 'ada@example.com',
      email_verified: true,
    });
    expect((await desk.post('/userinfo', {}, bearer(token))).status).toBe(200);
  });

  test('challenges requests without a valid token (RFC 6750, section 3)', async () => {
    const desk = openDesk();
    const { access_token: machine = '' } = await desk.token({ grant_type: 'client_credentials' });
    const shown = [];
    for (const headers of [
      [],
      bearer('unknown'),
      bearer(machine),
      [['Authorization', 'Basic eDp5']] as const,
    ]) {
      const response = await desk.get('/userinfo', undefined, headers);
      shown.push(
        `${String(response.status)} ${headerValue(response.headers, 'www-authenticate') ?? ''}`,
      );
    }
    expect(shown.join('\n')).toMatchInlineSnapshot(`
      "401 Bearer realm="vouch tokens"
      401 Bearer realm="vouch tokens", error="invalid_token", error_description="The token
        ↳ cannot be read as a JSON Web Token"
      403 Bearer realm="vouch tokens", error="insufficient_scope", error_description="The
        ↳ token must hold the scope openid, and belong to a person", scope="openid"
      401 Bearer realm="vouch tokens""
    `);
  });
});

describe('discovery of the token endpoints', () => {
  test(
    'is the same by either name, and names what is there (OpenID Connect ' +
      'Discovery, section 3; RFC 8414)',
    async () => {
      const desk = openDesk();
      const metadata = jsonOf(await desk.get('/.well-known/openid-configuration'));
      expect(jsonOf(await desk.get('/.well-known/oauth-authorization-server'))).toEqual(metadata);
      const withoutHost = JSON.stringify(metadata).replaceAll('http://localhost:4010', 'HOST');
      expect(JSON.parse(withoutHost)).toMatchInlineSnapshot(`
      {
        "authorization_endpoint": "HOST/__vouch/oauth2/authorize",
        "authorization_response_iss_parameter_supported": true,
        "claims_supported": [
          "sub",
          "name",
          "preferred_username",
          "email",
          "email_verified",
        ],
        "code_challenge_methods_supported": [
          "S256",
          "plain",
        ],
        "grant_types_supported": [
          "authorization_code",
          "client_credentials",
          "password",
          "refresh_token",
          "implicit",
        ],
        "id_token_signing_alg_values_supported": [
          "ES256",
        ],
        "introspection_endpoint": "HOST/__vouch/oauth2/introspect",
        "introspection_endpoint_auth_methods_supported": [
          "client_secret_basic",
          "client_secret_post",
          "none",
        ],
        "issuer": "HOST/__vouch/oauth2",
        "jwks_uri": "HOST/__vouch/oauth2/jwks.json",
        "prompt_values_supported": [
          "none",
          "login",
          "consent",
        ],
        "request_uri_parameter_supported": false,
        "response_modes_supported": [
          "query",
          "fragment",
        ],
        "response_types_supported": [
          "code",
          "token",
          "id_token",
          "id_token token",
        ],
        "revocation_endpoint": "HOST/__vouch/oauth2/revoke",
        "revocation_endpoint_auth_methods_supported": [
          "client_secret_basic",
          "client_secret_post",
          "none",
        ],
        "scopes_supported": [
          "openid",
          "profile",
          "email",
          "address",
          "phone",
          "offline_access",
          "read:trees",
          "write:trees",
          "admin",
        ],
        "subject_types_supported": [
          "public",
        ],
        "token_endpoint": "HOST/__vouch/oauth2/token",
        "token_endpoint_auth_methods_supported": [
          "client_secret_basic",
          "client_secret_post",
          "none",
        ],
        "userinfo_endpoint": "HOST/__vouch/oauth2/userinfo",
      }
    `);
    },
  );

  test('is at the place of RFC 8414, section 3.1', async () => {
    const { service } = openDesk();
    const target = '/.well-known/oauth-authorization-server/__vouch/oauth2';
    expect(service.isTokenTarget(target)).toBe(true);
    const response = await service.answer(
      { method: 'GET', target, headers: [], body: new Uint8Array() },
      'https://127.0.0.1:1',
    );
    expect(jsonOf(response)).toMatchObject({ issuer: 'https://127.0.0.1:1/__vouch/oauth2' });
  });

  test('HEAD is GET without the body', async () => {
    const { service } = openDesk();
    const response = await service.answer(
      { method: 'HEAD', target: '/__vouch/oauth2/jwks.json', headers: [], body: new Uint8Array() },
      'http://localhost',
    );
    expect([
      response.status,
      response.body.length,
      Number(headerValue(response.headers, 'content-length')) > 100,
    ]).toEqual([200, 0, true]);
  });
});

describe('the key set', () => {
  test('verifies tokens, and contains no secret', async () => {
    const desk = openDesk();
    const { access_token: token = '', id_token: id = '' } = await desk.token(login);
    const keys = jsonOf(await desk.get('/jwks.json')) as JSONWebKeySet;
    expect(Object.keys(keys.keys[0] ?? {}).sort()).toEqual([
      'alg',
      'crv',
      'kid',
      'kty',
      'use',
      'x',
      'y',
    ]);
    const options = { issuer, currentDate: desk.now() };
    expect(
      (
        await jwtVerify(token, createLocalJWKSet(keys), {
          ...options,
          typ: 'at+jwt',
          audience: 'http://localhost:4010',
        })
      ).payload.sub,
    ).toBe('ada');
    expect(
      (await jwtVerify(id, createLocalJWKSet(keys), { ...options, audience: 'app' })).payload[
        'email'
      ],
    ).toBe('ada@example.com');
  });

  test('is equal for equal secrets, and differs for others', async () => {
    const show = async (secret: string): Promise<unknown> =>
      jsonOf(await openDesk({ secret }, garden).get('/jwks.json'));
    expect(await show('one secret for all')).toEqual(await show('one secret for all'));
    expect(await show('one secret for all')).not.toEqual(await show('one secret for one'));
  });
});

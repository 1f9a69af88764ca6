import { decodeJwt, decodeProtectedHeader } from 'jose';
import { describe, expect, test } from 'vitest';
import { headerValue, type HeaderList } from '../../../src/http/message.ts';
import { TokenMemory } from '../../../src/mock/tokens/token-memory.ts';
import {
  garden,
  getCode,
  jsonOf,
  membersOf,
  openDesk,
  pkce,
  refusalOf,
  type Parameters,
} from './garden.ts';

const client = { grant_type: 'client_credentials' };
const basic = (pair: string): HeaderList => [['Authorization', `Basic ${btoa(pair)}`]];

describe('a client without a person', () => {
  test('gets an access token with a scope (RFC 6749, section 4.4; RFC 9068)', async () => {
    const response = await openDesk().post('/token', {
      ...client,
      client_id: 'app',
      scope: 'read:trees',
    });
    const members = membersOf(response);
    expect(response.status).toBe(200);
    expect(headerValue(response.headers, 'cache-control')).toBe('no-store');
    expect(Object.keys(members)).toEqual(['access_token', 'token_type', 'expires_in', 'scope']);
    expect(members).toMatchObject({
      token_type: 'Bearer',
      expires_in: '3600',
      scope: 'read:trees',
    });
    expect(decodeProtectedHeader(members['access_token'] ?? '')).toMatchObject({
      alg: 'ES256',
      typ: 'at+jwt',
    });
    const { jti, grant, ...claims } = decodeJwt(members['access_token'] ?? '');
    expect(jti).not.toBe(grant);
    expect(claims).toEqual({
      iss: 'http://localhost:4010/__vouch/oauth2',
      aud: 'http://localhost:4010',
      sub: 'app',
      client_id: 'app',
      scope: 'read:trees',
      iat: 1893553445,
      exp: 1893557045,
    });
  });

  test.each([
    ['nothing is asked for', undefined, 'read:trees write:trees admin'],
    ['one is asked for', 'write:trees', 'write:trees'],
    ['one is asked for twice', 'admin admin', 'admin'],
    ['one of two is known', 'read:trees fly', 'read:trees'],
    ['those of OpenID Connect are asked for', 'openid read:trees', 'openid read:trees'],
  ])('gets the scopes that the contract knows: %s', async (_name, scope, granted) => {
    const members = await openDesk().token({
      ...client,
      ...(scope === undefined ? {} : { scope }),
    });
    expect(members['scope']).toBe(granted);
  });

  test.each<[string, HeaderList, Parameters]>([
    ['nothing at all', [], client],
    ['by name', [], { ...client, client_id: 'shop' }],
    ['by the body', [], { ...client, client_id: 'shop', client_secret: 's' }],
    ['by Basic', basic('shop:s'), client],
    ['by Basic and its name again', basic('shop:s'), { ...client, client_id: 'shop' }],
    ['by Basic, form-encoded', basic('sh%20op:s%3A1'), client],
  ])('may be any client: %s', async (_name, headers, parameters) => {
    expect((await openDesk().post('/token', parameters, headers)).status).toBe(200);
  });

  test('must be a configured client with its secret (RFC 6749, section 2.3.1)', async () => {
    const desk = openDesk({
      clients: [{ id: 'shop', secret: 'right', scopes: ['read:trees'] }, { id: 'page' }],
    });
    const attempts: [HeaderList, Parameters][] = [
      [basic('shop:right'), client],
      [[], { ...client, client_id: 'shop', client_secret: 'right' }],
      [[], client],
      [[], { ...client, client_id: 'shop' }],
      [[], { ...client, client_id: 'shop', client_secret: 'wrong' }],
      [basic('shop:rightt'), client],
      [basic('nobody:right'), client],
      [[], { ...client, client_id: 'page' }],
      [basic('shop:right'), { ...client, scope: 'write:trees' }],
    ];
    const answers = [];
    for (const [headers, parameters] of attempts) {
      const response = await desk.post('/token', parameters, headers);
      answers.push(
        response.status === 200
          ? `200 ${membersOf(response)['scope'] ?? ''}`
          : `${refusalOf(response)} ${headerValue(response.headers, 'www-authenticate') ?? ''}`,
      );
    }
    expect(answers.join('\n')).toMatchInlineSnapshot(`
      "200 read:trees
      200 read:trees
      401 invalid_client: The client must say who it is: by Basic, or as client_id. Basic
        ↳ realm="vouch tokens", charset="UTF-8"
      401 invalid_client: The client must show its secret: by Basic, or as client_secret.
        ↳ Basic realm="vouch tokens", charset="UTF-8"
      401 invalid_client: The secret is not the one of this client. Basic realm="vouch
        ↳ tokens", charset="UTF-8"
      401 invalid_client: The secret is not the one of this client. Basic realm="vouch
        ↳ tokens", charset="UTF-8"
      401 invalid_client: There is no client of this name. Name one of
        ↳ mock.tokens.clients. Basic realm="vouch tokens", charset="UTF-8"
      400 unauthorized_client: A client without a secret cannot get a token for itself. 
      400 invalid_scope: None of the scopes can be granted: write:trees. There are:
        ↳ read:trees. "
    `);
  });
});

describe('an invalid token request', () => {
  const wrong: readonly (readonly [string, Parameters, HeaderList?])[] = [
    ['no grant_type', {}],
    ['an empty one', { grant_type: '' }],
    ['an unknown one', { grant_type: 'magic' }],
    ['one that is known everywhere else', { grant_type: 'toString' }],
    [
      'a parameter twice (section 3.2)',
      [
        ['grant_type', 'client_credentials'],
        ['scope', 'admin'],
        ['scope', 'admin'],
      ],
    ],
    ['two secrets (section 2.3)', { ...client, client_secret: 's' }, basic('shop:s')],
    ['two names', { ...client, client_id: 'other' }, basic('shop:s')],
    ['a broken Basic', client, [['Authorization', 'Basic ???']]],
    ['a bearer token for a client', client, [['Authorization', 'Bearer abc']]],
    ['an assertion', { ...client, client_assertion: 'e' }],
    ['a scope that nobody has', { ...client, scope: 'fly' }],
    ['a scope with a quote in it', { ...client, scope: 'a"b' }],
    ['no user', { grant_type: 'password', password: 'p' }],
    ['no password', { grant_type: 'password', username: 'u' }],
    ['no code', { grant_type: 'authorization_code' }],
    ['a code of somebody else', { grant_type: 'authorization_code', code: 'abc' }],
    ['no refresh token', { grant_type: 'refresh_token' }],
    ['a refresh token of somebody else', { grant_type: 'refresh_token', refresh_token: 'a.b.c' }],
  ];

  test('gets an error (RFC 6749, section 5.2)', async () => {
    const lines = [];
    for (const [name, parameters, headers = []] of wrong) {
      const response = await openDesk().post('/token', parameters, headers);
      lines.push(`${name} → ${refusalOf(response)}`);
      expect(headerValue(response.headers, 'cache-control')).toBe('no-store');
      expect(response.status === 401).toBe(
        headerValue(response.headers, 'www-authenticate') !== undefined,
      );
    }
    expect(lines.join('\n')).toMatchInlineSnapshot(`
      "no grant_type → 400 invalid_request: The parameter grant_type is missing. There are:
        ↳ authorization_code, client_credentials, password, refresh_token.
      an empty one → 400 invalid_request: The parameter grant_type is missing. There are:
        ↳ authorization_code, client_credentials, password, refresh_token.
      an unknown one → 400 unsupported_grant_type: The grant_type is not known. There are:
        ↳ authorization_code, client_credentials, password, refresh_token.
      one that is known everywhere else → 400 unsupported_grant_type: The grant_type is
        ↳ not known. There are: authorization_code, client_credentials, password,
        ↳ refresh_token.
      a parameter twice (section 3.2) → 400 invalid_request: The parameter scope is given
        ↳ twice. Send it once.
      two secrets (section 2.3) → 400 invalid_request: The client shows its secret twice:
        ↳ by Basic and as client_secret. Send it once.
      two names → 400 invalid_request: The client_id is another one than that of the
        ↳ header Authorization.
      a broken Basic → 401 invalid_client: The header Authorization must hold the base64
        ↳ form of client:secret after Basic.
      a bearer token for a client → 401 invalid_client: The header Authorization must hold
        ↳ the base64 form of client:secret after Basic.
      an assertion → 401 invalid_client: A client shows its secret by Basic or as
        ↳ client_secret; assertions are not taken.
      a scope that nobody has → 400 invalid_scope: None of the scopes can be granted: fly.
        ↳ There are: read:trees write:trees admin.
      a scope with a quote in it → 400 invalid_scope: A scope holds a character that no
        ↳ scope can have.
      no user → 400 invalid_request: The parameter username is missing.
      no password → 400 invalid_request: The parameter password is missing.
      no code → 400 invalid_request: The parameter code is missing.
      a code of somebody else → 400 invalid_grant: This is no code that this mock issued.
      no refresh token → 400 invalid_request: The parameter refresh_token is missing.
      a refresh token of somebody else → 400 invalid_grant: This is no refresh token that
        ↳ this mock issued."
    `);
  });

  test.each(['application/json', 'text/plain', 'multipart/form-data; boundary=x'])(
    'is told so: a body of %s',
    async (type) => {
      const response = await openDesk().service.answer(
        {
          method: 'POST',
          target: '/__vouch/oauth2/token',
          headers: [['Content-Type', type]],
          body: new TextEncoder().encode('{}'),
        },
        'http://localhost',
      );
      expect(refusalOf(response)).toBe(
        '400 invalid_request: Send the parameters as application/x-www-form-urlencoded.',
      );
    },
  );

  test.each(['GET', 'PUT', 'DELETE', 'HEAD'])('gets an error: %s', async (method) => {
    const response = await openDesk().service.answer(
      { method, target: '/__vouch/oauth2/token', headers: [], body: new Uint8Array() },
      'http://localhost',
    );
    expect([response.status, headerValue(response.headers, 'allow')]).toEqual([
      405,
      'POST, OPTIONS',
    ]);
  });
});

describe('a person by password', () => {
  test('gets a refresh token too, and an ID token for openid (RFC 6749, section 4.3)', async () => {
    const members = await openDesk().token({
      grant_type: 'password',
      username: 'ada',
      password: 'anything',
      scope: 'openid email profile',
      client_id: 'app',
    });
    expect(Object.keys(members)).toEqual([
      'access_token',
      'token_type',
      'expires_in',
      'scope',
      'refresh_token',
      'id_token',
    ]);
    const { at_hash: hash, ...claims } = decodeJwt(members['id_token'] ?? '');
    expect(hash).toHaveLength(22);
    expect(claims).toEqual({
      iss: 'http://localhost:4010/__vouch/oauth2',
      aud: 'app',
      sub: 'ada',
      name: 'ada',
      preferred_username: 'ada',
      email: 'ada@example.com',
      email_verified: true,
      iat: 1893553445,
      exp: 1893557045,
      auth_time: 1893553445,
    });
  });

  test('must be a configured person', async () => {
    const desk = openDesk({ users: [{ name: 'ada', password: 'right', scopes: ['read:trees'] }] });
    const log = (username: string, password: string): ReturnType<typeof desk.post> =>
      desk.post('/token', { grant_type: 'password', username, password });
    expect(membersOf(await log('ada', 'right'))['scope']).toBe('read:trees');
    for (const [name, password] of [
      ['ada', 'wrong'],
      ['ada', 'rightt'],
      ['bob', 'right'],
    ] as const)
      expect(refusalOf(await log(name, password))).toMatch(/^400 invalid_grant/);
  });
});

describe('an authorization code', () => {
  const exchange = {
    grant_type: 'authorization_code',
    client_id: 'app',
    redirect_uri: 'http://localhost/cb',
  };

  test(
    'is exchanged for tokens, with the nonce as it came (OpenID Connect ' +
      'Core, section 3.1.3.7)',
    async () => {
      const desk = openDesk();
      const code = await getCode(desk, { scope: 'openid read:trees', nonce: 'n-1' });
      const members = await desk.token({ ...exchange, code });
      expect(members['scope']).toBe('openid read:trees');
      expect(decodeJwt(members['id_token'] ?? '')).toMatchObject({
        sub: 'ada',
        nonce: 'n-1',
        aud: 'app',
      });
    },
  );

  test(
    'is good for one time, and what came of it ends when it comes again (RFC ' +
      '6749, section 4.1.2)',
    async () => {
      const desk = openDesk();
      const code = await getCode(desk);
      const { access_token: token = '', refresh_token: refresh = '' } = await desk.token({
        ...exchange,
        code,
      });
      expect((await desk.service.judge(token, desk.now())).kind).toBe('good');
      expect(refusalOf(await desk.post('/token', { ...exchange, code }))).toBe(
        '400 invalid_grant: The code was used before; it is good for one time. Log in again.',
      );
      expect(await desk.service.judge(token, desk.now())).toEqual({
        kind: 'spoilt',
        reason: 'The access token was revoked',
      });
      expect(
        refusalOf(
          await desk.post('/token', {
            grant_type: 'refresh_token',
            client_id: 'app',
            refresh_token: refresh,
          }),
        ),
      ).toBe('400 invalid_grant: The refresh token was revoked. Log in again.');
    },
  );

  test.each<[string, Record<string, string>, Record<string, string>, number]>([
    [
      'S256',
      { code_challenge: pkce.challenge, code_challenge_method: 'S256' },
      { code_verifier: pkce.verifier },
      200,
    ],
    [
      'plain',
      { code_challenge: pkce.verifier, code_challenge_method: 'plain' },
      { code_verifier: pkce.verifier },
      200,
    ],
    [
      'plain, where no method is named',
      { code_challenge: pkce.verifier },
      { code_verifier: pkce.verifier },
      200,
    ],
    [
      'the challenge as the verifier',
      { code_challenge: pkce.challenge, code_challenge_method: 'S256' },
      { code_verifier: pkce.challenge },
      400,
    ],
    ['no verifier', { code_challenge: pkce.challenge, code_challenge_method: 'S256' }, {}, 400],
    ['a verifier without a challenge', {}, { code_verifier: pkce.verifier }, 400],
    ['another redirect_uri', {}, { redirect_uri: 'http://localhost/other' }, 400],
    ['another client', {}, { client_id: 'other' }, 400],
  ])(
    'is held to what was asked (RFC 7636, section 4.6): %s',
    async (_name, asked, given, status) => {
      const desk = openDesk();
      const code = await getCode(desk, asked);
      const response = await desk.post('/token', { ...exchange, code, ...given });
      expect(response.status).toBe(status);
      if (status === 400) expect(refusalOf(response)).toMatch(/^400 invalid_grant/);
    },
  );

  test('is valid for five minutes', async () => {
    const desk = openDesk();
    const [early, late] = [await getCode(desk), await getCode(desk)];
    desk.wait(299);
    expect((await desk.post('/token', { ...exchange, code: early })).status).toBe(200);
    desk.wait(1);
    expect(refusalOf(await desk.post('/token', { ...exchange, code: late }))).toBe(
      '400 invalid_grant: The code expired. Log in again.',
    );
  });

  test('of a replica is accepted only with the same secret', async () => {
    const code = await getCode(openDesk());
    expect((await openDesk().post('/token', { ...exchange, code })).status).toBe(200);
    expect(
      refusalOf(
        await openDesk({ secret: 'another secret of many' }).post('/token', { ...exchange, code }),
      ),
    ).toMatch(/^400 invalid_grant/);
  });
});

describe('a refresh token', () => {
  const login = {
    grant_type: 'password',
    username: 'ada',
    password: 'x',
    client_id: 'app',
    scope: 'read:trees write:trees',
  };
  const renewal = { grant_type: 'refresh_token', client_id: 'app' };

  test(
    'gives new tokens with the same scopes or fewer, and goes on holding ' +
      'them all (RFC 6749, section 6)',
    async () => {
      const desk = openDesk();
      const { refresh_token: first = '' } = await desk.token(login);
      const { refresh_token: second = '', scope: narrowed } = await desk.token({
        ...renewal,
        refresh_token: first,
        scope: 'read:trees',
      });
      const { scope: whole } = await desk.token({ ...renewal, refresh_token: second });
      expect([narrowed, whole]).toEqual(['read:trees', 'read:trees write:trees']);
    },
  );

  test('is valid once (RFC 9700, section 4.14.2)', async () => {
    const desk = openDesk();
    const { refresh_token: first = '' } = await desk.token(login);
    const { refresh_token: second = '' } = await desk.token({ ...renewal, refresh_token: first });
    expect(refusalOf(await desk.post('/token', { ...renewal, refresh_token: first }))).toMatch(
      /^400 invalid_grant: The refresh token was used before/,
    );
    expect(refusalOf(await desk.post('/token', { ...renewal, refresh_token: second }))).toMatch(
      /^400 invalid_grant: The refresh token was revoked/,
    );
  });

  test('is refused for more scopes, for another client, and after thirty days', async () => {
    const desk = openDesk();
    const { refresh_token: token = '', access_token: access = '' } = await desk.token(login);
    expect(
      refusalOf(await desk.post('/token', { ...renewal, refresh_token: token, scope: 'admin' })),
    ).toBe(
      '400 invalid_scope: The refresh token does not hold admin. It holds: read:trees write:trees.',
    );
    expect(
      refusalOf(
        await desk.post('/token', { ...renewal, client_id: 'other', refresh_token: token }),
      ),
    ).toBe('400 invalid_grant: The refresh token was issued to another client.');
    expect(refusalOf(await desk.post('/token', { ...renewal, refresh_token: access }))).toBe(
      '400 invalid_grant: This is no refresh token that this mock issued.',
    );
    const { refresh_token: other = '' } = await desk.token(login);
    desk.wait(30 * 24 * 3600 - 1);
    expect((await desk.post('/token', { ...renewal, refresh_token: other })).status).toBe(200);
    desk.wait(1);
    expect(refusalOf(await desk.post('/token', { ...renewal, refresh_token: token }))).toBe(
      '400 invalid_grant: The refresh token expired. Log in again.',
    );
  });
});

describe('mocks that share a memory', () => {
  test(
    "take each other's tokens for as long as they are not revoked: after a " +
      'reload, and of several contracts on one port',
    async () => {
      const memory = new TokenMemory((length) => new Uint8Array(length).fill(7));
      const [one, other] = [
        openDesk({ secret: undefined }, garden, memory),
        openDesk({ secret: undefined }, garden, memory),
      ];
      const code = await getCode(one);
      const { access_token: token = '', refresh_token: refresh = '' } = await other.token({
        grant_type: 'authorization_code',
        client_id: 'app',
        redirect_uri: 'http://localhost/cb',
        code,
      });
      expect((await one.service.judge(token, one.now())).kind).toBe('good');
      await one.post('/revoke', { token: refresh });
      expect((await other.service.judge(token, other.now())).kind).toBe('spoilt');
    },
  );
});

test('the lifetime of access tokens is configured', async () => {
  const { access_token: token = '', expires_in: seconds } = await openDesk({ lifetime: 5 }).token(
    client,
  );
  const { iat = 0, exp = 0 } = decodeJwt(token);
  expect([seconds, exp - iat]).toEqual(['5', 5]);
});

test('every path under the prefix has a response', async () => {
  const response = await openDesk().get('/nothing');
  expect(response.status).toBe(404);
  expect(jsonOf(response)).toMatchObject({ error: 'not_found' });
});

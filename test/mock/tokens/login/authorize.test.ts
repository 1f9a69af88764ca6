import { decodeJwt, decodeProtectedHeader } from 'jose';
import { describe, expect, test } from 'vitest';
import { headerValue } from '../../../../src/http/message.ts';
import { broughtBack, issuer, openDesk, pkce, textOf } from '../garden.ts';

const asked = {
  response_type: 'code',
  client_id: 'app',
  redirect_uri: 'http://localhost:5173/cb',
  state: 'x y',
};
const people = {
  users: [
    { name: 'ada', password: 'right' },
    { name: 'bob', password: 'left', scopes: ['read:trees'] },
  ],
};

function location(response: Awaited<ReturnType<ReturnType<typeof openDesk>['get']>>): string {
  return headerValue(response.headers, 'location') ?? '';
}

describe('the login page', () => {
  test('asks for the user, runs no script and cannot be framed', async () => {
    const response = await openDesk().get('/authorize', {
      ...asked,
      client_id: '<b>app',
      scope: 'read:trees',
    });
    expect(response.status).toBe(200);
    expect(headerValue(response.headers, 'content-security-policy')).toBe(
      "default-src 'none'; form-action 'self' http://localhost:5173; " +
        "frame-ancestors 'none'; base-uri 'none'",
    );
    expect(textOf(response)).toMatchInlineSnapshot(`
      "<!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width">
      <title>Log in</title>
      <h1>Log in</h1>
      <p>This is a mock. <b>&lt;b&gt;app</b> asks for access to Garden:</p>
      <ul><li><code>read:trees</code></li></ul>
      <form method="post" action="/__vouch/oauth2/authorize">
      <input type="hidden" name="response_type" value="code">
      <input type="hidden" name="client_id" value="&lt;b&gt;app">
      <input type="hidden" name="redirect_uri" value="http://localhost:5173/cb">
      <input type="hidden" name="state" value="x y">
      <input type="hidden" name="scope" value="read:trees">
      <p><label>User <input name="username" value="demo-user" autocomplete="off"
        ↳ required></label></p>
      <p><button name="action" value="allow">Allow</button> <button name="action"
        ↳ value="deny" formnovalidate>Deny</button></p>
      </form>
      <p>You are sent back to <code>http://localhost:5173/cb</code></p>
      </html>
      "
    `);
  });

  test('runs no script, cannot be framed, and has its media type', async () => {
    const { headers } = await openDesk().get('/authorize', asked);
    expect(headers).toEqual(
      expect.arrayContaining([
        ['Content-Type', 'text/html; charset=utf-8'],
        ['X-Content-Type-Options', 'nosniff'],
        ['X-Frame-Options', 'DENY'],
        ['Referrer-Policy', 'no-referrer'],
        ['Cache-Control', 'no-store'],
        [
          'Content-Security-Policy',
          expect.stringMatching(
            /^default-src 'none'; form-action 'self'.*; frame-ancestors 'none'; base-uri 'none'$/,
          ),
        ],
      ]),
    );
  });

  test.each([
    ['prompt=login', { prompt: 'login', login_hint: 'ada' }],
    ['prompt=consent', { prompt: 'consent', login_hint: 'ada' }],
    ['nothing', {}],
  ])('is shown with %s', async (_name, more) => {
    expect((await openDesk().get('/authorize', { ...asked, ...more })).status).toBe(200);
  });

  test('redirects with a code or an error (RFC 6749, section 4.1.2)', async () => {
    const desk = openDesk();
    const allowed = await desk.post('/authorize', { ...asked, username: 'ada', action: 'allow' });
    expect(allowed.status).toBe(303);
    expect(decodeJwt(broughtBack(allowed)['code'] ?? '')).toMatchObject({
      sub: 'ada',
      client_id: 'app',
    });
    expect(broughtBack(await desk.post('/authorize', { ...asked, action: 'deny' }))).toEqual({
      error: 'access_denied',
      error_description: 'The person said no.',
      state: 'x y',
      iss: issuer,
    });
    expect(broughtBack(await desk.post('/authorize', asked))).toMatchObject({
      error: 'access_denied',
    });
  });

  test('compares the password where people are configured', async () => {
    const desk = openDesk(people);
    const wrong = await desk.post('/authorize', {
      ...asked,
      username: 'ada',
      password: 'wrong',
      action: 'allow',
    });
    expect([
      wrong.status,
      textOf(wrong).includes('The user and password are not known here.'),
      textOf(wrong).includes('wrong'),
    ]).toEqual([400, true, false]);
    expect(
      location(
        await desk.post('/authorize', {
          ...asked,
          username: 'ada',
          password: 'right',
          action: 'allow',
        }),
      ),
    ).toMatch(/^http:\/\/localhost:5173\/cb\?code=/);
  });
});

describe('authorization without a login page', () => {
  test.each([
    ['prompt=none', { prompt: 'none' }, 'demo-user'],
    ['login_hint', { login_hint: 'ada@example.org' }, 'ada@example.org'],
    ['both', { prompt: 'none', login_hint: 'bob' }, 'bob'],
  ])('%s sends back at once', async (_name, more, person) => {
    const response = await openDesk().get('/authorize', { ...asked, ...more });
    expect(response.status).toBe(303);
    const { code = '', ...rest } = broughtBack(response);
    expect(rest).toEqual({ state: 'x y', iss: issuer });
    expect(decodeJwt(code)).toMatchObject({ sub: person, scope: 'read:trees write:trees admin' });
  });

  test('a configured person has its scopes, an unknown person an error', async () => {
    const desk = openDesk(people);
    expect(
      decodeJwt(
        broughtBack(await desk.get('/authorize', { ...asked, login_hint: 'bob' }))['code'] ?? '',
      ),
    ).toMatchObject({ scope: 'read:trees' });
    expect(
      broughtBack(await desk.get('/authorize', { ...asked, login_hint: 'eve' })),
    ).toMatchObject({ error: 'login_required' });
  });

  test(
    'implicit flows bring tokens in the fragment (RFC 6749, section 4.2.2; ' +
      'OpenID Connect Core, section 3.2.2.5)',
    async () => {
      const desk = openDesk();
      const token = await desk.get('/authorize', {
        ...asked,
        response_type: 'token',
        login_hint: 'ada',
      });
      expect(location(token)).toMatch(/^http:\/\/localhost:5173\/cb#access_token=/);
      expect(Object.keys(broughtBack(token))).toEqual([
        'access_token',
        'token_type',
        'expires_in',
        'scope',
        'state',
        'iss',
      ]);
      const both = await desk.get('/authorize', {
        ...asked,
        response_type: 'token id_token',
        scope: 'openid',
        nonce: 'n',
        login_hint: 'ada',
      });
      const { access_token: access = '', id_token: id = '' } = broughtBack(both);
      expect([
        decodeProtectedHeader(access).typ,
        decodeProtectedHeader(id).typ,
        decodeJwt(id)['nonce'],
      ]).toEqual(['at+jwt', 'JWT', 'n']);
      const alone = broughtBack(
        await desk.get('/authorize', {
          ...asked,
          response_type: 'id_token',
          scope: 'openid',
          nonce: 'n',
          login_hint: 'ada',
        }),
      );
      expect(Object.keys(alone)).toEqual(['id_token', 'state', 'iss']);
    },
  );

  test.each([
    ['fragment', /cb#code=/],
    ['query', /cb\?code=/],
  ])('response_mode=%s brings a code there', async (mode, expected) => {
    expect(
      location(
        await openDesk().get('/authorize', { ...asked, response_mode: mode, prompt: 'none' }),
      ),
    ).toMatch(expected);
  });
});

describe('an invalid authorization request', () => {
  test.each<[string, Record<string, string>, string]>([
    [
      'no response_type',
      { response_type: '' },
      'invalid_request: The parameter response_type is missing.',
    ],
    [
      'an unknown one',
      { response_type: 'code token' },
      'unsupported_response_type: The response_type is not known. There are: ' +
        'code, token, id_token, id_token token.',
    ],
    [
      'an unknown challenge method',
      { code_challenge: pkce.challenge, code_challenge_method: 'S512' },
      'invalid_request: The code_challenge_method is not known. Use S256.',
    ],
    [
      'a short challenge',
      { code_challenge: 'short' },
      'invalid_request: The code_challenge must have 43 to 128 letters, digits or -._~.',
    ],
    [
      'an unknown scope',
      { scope: 'fly' },
      'invalid_scope: None of the scopes can be granted: fly. There are: ' +
        'read:trees write:trees admin.',
    ],
    [
      'an ID token without a nonce',
      { response_type: 'id_token' },
      'invalid_request: The parameter nonce is missing; an ID token that comes ' +
        'without a code needs it.',
    ],
    [
      'tokens in the query',
      { response_type: 'token', response_mode: 'query' },
      'invalid_request: The response_mode must be query or fragment, and ' +
        'fragment where tokens come back.',
    ],
    ['a request object', { request: 'e' }, 'request_not_supported: Request objects are not taken.'],
    [
      'a request object elsewhere',
      { request_uri: 'https://evil.example' },
      'request_uri_not_supported: Request objects are not taken.',
    ],
  ])('is reported to the client: %s', async (_name, more, expected) => {
    const response = await openDesk().get('/authorize', { ...asked, prompt: 'none', ...more });
    const { error = '', error_description: description = '', state } = broughtBack(response);
    expect([response.status, `${error}: ${description}`, state]).toEqual([303, expected, 'x y']);
  });

  test.each([
    ['no client', { client_id: '' }],
    ['no redirect_uri', { redirect_uri: '' }],
    ['another host', { redirect_uri: 'https://evil.example/cb' }],
    ['a host that begins like this machine', { redirect_uri: 'http://localhost.evil.example/cb' }],
    ['a user that looks like this machine', { redirect_uri: 'http://localhost@evil.example/cb' }],
    ['a user before this machine', { redirect_uri: 'http://evil.example@localhost/cb' }],
    ['no scheme', { redirect_uri: '//localhost/cb' }],
    ['a script', { redirect_uri: 'javascript:alert(1)//localhost' }],
    ['data', { redirect_uri: 'data:text/html,hi' }],
    ['a scheme of an app', { redirect_uri: 'com.example.app:/cb' }],
    ['a fragment', { redirect_uri: 'http://localhost/cb#x' }],
    ['an empty fragment', { redirect_uri: 'http://localhost/cb#' }],
  ])('does not redirect: %s (RFC 9700, section 4.11)', async (_name, more) => {
    const desk = openDesk();
    for (const response of [
      await desk.get('/authorize', { ...asked, prompt: 'none', ...more }),
      await desk.post('/authorize', { ...asked, action: 'allow', ...more }),
    ]) {
      expect([response.status, headerValue(response.headers, 'location')]).toEqual([
        400,
        undefined,
      ]);
      expect(headerValue(response.headers, 'content-security-policy')).toContain(
        "default-src 'none'",
      );
    }
  });

  test('with a repeated parameter does not redirect', async () => {
    const response = await openDesk().get('/authorize', [
      ...Object.entries(asked),
      ['state', 'again'],
    ]);
    expect(response.status).toBe(400);
  });
});

describe('allowed redirect targets', () => {
  test.each([
    'http://localhost/cb',
    'http://localhost:5173/cb?x=1',
    'https://127.0.0.1:8443/',
    'http://127.8.8.8/cb',
    'http://[::1]:3000/cb',
    'HTTP://LOCALHOST/cb',
    'http://localhost\\@evil.example/cb',
  ])('%s stays on this machine', async (uri) => {
    const response = await openDesk().get('/authorize', {
      ...asked,
      redirect_uri: uri,
      prompt: 'none',
    });
    expect(new URL(location(response)).hostname).toMatch(
      /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/,
    );
  });

  test('an existing query stays', async () => {
    expect(
      location(
        await openDesk().get('/authorize', {
          ...asked,
          redirect_uri: 'http://localhost/cb?a=b%20c',
          prompt: 'none',
        }),
      ),
    ).toMatch(/cb\?a=b%20c&code=/);
  });

  test('a configured redirect URI is allowed for its client only, compared exactly', async () => {
    const desk = openDesk({
      clients: [
        { id: 'app', redirectUris: ['https://app.example/cb', 'com.example.app:/cb'] },
        { id: 'one', redirectUris: ['https://one.example/cb'] },
      ],
    });
    const go = async (client: string, uri: string): Promise<string> =>
      location(
        await desk.get('/authorize', {
          ...asked,
          client_id: client,
          redirect_uri: uri,
          prompt: 'none',
        }),
      ).replace(/\?.*/, '');
    expect(await go('app', 'https://app.example/cb')).toBe('https://app.example/cb');
    expect(await go('app', 'com.example.app:/cb')).toBe('com.example.app:/cb');
    expect(await go('one', '')).toBe('https://one.example/cb');
    expect(await go('one', 'https://app.example/cb')).toBe('');
    expect(await go('app', 'https://app.example/cb/')).toBe('');
    expect(await go('nobody', 'http://localhost/cb')).toBe('');
  });
});

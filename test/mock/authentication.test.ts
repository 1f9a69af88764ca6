import { describe, expect, test } from 'vitest';
import { authenticate, type AuthenticationRules } from '../../src/mock/security/authenticate.ts';
import { isKnownKey } from '../../src/mock/security/credentials.ts';
import type { SecurityRequirement, SecurityScheme } from '../../src/contract/model.ts';
import type { HeaderList } from '../../src/http/message.ts';
import { openDesk } from './tokens/garden.ts';
import { mockOf, send } from './workshop.ts';

const bearer: SecurityScheme = { kind: 'bearer', name: 'bearer', source: 'http', pointer: '' };
const oauth: SecurityScheme = {
  kind: 'bearer',
  name: 'oauth',
  source: 'oauth2',
  flows: [],
  pointer: '',
};
const identity: SecurityScheme = {
  kind: 'bearer',
  name: 'identity',
  source: 'openIdConnect',
  pointer: '',
};
const digest: SecurityScheme = { kind: 'http', name: 'digest', scheme: 'Digest', pointer: '' };
const negotiate: SecurityScheme = {
  kind: 'http',
  name: 'negotiate',
  scheme: 'Negotiate',
  pointer: '',
};
const ownWord: SecurityScheme = { kind: 'http', name: 'own', scheme: 'X-Own', pointer: '' };
const inAuthorization: SecurityScheme = {
  kind: 'apiKey',
  name: 'token',
  in: 'header',
  key: 'authorization',
  pointer: '',
};
const basic: SecurityScheme = { kind: 'basic', name: 'basic', pointer: '' };
const header: SecurityScheme = {
  kind: 'apiKey',
  name: 'header',
  in: 'header',
  key: 'X-Key',
  pointer: '',
};
const query: SecurityScheme = {
  kind: 'apiKey',
  name: 'query',
  in: 'query',
  key: 'token',
  pointer: '',
};
const cookie: SecurityScheme = {
  kind: 'apiKey',
  name: 'cookie',
  in: 'cookie',
  key: 'sid',
  pointer: '',
};
const mutual: SecurityScheme = { kind: 'mutualTLS', name: 'mtls', pointer: '' };
const undeclared: SecurityScheme = {
  kind: 'unsupported',
  name: 'api_key',
  type: 'undeclared',
  pointer: '',
};

function all(...schemes: SecurityScheme[]): SecurityRequirement {
  return schemes.map((scheme) => ({ scheme, scopes: [] }));
}

function scoped(scheme: SecurityScheme, ...scopes: string[]): SecurityRequirement {
  return [{ scheme, scopes }];
}

interface Attempt {
  readonly security: readonly SecurityRequirement[];
  readonly headers?: HeaderList;
  readonly query?: readonly (readonly [string, string])[];
  readonly mode?: AuthenticationRules['mode'];
}

const desk = openDesk();
const keys = [
  'demo-key',
  'me:pass',
  { key: 'reader', scopes: ['read'] },
  { key: 'nobody', scopes: [] },
];

async function attempt({
  security,
  headers = [],
  query: pairs = [],
  mode = 'known',
}: Attempt): Promise<string> {
  const fault = await authenticate(
    { headers, query: pairs },
    { security, mode, keys, tokens: desk.service, now: desk.now(), realm: 'Shop "1"' },
  );
  if (fault === undefined) return 'let in';
  return [fault.code, fault.message, ...fault.headers.map(([, value]) => value)].join(' | ');
}

function authorization(value: string): HeaderList {
  return [['Authorization', value]];
}

describe('a credential', () => {
  test.each([
    ['bearer', { security: [all(bearer)], headers: authorization('Bearer demo-key') }],
    [
      'bearer in any case',
      { security: [all(bearer)], headers: [['authorization', 'bEARER   demo-key']] },
    ],
    ['oauth2 as bearer', { security: [all(oauth)], headers: authorization('Bearer demo-key') }],
    [
      'basic, as user and password',
      { security: [all(basic)], headers: authorization(`Basic ${btoa('me:pass')}`) },
    ],
    [
      'basic, by its password',
      { security: [all(basic)], headers: authorization(`basic ${btoa('anyone:demo-key')}`) },
    ],
    ['key in a header', { security: [all(header)], headers: [['x-key', ' demo-key ']] }],
    [
      'key in the query',
      {
        security: [all(query)],
        query: [
          ['a', 'b'],
          ['token', 'demo-key'],
        ],
      },
    ],
    [
      'key in a cookie',
      { security: [all(cookie)], headers: [['Cookie', 'a=1; sid=demo-key; b=2']] },
    ],
    [
      'key in a quoted cookie',
      { security: [all(cookie)], headers: [['Cookie', 'sid="demo-key"']] },
    ],
    [
      'two together',
      {
        security: [all(header, query)],
        headers: [['X-Key', 'demo-key']],
        query: [['token', 'demo-key']],
      },
    ],
    [
      'the second of two ways',
      { security: [all(basic), all(header)], headers: [['X-Key', 'demo-key']] },
    ],
    ['none where none is needed', { security: [] }],
    ['none where it is optional', { security: [all(bearer), []] }],
    [
      'a wrong one where it is optional',
      { security: [all(bearer), []], headers: authorization('Bearer nope') },
    ],
    ['what is not judged here', { security: [all(mutual)] }],
    [
      'any well-formed one, where told so',
      { security: [all(bearer)], headers: authorization('Bearer whatever'), mode: 'any' },
    ],
    ['none, where told so', { security: [all(bearer)], mode: 'off' }],
    [
      'openIdConnect as bearer',
      { security: [all(identity)], headers: authorization('Bearer demo-key') },
    ],
    [
      'what bears the same token twice',
      { security: [all(oauth, bearer, identity)], headers: authorization('Bearer demo-key') },
    ],
    [
      'Digest, by being there',
      { security: [all(digest)], headers: authorization('digest username="me", response="x"') },
    ],
    [
      "a scheme of the contract's own, by being there",
      { security: [all(ownWord)], headers: authorization('x-own abc') },
    ],
    [
      'an API key in Authorization, alone',
      { security: [all(inAuthorization)], headers: authorization('demo-key') },
    ],
    [
      'an API key in Authorization, after a word',
      { security: [all(inAuthorization)], headers: authorization('Bearer demo-key') },
    ],
    [
      'the one of two that one header can hold',
      { security: [all(bearer, basic)], headers: authorization('Bearer demo-key') },
    ],
    [
      'the other of the two',
      { security: [all(bearer, basic)], headers: authorization(`Basic ${btoa('me:pass')}`) },
    ],
    [
      'one of two that one header can hold, with a key beside',
      {
        security: [all(bearer, digest, header)],
        headers: [...authorization('Digest x'), ['X-Key', 'demo-key']],
      },
    ],
    ['a scheme that nobody declared', { security: [all(undeclared)] }],
    [
      'what cannot be judged, beside what was met',
      { security: [all(bearer, undeclared)], headers: authorization('Bearer demo-key') },
    ],
    [
      'another way than what cannot be judged',
      { security: [all(mutual), all(bearer)], headers: authorization('Bearer demo-key') },
    ],
    [
      'a key with the scope',
      { security: [scoped(oauth, 'read')], headers: authorization('Bearer reader') },
    ],
    [
      'a key with every scope',
      { security: [scoped(oauth, 'read', 'write')], headers: authorization('Bearer demo-key') },
    ],
    [
      'a key without scopes where none is asked for',
      { security: [scoped(oauth)], headers: authorization('Bearer nobody') },
    ],
    [
      'a key with the scopes of one way',
      {
        security: [scoped(oauth, 'write'), scoped(oauth, 'read')],
        headers: authorization('Bearer reader'),
      },
    ],
    [
      'what nobody knows, whatever it is to hold',
      {
        security: [scoped(oauth, 'write')],
        headers: authorization('Bearer whatever'),
        mode: 'any',
      },
    ],
    [
      'a token of somebody else, where any will do',
      {
        security: [scoped(oauth, 'write')],
        headers: authorization('Bearer abcd.efgh.ijkl'),
        mode: 'any',
      },
    ],
    [
      'a key with too little, where none is needed',
      { security: [scoped(oauth, 'write')], headers: authorization('Bearer reader'), mode: 'off' },
    ],
  ] satisfies [string, Attempt][])('is let in: %s', async (_name, given) => {
    expect(await attempt(given)).toBe('let in');
  });

  test('is refused with the reason and a challenge for each scheme', async () => {
    const refused: Attempt[] = [
      { security: [all(bearer)] },
      { security: [all(bearer)], headers: authorization('') },
      { security: [all(bearer)], headers: authorization('Bearer') },
      { security: [all(bearer)], headers: authorization('Bearer wrong') },
      { security: [all(bearer)], headers: authorization('Bearer demo-key-and-more') },
      { security: [all(bearer)], headers: authorization('Bearer demo-ke') },
      { security: [all(bearer)], headers: authorization('Bearer demo key') },
      { security: [all(bearer)], headers: authorization('Token demo-key') },
      { security: [all(bearer)], headers: authorization('demo-key') },
      { security: [all(bearer)], headers: authorization('Bearer \u202Edemo'), mode: 'any' },
      { security: [all(bearer)], mode: 'any' },
      { security: [all(basic)], headers: authorization('Basic ???') },
      { security: [all(basic)], headers: authorization(`Basic ${btoa('no colon')}`) },
      { security: [all(basic)], headers: authorization(`Basic ${btoa('me:wrong')}`) },
      { security: [all(header)] },
      { security: [all(header)], headers: [['X-Key', '']] },
      {
        security: [all(header)],
        headers: [
          ['X-Key', 'demo-key'],
          ['X-Key', 'demo-key'],
        ],
      },
      { security: [all(query)], query: [['token', 'wrong']] },
      { security: [all(cookie)], headers: [['Cookie', 'sid; other=demo-key']] },
      { security: [all(header, query)], headers: [['X-Key', 'demo-key']] },
      { security: [all(header, query)], headers: [['X-Key', 'wrong']] },
      { security: [all(bearer), all(basic), all(header)], headers: [['X-Key', 'wrong']] },
      { security: [all(bearer, mutual)] },
      {
        security: [],
        headers: [...authorization('Bearer demo-key'), ...authorization('Bearer demo-key')],
      },
    ];
    expect((await Promise.all(refused.map(attempt))).join('\n')).toMatchInlineSnapshot(`
      "unauthorized | The header Authorization is missing. Send Authorization: Bearer KEY.
        ↳ This mock's key is demo-key. | Bearer realm="Shop \\"1\\""
      unauthorized | The header Authorization is empty. Send Authorization: Bearer KEY.
        ↳ This mock's key is demo-key. | Bearer realm="Shop \\"1\\""
      invalid_request | The header Authorization names the scheme Bearer, but holds no
        ↳ token after it. | Bearer realm="Shop \\"1\\"", error="invalid_request"
      invalid_token | The bearer token is not known here. Send a key that is valid. This
        ↳ mock's key is demo-key. | Bearer realm="Shop \\"1\\"", error="invalid_token"
      invalid_token | The bearer token is not known here. Send a key that is valid. This
        ↳ mock's key is demo-key. | Bearer realm="Shop \\"1\\"", error="invalid_token"
      invalid_token | The bearer token is not known here. Send a key that is valid. This
        ↳ mock's key is demo-key. | Bearer realm="Shop \\"1\\"", error="invalid_token"
      invalid_request | The token in the header Authorization holds characters that a
        ↳ bearer token cannot have. Send it as it was given, after Bearer and one space. |
        ↳ Bearer realm="Shop \\"1\\"", error="invalid_request"
      invalid_request | The header Authorization must use the scheme Bearer, but begins
        ↳ with \`Token\`. | Bearer realm="Shop \\"1\\"", error="invalid_request"
      invalid_request | The header Authorization must use the scheme Bearer, but begins
        ↳ with \`demo-key\`. | Bearer realm="Shop \\"1\\"", error="invalid_request"
      invalid_request | The token in the header Authorization holds characters that a
        ↳ bearer token cannot have. Send it as it was given, after Bearer and one space. |
        ↳ Bearer realm="Shop \\"1\\"", error="invalid_request"
      unauthorized | The header Authorization is missing. Send Authorization: Bearer KEY.
        ↳ This mock's key is demo-key. | Bearer realm="Shop \\"1\\""
      invalid_request | The header Authorization must hold the base64 form of
        ↳ user:password after Basic. | Basic realm="Shop \\"1\\"", charset="UTF-8"
      invalid_request | The header Authorization must hold the base64 form of
        ↳ user:password after Basic. | Basic realm="Shop \\"1\\"", charset="UTF-8"
      invalid_token | The user and password are not known here. Send a key that is valid
        ↳ as the password, or as the user with no password. This mock's key is demo-key. |
        ↳ Basic realm="Shop \\"1\\"", charset="UTF-8"
      unauthorized | The header X-Key, which carries the API key, is missing. This mock's
        ↳ key is demo-key. | ApiKey realm="Shop \\"1\\"", in="header", name="X-Key"
      invalid_request | The header X-Key, which carries the API key, is empty. | ApiKey
        ↳ realm="Shop \\"1\\"", in="header", name="X-Key"
      invalid_request | The header X-Key, which carries the API key, is given twice. Send
        ↳ it once. | ApiKey realm="Shop \\"1\\"", in="header", name="X-Key"
      invalid_token | The query parameter token holds an API key that is not known here.
        ↳ Send one that is valid. This mock's key is demo-key. | ApiKey realm="Shop \\"1\\"",
        ↳ in="query", name="token"
      unauthorized | The cookie sid, which carries the API key, is missing. This mock's
        ↳ key is demo-key. | ApiKey realm="Shop \\"1\\"", in="cookie", name="sid"
      unauthorized | The query parameter token, which carries the API key, is missing.
        ↳ This mock's key is demo-key. | ApiKey realm="Shop \\"1\\"", in="header",
        ↳ name="X-Key" | ApiKey realm="Shop \\"1\\"", in="query", name="token"
      invalid_token | The header X-Key holds an API key that is not known here. Send one
        ↳ that is valid. This mock's key is demo-key. | ApiKey realm="Shop \\"1\\"",
        ↳ in="header", name="X-Key" | ApiKey realm="Shop \\"1\\"", in="query", name="token"
      invalid_token | The header X-Key holds an API key that is not known here. Send one
        ↳ that is valid. This mock's key is demo-key. | Bearer realm="Shop \\"1\\"",
        ↳ error="invalid_token" | Basic realm="Shop \\"1\\"", charset="UTF-8" | ApiKey
        ↳ realm="Shop \\"1\\"", in="header", name="X-Key"
      unauthorized | The header Authorization is missing. Send Authorization: Bearer KEY.
        ↳ This mock's key is demo-key. | Bearer realm="Shop \\"1\\""
      invalid_request | The header Authorization is given twice. Send it once."
    `);
  });

  test('is refused under every other scheme', async () => {
    const refused: Attempt[] = [
      { security: [all(digest)] },
      { security: [all(digest)], headers: authorization('Digest') },
      { security: [all(digest)], headers: authorization('Basic abc') },
      { security: [all(negotiate), all(ownWord)] },
      { security: [all(inAuthorization)] },
      { security: [all(inAuthorization)], headers: authorization('Bearer wrong') },
      { security: [all(bearer, basic)] },
      { security: [all(bearer, basic)], headers: authorization('Bearer wrong') },
      { security: [all(bearer, basic)], headers: authorization('Digest x') },
      { security: [all(bearer, basic, header)], headers: authorization('Bearer demo-key') },
      { security: [all(mutual), all(bearer)] },
      { security: [all(undeclared), all(header)] },
    ];
    expect((await Promise.all(refused.map(attempt))).join('\n')).toMatchInlineSnapshot(`
      "unauthorized | The header Authorization is missing. Send Authorization: Digest ….
        ↳ This mock's key is demo-key. | Digest realm="Shop \\"1\\"", qop="auth",
        ↳ algorithm=SHA-256, nonce="dm91Y2g"
      invalid_request | The header Authorization names the scheme Digest, but holds
        ↳ nothing after it. | Digest realm="Shop \\"1\\"", qop="auth", algorithm=SHA-256,
        ↳ nonce="dm91Y2g"
      invalid_request | The header Authorization must use the scheme Digest, but begins
        ↳ with \`Basic\`. | Digest realm="Shop \\"1\\"", qop="auth", algorithm=SHA-256,
        ↳ nonce="dm91Y2g"
      unauthorized | The header Authorization is missing. Send Authorization: Negotiate ….
        ↳ This mock's key is demo-key. | Negotiate | X-Own realm="Shop \\"1\\""
      unauthorized | The header authorization, which carries the API key, is missing. This
        ↳ mock's key is demo-key. | ApiKey realm="Shop \\"1\\"", in="header",
        ↳ name="authorization"
      invalid_token | The header authorization holds an API key that is not known here.
        ↳ Send one that is valid. This mock's key is demo-key. | ApiKey realm="Shop \\"1\\"",
        ↳ in="header", name="authorization"
      unauthorized | The header Authorization is missing. Send Authorization: Bearer KEY.
        ↳ This mock's key is demo-key. | Bearer realm="Shop \\"1\\"" | Basic realm="Shop
        ↳ \\"1\\"", charset="UTF-8"
      invalid_token | The bearer token is not known here. Send a key that is valid. This
        ↳ mock's key is demo-key. | Bearer realm="Shop \\"1\\"", error="invalid_token" |
        ↳ Basic realm="Shop \\"1\\"", charset="UTF-8"
      invalid_request | The header Authorization must use the scheme Bearer, but begins
        ↳ with \`Digest\`. | Bearer realm="Shop \\"1\\"", error="invalid_request" | Basic
        ↳ realm="Shop \\"1\\"", charset="UTF-8"
      unauthorized | The header X-Key, which carries the API key, is missing. This mock's
        ↳ key is demo-key. | Bearer realm="Shop \\"1\\"" | Basic realm="Shop \\"1\\"",
        ↳ charset="UTF-8" | ApiKey realm="Shop \\"1\\"", in="header", name="X-Key"
      unauthorized | The header Authorization is missing. Send Authorization: Bearer KEY.
        ↳ This mock's key is demo-key. | Bearer realm="Shop \\"1\\""
      unauthorized | The header X-Key, which carries the API key, is missing. This mock's
        ↳ key is demo-key. | ApiKey realm="Shop \\"1\\"", in="header", name="X-Key""
    `);
  });

  test('is refused with the missing scopes (RFC 6750, section 3.1)', async () => {
    const refused: Attempt[] = [
      { security: [scoped(oauth, 'read', 'write')], headers: authorization('Bearer reader') },
      { security: [scoped(oauth, 'write')], headers: authorization('Bearer nobody') },
      { security: [scoped(oauth, 'write')], headers: authorization('Bearer reader'), mode: 'any' },
      { security: [scoped(header, 'admin')], headers: [['X-Key', 'reader']] },
      { security: [scoped(oauth, 'write'), all(header)], headers: authorization('Bearer reader') },
      {
        security: [[...scoped(oauth, 'write'), ...all(header)]],
        headers: authorization('Bearer reader'),
      },
      {
        security: [[...scoped(oauth, 'read'), ...scoped(identity, 'write')]],
        headers: authorization('Bearer reader'),
      },
    ];
    expect((await Promise.all(refused.map(attempt))).join('\n')).toMatchInlineSnapshot(`
      "insufficient_scope | The credential lacks the scope write, which this operation
        ↳ needs. It carries read. | Bearer realm="Shop \\"1\\"", error="insufficient_scope",
        ↳ scope="read write"
      insufficient_scope | The credential lacks the scope write, which this operation
        ↳ needs. It carries no scope at all. | Bearer realm="Shop \\"1\\"",
        ↳ error="insufficient_scope", scope="write"
      insufficient_scope | The credential lacks the scope write, which this operation
        ↳ needs. It carries read. | Bearer realm="Shop \\"1\\"", error="insufficient_scope",
        ↳ scope="write"
      insufficient_scope | The credential lacks the scope admin, which this operation
        ↳ needs. It carries read. | ApiKey realm="Shop \\"1\\"", in="header", name="X-Key"
      insufficient_scope | The credential lacks the scope write, which this operation
        ↳ needs. It carries read. | Bearer realm="Shop \\"1\\"", error="insufficient_scope",
        ↳ scope="write" | ApiKey realm="Shop \\"1\\"", in="header", name="X-Key"
      unauthorized | The header X-Key, which carries the API key, is missing. This mock's
        ↳ key is demo-key. | Bearer realm="Shop \\"1\\"" | ApiKey realm="Shop \\"1\\"",
        ↳ in="header", name="X-Key"
      insufficient_scope | The credential lacks the scope write, which this operation
        ↳ needs. It carries read. | Bearer realm="Shop \\"1\\"", error="insufficient_scope",
        ↳ scope="read write""
    `);
  });

  test('is checked after routing and before validation', async () => {
    const mock = await mockOf();
    expect((await send(mock, 'GET /v2/nothing', { key: false })).status).toBe(404);
    expect((await send(mock, 'DELETE /v2/tools', { key: false })).status).toBe(405);
    expect((await send(mock, 'POST /v2/tools', { key: false, body: {} })).status).toBe(401);
    expect((await send(mock, 'GET /v2/tools/77', { key: false })).status).toBe(401);
  });
});

describe('a token of the mock', () => {
  const write = [scoped(oauth, 'write:trees')];
  const issue = async (scope: string): Promise<string> =>
    (await desk.token({ grant_type: 'client_credentials', scope }))['access_token'] ?? '';

  test('is accepted for its scopes, in any place', async () => {
    const token = await issue('write:trees');
    expect(await attempt({ security: write, headers: authorization(`Bearer ${token}`) })).toBe(
      'let in',
    );
    expect(
      await attempt({ security: [scoped(header, 'write:trees')], headers: [['X-Key', token]] }),
    ).toBe('let in');
    expect(
      await attempt({
        security: [scoped(basic, 'write:trees')],
        headers: authorization(`Basic ${btoa(`x:${token}`)}`),
      }),
    ).toBe('let in');
    expect(
      await attempt({
        security: [scoped(inAuthorization, 'write:trees')],
        headers: authorization(`Bearer ${token}`),
      }),
    ).toBe('let in');
    expect(
      await attempt({ security: [all(bearer)], headers: authorization(`Bearer ${token}`) }),
    ).toBe('let in');
  });

  test(
    'is held to its scopes and its time in every mode, and another is ' +
      'foreign where keys must be known',
    async () => {
      const token = await issue('read:trees');
      const narrow = { security: write, headers: authorization(`Bearer ${token}`) };
      const forged = {
        security: write,
        headers: authorization(`Bearer ${token.slice(0, -6)}AAAAAA`),
      };
      const lines = [
        await attempt(narrow),
        await attempt({ ...narrow, mode: 'any' }),
        await attempt(forged),
        await attempt({ ...forged, mode: 'any' }),
      ];
      desk.wait(3600);
      lines.push(
        await attempt(narrow),
        await attempt({ ...narrow, mode: 'any' }),
        await attempt({ ...narrow, mode: 'off' }),
      );
      expect(lines.join('\n')).toMatchInlineSnapshot(`
        "insufficient_scope | The credential lacks the scope write:trees, which this
          ↳ operation needs. It carries read:trees. | Bearer realm="Shop \\"1\\"",
          ↳ error="insufficient_scope", scope="write:trees"
        insufficient_scope | The credential lacks the scope write:trees, which this
          ↳ operation needs. It carries read:trees. | Bearer realm="Shop \\"1\\"",
          ↳ error="insufficient_scope", scope="write:trees"
        invalid_token | The signature of the token is not one of this mock. Send one that
          ↳ this mock issued, or a key that is valid. This mock's key is demo-key. | Bearer
          ↳ realm="Shop \\"1\\"", error="invalid_token", error_description="The signature of
          ↳ the token is not one of this mock"
        let in
        invalid_token | The access token expired at 2030-01-02T04:04:05.000Z. Get a new one.
          ↳ This mock's key is demo-key. | Bearer realm="Shop \\"1\\"", error="invalid_token",
          ↳ error_description="The access token expired at 2030-01-02T04:04:05.000Z"
        invalid_token | The access token expired at 2030-01-02T04:04:05.000Z. Get a new one.
          ↳ This mock's key is demo-key. | Bearer realm="Shop \\"1\\"", error="invalid_token",
          ↳ error_description="The access token expired at 2030-01-02T04:04:05.000Z"
        let in"
      `);
    },
  );

  test('is checked synchronously if there is no token to verify', () => {
    const rules = {
      security: [all(bearer)],
      mode: 'known',
      keys,
      tokens: desk.service,
      now: desk.now(),
      realm: 'Shop',
    } as const;
    expect(
      authenticate({ headers: authorization('Bearer demo-key'), query: [] }, rules),
    ).toBeUndefined();
  });
});

describe('a key', () => {
  test.each([
    ['demo-key', true],
    ['second', true],
    ['demo-ke', false],
    ['demo-keyy', false],
    ['Demo-key', false],
    ['', false],
    ['demo-key\0', false],
    ['secondemo-key', false],
  ])('%j is known: %s', (text, known) => {
    expect(isKnownKey(text, ['demo-key', 'second'])).toBe(known);
  });

  test('is never known without configured keys', () => {
    expect(isKnownKey('', [])).toBe(false);
    expect(isKnownKey('undefined', [])).toBe(false);
  });
});

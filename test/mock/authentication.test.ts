import { describe, expect, test } from 'vitest';
import { authenticate, type AuthenticationRules } from '../../src/mock/authenticate.ts';
import { isKnownKey } from '../../src/mock/request/is-known-key.ts';
import type { SecurityRequirement, SecurityScheme } from '../../src/contract/model.ts';
import type { HeaderList } from '../../src/http/message.ts';
import { mockOf, send } from './workshop.ts';

const bearer: SecurityScheme = { kind: 'bearer', name: 'bearer', source: 'http', pointer: '' };
const oauth: SecurityScheme = { kind: 'bearer', name: 'oauth', source: 'oauth2', pointer: '' };
const basic: SecurityScheme = { kind: 'basic', name: 'basic', pointer: '' };
const header: SecurityScheme = { kind: 'apiKey', name: 'header', in: 'header', key: 'X-Key', pointer: '' };
const query: SecurityScheme = { kind: 'apiKey', name: 'query', in: 'query', key: 'token', pointer: '' };
const cookie: SecurityScheme = { kind: 'apiKey', name: 'cookie', in: 'cookie', key: 'sid', pointer: '' };
const mutual: SecurityScheme = { kind: 'unsupported', name: 'mtls', type: 'mutualTLS', pointer: '' };

function all(...schemes: SecurityScheme[]): SecurityRequirement {
  return schemes.map((scheme) => ({ scheme, scopes: [] }));
}

interface Attempt {
  readonly security: readonly SecurityRequirement[];
  readonly headers?: HeaderList;
  readonly query?: readonly (readonly [string, string])[];
  readonly mode?: AuthenticationRules['mode'];
}

function attempt({ security, headers = [], query: pairs = [], mode = 'known' }: Attempt): string {
  const fault = authenticate({ headers, query: pairs }, { security, mode, keys: ['demo-key', 'me:pass'], realm: 'Shop "1"' });
  if (fault === undefined) return 'let in';
  return [fault.code, fault.message, ...fault.headers.map(([, value]) => value)].join(' | ');
}

function authorization(value: string): HeaderList {
  return [['Authorization', value]];
}

describe('a credential', () => {
  test.each([
    ['bearer', { security: [all(bearer)], headers: authorization('Bearer demo-key') }],
    ['bearer in any case', { security: [all(bearer)], headers: [['authorization', 'bEARER   demo-key']] }],
    ['oauth2 as bearer', { security: [all(oauth)], headers: authorization('Bearer demo-key') }],
    ['basic, as user and password', { security: [all(basic)], headers: authorization(`Basic ${btoa('me:pass')}`) }],
    ['basic, by its password', { security: [all(basic)], headers: authorization(`basic ${btoa('anyone:demo-key')}`) }],
    ['key in a header', { security: [all(header)], headers: [['x-key', ' demo-key ']] }],
    ['key in the query', { security: [all(query)], query: [['a', 'b'], ['token', 'demo-key']] }],
    ['key in a cookie', { security: [all(cookie)], headers: [['Cookie', 'a=1; sid=demo-key; b=2']] }],
    ['key in a quoted cookie', { security: [all(cookie)], headers: [['Cookie', 'sid="demo-key"']] }],
    ['two together', { security: [all(header, query)], headers: [['X-Key', 'demo-key']], query: [['token', 'demo-key']] }],
    ['the second of two ways', { security: [all(basic), all(header)], headers: [['X-Key', 'demo-key']] }],
    ['none where none is needed', { security: [] }],
    ['none where it is optional', { security: [all(bearer), []] }],
    ['a wrong one where it is optional', { security: [all(bearer), []], headers: authorization('Bearer nope') }],
    ['what is not judged here', { security: [all(mutual)] }],
    ['any well-formed one, where told so', { security: [all(bearer)], headers: authorization('Bearer whatever'), mode: 'any' }],
    ['none, where told so', { security: [all(bearer)], mode: 'off' }],
  ] satisfies [string, Attempt][])('is let in: %s', (_name, given) => {
    expect(attempt(given)).toBe('let in');
  });

  test('is refused with the reason and a challenge for each way in', () => {
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
      { security: [all(header)], headers: [['X-Key', 'demo-key'], ['X-Key', 'demo-key']] },
      { security: [all(query)], query: [['token', 'wrong']] },
      { security: [all(cookie)], headers: [['Cookie', 'sid; other=demo-key']] },
      { security: [all(header, query)], headers: [['X-Key', 'demo-key']] },
      { security: [all(header, query)], headers: [['X-Key', 'wrong']] },
      { security: [all(bearer), all(basic), all(header)], headers: [['X-Key', 'wrong']] },
      { security: [all(bearer, mutual)] },
      { security: [], headers: [...authorization('Bearer demo-key'), ...authorization('Bearer demo-key')] },
    ];
    expect(refused.map(attempt).join('\n')).toMatchInlineSnapshot(`
      "unauthorized | The header Authorization is missing. Send Authorization: Bearer KEY. | Bearer realm="Shop \\"1\\""
      unauthorized | The header Authorization is empty. Send Authorization: Bearer KEY. | Bearer realm="Shop \\"1\\""
      invalid_request | The header Authorization names the scheme Bearer, but holds no token after it. | Bearer realm="Shop \\"1\\"", error="invalid_request"
      invalid_token | The bearer token is not known here. Send a key that is valid. | Bearer realm="Shop \\"1\\"", error="invalid_token"
      invalid_token | The bearer token is not known here. Send a key that is valid. | Bearer realm="Shop \\"1\\"", error="invalid_token"
      invalid_token | The bearer token is not known here. Send a key that is valid. | Bearer realm="Shop \\"1\\"", error="invalid_token"
      invalid_request | The token in the header Authorization holds characters that a bearer token cannot have. Send it as it was given, after Bearer and one space. | Bearer realm="Shop \\"1\\"", error="invalid_request"
      invalid_request | The header Authorization must use the scheme Bearer, but begins with \`Token\`. | Bearer realm="Shop \\"1\\"", error="invalid_request"
      invalid_request | The header Authorization must use the scheme Bearer, but begins with \`demo-key\`. | Bearer realm="Shop \\"1\\"", error="invalid_request"
      invalid_request | The token in the header Authorization holds characters that a bearer token cannot have. Send it as it was given, after Bearer and one space. | Bearer realm="Shop \\"1\\"", error="invalid_request"
      unauthorized | The header Authorization is missing. Send Authorization: Bearer KEY. | Bearer realm="Shop \\"1\\""
      invalid_request | The header Authorization must hold the base64 form of user:password after Basic. | Basic realm="Shop \\"1\\"", charset="UTF-8"
      invalid_request | The header Authorization must hold the base64 form of user:password after Basic. | Basic realm="Shop \\"1\\"", charset="UTF-8"
      invalid_token | The user and password are not known here. Send a key that is valid as the password, or as the user with no password. | Basic realm="Shop \\"1\\"", charset="UTF-8"
      unauthorized | The header X-Key, which carries the API key, is missing. | ApiKey realm="Shop \\"1\\"", in="header", name="X-Key"
      invalid_request | The header X-Key, which carries the API key, is empty. | ApiKey realm="Shop \\"1\\"", in="header", name="X-Key"
      invalid_request | The header X-Key, which carries the API key, is given twice. Send it once. | ApiKey realm="Shop \\"1\\"", in="header", name="X-Key"
      invalid_token | The query parameter token holds an API key that is not known here. Send one that is valid. | ApiKey realm="Shop \\"1\\"", in="query", name="token"
      unauthorized | The cookie sid, which carries the API key, is missing. | ApiKey realm="Shop \\"1\\"", in="cookie", name="sid"
      unauthorized | The query parameter token, which carries the API key, is missing. | ApiKey realm="Shop \\"1\\"", in="header", name="X-Key" | ApiKey realm="Shop \\"1\\"", in="query", name="token"
      invalid_token | The header X-Key holds an API key that is not known here. Send one that is valid. | ApiKey realm="Shop \\"1\\"", in="header", name="X-Key" | ApiKey realm="Shop \\"1\\"", in="query", name="token"
      invalid_token | The header X-Key holds an API key that is not known here. Send one that is valid. | Bearer realm="Shop \\"1\\"", error="invalid_token" | Basic realm="Shop \\"1\\"", charset="UTF-8" | ApiKey realm="Shop \\"1\\"", in="header", name="X-Key"
      unauthorized | The header Authorization is missing. Send Authorization: Bearer KEY. | Bearer realm="Shop \\"1\\""
      invalid_request | The header Authorization is given twice. Send it once."
    `);
  });

  test('is asked for after routing and before anything is looked at', async () => {
    const mock = await mockOf();
    expect((await send(mock, 'GET /v2/nothing', { key: false })).status).toBe(404);
    expect((await send(mock, 'DELETE /v2/tools', { key: false })).status).toBe(405);
    expect((await send(mock, 'POST /v2/tools', { key: false, body: {} })).status).toBe(401);
    expect((await send(mock, 'GET /v2/tools/77', { key: false })).status).toBe(401);
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

  test('none is known where there are none', () => {
    expect(isKnownKey('', [])).toBe(false);
    expect(isKnownKey('undefined', [])).toBe(false);
  });
});

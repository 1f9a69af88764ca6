import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import type { Contract, SecurityScheme } from '../../src/contract/model.ts';
import { conflictingSchemes } from '../../src/contract/model/security.ts';

function contractOf(schemes: object, security: unknown, openapi = '3.1.0'): Contract {
  const operation = { operationId: 'go', security, responses: { '204': { description: 'gone' } } };
  return parseContract(
    JSON.stringify({
      openapi,
      info: { title: 'T', version: '1' },
      paths: { '/': { get: operation } },
      components: { securitySchemes: schemes },
    }),
    't.json',
  );
}

function schemeOf(
  raw: object,
  openapi = '3.1.0',
): Omit<SecurityScheme, 'name' | 'pointer'> | undefined {
  const scheme = contractOf({ s: raw }, [], openapi).securitySchemes.get('s');
  if (scheme === undefined) return undefined;
  const { name: _name, pointer: _pointer, ...rest } = scheme;
  return rest;
}

describe('a security scheme (OpenAPI 3.1, section 4.8.27)', () => {
  test.each([
    [
      'http bearer',
      { type: 'http', scheme: 'Bearer', bearerFormat: 'JWT' },
      { kind: 'bearer', source: 'http', bearerFormat: 'JWT' },
    ],
    ['http basic', { type: 'http', scheme: 'BASIC' }, { kind: 'basic' }],
    ['http digest', { type: 'http', scheme: 'Digest' }, { kind: 'http', scheme: 'Digest' }],
    ['http of its own', { type: 'http', scheme: 'x-own' }, { kind: 'http', scheme: 'x-own' }],
    [
      'http that no header can name',
      { type: 'http', scheme: 'my scheme' },
      { kind: 'unsupported', type: 'http my scheme' },
    ],
    ['http without a name', { type: 'http' }, { kind: 'unsupported', type: 'http' }],
    [
      'a key in a header',
      { type: 'apiKey', in: 'header', name: 'X-Key' },
      { kind: 'apiKey', in: 'header', key: 'X-Key' },
    ],
    [
      'a key in the query',
      { type: 'apiKey', in: 'query', name: 'key' },
      { kind: 'apiKey', in: 'query', key: 'key' },
    ],
    [
      'a key in a cookie',
      { type: 'apiKey', in: 'cookie', name: 'sid' },
      { kind: 'apiKey', in: 'cookie', key: 'sid' },
    ],
    [
      'a key in the path',
      { type: 'apiKey', in: 'path', name: 'sid' },
      { kind: 'unsupported', type: 'apiKey' },
    ],
    [
      'a key without a name',
      { type: 'apiKey', in: 'header' },
      { kind: 'unsupported', type: 'apiKey' },
    ],
    ['a client certificate', { type: 'mutualTLS' }, { kind: 'mutualTLS' }],
    [
      'OpenID Connect',
      {
        type: 'openIdConnect',
        openIdConnectUrl: 'https://a.example/.well-known/openid-configuration',
      },
      {
        kind: 'bearer',
        source: 'openIdConnect',
        discoveryUrl: 'https://a.example/.well-known/openid-configuration',
      },
    ],
    [
      'OAuth 2.0 without flows',
      { type: 'oauth2' },
      { kind: 'bearer', source: 'oauth2', flows: [] },
    ],
    ['what nobody knows', { type: 'palmistry' }, { kind: 'unsupported', type: 'palmistry' }],
    ['nothing', {}, { kind: 'unsupported', type: '' }],
  ])('%s', (_name, raw, expected) => {
    expect(schemeOf(raw)).toEqual(expected);
  });

  test('has every flow of OAuth 2.0, including devices (OpenAPI 3.2, section 4.29)', () => {
    const flow = { tokenUrl: '/t', scopes: { read: 'see', write: 'change' } };
    const scheme = contractOf(
      {
        s: {
          type: 'oauth2',
          oauth2MetadataUrl: '/meta',
          flows: {
            implicit: { authorizationUrl: '/a', scopes: {} },
            password: flow,
            clientCredentials: flow,
            authorizationCode: { ...flow, authorizationUrl: '/a', refreshUrl: '/r' },
            deviceAuthorization: { ...flow, deviceAuthorizationUrl: '/d' },
            unheardOf: flow,
          },
        },
      },
      [],
      '3.2.0',
    ).securitySchemes.get('s');
    expect(scheme).toMatchObject({ kind: 'bearer', source: 'oauth2', metadataUrl: '/meta' });
    const flows = scheme?.kind === 'bearer' && scheme.source === 'oauth2' ? scheme.flows : [];
    expect(
      flows.map(({ grant, scopes, ...rest }) => ({ grant, scopes: [...scopes.keys()], ...rest })),
    ).toMatchInlineSnapshot(`
      [
        {
          "authorizationUrl": "/a",
          "grant": "authorizationCode",
          "pointer": "/components/securitySchemes/s/flows/authorizationCode",
          "refreshUrl": "/r",
          "scopes": [
            "read",
            "write",
          ],
          "tokenUrl": "/t",
        },
        {
          "grant": "clientCredentials",
          "pointer": "/components/securitySchemes/s/flows/clientCredentials",
          "scopes": [
            "read",
            "write",
          ],
          "tokenUrl": "/t",
        },
        {
          "grant": "password",
          "pointer": "/components/securitySchemes/s/flows/password",
          "scopes": [
            "read",
            "write",
          ],
          "tokenUrl": "/t",
        },
        {
          "authorizationUrl": "/a",
          "grant": "implicit",
          "pointer": "/components/securitySchemes/s/flows/implicit",
          "scopes": [],
        },
        {
          "grant": "deviceAuthorization",
          "pointer": "/components/securitySchemes/s/flows/deviceAuthorization",
          "scopes": [
            "read",
            "write",
          ],
          "tokenUrl": "/t",
        },
      ]
    `);
  });

  test('follows a reference to another one', () => {
    const contract = contractOf(
      {
        real: { type: 'http', scheme: 'basic' },
        alias: { $ref: '#/components/securitySchemes/real' },
      },
      [{ alias: [] }],
    );
    expect(contract.operations[0]?.security[0]?.[0]?.scheme).toMatchObject({
      kind: 'basic',
      name: 'alias',
    });
  });
});

describe('a security requirement', () => {
  const schemes = { a: { type: 'http', scheme: 'basic' }, b: { type: 'oauth2', flows: {} } };
  const read = (security: unknown, openapi?: string): string[][] | undefined =>
    contractOf(schemes, security, openapi).operations[0]?.security.map((requirement) =>
      requirement.map(({ scheme, scopes }) => [scheme.kind, scheme.name, ...scopes].join(' ')),
    );

  test.each([
    ['either of two', [{ a: [] }, { b: ['read'] }], [['basic a'], ['bearer b read']]],
    ['both of two', [{ a: [], b: ['read', 'write'] }], [['basic a', 'bearer b read write']]],
    ['optional', [{ a: [] }, {}], [['basic a'], []]],
    ['none', [], []],
    ['one that nobody declared', [{ c: [] }, { a: [] }], [['unsupported c'], ['basic a']]],
    ['with scopes that are none', [{ b: ['read', 1, null] }], [['bearer b read']]],
    ['without a list of scopes', [{ b: null }], [['bearer b']]],
  ])('%s', (_name, security, expected) => {
    expect(read(security)).toEqual(expected);
  });

  test('may name a scheme by its URI (OpenAPI 3.2, section 4.31)', () => {
    expect(read([{ '#/components/securitySchemes/a': [] }], '3.2.0')).toEqual([['basic a']]);
    expect(read([{ '#/components/securitySchemes/c': [] }], '3.2.0')).toEqual([
      ['unsupported #/components/securitySchemes/c'],
    ]);
  });

  test('prefers a scheme of that name, even if it looks like a URI', () => {
    const contract = contractOf(
      { ...schemes, '#/components/securitySchemes/a': { type: 'mutualTLS' } },
      [{ '#/components/securitySchemes/a': [] }],
    );
    expect(contract.operations[0]?.security[0]?.[0]?.scheme.kind).toBe('mutualTLS');
  });
});

describe('schemes that use the header Authorization', () => {
  const kinds: Record<string, object> = {
    bearer: { type: 'http', scheme: 'bearer' },
    oauth: { type: 'oauth2', flows: {} },
    basic: { type: 'http', scheme: 'basic' },
    digest: { type: 'http', scheme: 'digest' },
    DIGEST: { type: 'http', scheme: 'DIGEST' },
    token: { type: 'apiKey', in: 'header', name: 'authorization' },
    key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    query: { type: 'apiKey', in: 'query', name: 'Authorization' },
    mtls: { type: 'mutualTLS' },
  };

  test.each([
    ['bearer', ''],
    ['bearer oauth', ''],
    ['bearer key query mtls', ''],
    ['digest DIGEST', ''],
    ['token key', ''],
    ['bearer basic', 'bearer basic'],
    ['basic key digest', 'basic digest'],
    ['oauth token mtls', 'oauth token'],
    ['bearer oauth basic', 'bearer oauth basic'],
  ])('%s: rivals are "%s"', (names, rivals) => {
    const requirement = Object.fromEntries(names.split(' ').map((name) => [name, []]));
    const [security = []] = contractOf(kinds, [requirement]).operations[0]?.security ?? [];
    expect(
      conflictingSchemes(security)
        .map(({ name }) => name)
        .join(' '),
    ).toBe(rivals);
  });
});

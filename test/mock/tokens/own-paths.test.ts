import { describe, expect, test } from 'vitest';
import { parseContract } from '../../../src/contract/load.ts';
import { findOwnPaths } from '../../../src/mock/tokens/token-service.ts';
import { garden, membersOf, openDesk } from './garden.ts';

const always = [
  '/.well-known/oauth-authorization-server/__vouch/oauth2',
  '/.well-known/openid-configuration/__vouch/oauth2',
];

function pathsOf(server: string, scheme: object): string[] {
  const document = {
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    servers: [{ url: server }],
    paths: {},
    components: { securitySchemes: { s: scheme } },
  };
  const paths = findOwnPaths(parseContract(JSON.stringify(document), 't.json'), () => false);
  return [...paths]
    .filter(([path]) => !always.includes(path))
    .map(([path, endpoint]) => `${path} ${endpoint}`);
}

function withTokenUrl(tokenUrl: string): object {
  return { type: 'oauth2', flows: { clientCredentials: { tokenUrl, scopes: {} } } };
}

describe('the paths that a contract names for its logins', () => {
  test.each([
    ['https://a.example/v1', 'https://a.example/oauth/token', ['/oauth/token /token']],
    ['https://a.example/v1', 'https://a.example/v1/token?x=1', ['/v1/token /token']],
    ['https://a.example/v1', '/oauth/token', ['/oauth/token /token']],
    ['https://a.example/v1', 'oauth/token', ['/v1/oauth/token /token']],
    ['/v1', '/oauth/token', ['/oauth/token /token']],
    ['/v1/', './token', ['/v1/token /token']],
    ['https://a.example/v1', 'https://login.example/token', []],
    ['https://a.example/v1', 'http://a.example/token', []],
    ['https://a.example/v1', 'https://a.example:8443/token', []],
    ['/v1', 'https://login.example/token', []],
    ['https://a.example/v1', 'https://a.example/', []],
    ['https://a.example/v1', 'http://[', []],
    ['http://[', '/token', []],
  ])('on the server %s, %s', (server, url, expected) => {
    expect(pathsOf(server, withTokenUrl(url))).toEqual(expected);
  });

  test('are those of every flow and of discovery', () => {
    expect(
      pathsOf('https://a.example', {
        type: 'openIdConnect',
        openIdConnectUrl: 'https://a.example/.well-known/openid-configuration',
      }),
    ).toEqual(['/.well-known/openid-configuration /.well-known/openid-configuration']);
    const flows = {
      authorizationCode: { authorizationUrl: '/in', tokenUrl: '/t', refreshUrl: '/r', scopes: {} },
      deviceAuthorization: { deviceAuthorizationUrl: '/d', tokenUrl: '/t', scopes: {} },
    };
    expect(
      pathsOf('https://a.example', { type: 'oauth2', flows, oauth2MetadataUrl: '/meta' }),
    ).toEqual([
      '/t /token',
      '/r /token',
      '/in /authorize',
      '/meta /.well-known/oauth-authorization-server',
    ]);
  });

  test('are left to an operation with that path', () => {
    expect([...findOwnPaths(garden, (path) => path === '/v1/trees').keys()]).toEqual([
      ...always,
      '/oauth/authorize',
      '/oauth/token',
    ]);
    expect(openDesk().service.isTokenTarget('/v1/trees?x=/oauth/token')).toBe(false);
  });

  test('respond like those under the prefix', async () => {
    const { service } = openDesk();
    expect(service.isTokenTarget('/oauth/token')).toBe(true);
    const response = await service.answer(
      {
        method: 'POST',
        target: '/oauth/token',
        headers: [['Content-Type', 'application/x-www-form-urlencoded']],
        body: new TextEncoder().encode('grant_type=client_credentials'),
      },
      'http://localhost',
    );
    expect(membersOf(response)['token_type']).toBe('Bearer');
  });

  test.each([
    ['/__vouch/oauth2', true],
    ['/__vouch/oauth2/', true],
    ['/__vouch/oauth2?x', true],
    ['/__vouch/oauth22', false],
    ['/__vouch/state', false],
    ['/oauth/token/', false],
    ['/oauth/tokens', false],
  ])('%s is one of the endpoints: %s', (target, expected) => {
    expect(openDesk().service.isTokenTarget(target)).toBe(expected);
  });
});

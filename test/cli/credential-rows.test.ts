import { expect, test } from 'vitest';
import { credentialRows } from '../../src/cli/serve/banner.ts';
import type { JsonObject } from '../../src/json/value.ts';
import { startMock, type StartMockOptions } from '../../src/library/start-mock.ts';
import type { AuthenticationMode } from '../../src/mock/model/reply.ts';

function contractWith(securitySchemes: JsonObject, security: JsonObject[]): JsonObject {
  return {
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    components: { securitySchemes },
    security,
    paths: { '/a': { get: { responses: { '204': { description: 'ok' } } } } },
  };
}

const oauth = {
  type: 'oauth2',
  flows: { clientCredentials: { tokenUrl: 'https://a.example/t', scopes: {} } },
};

async function rows(options: StartMockOptions, auth: AuthenticationMode): Promise<string> {
  const mock = await startMock({ ...options, config: false });
  const text = credentialRows(mock, auth)
    .map((row) => row.join(' | ').replaceAll(mock.origin, 'ORIGIN'))
    .join('\n');
  await mock.close();
  return text;
}

const asked = { contract: contractWith({ oauth }, [{ oauth: [] }]) };
const getToken = 'tokens | curl -d grant_type=client_credentials ORIGIN/__vouch/oauth2/token';

test.each<[string, StartMockOptions, AuthenticationMode, string]>([
  [
    'a key alone',
    { contract: contractWith({ key: { type: 'apiKey', in: 'query', name: 'k' } }, [{ key: [] }]) },
    'known',
    'key | demo-key',
  ],
  [
    'keys with scopes, after those with all',
    { ...asked, keys: [{ key: 'reader', scopes: ['read', 'list'] }, 'demo-key'] },
    'known',
    `key | demo-key, reader (read list)\n${getToken}`,
  ],
  [
    'a client that is configured',
    { ...asked, tokens: { clients: [{ id: 'page' }, { id: "o'app", secret: 's:1' }] } },
    'known',
    "key | demo-key\ntokens | curl -u 'o'\\''app:s%3A1' -d " +
      'grant_type=client_credentials ORIGIN/__vouch/oauth2/token',
  ],
  [
    'clients without a secret',
    { ...asked, tokens: { clients: [{ id: 'page' }] } },
    'known',
    'key | demo-key\ntokens | ORIGIN/__vouch/oauth2/token',
  ],
  ['no tokens', { ...asked, tokens: false }, 'known', 'key | demo-key'],
  [
    'what is not judged',
    {
      contract: contractWith({ mutual: { type: 'mutualTLS' } }, [{ mutual: [] }, { missing: [] }]),
    },
    'known',
    'key | demo-key\n | not verified by the mock: mutual (client ' +
      'certificates), missing (undeclared)',
  ],
  ['any credential', asked, 'any', `key | any well-formed credential (--auth any)\n${getToken}`],
  ['none', asked, 'off', 'key | none needed (--auth off)'],
])('the banner tells how to be let in: %s', async (_name, options, auth, expected) => {
  expect(await rows(options, auth)).toBe(expected);
});

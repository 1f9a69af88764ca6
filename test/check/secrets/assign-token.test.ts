import { expect, test } from 'vitest';
import { assignToken } from '../../../src/check/secrets/run-credentials.ts';
import { contractOf } from '../fixture/odd-contract.ts';

const contractWith = (...security: string[]): ReturnType<typeof contractOf> =>
  contractOf(`
paths:
${security
  .map(
    (one, index) => `  /p${String(index)}: { get: { security: ${one}, responses: { '200': {
      description: ok } } } }`,
  )
  .join('\n')}
components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key }, tenant: {
    type: apiKey, in: header, name: X-Tenant }, token: { type: http, scheme: bearer } } }`);

test.each([
  ['alone, and not beside another one', ['[{ token: [] }, { key: [], tenant: [] }]'], ['token']],
  ['alone, and not with one more', ['[{ token: [] }, { token: [], tenant: [] }]'], ['token']],
  ['of any operation', ['[{ token: [] }]', '[{ token: [] }, { key: [], tenant: [] }]'], ['token']],
  ['of none, where two are enough', ['[{ token: [] }, { key: [] }]'], []],
  ['of none, where two are asked for', ['[{ key: [], tenant: [] }]'], []],
])('one credential is for the scheme that it meets %s', (_what, security, schemes) => {
  expect(assignToken(contractWith(...security), {}).schemes).toEqual(schemes);
});

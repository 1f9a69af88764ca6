import { describe, expect, test } from 'vitest';
import { placeCredential, usableRequirement, whyUnusable } from '../../../src/check/secrets/credential.ts';
import type { Operation } from '../../../src/contract/model.ts';
import { makeContract } from '../../contract/make-contract.ts';

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer' },
  oauth: { type: 'oauth2', flows: {} },
  basic: { type: 'http', scheme: 'basic' },
  digest: { type: 'http', scheme: 'digest' },
  key: { type: 'apiKey', in: 'header', name: 'X-Key' },
  query: { type: 'apiKey', in: 'query', name: 'key' },
  mutual: { type: 'mutualTLS' },
};

/** An operation that is open to those who meet one of the requirements: `bearer key` asks for both. */
function secured(...requirements: string[]): Operation {
  const security = requirements.map((names) => Object.fromEntries(names.split(' ').map((name) => [name, []])));
  const contract = makeContract({ components: { securitySchemes }, paths: { '/a': { get: { operationId: 'a', security, responses: { 200: { description: 'ok' } } } } } });
  const [operation] = contract.operations;
  if (operation === undefined) throw new Error('There is no operation.');
  return operation;
}

function used(...requirements: string[]): string | undefined {
  return usableRequirement(secured(...requirements))?.map(({ scheme }) => scheme.name).join(' ');
}

describe('the requirement that a token can meet', () => {
  test.each([
    [['bearer'], 'bearer'],
    [['mutual', 'bearer'], 'bearer'],
    [['digest', 'key'], 'key'],
    [['bearer basic', 'key'], 'key'],
    [['bearer key'], 'bearer key'],
    [['bearer oauth'], 'bearer oauth'],
  ])('of %j is %s', (requirements, expected) => {
    expect(used(...requirements)).toBe(expected);
  });

  test.each([
    [['mutual'], 'it asks for a security scheme that vouch cannot meet with a token (mutual: mutualTLS)'],
    [['digest'], 'it asks for a security scheme that vouch cannot meet with a token (digest: http digest)'],
    [['missing', 'mutual key'], 'it asks for a security scheme that vouch cannot meet with a token (missing: undeclared, mutual: mutualTLS)'],
    [['bearer basic'], 'it asks for bearer and basic together, and a request has the header Authorization once'],
  ])('is none of %j', (requirements, why) => {
    expect(used(...requirements)).toBeUndefined();
    expect(whyUnusable(secured(...requirements))).toBe(why);
  });
});

test('a token goes where each scheme wants it, and once where two want the same', () => {
  expect(placeCredential(secured('bearer oauth key query'), 't')).toEqual({ headers: [['Authorization', 'Bearer t'], ['X-Key', 't']], query: [['key', 't']], cookies: [] });
});

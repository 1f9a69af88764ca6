import { describe, expect, test } from 'vitest';
import {
  hasWrongScheme,
  placeCredential,
  usableRequirement,
  whyUnusable,
} from '../../../src/check/secrets/credential.ts';
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

/**
 * An operation that is open to those who meet one of the requirements: `bearer key` asks for both.
 */
function secured(...requirements: string[]): Operation {
  const security = requirements.map((names) =>
    Object.fromEntries(names.split(' ').map((name) => [name, []])),
  );
  const contract = makeContract({
    components: { securitySchemes },
    paths: {
      '/a': { get: { operationId: 'a', security, responses: { 200: { description: 'ok' } } } },
    },
  });
  const [operation] = contract.operations;
  if (operation === undefined) throw new Error('There is no operation.');
  return operation;
}

function used(...requirements: string[]): string | undefined {
  return usableRequirement(secured(...requirements))
    ?.map(({ scheme }) => scheme.name)
    .join(' ');
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
    [
      ['mutual'],
      'it requires a security scheme for which vouch cannot send a token (mutual: mutualTLS)',
    ],
    [
      ['digest'],
      'it requires a security scheme for which vouch cannot send a token (digest: http digest)',
    ],
    [
      ['missing', 'mutual key'],
      'it requires a security scheme for which vouch cannot send a token (missing: ' +
        'undeclared, mutual: mutualTLS)',
    ],
    [
      ['bearer basic'],
      'it requires bearer and basic together, and a request has the header Authorization once',
    ],
  ])('has no requirement for %j', (requirements, why) => {
    expect(used(...requirements)).toBeUndefined();
    expect(whyUnusable(secured(...requirements))).toBe(why);
  });
});

describe('a credential under a wrong scheme', () => {
  const sent = (token: string, ...requirements: string[]): unknown =>
    placeCredential(secured(...requirements), token, 'a wrong scheme').headers;
  const has = (operation: Operation, ...names: string[]): boolean =>
    hasWrongScheme(
      operation,
      makeContract({
        components: {
          securitySchemes: Object.fromEntries(
            Object.entries(securitySchemes).filter(([name]) => names.includes(name)),
          ),
        },
        paths: {},
      }).securitySchemes.values(),
    );

  test('is sent like another credential, with the same other headers', () => {
    expect(sent('t', 'bearer')).toEqual([['Authorization', 'Digest t']]);
    expect(sent('u:p', 'basic')).toEqual([['Authorization', 'Bearer dTpw']]);
    expect(sent('t', 'key')).toEqual([['Authorization', 'Bearer t']]);
    expect(sent('u:p', 'basic key')).toEqual([
      ['Authorization', 'Bearer dTpw'],
      ['X-Key', 'u:p'],
    ]);
    expect(sent('t', 'bearer key')).toEqual([
      ['Authorization', 'Digest t'],
      ['X-Key', 't'],
    ]);
  });

  test.each<[string, string[], boolean]>([
    ['bearer', ['bearer', 'key', 'basic'], true],
    ['bearer', ['bearer', 'digest'], false],
    ['key', ['key', 'basic'], true],
    ['key', ['key', 'oauth'], false],
    ['basic', ['basic', 'key'], true],
    ['basic', ['basic', 'bearer'], false],
    ['query', ['query'], false],
  ])('%s beside %j: %s', (requirement, names, expected) => {
    expect(has(secured(requirement), ...names)).toBe(expected);
  });

  test('uses the requirement with a given token', () => {
    const operation = secured('bearer', 'query');
    expect(hasWrongScheme(operation, [], () => 't')).toBe(true);
    expect(hasWrongScheme(operation, [], ({ name }) => (name === 'query' ? 't' : undefined))).toBe(
      false,
    );
  });
});

test('a token is placed for each scheme, once if two schemes share a place', () => {
  expect(placeCredential(secured('bearer oauth key query'), 't')).toEqual({
    headers: [
      ['Authorization', 'Bearer t'],
      ['X-Key', 't'],
    ],
    query: [['key', 't']],
    cookies: [],
  });
});

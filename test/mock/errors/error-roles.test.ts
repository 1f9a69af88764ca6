import { expect, test } from 'vitest';
import { type ErrorFacts, errorFieldValue } from '../../../src/mock/errors/error-roles.ts';
import { fieldsOf } from '../../../src/mock/records/record-fields.ts';
import { jsonContent, makeContract } from '../../contract/make-contract.ts';

/** The code that an error of a status has, where the contract lists these. */
function codeOf(status: number, known: readonly string[]): unknown {
  const schema = makeContract({
    paths: {
      '/a': {
        get: {
          responses: {
            400: {
              description: 'Wrong',
              ...jsonContent({ type: 'object', properties: { code: { enum: known } } }),
            },
          },
        },
      },
    },
  }).operations[0]?.responses[0]?.content[0]?.schema;
  const field = schema && fieldsOf(schema).get('code');
  const facts: ErrorFacts = {
    status,
    code: 'qx',
    canonical: '',
    title: 'Qy',
    message: '',
    instance: '/a',
    now: new Date(0),
    issues: [],
    fill: () => ({ ok: false, reason: '' }),
  };
  return field && errorFieldValue(field, facts, []);
}

test.each<[number, readonly string[]]>([
  [400, ['validation', 'invalid', 'badrequest']],
  [401, ['unauthorized', 'unauthenticated', 'auth']],
  [403, ['forbidden', 'denied']],
  [404, ['notfound', 'missing']],
  [409, ['conflict', 'exists']],
  [412, ['precondition', 'stale', 'conflict']],
  [422, ['validation', 'invalid', 'unprocessable']],
  [500, ['internal', 'server']],
  [503, ['internal', 'server']],
  [418, []],
])(
  'the error code of a %i is %j if the contract lists it, otherwise the general one',
  (status, own) => {
    const words = [...own, 'other', 'unknown', 'unexpected', 'generic'];
    expect(words.map((word) => codeOf(status, ['KZW', `E_${word.toUpperCase()}`]))).toEqual(
      words.map((word) => `E_${word.toUpperCase()}`),
    );
    // The most telling counts, wherever it stands.
    expect(codeOf(status, words.toReversed())).toBe(words[0]);
  },
);

test('a code without a match is the first listed one', () => {
  expect(codeOf(418, ['KZW', 'VJL'])).toBe('KZW');
});

import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/json/value.ts';
import { makeContract } from '../make-contract.ts';

test('texts of an operation are read, other values ignored', () => {
  const words = {
    summary: 'Read it.',
    'x-sunset': '2030-12-05',
    'x-deprecated-at': '2030-01-01',
    'x-replaced-by': 'other',
    'x-stability-level': 'beta',
  };
  const [read, odd] = makeContract({
    paths: { '/a': { get: { ...words, responses: {} }, put: { summary: 5, responses: {} } } },
  }).operations;
  expect(read).toMatchObject({
    summary: 'Read it.',
    sunset: '2030-12-05',
    deprecatedAt: '2030-01-01',
    replacedBy: 'other',
    stability: 'beta',
  });
  expect(odd).not.toHaveProperty('summary');
});

test.each<[string, JsonObject, string[][]]>([
  ['those of the document', {}, [['a']]],
  ['its own', { security: [{ b: [] }, { a: [], b: [] }] }, [['b'], ['a', 'b']]],
  ['none', { security: [] }, []],
])('an operation asks for credentials: %s', (_name, own, expected) => {
  const scheme = { type: 'http', scheme: 'bearer' };
  const { operations } = makeContract({
    security: [{ a: [] }],
    components: { securitySchemes: { a: scheme, b: scheme } },
    paths: { '/a': { get: { ...own, responses: {} } } },
  });
  expect(operations[0]?.security.map((all) => all.map(({ scheme: { name } }) => name))).toEqual(
    expected,
  );
});

import { expect, test } from 'vitest';
import { parseContract } from '../../../src/contract/load.ts';
import { identifierIn, withOwnIdentifier } from '../../../src/check/reading/identifiers.ts';

test.each([
  ['vouch-4adfc5-30e5fe', /^vouch-/],
  ['nysaog', /^[a-z]{6}$/],
  ['DE-4711x', /^[A-Z]{2}-\d{4}[a-z]$/],
  ['0123456789abcdef', /^[0-9a-f]{16}$/],
  ['7d3f1b52-9c1e-4f0a-a1b2-c3d4e5f60718', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/],
])('a create that is repeated gets another name in the form of %s', (id, form) => {
  const path = ['id'];
  const body = withOwnIdentifier({ id }, { path, schema: undefined, salt: 'another' });
  expect(identifierIn(body, path)).toMatch(form);
  expect(identifierIn(body, path)).not.toBe(id);
});

test('a number that is chosen within bounds gets as many digits', () => {
  const number = { type: 'integer', minimum: 1000, maximum: 5999 };
  const schema = parseContract(
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Accounts', version: '1' },
      paths: {
        '/accounts': {
          post: {
            requestBody: {
              content: {
                'application/json': { schema: { type: 'object', properties: { id: number } } },
              },
            },
            responses: { 201: { description: 'Created' } },
          },
        },
      },
    }),
    'accounts.json',
  ).operations[0]?.requestBody?.content[0]?.schema;
  const path = ['id'];
  const made = ['one', 'two', 'three'].map((salt) =>
    identifierIn(withOwnIdentifier({ id: 4711 }, { path, schema, salt }), path),
  );
  for (const id of made) expect(schema?.accepts({ id: id ?? null }, 'request')).toBe(true);
  expect(new Set([4711, ...made]).size).toBe(4);
  const again = withOwnIdentifier({ id: 4711 }, { path, schema: undefined, salt: 'another' });
  expect(String(identifierIn(again, path))).toMatch(/^(?!4711)\d{4}$/);
});

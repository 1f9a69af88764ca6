import { expect, test } from 'vitest';
import { missingIdentifiers } from '../../../src/check/plan/missing-identifiers.ts';
import { parseContract } from '../../../src/contract/load.ts';

test.each([
  [{ type: 'string' }, /^[0-9a-f]{8}-/],
  [{ type: 'string', pattern: '^[a-z0-9-]{5,20}$' }, /^missing-\d+$/],
  [{ type: 'string', pattern: '^[0-9]+$' }, /^\d{10}$/],
  [{ type: 'integer', format: 'int32' }, /^\d{10}$/],
])('an identifier of the schema %j that no record has', (schema, form) => {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Seats', version: '1' },
    paths: {
      '/seats/{id}': {
        get: {
          parameters: [{ name: 'id', in: 'path', required: true, schema }],
          responses: { 200: { description: 'A seat' } },
        },
      },
    },
  };
  const [parameter] =
    parseContract(JSON.stringify(document), 'seats.json').operations[0]?.parameters ?? [];
  if (parameter === undefined) throw new Error('The path has a parameter.');
  const [missing] = missingIdentifiers(parameter, 'seed');
  expect(String(missing?.value)).toMatch(form);
});

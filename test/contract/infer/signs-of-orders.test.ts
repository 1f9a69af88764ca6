import { expect, test } from 'vitest';
import { parseContract } from '../../../src/contract/load.ts';

/** The language of the orders of a list, and the fields that the document shows in one. */
function orders(sort: object): string | undefined {
  const moment = { type: 'string', format: 'date-time' };
  const note = { type: 'object', properties: { id: { type: 'string' }, createdAt: moment } };
  const content = { 'application/json': { schema: { type: 'array', items: note } } };
  const contract = parseContract(
    JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'Notes', version: '1' },
      paths: {
        '/notes': {
          get: {
            parameters: [{ name: '_sort', in: 'query', schema: { type: 'string', ...sort } }],
            responses: { 200: { description: 'All.', content } },
          },
        },
      },
    }),
    'notes.json',
  );
  const found = contract.resources[0]?.list?.sort;
  return found?.language && `${found.language.id}: ${found.shown?.join(' ') ?? 'all'}`;
}

test('an order that a default shows in small letters is known', () => {
  expect(orders({ default: '-createdat' })).toBe('sign-order: createdAt');
  expect(orders({ default: '-changedat' })).toBeUndefined();
});

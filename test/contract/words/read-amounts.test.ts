import { expect, test } from 'vitest';
import { formulasIn } from '../../../src/contract/words/read-amounts.ts';
import { jsonContent, makeContract } from '../make-contract.ts';

const number = { type: 'number' };
const rows = (...names: readonly string[]) => ({
  type: 'array',
  items: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, number])) },
});

/** What a description of `total` adds up of an order with lines and fees. */
function totalOf(description: string): unknown {
  const order = {
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'string' },
      lines: rows('price', 'quantity', 'weight'),
      fees: rows('price'),
      total: { ...number, description },
    },
  };
  const contract = makeContract({
    paths: {
      '/orders/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        get: { responses: { 200: { description: 'One.', ...jsonContent(order) } } },
      },
    },
  });
  const [resource] = contract.resources;
  const [formula] = resource === undefined ? [] : formulasIn(resource);
  return formula?.terms.map(({ list, factors }) => [list, ...factors]);
}

test.each<[string, unknown]>([
  ['The sum of price times quantity', [['lines', 'price', 'quantity']]],
  ['The sum of the weights', [['lines', 'weight']]],
  ['The sum of the prices of the fees', [['fees', 'price']]],
  ['The sum of the prices', undefined],
  ['The sum of price times weight times quantity', undefined],
])('"%s" adds up %j', (description, expected) => {
  expect(totalOf(description)).toEqual(expected);
});

import { expect, test } from 'vitest';
import { statedOrder } from '../../../src/contract/words/read-list.ts';
import { jsonContent, makeContract } from '../make-contract.ts';

const entry = {
  type: 'object',
  properties: { id: { type: 'integer' }, day: { type: 'string' }, name: { type: 'string' } },
};

function orderOf(path: string, description: string): string | undefined {
  const responses = {
    200: { description: 'ok', ...jsonContent({ type: 'array', items: entry }) },
  };
  const contract = makeContract({
    info: { title: 'Hours', version: '1', description },
    paths: { [path]: { get: { responses } } },
  });
  const [operation] = contract.operations;
  const record = contract.resources[0]?.record;
  const order = operation && record && statedOrder(operation, record);
  return order && `${order.field} ${order.descending ? 'descends' : 'ascends'}`;
}

test.each([
  [
    '/time_entries',
    'Time entries and trips are sorted by `day`, the latest first.',
    'day descends',
  ],
  ['/trips', 'Time entries are sorted by `day`; trips are ordered by `name`.', 'name ascends'],
  ['/people', 'Time entries are sorted by `day`.', undefined],
  ['/trips', 'Trips can be sorted by `day`.', undefined],
])('the order of %s, of which the API says: %s', (path, description, expected) => {
  expect(orderOf(path, description)).toBe(expected);
});

import { expect, test } from 'vitest';
import { parseContract } from '../../../src/contract/load.ts';
import { closedStates } from '../../../src/contract/words/read-states.ts';

/** The states of orders that the description of an API closes, as `code: field=value`. */
function told(description: string): string[] {
  const properties = {
    id: { type: 'integer' },
    status: { type: 'string', enum: ['open', 'closed'] },
    is_locked: { type: 'boolean' },
  };
  const content = { 'application/json': { schema: { type: 'object', properties } } };
  const responses = { 200: { description: 'The order.', content } };
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  const contract = parseContract(
    JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'Orders', version: '1', description },
      paths: { '/orders/{id}': { get: { parameters: [id], responses } } },
    }),
    'orders.json',
  );
  const [orders] = contract.resources;
  if (orders === undefined) throw new Error('The contract has no resource.');
  return closedStates(contract, orders).map(
    ({ code, field, value, isForAll }) => `${code}: ${field}=${value}${isForAll ? ', all' : ''}`,
  );
}

test.each([
  ['Errors: is_locked.', 'is_locked: is_locked=true'],
  ['Any request that changes it fails with ORDER_LOCKED.', 'ORDER_LOCKED: is_locked=true, all'],
  ['All other calls get already_closed.', 'already_closed: status=closed, all'],
  ['no further updates: order_closed', 'order_closed: status=closed, all'],
  ['order_not_open is for a member who tries any time.', 'order_not_open: status=closed'],
])('%s', (description, expected) => {
  expect(told(description)).toEqual([expected]);
});

test.each(['Errors: order_not_found.', 'The field is_closed_at.', 'A locked order is 409.'])(
  'nothing is read in: %s',
  (description) => {
    expect(told(description)).toEqual([]);
  },
);

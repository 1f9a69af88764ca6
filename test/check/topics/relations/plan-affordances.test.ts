import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { planCheck } from '../../../../src/check/engine/check-target.ts';
import { parseContract } from '../../../../src/contract/load.ts';

const orders = new URL('../../../../bench/servers/orders/orders.yaml', import.meta.url);
const text = readFileSync(orders, 'utf8');

/** The operations by which an order with a line of somebody's product is brought on. */
function bringingOn(document: string): string[] {
  const contract = parseContract(document, 'orders.yaml');
  const { requests } = planCheck({ url: 'http://127.0.0.1:4010', contract, seed: 'a' });
  const brought = requests.filter(({ title }) => title.includes('that brings on'));
  return [...new Set(brought.map(({ operation }) => operation.id))];
}

test('a record whose parts name those of others goes as far as something takes it back', () => {
  expect(bringingOn(text)).toEqual(['submitOrder', 'cancelOrder']);
});

test('it is not brought on where nothing takes it back', () => {
  const path = '/orders/{order}/cancel:';
  expect(bringingOn(text.replace(path, '/orders/{order}/confirm:'))).toEqual([]);
});

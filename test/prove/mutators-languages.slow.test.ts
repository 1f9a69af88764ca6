import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { proof, proveKinds } from './prove-kinds.ts';

const kinds = [
  'ignores-expression',
  'expression-includes-bound',
  'expression-unequal-as-equal',
  'expression-and-as-or',
  'order-ignores-descending',
  'order-ignores-second',
  'ignores-sort',
  'order-reversed',
  'later-pages-forget-filter',
  'later-pages-forget-sort',
  'sort-forgets-filter',
  'filter-forgets-sort',
  'takes-misordered',
];

test('a check kills the mutations of filter expressions and of orders', proof, async () => {
  const contract = fileURLToPath(new URL('./parcels.yaml', import.meta.url));
  const { summary } = await proveKinds(contract, kinds);
  expect(summary.kinds.planted).toBe(kinds.length);
});

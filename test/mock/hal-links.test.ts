import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { converse, mockOf } from './workshop.ts';

const orders = fileURLToPath(new URL('../prove/hal.yaml', import.meta.url));

test('a new record in HAL links to itself, its parent, and what the request names', async () => {
  const mock = await mockOf({ contract: await loadContract(orders) });
  const said = await converse(mock, [
    ['POST /orders', { body: { note: 'By noon' } }],
    ['POST /orders/made-1/lines', { body: { product: '/products/3', quantity: 2 } }],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /orders → 201 {"id":"made-1","note":"By noon",
      ↳"_links":{"self":{"href":"/orders/made-1"}}}
    POST /orders/made-1/lines → 201 {"id":"made-2","quantity":2,
      ↳"_links":{"order":{"href":"/orders/made-1"},"product":{"href":"/products/3"},
      ↳"self":{"href":"/orders/made-1/lines/made-2"}},"product":"/products/3"}"
  `);
});

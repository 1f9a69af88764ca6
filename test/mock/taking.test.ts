import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { converse, mockOf } from './workshop.ts';

test('what an action takes from a stock is given back once, and only if it was taken', async () => {
  const stock = fileURLToPath(new URL('../prove/stock.yaml', import.meta.url));
  const mock = await mockOf({ contract: await loadContract(stock) });
  const line = { productId: 'made-1', quantity: 3, note: 'Oak' };
  const read = ['GET /products/made-1'] as const;
  expect(
    await converse(mock, [
      ['POST /products', { body: { name: 'Desk', stock: 40 } }],
      ['POST /orders', { body: { note: 'Soon' } }],
      ['POST /orders/made-2/lines', { body: line }],
      ['POST /orders/made-2/cancel'],
      read,
      ['POST /orders/made-2/submit'],
      read,
      ['POST /orders/made-2/cancel'],
      ['POST /orders/made-2/cancel'],
      read,
    ]),
  ).toMatchInlineSnapshot(`
    "POST /products → 201 {"id":"made-1","name":"Desk","stock":40}
    POST /orders → 201 {"id":"made-2","note":"Soon","status":"draft"}
    POST /orders/made-2/lines → 201 {"id":"made-3","productId":"made-1","quantity":3,
      ↳"note":"Oak"}
    POST /orders/made-2/cancel → 200 {"id":"made-2","note":"Soon","status":"cancelled"}
    GET /products/made-1 → 200 {"id":"made-1","name":"Desk","stock":40}
    POST /orders/made-2/submit → 200 {"id":"made-2","note":"Soon","status":"submitted"}
    GET /products/made-1 → 200 {"id":"made-1","name":"Desk","stock":37}
    POST /orders/made-2/cancel → 200 {"id":"made-2","note":"Soon","status":"cancelled"}
    POST /orders/made-2/cancel → 200 {"id":"made-2","note":"Soon","status":"cancelled"}
    GET /products/made-1 → 200 {"id":"made-1","name":"Desk","stock":40}"
  `);
});

import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { converse, mockOf } from './workshop.ts';

const baskets = fileURLToPath(new URL('../prove/baskets.yaml', import.meta.url));

test('a change is refused in a state of the record, or its parent, that excludes it', async () => {
  const mock = await mockOf({ contract: await loadContract(baskets) });
  const said = await converse(mock, [
    ['POST /baskets', { body: { name: 'Fruit' } }],
    ['POST /baskets/made-1/close'],
    ['POST /baskets/made-1/close'],
    ['POST /baskets/made-1/lines', { body: { name: 'Pear', price: 5, quantity: 2 } }],
    ['GET /baskets/made-1'],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /baskets → 201 {"id":"made-1","name":"Fruit","status":"open","lineCount":0,
      ↳"total":0}
    POST /baskets/made-1/close → 200 {"id":"made-1","name":"Fruit","status":"closed",
      ↳"lineCount":0,"total":0}
    POST /baskets/made-1/close → 409 {"type":"about:blank","title":"Conflict",
      ↳"status":409,"detail":"The record of baskets has the status \`closed\`, and the
      ↳ contract allows this only in \`open\`.","code":"conflict"}
    POST /baskets/made-1/lines → 409 {"type":"about:blank","title":"Conflict",
      ↳"status":409,"detail":"The record of baskets has the status \`closed\`, and the
      ↳ contract allows this only in \`open\`.","code":"conflict"}
    GET /baskets/made-1 → 200 {"id":"made-1","name":"Fruit","status":"closed",
      ↳"lineCount":0,"total":0}"
  `);
});

import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { converse, mockOf, type Sending } from './workshop.ts';

const baskets = fileURLToPath(new URL('../prove/baskets.yaml', import.meta.url));
const line = (price: number, quantity: number): Sending => ({
  body: { name: 'Pear', price, quantity },
});

test('a record counts and sums up what is below it, while that is added and deleted', async () => {
  const mock = await mockOf({ contract: await loadContract(baskets) });
  const said = await converse(mock, [
    ['POST /baskets', { body: { name: 'Fruit' } }],
    ['POST /baskets/made-1/lines', line(5, 2)],
    ['POST /baskets/made-1/lines', line(3, 1)],
    ['GET /baskets/made-1'],
    ['DELETE /baskets/made-1/lines/made-2'],
    ['GET /baskets/made-1'],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /baskets → 201 {"id":"made-1","name":"Fruit","status":"open","lineCount":0,
      ↳"total":0}
    POST /baskets/made-1/lines → 201 {"id":"made-2","name":"Pear","price":5,
      ↳"quantity":2,"amount":10}
    POST /baskets/made-1/lines → 201 {"id":"made-3","name":"Pear","price":3,
      ↳"quantity":1,"amount":3}
    GET /baskets/made-1 → 200 {"id":"made-1","name":"Fruit","status":"open",
      ↳"lineCount":2,"total":13}
    DELETE /baskets/made-1/lines/made-2 → 204
    GET /baskets/made-1 → 200 {"id":"made-1","name":"Fruit","status":"open",
      ↳"lineCount":1,"total":3}"
  `);
});

test('a record names the last one below it, as that is added and deleted', async () => {
  const boards = fileURLToPath(new URL('../prove/boards.yaml', import.meta.url));
  const mock = await mockOf({ contract: await loadContract(boards) });
  const said = await converse(mock, [
    ['POST /boards', { body: { name: 'Plans' } }],
    ['POST /boards/made-1/cards', { body: { text: 'Sow' } }],
    ['POST /boards/made-1/cards', { body: { text: 'Mow' } }],
    ['GET /boards/made-1'],
    ['DELETE /boards/made-1/cards/made-3'],
    ['GET /boards/made-1'],
    ['DELETE /boards/made-1/cards/made-2'],
    ['GET /boards/made-1'],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /boards → 201 {"id":"made-1","name":"Plans","latestCardId":null}
    POST /boards/made-1/cards → 201 {"id":"made-2","text":"Sow"}
    POST /boards/made-1/cards → 201 {"id":"made-3","text":"Mow"}
    GET /boards/made-1 → 200 {"id":"made-1","name":"Plans","latestCardId":"made-3"}
    DELETE /boards/made-1/cards/made-3 → 204
    GET /boards/made-1 → 200 {"id":"made-1","name":"Plans","latestCardId":"made-2"}
    DELETE /boards/made-1/cards/made-2 → 204
    GET /boards/made-1 → 200 {"id":"made-1","name":"Plans","latestCardId":null}"
  `);
});

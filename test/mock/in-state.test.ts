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
      ↳"status":409,"detail":"The record of baskets has the status \`closed\`, in which the
      ↳ contract does not allow this.","code":"conflict"}
    POST /baskets/made-1/lines → 409 {"type":"about:blank","title":"Conflict",
      ↳"status":409,"detail":"The record of baskets has the status \`closed\`, in which the
      ↳ contract does not allow this.","code":"conflict"}
    GET /baskets/made-1 → 200 {"id":"made-1","name":"Fruit","status":"closed",
      ↳"lineCount":0,"total":0}"
  `);
});

test('a state in which the API refuses all changes is left only by what sets it', async () => {
  const folders = fileURLToPath(new URL('../prove/folders.yaml', import.meta.url));
  const mock = await mockOf({ contract: await loadContract(folders) });
  const said = await converse(mock, [
    ['POST /folders', { body: { name: 'Plans' } }],
    ['POST /folders/made-1/archive'],
    ['PATCH /folders/made-1', { body: { name: 'Old plans' } }],
    ['POST /folders/made-1/notes', { body: { text: 'Call' } }],
    ['POST /folders/made-1/archive'],
    ['DELETE /folders/made-1'],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /folders → 201 {"id":"made-1","name":"Plans","archived":false}
    POST /folders/made-1/archive → 200 {"id":"made-1","name":"Plans","archived":true}
    PATCH /folders/made-1 → 409 {"code":"folder_archived","message":"The record of
      ↳ folders has the archived \`true\`, in which the contract does not allow this."}
    POST /folders/made-1/notes → 409 {"code":"folder_archived","message":"The record of
      ↳ folders has the archived \`true\`, in which the contract does not allow this."}
    POST /folders/made-1/archive → 200 {"id":"made-1","name":"Plans","archived":true}
    DELETE /folders/made-1 → 204"
  `);
});

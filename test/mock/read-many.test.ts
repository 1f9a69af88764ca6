import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { converse, mockOf } from './workshop.ts';

const plants = fileURLToPath(new URL('../prove/plants.yaml', import.meta.url));

test('a batch read shows the named records in the order of their names, or fails', async () => {
  const mock = await mockOf({ contract: await loadContract(plants) });
  const said = await converse(mock, [
    ['POST /plants', { body: { name: 'Fern' } }],
    ['POST /plants', { body: { name: 'Moss' } }],
    ['GET /plants:batchGet?ids=made-2&ids=made-1'],
    ['GET /plants:batchGet?ids=made-2&ids=made-3'],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /plants → 201 {"id":"made-1","name":"Fern"}
    POST /plants → 201 {"id":"made-2","name":"Moss"}
    GET /plants:batchGet?ids=made-2&ids=made-1 → 200 {"plants":[{"id":"made-2",
      ↳"name":"Moss"},{"id":"made-1","name":"Fern"}]}
    GET /plants:batchGet?ids=made-2&ids=made-3 → 404 {"type":"about:blank","title":"Not
      ↳ Found","status":404,"detail":"No record of plants has the id \`made-3\`.",
      ↳"code":"not_found"}"
  `);
});

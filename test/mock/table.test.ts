import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { converse, mockOf } from './workshop.ts';

test('a CSV has the records of the list, filtered as asked for', async () => {
  const exports = fileURLToPath(new URL('../prove/exports.yaml', import.meta.url));
  const mock = await mockOf({ contract: await loadContract(exports) });
  const oak = { name: 'Oak, "old"', kind: 'tree' };
  const mint = { name: 'Mint', height: 30, kind: 'herb' };
  expect(
    await converse(mock, [
      ['POST /plants', { body: oak }],
      ['POST /plants', { body: mint }],
      ['GET /plants.csv'],
      ['GET /plants.csv?kind=herb'],
    ]),
  ).toMatchInlineSnapshot(`
    "POST /plants → 201 {"id":"made-1","name":"Oak, \\"old\\"","kind":"tree"}
    POST /plants → 201 {"id":"made-2","name":"Mint","height":30,"kind":"herb"}
    GET /plants.csv → 200 id,name,height,kind
    made-1,"Oak, ""old""",,tree
    made-2,Mint,30,herb

    GET /plants.csv?kind=herb → 200 id,name,height,kind
    made-2,Mint,30,herb
    "
  `);
});

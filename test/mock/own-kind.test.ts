import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { converse, mockOf } from './workshop.ts';

test('answers to a record are listed below it alone, and are deleted with it', async () => {
  const file = new URL('../prove/comments.yaml', import.meta.url);
  const text = readFileSync(file, 'utf8').replace('All comments,', 'The comments without replies,');
  const mock = await mockOf({ contract: parseContract(text, 'comments.yaml') });
  expect(
    await converse(mock, [
      ['POST /comments', { body: { text: 'First' } }],
      ['POST /comments', { body: { text: 'Reply', parentId: 'made-1' } }],
      ['POST /comments', { body: { text: 'Further', parentId: 'made-2' } }],
      ['GET /comments/made-1/replies'],
      ['GET /comments/none/replies'],
      ['GET /comments'],
      ['DELETE /comments/made-1'],
      ['GET /comments/made-3'],
    ]),
  ).toMatchInlineSnapshot(`
    "POST /comments → 201 {"id":"made-1","text":"First"}
    POST /comments → 201 {"id":"made-2","text":"Reply","parentId":"made-1"}
    POST /comments → 201 {"id":"made-3","text":"Further","parentId":"made-2"}
    GET /comments/made-1/replies → 200 [{"id":"made-2","text":"Reply",
      ↳"parentId":"made-1"}]
    GET /comments/none/replies → 404 {"type":"about:blank","title":"Not Found",
      ↳"status":404,"detail":"No record of comments has the id \`none\`.",
      ↳"code":"not_found"}
    GET /comments → 200 [{"id":"made-1","text":"First"}]
    DELETE /comments/made-1 → 204
    GET /comments/made-3 → 404 {"type":"about:blank","title":"Not Found","status":404,
      ↳"detail":"No record of comments has the id \`made-3\`.","code":"not_found"}"
  `);
});

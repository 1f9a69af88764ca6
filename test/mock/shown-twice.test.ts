import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { converse, mockOf } from './workshop.ts';

const desks = fileURLToPath(new URL('../prove/desks.yaml', import.meta.url));

test('a record shows what another one has that it names, and where its parts are', async () => {
  const mock = await mockOf({ contract: await loadContract(desks) });
  const said = await converse(mock, [
    ['POST /rooms', { body: { name: 'Fjord' } }],
    ['POST /desks', { body: { label: 'By the window', roomId: 'made-1' } }],
    ['GET /desks/made-2'],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /rooms → 201 {"id":"made-1","name":"Fjord","href":"/rooms/made-1",
      ↳"notesHref":"/rooms/made-1/notes"}
    POST /desks → 201 {"id":"made-2","label":"By the window","roomId":"made-1",
      ↳"room":{"id":"made-1","name":"Fjord"}}
    GET /desks/made-2 → 200 {"id":"made-2","label":"By the window","roomId":"made-1",
      ↳"room":{"id":"made-1","name":"Fjord"}}"
  `);
});

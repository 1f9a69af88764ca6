import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { bytes, converse, mockOf } from './workshop.ts';

const crates = fileURLToPath(new URL('contracts/crates.yaml', import.meta.url));

test('calls keep records, by identifiers in their queries and bodies', async () => {
  const mock = await mockOf({ contract: await loadContract(crates) });
  const said = await converse(mock, [
    ['POST /rpc/crates.add', { body: { label: 'pears' } }],
    ['GET /rpc/crates.get?crate=made-1'],
    [
      'POST /rpc/crates.add',
      { body: bytes('label=plums'), type: 'application/x-www-form-urlencoded' },
    ],
    ['GET /rpc/crates.list?size=1'],
    ['GET /rpc/crates.list?size=1&after=offset-1'],
    ['POST /rpc/crates.seal', { body: { crate: 'made-1' } }],
    ['GET /rpc/crates.get?crate=made-1'],
    ['POST /rpc/crates.delete', { body: { crate: 'made-1' } }],
    ['GET /rpc/crates.list'],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /rpc/crates.add → 200 {"success":true,"crate":{"id":"made-1","label":"pears",
      ↳"is_fragile":false}}
    GET /rpc/crates.get?crate=made-1 → 200 {"success":true,"crate":{"id":"made-1",
      ↳"label":"pears","is_fragile":false}}
    POST /rpc/crates.add → 200 {"success":true,"crate":{"id":"made-2","label":"plums",
      ↳"is_fragile":false}}
    GET /rpc/crates.list?size=1 → 200 {"success":true,"crates":[{"id":"made-1",
      ↳"label":"pears","is_fragile":false}],"meta":{"next_cursor":"offset-1"}}
    GET /rpc/crates.list?size=1&after=offset-1 → 200 {"success":true,
      ↳"crates":[{"id":"made-2","label":"plums","is_fragile":false}]}
    POST /rpc/crates.seal → 200 {"success":true}
    GET /rpc/crates.get?crate=made-1 → 200 {"success":true,"crate":{"id":"made-1",
      ↳"label":"pears","is_fragile":false,"is_sealed":true}}
    POST /rpc/crates.delete → 200 {"success":true}
    GET /rpc/crates.list → 200 {"success":true,"crates":[{"id":"made-2","label":"plums",
      ↳"is_fragile":false}]}"
  `);
});

test('a refusal has the code that the contract states for it', async () => {
  const mock = await mockOf({ contract: await loadContract(crates) });
  const said = await converse(mock, [
    ['POST /rpc/crates.add', { body: { label: 'pears' } }],
    ['POST /rpc/crates.add', { body: { label: 'pears' } }],
    ['POST /rpc/crates.add', { body: { label: 'No Spaces' } }],
    ['POST /rpc/crates.add', { body: {} }],
    ['POST /rpc/crates.add', { body: { label: 'figs', note: 'More than eight' } }],
    ['GET /rpc/crates.list?size=0'],
    ['GET /rpc/crates.list?size=51'],
    ['GET /rpc/crates.list?size=many'],
    ['GET /rpc/crates.list?after=nothing'],
    ['GET /rpc/crates.get?crate=none'],
    ['POST /rpc/crates.seal', { body: { crate: 'made-1' } }],
    ['POST /rpc/crates.seal', { body: { crate: 'made-1' } }],
    ['POST /rpc/crates.relabel', { body: { crate: 'made-1', label: 'quinces' } }],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /rpc/crates.add → 200 {"success":true,"crate":{"id":"made-1","label":"pears",
      ↳"is_fragile":false}}
    POST /rpc/crates.add → 200 {"success":false,"reason":"label_taken"}
    POST /rpc/crates.add → 200 {"success":false,"reason":"invalid_label",
      ↳"meta":{"messages":["\`label\` in the body must match the pattern ^[a-z-]{1,20}$,
      ↳ but is \`No Spaces\`. [json-pointer:/label]"]}}
    POST /rpc/crates.add → 200 {"success":false,"reason":"bad_input",
      ↳"meta":{"messages":["The body must have the property label.
      ↳ [json-pointer:/label]"]}}
    POST /rpc/crates.add → 200 {"success":false,"reason":"bad_input",
      ↳"meta":{"messages":["\`note\` in the body must have 8 characters or fewer, but is
      ↳ \`More than eight\`. [json-pointer:/note]"]}}
    GET /rpc/crates.list?size=0 → 200 {"success":false,"reason":"too_small",
      ↳"meta":{"messages":["\`size\` in the query must be 1 or more, but is \`0\`."]}}
    GET /rpc/crates.list?size=51 → 200 {"success":false,"reason":"size_too_large",
      ↳"meta":{"messages":["\`size\` in the query must be 50 or less, but is \`51\`."]}}
    GET /rpc/crates.list?size=many → 200 {"success":false,"reason":"bad_input",
      ↳"meta":{"messages":["\`size\` in the query must be an integer, but is \`many\`."]}}
    GET /rpc/crates.list?after=nothing → 200 {"success":false,"reason":"invalid_after",
      ↳"meta":{"messages":["\`after\` in the query must be one that this list gave, but is
      ↳ \`nothing\`."]}}
    GET /rpc/crates.get?crate=none → 200 {"success":false,"reason":"crate_not_found"}
    POST /rpc/crates.seal → 200 {"success":true}
    POST /rpc/crates.seal → 200 {"success":false,"reason":"already_sealed"}
    POST /rpc/crates.relabel → 200 {"success":false,"reason":"is_sealed"}"
  `);
});

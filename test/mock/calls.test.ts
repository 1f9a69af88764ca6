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

import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadContract, parseContract } from '../../src/contract/load.ts';
import { inspectedDepots } from '../check/fixture/inspected-depots.ts';
import { converse, mockOf } from './workshop.ts';

test('a job that was accepted is at its Location, and done at the next read', async () => {
  const exports = fileURLToPath(new URL('../prove/exports.yaml', import.meta.url));
  const mock = await mockOf({ contract: await loadContract(exports) });
  const request = {
    method: 'POST',
    target: '/reports',
    headers: [['Content-Type', 'application/json']] as const,
    body: new TextEncoder().encode('{"title":"Spring"}'),
  };
  const { status, headers, body } = await mock.answer(request);
  expect([status, new TextDecoder().decode(body)]).toEqual([
    202,
    expect.stringContaining('"state":"running"'),
  ]);
  const [, location = ''] = headers.find(([name]) => name === 'Location') ?? [];
  expect(await converse(mock, [[`GET ${location}`]])).toContain('"state":"done"');
});

test('a long-running operation is done at the next read, with one result', async () => {
  const contract = parseContract(JSON.stringify(inspectedDepots), 'depots.json');
  const mock = await mockOf({ contract });
  const body = { display_name: 'North' };
  expect(
    await converse(mock, [
      ['POST /depots?depot_id=north', { body }],
      ['POST /depots/north:inspect'],
      ['GET /operations/made-1'],
      ['GET /operations/of-somebody-else'],
      ['GET /operations'],
    ]),
  ).toMatchInlineSnapshot(`
    "POST /depots?depot_id=north → 200 {"name":"north",
      ↳"create_time":"2030-01-02T03:04:05.000Z","display_name":"North"}
    POST /depots/north:inspect → 200 {"name":"made-1","done":false}
    GET /operations/made-1 → 200 {"name":"made-1","done":true,"response":{}}
    GET /operations/of-somebody-else → 404 {"code":"not_found","message":"No record of
      ↳ operations has the name \`of-somebody-else\`."}
    GET /operations → 200 {"operations":[{"name":"made-1","done":true,"response":{}}]}"
  `);
});

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { bytes, converse, fixturesOf, jsonOf, mockOf, send } from './workshop.ts';

const file = new URL('contracts/paired.yaml', import.meta.url);
const contract = parseContract(readFileSync(file, 'utf8'), 'paired.yaml');
const fixtures = fixturesOf({ orders: [{ id: 'o-1', item: 'nut', state: 'open', total: 3 }] });

const ask = async (line: string, sending: Parameters<typeof send>[2] = {}) => {
  const answer = await send(await mockOf({ contract }), line, sending);
  return [answer.status, jsonOf(answer)];
};

describe('an example of a response belongs to the request example of its name', () => {
  test.each([
    ['the body', 'POST /service/check', { body: { code: 'A1' } }, 200, { state: 'up' }],
    ['another body', 'POST /service/check', { body: { code: 'B2' } }, 200, { state: 'down' }],
    [
      'a body and a header',
      'POST /service/check',
      { body: { code: 'A1' }, headers: [['X-Region', 'moon']] as [string, string][] },
      200,
      { state: 'distant' },
    ],
    [
      'a body and a query',
      'POST /service/check?depth=3',
      { body: { code: 'A1' } },
      200,
      { state: 'sunk' },
    ],
    [
      'a body in another media type',
      'POST /service/check',
      { body: bytes('<check>\n<code>B2</code></check>'), type: 'application/xml' },
      200,
      { state: 'down' },
    ],
    ['the path', 'GET /rates/USD', {}, 200, { rate: 1.1 }],
    ['the path, whatever comes first', 'GET /rates/EUR', {}, 200, { rate: 1 }],
    [
      'a body with a documented error',
      'POST /service/check',
      { body: { code: 'X9' } },
      410,
      { why: 'X9 is no more.' },
    ],
    [
      'a body that is invalid on purpose',
      'POST /service/check',
      { body: { label: 'A1' } },
      400,
      { why: 'A check needs a code.' },
    ],
  ])('by %s', async (_what, line, sending, status, body) => {
    expect(await ask(line, sending)).toEqual([status, body]);
  });

  test('with the header fields that have a valid example of that name', async () => {
    const mock = await mockOf({ contract });
    expect(
      await converse(mock, [
        ['GET /rates/EUR', {}, 'X-Unit', 'X-Code'],
        ['GET /rates/USD', {}, 'X-Unit'],
        ['GET /rates/GBP', {}, 'X-Unit'],
        ['GET /rates/GBP', { headers: [['Prefer', 'example=usd']] }, 'X-Unit'],
      ]),
    ).toMatchInlineSnapshot(`
      "GET /rates/EUR → 200 100 {"rate":1}
      GET /rates/USD → 200 1 {"rate":1.1}
      GET /rates/GBP → 200 {"rate":1}
      GET /rates/GBP → 200 1 {"rate":1.1}"
    `);
  });

  test.each([
    ['equals no example', { code: 'Z0' }],
    ['has more than the example', { code: 'B2', more: 1 }],
    ['belongs to an example of a response that is not valid', { code: 'C3' }],
    ['has an example without a response', { code: 'D4' }],
  ])('but not if the request %s', async (_what, body) => {
    expect(await ask('POST /service/check', { body })).toEqual([200, { state: 'up' }]);
  });

  test('but not for the one example without a name', async () => {
    expect(await ask('GET /lone/b')).toEqual([200, { said: 'a' }]);
  });

  test('and a preference of the client comes first', async () => {
    const headers: [string, string][] = [['Prefer', 'example=other']];
    expect(await ask('POST /service/check', { body: { code: 'B2' }, headers })).toEqual([
      200,
      { state: 'other' },
    ]);
  });

  test('and a mock that generates everything shows none', async () => {
    const mock = await mockOf({ contract, dynamic: { repeats: false } });
    expect(jsonOf(await send(mock, 'GET /rates/USD'))).not.toEqual({ rate: 1.1 });
  });
});

describe('an operation on records answers as shown for the whole example only', () => {
  test('a read, until the session changes something', async () => {
    const mock = await mockOf({ contract, fixtures });
    expect(
      await converse(mock, [
        ['GET /orders/o-1'],
        ['GET /orders?state=open'],
        ['GET /orders?state=open&limit=5'],
        ['PATCH /orders/o-1', { body: { item: 'washer' } }],
        ['GET /orders/o-1'],
        ['GET /orders?state=open'],
        ['GET /orders/o-1', { headers: [['Vouch-Session', 'other']] }],
      ]),
    ).toMatchInlineSnapshot(`
      "GET /orders/o-1 → 200 {"id":"o-1","item":"nut","state":"shown","total":3}
      GET /orders?state=open → 200 [{"id":"o-9","item":"nut","state":"open","total":9}]
      GET /orders?state=open&limit=5 → 200 [{"id":"o-1","item":"nut","state":"open",
        ↳"total":3}]
      PATCH /orders/o-1 → 200 {"id":"o-1","item":"washer","state":"open","total":3}
      GET /orders/o-1 → 200 {"id":"o-1","item":"washer","state":"open","total":3}
      GET /orders?state=open → 200 [{"id":"o-1","item":"washer","state":"open","total":3}]
      GET /orders/o-1 → 200 {"id":"o-1","item":"nut","state":"shown","total":3}"
    `);
  });

  test('a create adds the record that is shown, and then others like it', async () => {
    const mock = await mockOf({ contract, fixtures });
    expect(
      await converse(mock, [
        ['POST /orders', { body: { item: 'bolt' } }],
        ['GET /orders/o-7'],
        ['POST /orders', { body: { item: 'bolt' } }],
        ['POST /orders', { body: { item: 'bolt', state: 'odd' } }],
        ['DELETE /orders/o-7'],
        ['GET /orders/o-7'],
      ]),
    ).toMatchInlineSnapshot(`
      "POST /orders → 201 {"id":"o-7","item":"bolt","state":"open","total":12}
      GET /orders/o-7 → 200 {"id":"o-7","item":"bolt","state":"open","total":12}
      POST /orders → 201 {"id":"made-1","item":"bolt","state":"open","total":12}
      POST /orders → 201 {"id":"made-2","item":"bolt","state":"odd","total":26}
      DELETE /orders/o-7 → 204
      GET /orders/o-7 → 404 {"code":"not_found","message":"No record of orders has the id
        ↳ \`o-7\`."}"
    `);
  });

  test('a create makes the record that it shows, which is not there before', async () => {
    const mock = await mockOf({ contract, seedRecords: 3 });
    expect(await converse(mock, [['GET /orders'], ['GET /orders/o-7']])).not.toContain('"o-7"');
    await send(mock, 'POST /orders', { body: { item: 'bolt' } });
    expect(jsonOf(await send(mock, 'GET /orders/o-7'))).toMatchObject({ id: 'o-7', total: 12 });
  });

  test('a change keeps what is shown, and an error changes nothing', async () => {
    const mock = await mockOf({ contract, fixtures });
    expect(
      await converse(mock, [
        ['PATCH /orders/o-1', { body: { item: 'washer' } }],
        ['PATCH /orders/o-1', { body: { state: 'paid' } }],
        ['GET /orders/o-1'],
        ['POST /orders', { body: { item: 'none' } }],
        ['GET /orders'],
      ]),
    ).toMatchInlineSnapshot(`
      "PATCH /orders/o-1 → 200 {"id":"o-1","item":"washer","state":"open","total":3}
      PATCH /orders/o-1 → 200 {"id":"o-1","item":"washer","state":"paid","total":4}
      GET /orders/o-1 → 200 {"id":"o-1","item":"washer","state":"paid","total":4}
      POST /orders → 409 {"why":"Sold out."}
      GET /orders → 200 [{"id":"o-1","item":"washer","state":"paid","total":4}]"
    `);
  });
});

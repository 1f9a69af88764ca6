import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import type { Contract } from '../../src/contract/model.ts';
import type { Mock } from '../../src/mock/mock.ts';
import { jsonOf, mockOf, send } from './workshop.ts';

const order = "content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } }";

/** Orders, whose create takes a key in this header and documents this refusal. */
function contractOf(header: string, refusal: string): Contract {
  return parseContract(
    `
openapi: 3.1.0
info: { title: Orders, version: '1' }
paths:
  /orders:
    get: { responses: { '200': { description: all, content: { application/json: { schema: {
        type: array, items: { $ref: '#/components/schemas/Order' } } } } } } }
    post: { parameters: [{ name: ${header}, in: header, schema: { type: string } }],
        requestBody: { required: true, ${order} }, responses: { '201': { description: made,
        ${order} }, '400': { description: bad }${refusal} } }
  /orders/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: one, ${order} }, '404': { description: none } } }
components: { schemas: { Order: { type: object, required: [item], properties: { id: {
    type: integer, readOnly: true }, item: { type: string } } } } }`,
    'orders.yaml',
  );
}

const whole = contractOf(
  'Idempotency-Key',
  ", '422': { description: the key came before with another body }",
);

async function place(
  mock: Mock,
  item: string,
  headers: readonly (readonly [string, string])[],
): Promise<readonly [status: number, id: unknown]> {
  const answer = await send(mock, 'POST /orders', { body: { item }, headers });
  const body = jsonOf(answer);
  return [
    answer.status,
    typeof body === 'object' && body !== null && 'id' in body ? body['id'] : undefined,
  ];
}

const key = (value: string, name = 'Idempotency-Key'): readonly (readonly [string, string])[] => [
  [name, value],
];

async function countOf(mock: Mock): Promise<number> {
  const all = jsonOf(await send(mock, 'GET /orders'));
  return Array.isArray(all) ? all.length : -1;
}

describe('a create with an idempotency key', () => {
  test('is done once, also for concurrent requests', async () => {
    const mock = await mockOf({ contract: whole });
    const [first, second] = await Promise.all([
      place(mock, 'tea', key('a')),
      place(mock, 'tea', key('a')),
    ]);
    expect([first, second, await place(mock, 'tea', key('a'))]).toEqual([
      [201, 1],
      [201, 1],
      [201, 1],
    ]);
    expect(await countOf(mock)).toBe(1);
  });

  test('is forgotten after a thousand others', async () => {
    const mock = await mockOf({ contract: whole });
    for (let count = 0; count <= 1_000; count += 1)
      await place(mock, 'tea', key(`key ${String(count)}`));
    expect(await place(mock, 'cake', key('key 1'))).toEqual([422, undefined]);
    expect(await place(mock, 'tea', key('key 1'))).toEqual([201, 2]);
    expect(await place(mock, 'tea', key('key 0'))).toEqual([201, 1_002]);
  });

  test('is done again with another key, and without one', async () => {
    const mock = await mockOf({ contract: whole });
    expect([
      await place(mock, 'tea', key('a')),
      await place(mock, 'tea', key('b')),
      await place(mock, 'tea', []),
      await place(mock, 'tea', []),
    ]).toEqual([
      [201, 1],
      [201, 2],
      [201, 3],
      [201, 4],
    ]);
  });

  test(
    'refuses the key with another body, as the contract has it, and takes ' +
      'one that was refused',
    async () => {
      const mock = await mockOf({ contract: whole });
      await place(mock, 'tea', key('a'));
      expect((await place(mock, 'cake', key('a')))[0]).toBe(422);
      expect(await countOf(mock)).toBe(1);
      const bad = await send(mock, 'POST /orders', { body: { item: 1 }, headers: key('c') });
      expect([bad.status, await place(mock, 'cake', key('c'))]).toEqual([422, [201, 2]]);
      const other = await mockOf({ contract: contractOf('X-Idempotency-Key', '') });
      await place(other, 'tea', key('a', 'x-idempotency-key'));
      expect((await place(other, 'cake', key('a', 'x-idempotency-key')))[0]).toBe(400);
    },
  );

  test('has keys per session, and none after a reset', async () => {
    const mock = await mockOf({ contract: whole });
    await place(mock, 'tea', key('a'));
    expect(await place(mock, 'cake', [...key('a'), ['Vouch-Session', 'other']])).toEqual([201, 1]);
    await mock.reset();
    expect(await place(mock, 'cake', key('a'))).toEqual([201, 1]);
    const before = await mock.snapshot();
    await place(mock, 'pie', key('b'));
    await mock.restore(before);
    expect((await place(mock, 'jam', key('b')))[0]).toBe(201);
  });
});

test('a create without a declared key ignores keys', async () => {
  const mock = await mockOf({ contract: contractOf('X-Request-Id', '') });
  expect([await place(mock, 'tea', key('a')), await place(mock, 'tea', key('a'))]).toEqual([
    [201, 1],
    [201, 2],
  ]);
});

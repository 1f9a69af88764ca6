import { expect, test } from 'vitest';
import { alarmsOf, contractOf } from '../../../check/fixture/odd-contract.ts';
import { jsonOf, mockOf, send } from '../../workshop.ts';

const contract = contractOf(`
paths:
  /crates:
    get:
      operationId: listCrates
      responses: { '200': { description: ok, content: { application/json: { schema: {
          type: array, items: { $ref: '#/components/schemas/Crate' } } } } } }
    post:
      operationId: addCrate
      requestBody: { required: true, content: { application/json: { schema: {
          $ref: '#/components/schemas/Crate' } } } }
      responses: { '201': { description: made, content: { application/json: { schema: {
          $ref: '#/components/schemas/Crate' } } } }, '400': { description: bad } }
  /crates/{crateId}:
    get:
      operationId: getCrate
      parameters: [{ name: crateId, in: path, required: true, schema: { type: string } }]
      responses: { '200': { description: ok, content: { application/json: { schema: {
          $ref: '#/components/schemas/Crate' } } } }, '404': { description: none } }
components:
  schemas:
    Crate:
      type: object
      required: [id]
      properties:
        id: { type: string, example: c1 }
        label: { type: string }
        above: { type: object, properties: { href: { type: string, example: /crates/c9 } } }
        links:
          type: object
          readOnly: true
          required: [self]
          properties: { self: { type: string, pattern: '^/v2/crates/[0-9a-z-]+$',
              example: /v2/crates/c1 } }`);

test('the links of made-up records lead to them, and other addresses stay', async () => {
  const records = jsonOf(await send(await mockOf({ contract, seedRecords: 3 }), 'GET /v2/crates'));
  expect(records).toHaveLength(3);
  for (const { id, links, above } of records as Record<'id' | 'links' | 'above', unknown>[]) {
    expect(links).toEqual({ self: `/v2/crates/${String(id)}` });
    expect(above).toEqual({ href: '/crates/c9' });
  }
});

test('a link that no pattern allows for an identifier does not hide the identifier', async () => {
  const { alarms } = await alarmsOf(contract);
  expect(alarms).toEqual([]);
});

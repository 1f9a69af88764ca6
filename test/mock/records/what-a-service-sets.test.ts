import { expect, test } from 'vitest';
import { parseContract } from '../../../src/contract/load.ts';
import { jsonOf, mockOf, send } from '../workshop.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const unit = '{ $ref: "#/components/schemas/Unit" }';
const sent = `requestBody: { required: true, ${json('{ type: object }')} }`;
const contract = parseContract(
  `openapi: 3.1.0
info: { title: Units, version: '1' }
paths:
  /units:
    get: { operationId: list, responses: { '200': { description: ok,
        ${json(`{ type: array, items: ${unit} }`)} } } }
    post: { operationId: add, ${sent}, responses: { '201': { description: made, ${json(unit)} } } }
  /units/{unitId}:
    get: { operationId: read, parameters: [{ name: unitId, in: path, required: true,
        schema: { type: integer } }], responses: { '200': { description: ok, ${json(unit)} },
        '404': { description: none } } }
    patch: { operationId: change, parameters: [{ name: unitId, in: path, required: true,
        schema: { type: string } }], ${sent}, responses: {
        '201': { description: made }, default: { description: no } } }
  /units/{unitId}/clone:
    post: { operationId: clone, parameters: [{ name: unitId, in: path, required: true,
        schema: { type: integer } }], ${sent}, responses: { '200': { description: ok,
        ${json(unit)} } } }
  /reports:
    post: { operationId: report, ${sent}, responses: { '200': { description: ok, ${json(
      '{ type: object, required: [total], properties: { total: { readOnly: true } } }',
    )} } } }
components: { schemas: { Unit: { type: object, required: [id, name], properties: {
    id: { type: integer, format: int64 }, name: { type: string } } } } }
`,
  'units.yaml',
);

const open = () => mockOf({ contract, fixtures: new Map(), keys: [] });

test('a clone is a new record with the members that were sent', async () => {
  const mock = await open();
  await send(mock, 'POST /units', { body: { name: 'Oak' } });
  const copied = jsonOf(await send(mock, 'POST /units/1/clone', { body: { name: 'Elm' } }));
  expect(copied).toMatchObject({ id: 2, name: 'Elm' });
  expect(jsonOf(await send(mock, 'GET /units/1'))).toMatchObject({ name: 'Oak' });
  expect(jsonOf(await send(mock, 'GET /units/2'))).toMatchObject({ name: 'Elm' });
});

test('no record is added under a text where identifiers are integers', async () => {
  const mock = await open();
  const { status } = await send(mock, 'PATCH /units/oak', { body: { name: 'Oak' } });
  expect(status).toBe(404);
  expect(jsonOf(await send(mock, 'GET /units'))).toEqual([]);
});

test('an answer from the contract does not repeat a read-only field of the request', async () => {
  const mock = await open();
  const answer = jsonOf(await send(mock, 'POST /reports', { body: { total: 'mine' } }));
  expect(answer).not.toMatchObject({ total: 'mine' });
});

import { expect, test } from 'vitest';
import { fillOpenAnswers } from '../../src/contract/infer/open-answers.ts';
import { parseContract } from '../../src/contract/load.ts';
import { isJsonObject, type JsonValue } from '../../src/json/value.ts';
import { alarmsOf, contractOf } from '../check/fixture/odd-contract.ts';
import { jsonOf, mockOf, send } from './workshop.ts';

const open = '{ description: ok, content: { application/json: { schema: {} } } }';
const bad = `{ description: bad, content: { application/json: { schema: {
          $ref: '#/components/schemas/Invalid' } } } }`;
const written = contractOf(`
paths:
  /seeds/:
    get:
      operationId: list_seeds
      parameters: [{ name: skip, in: query, schema: { type: integer, default: 0 } }, { name: limit,
          in: query, schema: { type: integer, default: 100 } }]
      responses: { '200': ${open}, '422': ${bad} }
    post:
      operationId: create_seed
      requestBody: { required: true, content: { application/json: { schema: {
          $ref: '#/components/schemas/Seed' } } } }
      responses: { '201': ${open}, '422': ${bad} }
  /seeds/{seed_id}:
    parameters: [{ name: seed_id, in: path, required: true, schema: { type: integer } }]
    get: { operationId: read_seed, responses: { '200': { description: ok } } }
    put:
      operationId: update_seed
      requestBody: { required: true, content: { application/json: { schema: {
          $ref: '#/components/schemas/Seed' } } } }
      responses: { '200': { description: ok, content: { application/json: { schema: {
          type: object, additionalProperties: true } } } }, '422': ${bad} }
    delete: { operationId: delete_seed, responses: { '204': { description: gone } } }
  /climate:
    get: { operationId: get_climate, responses: { '200': ${open} } }
    put:
      operationId: put_climate
      requestBody: { required: true, content: { application/json: { schema: { type: object,
          required: [degrees], properties: { degrees: { type: integer } } } } } }
      responses: { '200': ${open} }
  /ping: { get: { operationId: ping, responses: { '200': ${open} } } }
components:
  schemas:
    Seed: { type: object, additionalProperties: false, required: [name], properties: { name: {
        type: string }, days: { type: integer } } }
    Invalid: { type: object, properties: { detail: { type: array, items: { type: object,
        required: [loc, msg, type], properties: { loc: { type: array, items: { anyOf: [{
        type: string }, { type: integer }] } }, msg: { type: string }, type: {
        type: string } } } } } }`);
const contract = fillOpenAnswers(written);

test('open answers show the record that requests describe, with an identifier', async () => {
  const mock = await mockOf({ contract, seedRecords: 2 });
  const ask = async (line: string, body?: JsonValue): Promise<readonly [number, unknown]> => {
    const answer = await send(mock, line, body === undefined ? {} : { body });
    return [answer.status, jsonOf(answer)];
  };
  const [, list] = await ask('GET /v2/seeds/');
  const listed = Array.isArray(list) ? list.filter(isJsonObject) : [];
  expect(listed.map(({ id, name }) => [id, typeof name])).toEqual([
    [1, 'string'],
    [2, 'string'],
  ]);
  expect(await ask('POST /v2/seeds/', { name: 'Dill' })).toEqual([201, { id: 3, name: 'Dill' }]);
  expect(await ask('GET /v2/seeds/3')).toEqual([200, { id: 3, name: 'Dill' }]);
  const changed = { id: 3, name: 'Kale', days: 5 };
  expect(await ask('PUT /v2/seeds/3', { name: 'Kale', days: 5 })).toEqual([200, changed]);
  expect(await ask('GET /v2/seeds/?skip=2&limit=1')).toEqual([200, [changed]]);
  expect((await send(mock, 'DELETE /v2/seeds/3')).status).toBe(204);
  expect((await ask('GET /v2/seeds/3'))[0]).toBe(404);
  expect((await ask('PUT /v2/climate', { degrees: 7 }))[0]).toBe(200);
  expect(await ask('GET /v2/climate')).toEqual([200, { degrees: 7 }]);
});

test('a form of Swagger 2.0 describes the record too', async () => {
  const sent = '{ in: formData, name: colour, required: true, type: string, enum: [red, blue] }';
  const forms = parseContract(
    `{ swagger: '2.0', info: { title: Leaves, version: '1' }, produces: [application/json],
      paths: { /leaves: { get: { responses: { 200: { description: ok, schema: {} } } }, post: {
      parameters: [${sent}], responses: { 201: { description: made } } } }, '/leaves/{id}': {
      get: { parameters: [{ in: path, name: id, required: true, type: integer }], responses: {
      200: { description: ok } } } } } }`,
    'leaves.yaml',
  );
  const mock = await mockOf({ contract: fillOpenAnswers(forms), seedRecords: 1 });
  expect(jsonOf(await send(mock, 'GET /leaves'))).toEqual([{ id: 1, colour: 'red' }]);
});

test('an error tells the way to the member that is wrong', async () => {
  const answer = await send(await mockOf({ contract }), 'POST /v2/seeds/', { body: { days: 1 } });
  expect(jsonOf(answer)).toMatchObject({ detail: [{ loc: ['body', 'name'] }] });
});

test('a check of another service expects nothing of open answers', async () => {
  expect(written.resources).toEqual([]);
  const { alarms } = await alarmsOf(contract);
  expect(alarms).toEqual([]);
});

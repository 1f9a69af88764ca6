import { expect, test } from 'vitest';
import { valueAt } from '../../../src/json/pointer.ts';
import { isJsonArray } from '../../../src/json/value.ts';
import { contractOf } from '../../check/fixture/odd-contract.ts';
import { jsonOf, mockOf, send } from '../workshop.ts';

const named = '[{ name: code, in: path, required: true, schema: { type: string } }]';
const answer = (schema: string): string =>
  `responses: { '200': { description: ok, content: { application/vnd.api+json: { schema: {
      type: object, properties: { data: ${schema} } } } } }, '404': { description: none } }`;
const coin = "{ $ref: '#/components/schemas/Coin' }";
const contract = contractOf(`
paths:
  /coins: { get: { operationId: listCoins, ${answer(`{ type: array, items: ${coin} }`)} } }
  /coins/{code}: { get: { operationId: getCoin, parameters: ${named}, ${answer(coin)} } }
  /coins/{code}/issues: { get: { operationId: listIssues, parameters: ${named},
      ${answer(`{ type: array, items: ${coin} }`)} } }
components:
  schemas:
    Coin: { type: object, required: [id, type, attributes], properties: { id: { type: string,
        example: '7' }, type: { type: string, enum: [coins] }, attributes: { type: object,
        required: [code], properties: { code: { type: string, maxLength: 3, example: AMS }, name: {
        type: string } } } } }`);

test('a record is found by the field in its group that the path parameter names', async () => {
  const mock = await mockOf({ contract, seedRecords: 3 });
  const listed = valueAt(jsonOf(await send(mock, 'GET /v2/coins')), '/data');
  const records = isJsonArray(listed) ? listed : [];
  const codes = records.map((record) => String(valueAt(record, '/attributes/code')));
  expect(new Set(codes).size).toBe(3);
  for (const [index, code] of codes.entries()) {
    const shown = jsonOf(await send(mock, `GET /v2/coins/${code}`));
    expect(valueAt(shown, '/data/id')).toBe(valueAt(records, `/${String(index)}/id`));
    expect((await send(mock, `GET /v2/coins/${code}/issues`)).status).toBe(200);
  }
  expect((await send(mock, 'GET /v2/coins/none')).status).toBe(404);
  expect((await send(mock, 'GET /v2/coins/none/issues')).status).toBe(404);
});

test('a default that the create alone states stands in the group', async () => {
  const rule = `{ type: object, required: [id, type, attributes], properties: { id: {
      type: string }, type: { type: string, enum: [rules] }, attributes: { type: object,
      properties: { title: { type: string }, strict: { type: boolean } } } } }`;
  const rules = contractOf(`
paths:
  /rules: { get: { operationId: listRules, ${answer(`{ type: array, items: ${rule} }`)} }, post: {
      operationId: addRule, requestBody: { content: { application/json: { schema: { type: object,
      required: [title], properties: { title: { type: string }, strict: { type: boolean,
      default: true } } } } } }, ${answer(rule)} } }`);
  const made = await send(await mockOf({ contract: rules }), 'POST /v2/rules', {
    body: { title: 'a' },
  });
  expect(valueAt(jsonOf(made), '/data/attributes')).toEqual({ title: 'a', strict: true });
});

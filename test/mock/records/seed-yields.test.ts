import { expect, test } from 'vitest';
import { parseContract } from '../../../src/contract/load.ts';
import { emptyBody } from '../../../src/http/message.ts';
import { prepareMock } from '../../../src/library/prepare-mock.ts';

const contract = parseContract(
  `
openapi: 3.0.3
info: { title: Taxes, version: '1' }
paths:
  /taxes:
    get: { operationId: list, responses: { '200': { description: All, content: {
      application/json: { schema: {
        type: array, items: { $ref: '#/components/schemas/Tax' } } } } } } }
    post:
      operationId: create
      requestBody: { required: true, content: { application/json: { schema: {
        $ref: '#/components/schemas/Tax' } } } }
      responses:
        '201': { description: Made, content: { application/json: { schema: {
          $ref: '#/components/schemas/Tax' } } } }
        '409': { description: Taken }
  /taxes/{code}:
    parameters: [{ name: code, in: path, required: true, schema: { type: string } }]
    get: { operationId: read, responses: { '200': { description: One, content: {
      application/json: { schema: { $ref: '#/components/schemas/Tax' } } } } } }
components:
  schemas:
    Tax:
      type: object
      required: [code, rate]
      properties: { code: { type: string }, rate: { type: integer } }
      example: { code: vat, rate: 20 }
`,
  'taxes.yaml',
);

test('a create under the identifier of an example takes its place, once', async () => {
  const { mock } = await prepareMock({ contract, config: false });
  const send = async (method: string, target: string, value?: object) => {
    const body = value === undefined ? emptyBody : Buffer.from(JSON.stringify(value));
    const headers = [['Content-Type', 'application/json']] as const;
    const answer = await mock.answer({ method, target, headers, body });
    return [answer.status, Buffer.from(answer.body).toString('utf8')];
  };
  expect(await send('GET', '/taxes/vat')).toEqual([200, '{"code":"vat","rate":20}']);
  expect((await send('POST', '/taxes', { code: 'vat', rate: 19 }))[0]).toBe(201);
  expect(await send('GET', '/taxes/vat')).toEqual([200, '{"code":"vat","rate":19}']);
  expect(JSON.parse(String((await send('GET', '/taxes'))[1]))).toHaveLength(1);
  expect((await send('POST', '/taxes', { code: 'vat', rate: 18 }))[0]).toBe(409);
  expect(await send('GET', '/taxes/vat')).toEqual([200, '{"code":"vat","rate":19}']);
});

import { expect, test } from 'vitest';
import { planCheck } from '../../../src/check/engine/check-target.ts';
import { contractOf } from '../fixture/odd-contract.ts';

const thing = 'content: { application/json: { schema: { $ref: "#/components/schemas/Thing" } } }';
const item = (name: string): string =>
  `parameters: [{ name: ${name}, in: path, required: true, schema: { type: string } }]`;
const contract = contractOf(`
paths:
  /carts:
    get: { operationId: listCarts, responses: { '200': { description: ok, content: {
        application/json: { schema: { type: array, items: { $ref: "#/components/schemas/Thing" }
        } } } } } }
    post: { operationId: addCart, responses: { '201': { description: made, ${thing} } } }
  /carts/save: { post: { operationId: saveCarts, responses: { '200': { description: ok } } } }
  /carts/{id}: { ${item('id').slice(0)}, get: { operationId: getCart, responses: { '200': {
      description: ok, ${thing} }, '404': { description: none } } } }
  /queues/{name}: { ${item('name')}, put: { operationId: putQueue, requestBody: { ${thing} },
      responses: { '201': { description: made, ${thing} } } }, get: { operationId: getQueue,
      responses: { '200': { description: ok, ${thing} }, '404': { description: none } } },
      delete: { operationId: dropQueue, responses: { '204': { description: gone } } } }
components: { schemas: { Thing: { type: object, properties: { id: { type: string }, name: {
    type: string } } } } }`);

test('creates are sent plainly; a POST that may act on all records is not', () => {
  const { requests } = planCheck({ contract, url: 'http://127.0.0.1:9', mode: 'read-write' });
  const plain = requests
    .filter(({ title }) => /a plain request$|under a name of the run/.test(title))
    .map(({ operation }) => operation.id);
  expect(plain).toContain('addCart');
  expect(plain).toContain('putQueue');
  expect(plain).not.toContain('saveCarts');
});

test('a record name that the run chooses contains its mark', () => {
  const { requests } = planCheck({ contract, url: 'http://127.0.0.1:9', mode: 'read-write' });
  const named = requests.filter(({ title }) => title.endsWith('under a name of the run'));
  expect(JSON.stringify(named)).toMatch(/queues\/vouch-[0-9a-f]{6}-[0-9a-f]{6}/);
});

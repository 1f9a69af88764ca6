import { expect, test } from 'vitest';
import { alarms, findingsOf, jsonObject, type Service } from '../../fixture/inline-service.ts';
import { contractOf } from '../../fixture/odd-contract.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;

/** Queues, which are declared under a name; the answer shows nothing. */
const contract = contractOf(`
paths:
  /queues:
    get: { operationId: listQueues, responses: { '200': { description: ok,
        ${json('{ type: array, items: { $ref: "#/components/schemas/Queue" } }')} } } }
  /queues/{name}:
    parameters: [{ name: name, in: path, required: true, schema: {
      type: string, pattern: '^[A-Za-z0-9-]{1,60}$' } }]
    get: { operationId: getQueue, responses: { '200': { description: ok,
        ${json('{ $ref: "#/components/schemas/Queue" }')} }, '404': { description: none } } }
    put:
      operationId: putQueue
      requestBody: { required: true, ${json('{ $ref: "#/components/schemas/Form" }')} }
      responses: { '201': { description: made }, '204': { description: there already },
        '400': { description: no } }
    delete: { operationId: dropQueue, responses: { '204': { description: gone }, '404': {
        description: none } } }
components:
  schemas:
    Queue: { type: object, required: [name, durable], properties: { name: { type: string },
      durable: { type: boolean } } }
    Form: { type: object, properties: { durable: { type: boolean, default: true } } }`);

const queues = (assumed: boolean): Service => {
  const kept = new Map<string, { name: string; durable: boolean }>();
  return ({ method, path: [kind, name], body, header }) => {
    if (kind !== 'queues') return { status: 404 };
    if (name === undefined)
      return method === 'GET'
        ? { status: 200, json: [...kept.values()] }
        : { status: 405, headers: { Allow: 'GET' } };
    if (method === 'PUT') {
      if (header('content-type') !== 'application/json') return { status: 400 };
      const sent = jsonObject(body);
      const { durable = assumed } = sent ?? {};
      const isValid = sent !== undefined && typeof durable === 'boolean';
      if (!isValid || !/^[A-Za-z0-9-]{1,60}$/.test(name)) return { status: 400 };
      const status = kept.has(name) ? 204 : 201;
      kept.set(name, { name, durable });
      return { status };
    }
    const queue = kept.get(name);
    if (queue === undefined) return { status: 404 };
    if (method === 'GET') return { status: 200, json: queue };
    if (method !== 'DELETE') return { status: 405, headers: { Allow: 'GET, PUT, DELETE' } };
    kept.delete(name);
    return { status: 204 };
  };
};

test('a default that a read shows after a create without an answer has no finding', async () => {
  expect(alarms(await findingsOf(contract, queues(true)))).toEqual([]);
});

test('another default that a read shows after a create without an answer is found', async () => {
  const lines = alarms(await findingsOf(contract, queues(false))).join('\n');
  expect(lines).toContain('error default-is-applied putQueue');
});

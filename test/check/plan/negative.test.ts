import { expect, test } from 'vitest';
import { planCheck } from '../../../src/check/check-target.ts';
import { jsonContent, makeContract } from '../../contract/make-contract.ts';

const thing = { type: 'object', required: ['id'], properties: { id: { type: 'integer' }, name: { type: 'string' } } };
const answer = { responses: { 200: { description: 'ok', ...jsonContent(thing) } } };
const contract = makeContract({
  paths: {
    '/things': { get: { operationId: 'list', responses: { 200: { description: 'ok', ...jsonContent({ type: 'array', items: thing }) } } }, post: { operationId: 'create', requestBody: jsonContent(thing), responses: { 201: { description: 'made', ...jsonContent(thing) } } } },
    '/things/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }, { name: 'size', in: 'query', schema: { type: 'integer', maximum: 5 } }],
      get: { operationId: 'read', ...answer },
      put: { operationId: 'replace', requestBody: jsonContent(thing), ...answer },
      patch: { operationId: 'update', requestBody: jsonContent(thing), ...answer },
      delete: { operationId: 'remove', responses: { 204: { description: 'gone' } } },
    },
    '/things/{id}/wash': { post: { operationId: 'wash', parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }, { name: 'size', in: 'query', schema: { type: 'integer', maximum: 5 } }], responses: { 204: { description: 'done' } } } },
  },
});

test('what an operation that changes a record would do with a parameter that it takes after all, nobody knows: it gets none but in the path', () => {
  const { requests } = planCheck({ url: 'http://127.0.0.1:4010', contract, seed: 'negative', mode: 'read-write' });
  const broken = (parameter: string): string[] => [...new Set(requests.filter(({ phase, title }) => phase === 'negative' && title.startsWith(`${parameter} is `)).map(({ operation }) => operation.id))].sort();
  expect(broken('size')).toEqual(['read', 'wash']);
  expect(broken('id')).toEqual(expect.arrayContaining(['read', 'remove', 'replace', 'update']));
});

import { expect, test } from 'vitest';
import { makeContract, jsonContent } from '../contract/make-contract.ts';
import type { JsonObject } from '../../src/json/value.ts';
import { mockOf, send } from './workshop.ts';

const message = { type: 'object', required: ['text'], properties: { text: { type: 'string' } } };
const missing = { 404: { description: 'unknown' } };
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };

function messages(created: JsonObject, more: JsonObject = {}): JsonObject {
  const ok = { 200: { description: 'ok', ...jsonContent(message) }, ...missing };
  return {
    '/messages': {
      post: { requestBody: jsonContent(message), responses: { 201: created } },
    },
    '/messages/{id}': { parameters: [id], get: { responses: ok }, ...more },
    '/messages/{id}/like': { parameters: [id], post: { responses: ok } },
  };
}

async function statusOf(paths: JsonObject, line: string): Promise<number> {
  const mock = await mockOf({ contract: makeContract({ paths }), seedRecords: 3 });
  return (await send(mock, line, { key: false })).status;
}

test('a record with an unknowable identifier is answered from the contract', async () => {
  const paths = messages({ description: 'made' });
  expect(await statusOf(paths, 'GET /messages/anything')).toBe(200);
  expect(await statusOf(paths, 'POST /messages/anything/like')).toBe(200);
});

test.each<[string, JsonObject]>([
  ['a create that answers the record', messages({ description: 'made', ...jsonContent(message) })],
  [
    'a create that documents Location',
    messages({
      description: 'made',
      headers: { Location: { schema: { type: 'string', format: 'uri-reference' } } },
    }),
  ],
  [
    'an operation that deletes records',
    messages({ description: 'made' }, { delete: { responses: { 204: { description: 'gone' } } } }),
  ],
])('a record that was not made is missing beside %s', async (_name, paths) => {
  expect(await statusOf(paths, 'GET /messages/anything')).toBe(404);
});

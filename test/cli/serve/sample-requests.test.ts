import { expect, test } from 'vitest';
import { sampleRequests } from '../../../src/cli/serve/sample-requests.ts';
import { startMock } from '../../../src/library/start-mock.ts';
import type { JsonObject } from '../../../src/json/value.ts';

const record: JsonObject = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' } },
};
const answers = (schema: JsonObject): JsonObject => ({
  responses: { 200: { description: 'All of it', content: { 'application/json': { schema } } } },
});
const limit = { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 50 } };
const contract = {
  openapi: '3.1.0',
  info: { title: 'Library', version: '1' },
  paths: {
    '/members': {
      get: {
        operationId: 'listMembers',
        parameters: [limit],
        ...answers({ type: 'array', items: record }),
      },
    },
    '/members/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { operationId: 'getMember', ...answers(record) },
    },
    '/opening-hours': {
      get: {
        operationId: 'getHours',
        ...answers({ type: 'object', properties: { monday: { type: 'string' } } }),
      },
    },
  },
};

test('no operation is shown twice where another one can be', async () => {
  const mock = await startMock({ contract, config: false, port: 0 });
  try {
    expect(sampleRequests(mock).map((line) => line.replaceAll(mock.origin, ''))).toEqual([
      "curl '/members?limit=3'",
      "curl '/opening-hours'",
    ]);
  } finally {
    await mock.close();
  }
});

test('what an operation requires is sent', async () => {
  const required = (name: string, place: string, schema: JsonObject): JsonObject => ({
    name,
    in: place,
    required: true,
    schema,
  });
  const path = {
    get: {
      operationId: 'getShelf',
      parameters: [
        required('row', 'query', { type: 'integer', minimum: 4, maximum: 4 }),
        required('tags', 'query', { type: 'array', minItems: 1, items: { const: 'a b' } }),
        required('X-Branch', 'header', { const: 'north' }),
        { name: 'depth', in: 'query', schema: { type: 'integer' } },
      ],
      ...answers({ type: 'object', properties: { books: { type: 'integer' } } }),
    },
  };
  const mock = await startMock({
    contract: { ...contract, paths: { '/shelf': path } },
    config: false,
    port: 0,
  });
  try {
    expect(sampleRequests(mock).map((line) => line.replaceAll(mock.origin, ''))).toEqual([
      "curl -H 'X-Branch: north' '/shelf?row=4&tags=a%20b'",
    ]);
  } finally {
    await mock.close();
  }
});

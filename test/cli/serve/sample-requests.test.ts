import { expect, test } from 'vitest';
import { sampleRequests } from '../../../src/cli/serve/sample-requests.ts';
import { startMock } from '../../../src/library/start-mock.ts';

const record = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
const answers = (schema: object): object => ({
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

import { expect, test } from 'vitest';
import { checkTarget } from '../../src/check/engine/check-target.ts';
import { parseContract } from '../../src/contract/load.ts';

const node = {
  anyOf: [0, 1, 2].map((index) => ({
    type: 'object',
    properties: {
      a: { $ref: '#/components/schemas/Node' },
      [`x${String(index)}`]: { type: 'string' },
    },
  })),
};
const contract = parseContract(
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Nodes', version: '1' },
    paths: {
      '/node': {
        get: {
          operationId: 'node',
          responses: {
            200: {
              description: 'Fine',
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Node' } } },
            },
          },
        },
      },
    },
    components: { schemas: { Node: node } },
  }),
  'nodes.json',
);

function answering(body: string): Promise<Awaited<ReturnType<typeof checkTarget>>> {
  return checkTarget({
    url: 'http://127.0.0.1:1',
    contract,
    seed: 'nodes',
    only: ['body-matches-schema'],
    maxRequests: 5,
    send: async (baseUrl, request) => ({
      baseUrl,
      request,
      durationMs: 1,
      response: {
        status: 200,
        headers: [['Content-Type', 'application/json']],
        body: new TextEncoder().encode(body),
      },
    }),
  });
}

test('a body beyond the work limit is a note, not an error', async () => {
  const { findings } = await answering('{"a":'.repeat(30) + '1' + '}'.repeat(30));
  expect(findings.map(({ check, severity, message }) => [check, severity, message])).toEqual([
    ['body-matches-schema', 'note', 'The body of the 200 response takes too long to validate.'],
  ]);
}, 60_000);

test('a body within the work limit is validated', async () => {
  expect((await answering('{"a":{"a":{}}}')).findings).toEqual([]);
  expect((await answering('1')).findings).toMatchObject([{ severity: 'error' }]);
});

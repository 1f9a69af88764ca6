import { expect, test } from 'vitest';
import { openService } from '../../src/prove/run-mutation.ts';
import { variants } from '../../src/prove/variants.ts';
import { jsonContent, makeContract } from '../contract/make-contract.ts';

const thing = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
const contract = makeContract({
  paths: {
    '/things': {
      get: {
        operationId: 'listThings',
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } },
        ],
        responses: {
          200: { description: 'ok', ...jsonContent({ type: 'array', items: thing }) },
          400: { description: 'refused' },
        },
      },
    },
  },
});

test.each([
  ['without a size', '/things', 200, 5],
  ['of more than the cap', '/things?limit=100', 200, 5],
  ['of fewer', '/things?limit=3', 200, 3],
  ['of an invalid size, which is refused', '/things?limit=101', 400, undefined],
])('the variant that caps pages caps those %s', async (_what, target, status, count) => {
  const served = { contract, fixtures: new Map(), assumptions: [] };
  const service = await openService(served, { seed: 'a', seedRecords: 9 });
  const capped = variants.find(({ id }) => id === 'caps-pages')?.plant(service);
  const reply = await capped?.({ method: 'GET', target, headers: [], body: new Uint8Array() });
  const body: unknown = JSON.parse(new TextDecoder().decode(reply?.response?.body));
  expect([reply?.response?.status, Array.isArray(body) ? body.length : undefined]).toEqual([
    status,
    count,
  ]);
});

import { expect, test } from 'vitest';
import { makeContract } from '../../../contract/make-contract.ts';
import { findingsOf } from '../../fixture/inline-service.ts';

test('a body that no value can be is the fault of the contract, which is named', async () => {
  const base = {
    type: 'object',
    additionalProperties: false,
    properties: { text: { type: 'string' } },
  };
  const more = { required: ['causes'], properties: { causes: { type: 'array', items: {} } } };
  const contract = makeContract({
    components: { schemas: { Base: base } },
    paths: {
      '/tides': {
        get: {
          operationId: 'tides',
          responses: {
            200: {
              description: 'ok',
              content: {
                'application/json': {
                  schema: { allOf: [{ $ref: '#/components/schemas/Base' }, more] },
                },
              },
            },
          },
        },
      },
    },
  });
  const findings = await findingsOf(contract, () => ({
    status: 200,
    json: { text: 'a' },
    headers: { 'Content-Type': 'application/problem+json' },
  }));
  const found = findings.find(({ check }) => check === 'content-type-documented');
  expect(found).toMatchObject({ blame: 'contract' });
  expect(found?.message).toMatch(/forbids the property causes, which another rule requires/);
});

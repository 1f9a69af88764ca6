import { expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { converse, fixturesOf, mockOf } from './workshop.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const text = { type: 'string' };
const whole = { type: 'integer', minimum: 1 };
const plan = {
  type: 'object',
  required: ['id', 'aim', 'version'],
  properties: { id: text, aim: text, version: whole },
};
const wrapped = (schema: object) =>
  json({ type: 'object', required: ['plan'], properties: { plan: schema } });
const contract = parseContract(
  JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Plans', version: '1' },
    paths: {
      '/plans': {
        post: {
          requestBody: wrapped({ type: 'object', properties: { aim: text } }),
          responses: { 201: { description: 'New.', ...wrapped(plan) } },
        },
      },
      '/plans/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
        get: { responses: { 200: { description: 'It.', ...wrapped(plan) } } },
        put: {
          description: '409 if it has another version than the one sent.',
          requestBody: wrapped({ type: 'object', properties: { aim: text, version: whole } }),
          responses: {
            200: { description: 'Changed.', ...wrapped(plan) },
            409: { description: 'Conflict.' },
          },
        },
      },
    },
  }),
  'plans.json',
);

test('a version in a wrapped record is refused when it is old, and else moves on', async () => {
  const mock = await mockOf({ contract, fixtures: fixturesOf({ plans: [] }) });
  const said = await converse(mock, [
    ['POST /plans', { body: { plan: { aim: 'Sow' } } }],
    ['PUT /plans/made-1', { body: { plan: { aim: 'Mow', version: 1 } } }],
    ['PUT /plans/made-1', { body: { plan: { aim: 'Dig', version: 1 } } }],
    ['PUT /plans/made-1', { body: { plan: { aim: 'Dig' } } }],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /plans → 201 {"plan":{"id":"made-1","aim":"Sow","version":1}}
    PUT /plans/made-1 → 200 {"plan":{"id":"made-1","aim":"Mow","version":2}}
    PUT /plans/made-1 → 409 {"type":"about:blank","title":"Conflict","status":409,
      ↳"detail":"The version is that of another state of the record. Read it again.",
      ↳"code":"aborted","errors":[{"in":"body","name":"version","detail":"The version is
      ↳ that of another state of the record. Read it again."}]}
    PUT /plans/made-1 → 200 {"plan":{"id":"made-1","aim":"Dig","version":3}}"
  `);
});

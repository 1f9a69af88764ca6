import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/json/value.ts';
import { jsonContent, makeContract } from '../contract/make-contract.ts';
import { converse, mockOf } from './workshop.ts';

const text = { type: 'string' };
const fields = { type: 'object', properties: { Label: text, Weight: { type: 'integer' } } };
const crate: JsonObject = {
  type: 'object',
  required: ['id', 'fields'],
  properties: { id: text, fields },
};
const listOf = (items: JsonObject): JsonObject => ({
  type: 'object',
  required: ['records'],
  properties: { records: { type: 'array', items } },
});
const takes = (required: readonly string[], properties: JsonObject) => ({
  requestBody: { required: true, ...jsonContent(listOf({ type: 'object', required, properties })) },
});
const shows = (schema: JsonObject) => ({
  responses: {
    200: { description: 'done', ...jsonContent(schema) },
    404: { description: 'none' },
  },
});
const deleted = listOf({ type: 'object', required: ['id'], properties: { id: text } });

/** Crates whose requests are about several at once. */
const contract = makeContract({
  paths: {
    '/crates': {
      get: shows(listOf(crate)),
      post: { ...takes(['fields'], { fields }), ...shows(listOf(crate)) },
      patch: { ...takes(['id', 'fields'], { id: text, fields }), ...shows(listOf(crate)) },
      put: { ...takes(['id', 'fields'], { id: text, fields }), ...shows(listOf(crate)) },
      delete: {
        parameters: [
          {
            name: 'records[]',
            in: 'query',
            required: true,
            schema: { type: 'array', items: text },
          },
        ],
        ...shows(deleted),
      },
    },
    '/crates/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
      get: shows(crate),
    },
    '/crates/count': {
      get: shows({ type: 'object', properties: { count: { type: 'integer' } } }),
    },
  },
});

test('a batch is about the records that its entries name, and changes all or none', async () => {
  const one = { id: 'made-1', fields: { Weight: 3 } };
  const mock = await mockOf({ contract });
  const said = await converse(mock, [
    [
      'POST /crates',
      { body: { records: [{ fields: { Label: 'a' } }, { fields: { Label: 'b' } }] } },
    ],
    ['PATCH /crates', { body: { records: [one] } }],
    ['PUT /crates', { body: { records: [{ id: 'made-2', fields: { Weight: 5 } }] } }],
    [
      'PATCH /crates',
      {
        body: {
          records: [
            { ...one, fields: { Weight: 7 } },
            { ...one, id: 'x' },
          ],
        },
      },
    ],
    ['GET /crates/made-1'],
    ['GET /crates/made-2'],
    ['GET /crates/count'],
    ['DELETE /crates?records%5B%5D=made-1&records%5B%5D=x'],
    ['DELETE /crates?records%5B%5D=made-1&records%5B%5D=made-2'],
    ['GET /crates'],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /crates → 200 {"records":[{"id":"made-1","fields":{"Label":"a"}},
      ↳{"id":"made-2","fields":{"Label":"b"}}]}
    PATCH /crates → 200 {"records":[{"id":"made-1","fields":{"Label":"a","Weight":3}}]}
    PUT /crates → 200 {"records":[{"id":"made-2","fields":{"Weight":5}}]}
    PATCH /crates → 404 {"type":"about:blank","title":"Not Found","status":404,
      ↳"detail":"\`records[1]\` in the body is refused, and so nothing changes. No record
      ↳ of crates has the id \`x\`.","code":"not_found"}
    GET /crates/made-1 → 200 {"id":"made-1","fields":{"Label":"a","Weight":3}}
    GET /crates/made-2 → 200 {"id":"made-2","fields":{"Weight":5}}
    GET /crates/count → 200 {"count":2}
    DELETE /crates?records%5B%5D=made-1&records%5B%5D=x → 404 {"type":"about:blank",
      ↳"title":"Not Found","status":404,"detail":"Not every named record of crates matches,
      ↳ so that none was removed.","code":"not_found"}
    DELETE /crates?records%5B%5D=made-1&records%5B%5D=made-2 → 200
      ↳ {"records":[{"id":"made-1","fields":{"Label":"a","Weight":3}},{"id":"made-2",
      ↳"fields":{"Weight":5}}]}
    GET /crates → 200 {"records":[]}"
  `);
});

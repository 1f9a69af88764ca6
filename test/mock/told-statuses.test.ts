import { expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { converse, fixturesOf, mockOf } from './workshop.ts';

const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const text = { type: 'string' };
const state = { type: 'string', enum: ['open', 'archived'] };
const fair = {
  type: 'object',
  required: ['id', 'code', 'state'],
  properties: {
    id: text,
    code: text,
    state,
    start: { type: 'string', format: 'date' },
    end: { type: 'string', format: 'date' },
  },
};
const contract = parseContract(
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Fairs', version: '1' },
    paths: {
      '/fairs': {
        get: {
          description: 'Archived fairs are given only with `state=archived`.',
          parameters: [{ name: 'state', in: 'query', schema: state }],
          responses: { 200: { description: '.', ...json({ type: 'array', items: fair }) } },
        },
        post: {
          description: '400 if another fair has the `code`, or if `start` is after `end`.',
          requestBody: { required: true, ...json({ ...fair, required: ['code', 'state'] }) },
          responses: {
            201: { description: 'New.', ...json(fair) },
            400: { description: 'Not valid.' },
          },
        },
      },
      '/fairs/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
        get: { responses: { 200: { description: 'It.', ...json(fair) } } },
      },
    },
  }),
  'fairs.json',
);

test('what words refuse with 400, and what a list shows only when it is asked for', async () => {
  const mock = await mockOf({ contract, fixtures: fixturesOf({ fairs: [] }) });
  const body = { code: 'A', state: 'open', start: '2026-01-01', end: '2026-01-03' };
  const said = await converse(mock, [
    ['POST /fairs', { body }],
    ['POST /fairs', { body }],
    ['POST /fairs', { body: { ...body, code: 'B', start: '2026-01-04' } }],
    ['POST /fairs', { body: { ...body, code: 'C', state: 'archived' } }],
    ['GET /fairs'],
    ['GET /fairs?state=archived'],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /fairs → 201 {"id":"made-1","code":"A","state":"open","start":"2026-01-01",
      ↳"end":"2026-01-03"}
    POST /fairs → 400 {"type":"about:blank","title":"Bad Request","status":400,
      ↳"detail":"Another record has this code, and it is unique. Choose another.",
      ↳"code":"conflict","errors":[{"in":"body","name":"code","detail":"Another record has
      ↳ this code, and it is unique. Choose another."}]}
    POST /fairs → 400 {"type":"about:blank","title":"Bad Request","status":400,
      ↳"detail":"The field start must be at or below end.","code":"invalid_value",
      ↳"errors":[{"in":"body","name":"start","detail":"The field start must be at or below
      ↳ end."}]}
    POST /fairs → 201 {"id":"made-3","code":"C","state":"archived","start":"2026-01-01",
      ↳"end":"2026-01-03"}
    GET /fairs → 200 [{"id":"made-1","code":"A","state":"open","start":"2026-01-01",
      ↳"end":"2026-01-03"}]
    GET /fairs?state=archived → 200 [{"id":"made-3","code":"C","state":"archived",
      ↳"start":"2026-01-01","end":"2026-01-03"}]"
  `);
});

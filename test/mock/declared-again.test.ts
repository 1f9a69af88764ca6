import { expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { converse, mockOf } from './workshop.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const text = { type: 'string' };
const signal = { type: 'object', required: ['code'], properties: { code: text, aspect: text } };
const route = { type: 'object', required: ['id'], properties: { id: text, from: text, to: text } };
const inPath = (name: string) => ({ name, in: 'path', required: true, schema: text });
const listing = (items: object) => ({
  responses: { 200: { description: 'All.', ...json({ type: 'array', items }) } },
});
const body = (properties: object) => ({ requestBody: json({ type: 'object', properties }) });
const located = { headers: { Location: { schema: text } } };

const contract = parseContract(
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Signals', version: '1' },
    paths: {
      '/lines/{line}/signals': { parameters: [inPath('line')], get: listing(signal) },
      '/lines/{line}/signals/{code}': {
        parameters: [inPath('line'), inPath('code')],
        get: {
          responses: {
            200: { description: 'It.', ...json(signal) },
            404: { description: 'None.' },
          },
        },
        put: {
          ...body({ aspect: text }),
          responses: { 201: { description: 'New.' }, 204: { description: 'It was there.' } },
        },
      },
      '/lines/{line}/routes': {
        parameters: [inPath('line')],
        get: listing(route),
        post: {
          ...body({ from: text, to: { ...text, default: 'end' } }),
          responses: {
            201: { description: 'New.', ...located },
            204: { description: 'There is one.', ...located },
          },
        },
      },
      '/lines/{line}/routes/{id}': {
        parameters: [inPath('line'), inPath('id')],
        delete: { responses: { 204: { description: 'Gone.' } } },
      },
    },
  }),
  'signals.json',
);

test('a record that is put under its name is new once, where only statuses say so', async () => {
  const said = await converse(await mockOf({ contract }), [
    ['PUT /lines/north/signals/s1', { body: { aspect: 'red' } }],
    ['PUT /lines/north/signals/s1', { body: { aspect: 'green' } }],
    ['GET /lines/north/signals/s1'],
    ['PUT /lines/south/signals/s1', { body: { aspect: 'red' } }],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "PUT /lines/north/signals/s1 → 201
    PUT /lines/north/signals/s1 → 204
    GET /lines/north/signals/s1 → 200 {"code":"s1","aspect":"green"}
    PUT /lines/south/signals/s1 → 201"
  `);
});

test('a record with the same members is made once where 204 says that it was there', async () => {
  const mock = await mockOf({ contract });
  const said = await converse(mock, [
    ['POST /lines/north/routes', { body: { from: 's1' } }],
    ['POST /lines/north/routes', { body: { from: 's1', to: 'end' } }],
    ['POST /lines/north/routes', { body: { from: 's1', to: 's2' } }],
    ['POST /lines/south/routes', { body: { from: 's1' } }],
    ['GET /lines/north/routes'],
    ['DELETE /lines/north/routes/made-1'],
    ['POST /lines/north/routes', { body: { from: 's1' } }],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /lines/north/routes → 201
    POST /lines/north/routes → 204
    POST /lines/north/routes → 201
    POST /lines/south/routes → 201
    GET /lines/north/routes → 200 [{"id":"made-1","from":"s1","to":"end"},
      ↳{"id":"made-2","from":"s1","to":"s2"}]
    DELETE /lines/north/routes/made-1 → 204
    POST /lines/north/routes → 201"
  `);
});

import { expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { converse, fixturesOf, mockOf } from './workshop.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const text = { type: 'string' };
const digits = { type: 'string', pattern: '^[0-9]+$' };
const kite = { type: 'object', properties: { id: text, colour: text } };
const all = { type: 'array', items: kite };
const page = {
  type: 'object',
  required: ['kites', 'total', 'count', 'start'],
  properties: { kites: all, total: digits, count: digits, start: digits },
};
const whole = (name: string) => ({ name, in: 'query', schema: { type: 'integer', minimum: 0 } });
const contract = parseContract(
  JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Kites', version: '1' },
    paths: {
      '/kites': {
        get: {
          parameters: [
            whole('limit'),
            whole('start'),
            { ...whole('fields'), schema: text, description: 'The fields to return.' },
          ],
          responses: {
            200: {
              description: '.',
              headers: { 'X-Result-Count': { schema: { type: 'integer' } } },
              ...json({ oneOf: [all, page] }),
            },
          },
        },
      },
    },
  }),
  'kites.json',
);

test('a list is an envelope with its numbers where a page is asked for, else bare', async () => {
  const records = ['a', 'b', 'c'].map((id) => ({ id, colour: 'red' }));
  const mock = await mockOf({ contract, fixtures: fixturesOf({ kites: records }) });
  const said = await converse(mock, [
    ['GET /kites?fields=id'],
    ['GET /kites?limit=2&start=1'],
    ['GET /kites?limit=1&fields=colour'],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "GET /kites?fields=id → 200 [{"id":"a"},{"id":"b"},{"id":"c"}]
    GET /kites?limit=2&start=1 → 200 {"kites":[{"id":"b","colour":"red"},{"id":"c",
      ↳"colour":"red"}],"total":"3","count":"2","start":"1"}
    GET /kites?limit=1&fields=colour → 200 {"kites":[{"id":"a","colour":"red"}],
      ↳"total":"3","count":"1","start":"0"}"
  `);
});

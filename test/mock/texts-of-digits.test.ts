import { expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { stringifyJson } from '../../src/json/value.ts';
import { converse, fixturesOf, mockOf } from './workshop.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const digits = { type: 'string', pattern: '^[0-9]+$' };
const crate = {
  type: 'object',
  properties: { id: { type: 'string' }, label: { type: 'string' }, weight: digits },
};
const asked = (name: string, schema: object, description?: string) => ({
  ...{ name, in: 'query', schema, description },
});
const whole = { type: 'integer' };
const contract = parseContract(
  JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Crates', version: '1' },
    paths: {
      '/crates': {
        get: {
          parameters: [
            asked('filter[weight]', whole),
            asked('filter[weight_min]', whole),
            asked('order', { type: 'string', enum: ['weight', '-weight'] }),
            asked('label', { type: 'string' }, 'A part of the label.'),
            asked('starts', { type: 'string' }, 'Beginning of the label.'),
          ],
          responses: { 200: { description: 'All.', ...json({ type: 'array', items: crate }) } },
        },
        post: {
          requestBody: json(crate),
          responses: { 201: { description: '.', ...json(crate) } },
        },
      },
    },
  }),
  'crates.json',
);

test('numbers in texts are found, bounded and sorted by size, and texts as words say', async () => {
  const mock = await mockOf({ contract, fixtures: fixturesOf({ crates: [] }) });
  const found = await converse(mock, [
    ['POST /crates', { body: { label: 'Pears', weight: '9' } }],
    ['POST /crates', { body: { label: 'Apples', weight: '10' } }],
    ['GET /crates?filter%5Bweight%5D=9'],
    ['GET /crates?filter%5Bweight_min%5D=10'],
    ['GET /crates?order=-weight'],
    ['GET /crates?label=PEAR'],
    ['GET /crates?label=LES'],
    ['GET /crates?starts=App'],
    ['GET /crates?starts=les'],
  ]);
  expect(found).toMatchInlineSnapshot(`
    "POST /crates → 201 {"id":"made-1","label":"Pears","weight":"9"}
    POST /crates → 201 {"id":"made-2","label":"Apples","weight":"10"}
    GET /crates?filter%5Bweight%5D=9 → 200 [{"id":"made-1","label":"Pears",
      ↳"weight":"9"}]
    GET /crates?filter%5Bweight_min%5D=10 → 200 [{"id":"made-2","label":"Apples",
      ↳"weight":"10"}]
    GET /crates?order=-weight → 200 [{"id":"made-2","label":"Apples","weight":"10"},
      ↳{"id":"made-1","label":"Pears","weight":"9"}]
    GET /crates?label=PEAR → 200 [{"id":"made-1","label":"Pears","weight":"9"}]
    GET /crates?label=LES → 200 [{"id":"made-2","label":"Apples","weight":"10"}]
    GET /crates?starts=App → 200 [{"id":"made-2","label":"Apples","weight":"10"}]
    GET /crates?starts=les → 200 []"
  `);
});

test('a new record is called by the next number where identifiers are digits alone', async () => {
  const text = stringifyJson(contract.document);
  const own = text.replaceAll('"id":{"type":"string"}', `"id":${stringifyJson(digits)}`);
  expect(own).not.toBe(text);
  const numbered = parseContract(own, 'crates.json');
  const fixtures = fixturesOf({ crates: [{ id: '41' }] });
  const mock = await mockOf({ contract: numbered, fixtures });
  const said = await converse(mock, [['POST /crates', { body: { label: 'Pears' } }]]);
  expect(said).toContain('"id":"42"');
});

import { expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { converse, fixturesOf, mockOf } from './workshop.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const text = { type: 'string' };
const size = { type: 'object', properties: { width: text, depth: text } };
const shelf = {
  type: 'object',
  required: ['id', 'place'],
  properties: { id: text, place: text, label: text, size },
};
const columns = {
  ...{ name: 'columns', in: 'query', schema: text },
  description: 'Members to answer with, e.g. label,size.width.',
};
const contract = parseContract(
  JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Shelves', version: '1' },
    paths: {
      '/shelves': {
        get: {
          parameters: [columns],
          responses: { 200: { description: '.', ...json({ type: 'array', items: shelf }) } },
        },
      },
    },
  }),
  'shelves.json',
);

test('columns show the members that they name, and those that are required', async () => {
  const one = { id: 's1', place: 'A', label: 'Oats', size: { width: '2', depth: '3' } };
  const mock = await mockOf({ contract, fixtures: fixturesOf({ shelves: [one] }) });
  const said = await converse(mock, [
    ['GET /shelves?columns=label'],
    ['GET /shelves?columns=size.width,colour'],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "GET /shelves?columns=label → 200 [{"id":"s1","place":"A","label":"Oats"}]
    GET /shelves?columns=size.width,colour → 200 [{"id":"s1","place":"A",
      ↳"size":{"width":"2"}}]"
  `);
});

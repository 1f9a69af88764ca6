import { expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { converse, mockOf } from './workshop.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const text = { type: 'string' };
const ferry = {
  type: 'object',
  required: ['id', 'origin', 'target'],
  properties: {
    id: text,
    origin: { ...text, description: 'The harbour.' },
    target: { ...text, description: 'the id of the island' },
    note: { ...text, description: 'About the harbour.' },
  },
};
const inPath = (name: string) => ({ name, in: 'path', required: true, schema: text });
const contract = parseContract(
  JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Ferries', version: '1' },
    paths: {
      '/from/{harbour}/to/{island}/ferries': {
        parameters: [inPath('harbour'), inPath('island')],
        get: { responses: { 200: { description: '.', ...json({ type: 'array', items: ferry }) } } },
        post: {
          requestBody: json({ type: 'object', properties: { note: text } }),
          responses: { 201: { description: 'New.', ...json(ferry) } },
        },
      },
    },
  }),
  'ferries.json',
);

test('a field whose description is the name of a parameter of the path has its value', async () => {
  const said = await converse(await mockOf({ contract }), [
    ['POST /from/north/to/elm/ferries', { body: { note: 'Late' } }],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /from/north/to/elm/ferries → 201 {"id":"made-1","origin":"north",
      ↳"target":"elm","note":"Late"}"
  `);
});

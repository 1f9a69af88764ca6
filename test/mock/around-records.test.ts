import { expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { converse, mockOf } from './workshop.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const text = { type: 'string' };
const plot = { type: 'object', properties: { plot_no: text, crop: text } };
const outcome = { type: 'string', enum: ['fine'] };
const shown = (properties: object) => ({
  200: { description: 'Fine.', ...json({ type: 'object', properties }) },
});
const contract = parseContract(
  JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Plots', version: '1' },
    paths: {
      '/plots': {
        post: {
          requestBody: json({ type: 'object', properties: { crop: text } }),
          responses: shown({ outcome, plot_no: text }),
        },
      },
      '/plots/{plot_no}': {
        parameters: [{ name: 'plot_no', in: 'path', required: true, schema: text }],
        get: { responses: shown({ outcome, plot }) },
      },
    },
  }),
  'plots.json',
);

test('what stands around a record in one answer is no member of it in another', async () => {
  const said = await converse(await mockOf({ contract }), [
    ['POST /plots', { body: { crop: 'Rye' } }],
    ['GET /plots/made-1'],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /plots → 200 {"plot_no":"made-1","crop":"Rye"}
    GET /plots/made-1 → 200 {"plot":{"plot_no":"made-1","crop":"Rye"}}"
  `);
});

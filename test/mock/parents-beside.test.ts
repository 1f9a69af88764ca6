import { expect, test } from 'vitest';
import { jsonContent, makeContract } from '../contract/make-contract.ts';
import { converse, mockOf } from './workshop.ts';

const text = { type: 'string' };
const inPath = (name: string) => ({ name, in: 'path', required: true, schema: text });
const named = { type: 'object', required: ['name'], properties: { name: text } };
const pipe = { type: 'object', required: ['id'], properties: { id: text, key: text } };
const missing = { 404: { description: 'None.' } };

/** Tanks of a plant under names that clients choose. */
const set = (word: string) => ({
  [`/${word}/{plant}`]: {
    parameters: [inPath('plant')],
    get: {
      responses: { 200: { description: 'All.', ...jsonContent({ type: 'array', items: named }) } },
    },
  },
  [`/${word}/{plant}/{name}`]: {
    parameters: [inPath('plant'), inPath('name')],
    put: {
      requestBody: jsonContent({ type: 'object', properties: { label: text } }),
      responses: { 201: { description: 'New.' }, 204: { description: 'As before.' }, ...missing },
    },
  },
});

/** Pipes between a tank and a valve of one plant, neither of which stands before them in a path. */
const contract = makeContract({
  paths: {
    '/plants': {
      get: {
        responses: {
          200: { description: 'All.', ...jsonContent({ type: 'array', items: named }) },
        },
      },
    },
    '/plants/{plant}': {
      parameters: [inPath('plant')],
      put: {
        requestBody: jsonContent({ type: 'object', properties: { label: text } }),
        responses: { 201: { description: 'New.' }, 204: { description: 'As before.' } },
      },
    },
    ...set('tanks'),
    ...set('valves'),
    '/pipes/{plant}/t/{tank}/v/{valve}': {
      parameters: [inPath('plant'), inPath('tank'), inPath('valve')],
      get: {
        responses: {
          200: { description: 'All.', ...jsonContent({ type: 'array', items: pipe }) },
          ...missing,
        },
      },
      post: {
        requestBody: jsonContent({ type: 'object', properties: { key: text } }),
        responses: { 201: { description: 'New.', ...jsonContent(pipe) }, ...missing },
      },
    },
    '/pipes/{plant}/t/{tank}/v/{valve}/{id}': {
      parameters: ['plant', 'tank', 'valve', 'id'].map(inPath),
      delete: { responses: { 204: { description: 'Gone.' }, ...missing } },
    },
  },
});

test('parameters name records of other paths below the same record', () => {
  const pipes = contract.resources.find(({ collectionPath }) =>
    collectionPath.startsWith('/pipes'),
  );
  expect(pipes?.parents.map(({ parameter, resource }) => [parameter, resource?.name])).toEqual([
    ['plant', 'plants'],
    ['tank', 'tanks'],
    ['valve', 'valves'],
  ]);
});

test('the mock asks for each of them below their own parent', async () => {
  const said = await converse(await mockOf({ contract }), [
    ['PUT /plants/north', { body: {} }],
    ['PUT /plants/south', { body: {} }],
    ['PUT /tanks/north/t1', { body: {} }],
    ['PUT /valves/north/v1', { body: {} }],
    ['PUT /valves/south/v2', { body: {} }],
    ['POST /pipes/north/t/t1/v/v1', { body: { key: 'a' } }],
    ['POST /pipes/north/t/t1/v/v2', { body: { key: 'a' } }],
    ['POST /pipes/south/t/t1/v/v2', { body: { key: 'a' } }],
    ['GET /pipes/north/t/t1/v/v1'],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "PUT /plants/north → 201
    PUT /plants/south → 201
    PUT /tanks/north/t1 → 201
    PUT /valves/north/v1 → 201
    PUT /valves/south/v2 → 201
    POST /pipes/north/t/t1/v/v1 → 201 {"id":"made-1","key":"a"}
    POST /pipes/north/t/t1/v/v2 → 404 {"type":"about:blank","title":"Not Found",
      ↳"status":404,"detail":"No record of valves has the name \`v2\`.","code":"not_found"}
    POST /pipes/south/t/t1/v/v2 → 404 {"type":"about:blank","title":"Not Found",
      ↳"status":404,"detail":"No record of tanks has the name \`t1\`.","code":"not_found"}
    GET /pipes/north/t/t1/v/v1 → 200 [{"id":"made-1","key":"a"}]"
  `);
});

import { expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { converse, fixturesOf, mockOf } from './workshop.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const text = { type: 'string' };
const badge = {
  type: 'object',
  properties: {
    id: text,
    code: { ...text, description: '409 if another badge has it (case does not matter)' },
  },
};
const failure = {
  type: 'object',
  required: ['trouble'],
  properties: {
    trouble: {
      type: 'object',
      required: ['message', 'errors'],
      properties: {
        message: { ...text, example: 'The door is shut.' },
        errors: {
          type: 'array',
          minItems: 1,
          items: { type: 'object', required: ['field', 'text'], properties: { field: text, text } },
        },
      },
    },
  },
};
const refusals = Object.fromEntries(
  ['404', '409'].map((status) => [status, { description: 'Refused.', ...json(failure) }]),
);
const contract = parseContract(
  JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Badges', version: '1' },
    paths: {
      '/badges': {
        post: {
          requestBody: json(badge),
          responses: { 201: { description: 'New.', ...json(badge) }, ...refusals },
        },
      },
      '/badges/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
        get: { responses: { 200: { description: 'It.', ...json(badge) }, ...refusals } },
      },
    },
  }),
  'badges.json',
);

test('a refusal says its own reason, and the field where there is one', async () => {
  const mock = await mockOf({ contract, fixtures: fixturesOf({ badges: [] }) });
  const said = await converse(mock, [
    ['POST /badges', { body: { code: 'North' } }],
    ['POST /badges', { body: { code: 'NORTH' } }],
    ['GET /badges/none'],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /badges → 201 {"id":"made-1","code":"North"}
    POST /badges → 409 {"trouble":{"message":"Another record has this code, and it is
      ↳ unique. Choose another.","errors":[{"field":"code","text":"Another record has this
      ↳ code, and it is unique. Choose another."}]}}
    GET /badges/none → 404 {"trouble":{"message":"No record of badges has the id
      ↳ \`none\`.","errors":[{"field":"","text":"No record of badges has the id
      ↳ \`none\`."}]}}"
  `);
});

test('a code that is a number is the one whose words are those of the error', async () => {
  const description = '7001 no such tile, 7002 code in use, 7003 member';
  const numbered = {
    type: 'object',
    required: ['code', 'message'],
    properties: { code: { type: 'integer', minimum: 7000, description }, message: text },
  };
  const tile = { type: 'object', properties: { code: { ...text, maxLength: 3 } } };
  const answers = Object.fromEntries(
    ['404', '409'].map((status) => [status, { description: 'Refused.', ...json(numbered) }]),
  );
  const tiles = {
    '/tiles': {
      post: {
        requestBody: { required: true, ...json({ ...tile, required: ['code'] }) },
        responses: { 201: { description: 'New.', ...json(tile) }, ...answers },
      },
    },
    '/tiles/{code}': {
      parameters: [{ name: 'code', in: 'path', required: true, schema: text }],
      get: { responses: { 200: { description: 'It.', ...json(tile) }, ...answers } },
    },
  };
  const described = { openapi: '3.0.3', info: { title: 'Tiles', version: '1' }, paths: tiles };
  const mock = await mockOf({
    contract: parseContract(JSON.stringify(described), 'tiles.json'),
    fixtures: fixturesOf({ tiles: [] }),
  });
  const said = await converse(mock, [
    ['POST /tiles', { body: { code: 'a' } }],
    ['POST /tiles', { body: { code: 'a' } }],
    ['GET /tiles/b'],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /tiles → 201 {"code":"a"}
    POST /tiles → 409 {"code":7002,"message":"A record of tiles has the code a already.
      ↳ Choose another."}
    GET /tiles/b → 404 {"code":7001,"message":"No record of tiles has the code \`b\`."}"
  `);
});

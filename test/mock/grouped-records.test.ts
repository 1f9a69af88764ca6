import { expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { fixturesOf, converse, mockOf } from './workshop.ts';

const type = 'application/vnd.api+json';
const media = (schema: object) => ({ [type]: { schema } });
const answer = (schema: object) => ({ description: 'Answer.', content: media(schema) });
const refused = answer({
  type: 'object',
  properties: {
    errors: {
      type: 'array',
      items: { type: 'object', properties: { status: { type: 'string' } } },
    },
  },
});
const refusals = { 404: refused, 409: refused };
const object = (properties: object) => ({ type: 'object', properties });
const one = (name: string) => object({ data: { $ref: `#/components/schemas/${name}` } });
const list = (name: string) =>
  object({ data: { type: 'array', items: { $ref: `#/components/schemas/${name}` } } });
const linkage = (name: string) => object({ type: { const: name }, id: { type: 'string' } });
const toOne = (name: string) =>
  object({ data: { oneOf: [{ ...linkage(name), required: ['id'] }, { type: 'null' }] } });
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };

const written = {
  code: { type: 'string' },
  stage: { type: 'string', enum: ['planned', 'planted'], default: 'planned' },
};
const moment = { type: 'string', format: 'date-time', readOnly: true };
const resource = (name: string, attributes: object, relationships: object) => ({
  ...object({
    type: { const: name },
    id: { type: 'string' },
    attributes: object(attributes),
    relationships: object(relationships),
  }),
  required: ['type', 'id'],
});
const request = (name: string, attributes: object, relationships: object) => ({
  required: true,
  content: media({
    ...object({
      data: {
        ...object({
          type: { const: name },
          id: { type: 'string' },
          attributes: object(attributes),
          relationships: object(relationships),
        }),
        required: ['type'],
      },
    }),
    required: ['data'],
  }),
});

const contract = parseContract(
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Gardens', version: '1' },
    paths: {
      '/beds': {
        get: {
          operationId: 'listBeds',
          parameters: [{ name: 'filter[keeper]', in: 'query', schema: { type: 'string' } }],
          responses: { 200: answer(list('Bed')) },
        },
        post: {
          operationId: 'addBed',
          description: 'The code of another bed is 409.',
          requestBody: request('beds', written, { keeper: toOne('keepers') }),
          responses: { 201: answer(one('Bed')), ...refusals },
        },
      },
      '/beds/{id}': {
        parameters: [id],
        get: { operationId: 'getBed', responses: { 200: answer(one('Bed')), 404: refused } },
        patch: {
          operationId: 'changeBed',
          description: 'A planted bed does not become planned again (409).',
          requestBody: request('beds', written, { keeper: toOne('keepers') }),
          responses: { 200: answer(one('Bed')), ...refusals },
        },
      },
      '/beds/{id}/harvests': {
        parameters: [id],
        get: {
          operationId: 'harvestsOf',
          responses: { 200: answer(list('Harvest')), 404: refused },
        },
      },
      '/beds/{id}/keeper': {
        parameters: [id],
        get: {
          operationId: 'keeperOf',
          responses: {
            200: answer(
              object({
                data: { oneOf: [{ $ref: '#/components/schemas/Keeper' }, { type: 'null' }] },
              }),
            ),
            404: refused,
          },
        },
      },
      '/beds/{id}/relationships/keeper': {
        parameters: [id],
        patch: {
          operationId: 'setKeeper',
          requestBody: { required: true, content: media(toOne('keepers')) },
          responses: { 200: answer(toOne('keepers')), ...refusals },
        },
      },
      '/harvests': {
        post: {
          operationId: 'addHarvest',
          description: 'A planned bed has no harvests (409).',
          requestBody: request('harvests', { weight: { type: 'integer' } }, { bed: toOne('beds') }),
          responses: { 201: answer(one('Harvest')), ...refusals },
        },
      },
      '/harvests/{id}': {
        parameters: [id],
        get: {
          operationId: 'getHarvest',
          responses: { 200: answer(one('Harvest')), 404: refused },
        },
      },
      '/keepers': {
        get: { operationId: 'listKeepers', responses: { 200: answer(list('Keeper')) } },
      },
    },
    components: {
      schemas: {
        Bed: resource(
          'beds',
          {
            ...written,
            createdAt: moment,
            plantedAt: moment,
            harvestCount: { type: 'integer', readOnly: true },
          },
          { keeper: toOne('keepers') },
        ),
        Harvest: resource('harvests', { weight: { type: 'integer' } }, { bed: toOne('beds') }),
        Keeper: resource('keepers', { name: { type: 'string' } }, {}),
      },
    },
  }),
  'gardens.json',
);

const fixtures = fixturesOf({
  keepers: [{ type: 'keepers', id: '1', attributes: { name: 'Ada' } }],
});

const bed = (attributes: object, others: object = {}) => ({
  body: { data: { type: 'beds', ...others, attributes } } as never,
  type,
});
const harvest = (weight: number) => ({
  body: {
    data: {
      type: 'harvests',
      attributes: { weight },
      relationships: { bed: { data: { type: 'beds', id: 'made-1' } } },
    },
  },
  type,
});

test('the fields that a service sets stand in the group of the others', async () => {
  const mock = await mockOf({ contract, fixtures });
  const said = await converse(mock, [
    ['POST /beds', bed({ code: 'A' })],
    ['PATCH /beds/made-1', bed({ stage: 'planted' }, { id: 'made-1' })],
    ['POST /harvests', harvest(5)],
    ['GET /beds/made-1'],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /beds → 201 {"data":{"id":"made-1","type":"beds",
      ↳"attributes":{"stage":"planned","createdAt":"2030-01-02T03:04:05.000Z",
      ↳"harvestCount":0,"code":"A"}}}
    PATCH /beds/made-1 → 200 {"data":{"id":"made-1","type":"beds",
      ↳"attributes":{"stage":"planted","createdAt":"2030-01-02T03:04:05.000Z",
      ↳"harvestCount":0,"code":"A","plantedAt":"2030-01-02T03:04:05.000Z"}}}
    POST /harvests → 201 {"data":{"id":"made-2","type":"harvests",
      ↳"attributes":{"weight":5},"relationships":{"bed":{"data":{"type":"beds",
      ↳"id":"made-1"}}}}}
    GET /beds/made-1 → 200 {"data":{"id":"made-1","type":"beds",
      ↳"attributes":{"stage":"planted","createdAt":"2030-01-02T03:04:05.000Z",
      ↳"harvestCount":1,"code":"A","plantedAt":"2030-01-02T03:04:05.000Z"}}}"
  `);
});

test('a record is refused for what its fields, or those of another one, say', async () => {
  const mock = await mockOf({ contract, fixtures });
  const said = await converse(mock, [
    ['POST /beds', bed({ code: 'A' })],
    ['POST /beds', bed({ code: 'A' })],
    ['POST /harvests', harvest(5)],
    ['PATCH /beds/made-1', bed({ stage: 'planted' }, { id: 'made-1' })],
    ['PATCH /beds/made-1', bed({ stage: 'planned' }, { id: 'made-1' })],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /beds → 201 {"data":{"id":"made-1","type":"beds",
      ↳"attributes":{"stage":"planned","createdAt":"2030-01-02T03:04:05.000Z",
      ↳"harvestCount":0,"code":"A"}}}
    POST /beds → 409 {"errors":[{"status":"409"}]}
    POST /harvests → 409 {"errors":[{"status":"409"}]}
    PATCH /beds/made-1 → 200 {"data":{"id":"made-1","type":"beds",
      ↳"attributes":{"stage":"planted","createdAt":"2030-01-02T03:04:05.000Z",
      ↳"harvestCount":0,"code":"A","plantedAt":"2030-01-02T03:04:05.000Z"}}}
    PATCH /beds/made-1 → 409 {"errors":[{"status":"409"}]}"
  `);
});

test('a list below a record, and a related record, follow the relationships', async () => {
  const mock = await mockOf({ contract, fixtures });
  const said = await converse(mock, [
    ['POST /beds', bed({ code: 'A', stage: 'planted' })],
    ['POST /beds', bed({ code: 'B', stage: 'planted' })],
    ['POST /harvests', harvest(5)],
    ['GET /beds/made-1/harvests'],
    ['GET /beds/made-2/harvests'],
    ['GET /beds/made-1/keeper'],
    [
      'PATCH /beds/made-1/relationships/keeper',
      { body: { data: { type: 'keepers', id: '1' } }, type },
    ],
    ['GET /beds/made-1/keeper'],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /beds → 201 {"data":{"id":"made-1","type":"beds",
      ↳"attributes":{"stage":"planted","createdAt":"2030-01-02T03:04:05.000Z",
      ↳"harvestCount":0,"code":"A","plantedAt":"2030-01-02T03:04:05.000Z"}}}
    POST /beds → 201 {"data":{"id":"made-2","type":"beds",
      ↳"attributes":{"stage":"planted","createdAt":"2030-01-02T03:04:05.000Z",
      ↳"harvestCount":0,"code":"B","plantedAt":"2030-01-02T03:04:05.000Z"}}}
    POST /harvests → 201 {"data":{"id":"made-3","type":"harvests",
      ↳"attributes":{"weight":5},"relationships":{"bed":{"data":{"type":"beds",
      ↳"id":"made-1"}}}}}
    GET /beds/made-1/harvests → 200 {"data":[{"id":"made-3","type":"harvests",
      ↳"attributes":{"weight":5},"relationships":{"bed":{"data":{"type":"beds",
      ↳"id":"made-1"}}}}]}
    GET /beds/made-2/harvests → 200 {"data":[]}
    GET /beds/made-1/keeper → 200 {"data":null}
    PATCH /beds/made-1/relationships/keeper → 200 {"data":{"type":"keepers","id":"1"}}
    GET /beds/made-1/keeper → 200 {"data":{"type":"keepers","id":"1",
      ↳"attributes":{"name":"Ada"}}}"
  `);
});

test('a filter that is called after a relationship finds what that names', async () => {
  const mock = await mockOf({ contract, fixtures });
  const said = await converse(mock, [
    ['POST /beds', bed({ code: 'A' })],
    ['POST /beds', bed({ code: 'B' })],
    [
      'PATCH /beds/made-1/relationships/keeper',
      { body: { data: { type: 'keepers', id: '1' } }, type },
    ],
    ['GET /beds?filter%5Bkeeper%5D=1'],
    ['GET /beds?filter%5Bkeeper%5D=2'],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /beds → 201 {"data":{"id":"made-1","type":"beds",
      ↳"attributes":{"stage":"planned","createdAt":"2030-01-02T03:04:05.000Z",
      ↳"harvestCount":0,"code":"A"}}}
    POST /beds → 201 {"data":{"id":"made-2","type":"beds",
      ↳"attributes":{"stage":"planned","createdAt":"2030-01-02T03:04:05.000Z",
      ↳"harvestCount":0,"code":"B"}}}
    PATCH /beds/made-1/relationships/keeper → 200 {"data":{"type":"keepers","id":"1"}}
    GET /beds?filter%5Bkeeper%5D=1 → 200 {"data":[{"id":"made-1","type":"beds",
      ↳"attributes":{"stage":"planned","createdAt":"2030-01-02T03:04:05.000Z",
      ↳"harvestCount":0,"code":"A"},"relationships":{"keeper":{"data":{"type":"keepers",
      ↳"id":"1"}}}}]}
    GET /beds?filter%5Bkeeper%5D=2 → 200 {"data":[]}"
  `);
});

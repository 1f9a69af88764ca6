import { expect, test } from 'vitest';
import { withKnownReferences } from '../../../../src/check/engine/learn/known-references.ts';
import { makeCase } from '../../../../src/check/model/case.ts';
import { relationTo } from '../../../../src/check/plan/story.ts';
import { parseContract } from '../../../../src/contract/load.ts';
import type { JsonObject, JsonValue } from '../../../../src/json/value.ts';
import { jsonContent, makeContract } from '../../../contract/make-contract.ts';
import { newsroom } from '../../fixture/newsroom.ts';

const text = `
openapi: 3.0.3
info: { title: depots, version: '1' }
paths:
  /depots:
    get:
      operationId: listDepots
      responses: { '200': { description: all, content: { application/json: { schema: { type: array,
        items: { $ref: '#/components/schemas/Depot' } } } } } }
    post:
      operationId: createDepot
      requestBody: { content: { application/json: { schema: {
        $ref: '#/components/schemas/Depot' } } } }
      responses: { '201': { description: made, content: { application/json: { schema: {
        $ref: '#/components/schemas/Depot' } } } } }
  /depots/{depot}:
    parameters: [{ name: depot, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getDepot
      responses: { '200': { description: one, content: { application/json: { schema: {
        $ref: '#/components/schemas/Depot' } } } } }
  /depots/{depot}/vehicles:batchCreate:
    parameters: [{ name: depot, in: path, required: true, schema: { type: string } }]
    post:
      operationId: createVehicles
      requestBody:
        content:
          application/json:
            schema:
              type: object
              properties:
                parent: { type: string, example: depots/berlin }
                spare: { type: string, example: depots/berlin }
      responses: { '200': { description: made } }
components:
  schemas:
    Depot:
      type: object
      required: [id]
      properties: { id: { type: string }, name: { type: string } }
`;

test('a parent in a body is the one in the path, and other addresses name any record', () => {
  const contract = parseContract(text, 'depots.yaml');
  const operation = contract.operations.find(({ id }) => id === 'createVehicles');
  const resource = contract.resources.find(({ collectionPath }) => collectionPath === '/depots');
  const media = operation?.requestBody?.content[0];
  if (operation === undefined || resource === undefined || media === undefined)
    throw new Error('The contract creates no vehicles below depots.');
  const value = { parent: 'depots/berlin', spare: 'depots/berlin' };
  const planned = makeCase({
    title: 'vehicles are made',
    phase: 'boundary',
    operation,
    request: { arguments: [], credential: 'given', body: { kind: 'content', media, value } },
    intent: { kind: 'valid', rigour: 'plain', at: '' },
  });
  const namesOf = () => [{ resource, identifier: 'oslo', parents: new Map() }];
  const { request } = withKnownReferences(
    planned,
    { contract, namesOf, owns: () => false },
    () => new Map([[1, 'rome']]),
  );
  expect(request.body).toMatchObject({ value: { parent: 'depots/rome', spare: 'depots/oslo' } });
});

test.each([
  ['conflicting', 'lin'],
  ['related', 'nobody'],
] as const)('a document that is tested as %s names %s', (rule, author) => {
  const { contract } = newsroom();
  const operation = contract.operations.find(({ id }) => id === 'POST /articles');
  const resource = contract.resources.find(({ collectionPath }) => collectionPath === '/people');
  if (operation === undefined || resource === undefined)
    throw new Error('The contract creates no articles of people.');
  const mediaType = 'application/vnd.api+json';
  const document = (id: string): JsonObject => ({
    data: {
      type: 'vouch-unknown',
      relationships: { author: { data: { type: 'people', id } } },
    },
  });
  const value = document('nobody');
  const planned = makeCase({
    title: 'an article is made',
    phase: 'sequence',
    operation,
    request: { arguments: [], credential: 'given', body: { kind: 'json', mediaType, value } },
    intent: relationTo({ operation }, { rule, of: [] }),
  });
  const namesOf = () => [{ resource, identifier: 'lin', parents: new Map() }];
  const { request } = withKnownReferences(
    planned,
    { contract, namesOf, owns: () => false },
    () => new Map(),
  );
  expect(request.body).toMatchObject({ value: document(author) });
});

const crates = `
openapi: 3.1.0
info: { title: crates, version: '1' }
paths:
  /crate:
    post: { requestBody: { $ref: '#/components/requestBodies/Crate' }, responses: {
        '201': { $ref: '#/components/responses/Crate' } } }
  /crate/{id}:
    get: { parameters: [{ name: id, in: path, required: true, schema: { type: string } }],
      responses: { '200': { $ref: '#/components/responses/Crate' } } }
  /boxes:
    post:
      requestBody: { content: { application/json: { schema: { type: object, properties: {
        crate: { $ref: '#/components/schemas/Named' },
        crates: { type: array, items: { $ref: '#/components/schemas/Named' } } } } } } }
      responses: { '201': { description: made } }
components:
  requestBodies: { Crate: { content: { application/json: { schema: {
    $ref: '#/components/schemas/Crate' } } } } }
  responses: { Crate: { description: one, content: { application/json: { schema: {
    $ref: '#/components/schemas/Crate' } } } } }
  schemas:
    Crate: { type: object, properties: { id: { type: string }, label: { type: string } } }
    Named: { type: object, required: [id, label], properties: { id: { type: string },
        label: { type: string }, href: { type: string } } }
`;

test('an object that names a record names one that exists, and says no more than it must', () => {
  const contract = parseContract(crates, 'crates.yaml');
  const operation = contract.operations.find(({ id }) => id === 'POST /boxes');
  const resource = contract.resources.find(({ collectionPath }) => collectionPath === '/crate');
  const media = operation?.requestBody?.content[0];
  if (operation === undefined || resource === undefined || media === undefined)
    throw new Error('The contract creates no boxes on crates.');
  const invented = { id: 'from thin air', label: 'Fresh', href: '/crate/made' };
  const planned = makeCase({
    title: 'a box is made',
    phase: 'boundary',
    operation,
    request: {
      arguments: [],
      credential: 'given',
      body: { kind: 'content', media, value: { crate: invented, crates: [invented] } },
    },
    intent: { kind: 'valid', rigour: 'plain', at: '' },
  });
  const namesOf = () => [{ resource, identifier: 'made', parents: new Map() }];
  const { request } = withKnownReferences(
    planned,
    { contract, namesOf, owns: () => false },
    () => new Map(),
  );
  const named = { id: 'made', label: 'Fresh' };
  expect(request.body).toMatchObject({ value: { crate: named, crates: [named] } });
});

const trip = {
  type: 'object',
  required: ['id'],
  properties: Object.fromEntries(
    ['id', 'fromStopId', 'toStopId'].map((name) => [name, { type: 'string' }]),
  ),
};
const stop = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
const timetable = makeContract({
  paths: {
    '/stops': {
      get: {
        responses: {
          200: { description: 'all', ...jsonContent({ type: 'array', items: stop }) },
        },
      },
    },
    '/stops/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: { responses: { 200: { description: 'one', ...jsonContent(stop) } } },
    },
    '/trips': {
      get: {
        responses: {
          200: { description: 'all', ...jsonContent({ type: 'array', items: trip }) },
        },
      },
      post: {
        requestBody: jsonContent(trip),
        responses: { 201: { description: 'made', ...jsonContent(trip) } },
      },
    },
  },
});

test.each([
  ['two of others', ['a', 'b'], [], { fromStopId: 'x', toStopId: 'y' }, ['a', 'b']],
  [
    'rather its own',
    ['own', 'ours', 'a'],
    ['own', 'ours'],
    { fromStopId: 'x', toStopId: 'a' },
    ['own', 'a'],
  ],
  [
    'no other beside its own',
    ['own', 'a'],
    ['own'],
    { fromStopId: 'x', toStopId: 'y' },
    ['own', 'own'],
  ],
  ['one that is known beside it', ['a', 'b'], [], { fromStopId: 'x', toStopId: 'a' }, ['b', 'a']],
] as const)('two members for records of one kind name %s', (_what, known, own, value, expected) => {
  const operation = timetable.operations.find(({ id }) => id === 'POST /trips');
  const resource = timetable.resources.find(({ collectionPath }) => collectionPath === '/stops');
  const media = operation?.requestBody?.content[0];
  if (operation === undefined || resource === undefined || media === undefined)
    throw new Error('The contract makes no trips between stops.');
  const planned = makeCase({
    title: 'a trip is made',
    phase: 'boundary',
    operation,
    request: { arguments: [], credential: 'given', body: { kind: 'content', media, value } },
    intent: { kind: 'valid', rigour: 'plain', at: '' },
  });
  const owned = new Set<JsonValue>(own);
  const namesOf = () => known.map((identifier) => ({ resource, identifier, parents: new Map() }));
  const { request } = withKnownReferences(
    planned,
    { contract: timetable, namesOf, owns: ({ identifier }) => owned.has(identifier) },
    () => new Map(),
  );
  const [fromStopId, toStopId] = expected;
  expect(request.body).toMatchObject({ value: { fromStopId, toStopId } });
});

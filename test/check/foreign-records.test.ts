import { describe, expect, test } from 'vitest';
import { planCheck } from '../../src/check/engine/check-target.ts';
import type { Respond } from '../../src/check/mutants/mutant.ts';
import { mockOf, send } from '../mock/workshop.ts';
import { alarmsOf, contractOf } from './fixture/odd-contract.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const id = (name: string, more = ''): string =>
  `{ name: ${name}, in: path, required: true, schema: { type: string${more} } }`;
const ref = (name: string): string => `{ $ref: '#/components/schemas/${name}' }`;

/**
 * What documents of other people say of their records, one oddity each: every one of them once made
 * the mock break its contract, or the check take it for a fault.
 */
const oddities: Readonly<Record<string, string>> = {
  'a member that is required and declared nowhere': `
paths:
  /folders:
    get: { operationId: listFolders, responses: { '200': { description: ok,
        ${json(`{ type: array, items: ${ref('Folder')} }`)} } } }
    post: { operationId: addFolder, requestBody: { required: true,
        ${json('{ type: object, required: [Colour], properties: { Colour: { type: string } } }')} },
        responses: { '201': { description: made, ${json(ref('Folder'))} }, '400': {
        description: bad } } }
  /folders/{Id}: { get: { operationId: getFolder, parameters: [${id('Id')}], responses: { '200': {
      description: ok, ${json(ref('Folder'))} }, '404': { description: none } } } }
components: { schemas: { Folder: { type: object, required: [Id, name], properties: { Id: {
    type: string }, Colour: { type: string } } } } }`,

  'a field that a read shows in another form than a create takes': `
paths:
  /articles:
    get: { operationId: listArticles, responses: { '200': { description: ok,
        ${json(`{ type: array, items: ${ref('Entry')} }`)} } } }
    post: { operationId: addArticle, requestBody: { required: true,
        ${json(`{ type: object, required: [title, funds],
            properties: { title: { type: string }, funds: { type: array, items: { type: object,
            required: [title], properties: { title: { type: string } } } } } }`)} },
        responses: { '201': { description: made, ${json(ref('Entry'))} }, '400': {
        description: bad } } }
  /articles/{id}: { get: { operationId: getArticle, parameters: [${id('id')}], responses: {
      '200': { description: ok, ${json(ref('Article'))} }, '404': { description: none } } } }
components:
  schemas:
    Entry: { type: object, required: [id], properties: { id: { type: string }, title: {
        type: string } } }
    Article: { type: object, required: [id, funds], properties: { id: { type: string }, title: {
        type: string }, funds: { type: array, items: { type: integer } } } }`,

  'a list that shows in short what a read shows in full': `
paths:
  /orders: { get: { operationId: listOrders, responses: { '200': { description: ok,
      ${json(`{ type: array, items: ${ref('Summary')} }`)} } } } }
  /orders/{orderId}: { get: { operationId: getOrder, parameters: [${id('orderId')}], responses: {
      '200': { description: ok, ${json(ref('Order'))} }, '404': { description: none } } } }
components:
  schemas:
    Summary: { type: object, required: [orderId, items], properties: { orderId: { type: string },
        items: { type: array, minItems: 1, items: { type: object, required: [label], properties: {
        label: { type: string } } } } } }
    Order: { type: object, required: [orderId, items], properties: { orderId: { type: string },
        items: { type: array, minItems: 1, items: { type: object, required: [label, period],
        properties: { label: { type: string }, period: { type: integer } } } } } }`,

  'records that nobody lists or adds, and that may be replaced': `
paths:
  /playlists/{playlistId}:
    get: { operationId: getPlaylist,
        parameters: [${id('playlistId', ", example: '3cEYpjA9oz9GiPac4AsH4n'")}, { name: market,
        in: query, schema: { type: string, example: ES } }], responses: { '200': {
        description: ok, ${json(ref('Playlist'))} } } }
    put: { operationId: changePlaylist, parameters: [${id('playlistId')}], requestBody: {
        required: true, ${json('{ type: object, properties: { name: { type: string } } }')} },
        responses: { '200': { description: ok } } }
components: { schemas: { Playlist: { type: object, required: [id], properties: { id: {
    type: string }, name: { type: string } } } } }`,

  'a record of any identifier, within an envelope': `
paths:
  /slips/{slipId}: { get: { operationId: getSlip,
      parameters: [${id(
        'slipId',
        `, format: uuid,
          example: '4ff1e5cc-9835-40d5-bb18-09fdb118db9c'`,
      )}],
      responses: { '200': { description: ok,
      ${json(`{ type: object, required: [Slip], properties: { Slip: ${ref('Slip')} } }`)} } } } }
components: { schemas: { Slip: { type: object, required: [slipId], properties: { slipId: {
    type: string, format: uuid, example: f3c0874d-7cdd-459a-a95c-d90d51decc42 }, pay: {
    type: number } } } } }`,

  'an envelope that uses a word of the record': `
paths:
  /messages:
    post: { operationId: addMessage, requestBody: { required: true, ${json(ref('Message'))} },
        responses: { '201': { description: made,
        ${json(`{ type: object, required: [status, data],
            properties: { status: { type: string }, data: { type: object, required: [id],
            properties: { id: { type: string } } } } }`)} },
        '400': { description: bad } } }
  /messages/{id}:
    get: { operationId: getMessage, parameters: [${id('id')}], responses: { '200': {
        description: ok,
        ${json(`{ type: object, required: [status, data],
            properties: { status: { type: string }, data: ${ref('Message')} } }`)} },
        '404': { description: none } } }
components: { schemas: { Message: { type: object, required: [body], properties: { id: {
    type: string, readOnly: true }, body: { type: string }, subject: { type: string }, status: {
    type: string, readOnly: true } } } } }`,

  'names that may be empty, and are stricter in the record than in the request': `
paths:
  /boxes:
    get: { operationId: listBoxes, responses: { '200': { description: ok,
        ${json(`{ type: array, items: ${ref('Box')} }`)} } } }
    post: { operationId: addBox, requestBody: { required: true,
        ${json(`{ type: object, properties: { name: { type: string },
            size: { type: integer } } }`)} },
        responses: { '200': { description: made, ${json(ref('Box'))} }, '400': {
        description: bad } } }
  /boxes/{boxName}: { get: { operationId: getBox, parameters: [${id('boxName')}], responses: {
      '200': { description: ok, ${json(ref('Box'))} }, '404': { description: none } } } }
components: { schemas: { Box: { type: object, required: [name], properties: { name: {
    type: string, pattern: '^[a-z0-9\\-]*$' }, size: { type: integer } } } } }`,

  'a replacement with a field that the record does not declare': `
paths:
  /feeds: { post: { operationId: addFeed, requestBody: { required: true, ${json(ref('Input'))} },
      responses: { '200': { description: made, ${json(ref('Feed'))} }, '400': {
      description: bad } } } }
  /feeds/{id}:
    get: { operationId: getFeed, parameters: [${id('id')}], responses: { '200': { description: ok,
        ${json(ref('Feed'))} }, '404': { description: none } } }
    put: { operationId: replaceFeed, parameters: [${id('id')}], requestBody: { required: true,
        ${json(ref('Input'))} }, responses: { '200': { description: ok, ${json(ref('Feed'))} },
        '400': { description: bad }, '404': { description: none } } }
components:
  schemas:
    Input: { type: object, required: [label], properties: { label: { type: string }, posting: {
        type: string } } }
    Feed: { type: object, required: [id, label], properties: { id: { type: string }, label: {
        type: string } } }`,

  'a list that may be left out, and not be empty': `
paths:
  /events: { get: { operationId: listEvents, parameters: [{ name: kind, in: query, schema: {
      type: string, enum: [join, leave] } }], responses: { '200': { description: ok,
      ${json(`{ type: object, properties: { data: { type: array, minItems: 1,
          items: ${ref('Event')} }, count: { type: integer } } }`)} } } } }
components: { schemas: { Event: { type: object, required: [id, kind], properties: { id: {
    type: string }, kind: { type: string, enum: [join, leave], example: leave } } } } }`,

  'a media type that is none': `
paths:
  /taxes: { get: { operationId: listTaxes, responses: { '200': { description: ok, content: {
      Tax: { schema: { type: object, required: [rate], properties: { rate: { type: number } } } },
      Levy: { schema: { type: object } } } } } } }
  /ping: { get: { operationId: ping, responses: { '200': { description: ok } } } }`,

  'identifiers that a client may choose, up to the last': `
paths:
  /tags: { post: { operationId: addTag, requestBody: { required: true,
      ${json(`{ type: object, properties: { id: { type: integer, format: int64 },
          name: { type: string } } }`)} },
      responses: { '200': { description: made, ${json(ref('Tag'))} }, '400': {
      description: bad } } } }
  /tags/{tagId}:
    get: { operationId: getTag, parameters: [{ name: tagId, in: path, required: true, schema: {
        type: integer, format: int64 } }], responses: { '200': { description: ok,
        ${json(ref('Tag'))} }, '404': { description: none } } }
    delete: { operationId: deleteTag, parameters: [{ name: tagId, in: path, required: true,
        schema: { type: integer, format: int64 } }], responses: { '204': { description: gone },
        '404': { description: none } } }
components: { schemas: { Tag: { type: object, properties: { id: { type: integer, format: int64 },
    name: { type: string } } } } }`,
};

describe('no false positive for', () => {
  test.each(Object.entries(oddities))('%s', async (_name, rest) => {
    expect(await alarmsOf(contractOf(rest))).toMatchObject({ alarms: [], reached: true });
  });

  test('a target without the record of the example, and without a documented 404', async () => {
    const contract = contractOf(
      (oddities['records that nobody lists or adds, and that may be replaced'] ?? '').replace(
        'paths:',
        "paths:\n  /ping: { get: { operationId: ping, responses: { '200': { " +
          'description: ok } } } }',
      ),
    );
    const none: Respond = async () => ({
      response: {
        status: 404,
        headers: [['Content-Type', 'application/json']],
        body: new TextEncoder().encode('{"error":"none"}'),
      },
    });
    const { alarms, reached } = await alarmsOf(
      contract,
      (respond) => (request) =>
        request.target.includes('3cEYpjA9oz9GiPac4AsH4n') ? none(request) : respond(request),
    );
    expect({ alarms, reached }).toEqual({ alarms: [], reached: true });
  });
});

test('records have unique identifiers if the contract bounds their length', async () => {
  const mock = await mockOf({
    contract: contractOf(`
paths:
  /numbers: { post: { operationId: addNumber, requestBody: { ${json('{ type: object }')} },
      responses: { '201': { description: made, ${json(ref('Number'))} } } } }
  /numbers/{number}: { get: { operationId: getNumber,
      parameters: [${id('number', ", minLength: 10, maxLength: 10, example: '0412345678'")}],
      responses: { '200': { description: ok, ${json(ref('Number'))} }, '404': {
      description: none } } } }
components: { schemas: { Number: { type: object, properties: { number: { type: string,
    minLength: 10, maxLength: 10, example: '0412345678' } } } } }`),
  });
  const statuses: number[] = [];
  for (let count = 0; count < 5; count += 1)
    statuses.push((await send(mock, 'POST /v2/numbers', { body: {} })).status);
  expect(statuses).toEqual([201, 201, 201, 201, 201]);
});

test('headers about the message itself are not varied', () => {
  const contract = contractOf(`
paths:
  /locate: { post: { operationId: locate, parameters: [{ name: content-encoding, in: header,
      schema: { type: string, enum: [gzip] } }, { name: X-Mode, in: header, schema: {
      type: string, enum: [fast] } }], requestBody: { required: true,
      ${json('{ type: object }')} }, responses: { '200': { description: ok }, '400': {
      description: bad } } } }`);
  const tried = new Set(
    planCheck({ url: 'http://127.0.0.1:1', contract, seed: 'odd' }).requests.flatMap(
      ({ headers }) =>
        headers.map(([name]) => name).filter((name) => /^(x-mode|content-encoding)$/i.test(name)),
    ),
  );
  expect([...tried]).toEqual(['X-Mode']);
});

test('a response without room for one member has the others at their places', async () => {
  const mock = await mockOf({
    contract: contractOf(`
paths:
  /jobs: { post: { operationId: addJob, requestBody: { required: true,
      ${json(`{ type: object, required: [name], properties: { name: { type: string },
          env: { type: object } } }`)} },
      responses: { '200': { description: made,
      ${json(`{ type: object, required: [id, name], properties: { id: { type: string },
          name: { type: string }, env: { type: array, items: { type: string } },
          team: { type: object, required: [id],
          properties: { id: { type: string } } } } }`)} } } } }
  /jobs/{id}: { get: { operationId: getJob, parameters: [${id('id')}], responses: { '200': {
      description: ok, ${json(ref('Job'))} }, '404': { description: none } } } }
components: { schemas: { Job: { type: object, required: [id], properties: { id: { type: string },
    name: { type: string }, env: {}, size: { type: integer }, state: { type: string } } } } }`),
  });
  const made = await send(mock, 'POST /v2/jobs', { body: { name: 'nightly', env: {} } });
  const { id: name, ...rest } = JSON.parse(new TextDecoder().decode(made.body));
  expect({ status: made.status, rest }).toMatchObject({ status: 200, rest: { name: 'nightly' } });
  expect(await send(mock, `GET /v2/jobs/${String(name)}`)).toMatchObject({ status: 200 });
});

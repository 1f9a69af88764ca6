import request from 'supertest';
import { afterAll, describe, expect, test } from 'vitest';
import { parseContract } from '../../../src/contract/load.ts';
import { createMockApp } from '../../../src/library/start-mock.ts';
import type { OperationReference } from '../../../src/server/console/console-api.ts';

const id = 'required: [id], properties: { id: { type: integer } }';
const stay = 'keeperId: { type: integer }, room: { type: string }';
const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const one = (name: string): string => json(`{ $ref: '#/components/schemas/${name}' }`);
const all = (name: string): string =>
  json(`{ type: array, items: { $ref: '#/components/schemas/${name}' } }`);
const none = `'404': { description: none }`;

/** Stays refer to keepers; a body may stand in an envelope. */
const document = `
openapi: 3.1.0
info: { title: Zoo, version: "1" }
paths:
  /keepers:
    get: { operationId: listKeepers, responses: { '200': { description: all, ${all('Keeper')} } } }
    post:
      operationId: addKeeper
      requestBody: { required: true, ${one('NewKeeper')} }
      responses: { '201': { description: made, ${one('Keeper')} } }
  /keepers/{keeperId}:
    parameters: [{ name: keeperId, in: path, required: true, schema: { type: integer } }]
    get:
      operationId: getKeeper
      responses: { '200': { description: one, ${one('Keeper')} }, ${none} }
    delete:
      operationId: removeKeeper
      parameters: [{ name: If-Match, in: header, required: true, schema: { type: string } }]
      responses: { '204': { description: gone }, '412': { description: changed }, ${none} }
  /stays:
    get:
      operationId: listStays
      parameters: [{ name: keeperId, in: query, schema: { type: integer } }]
      responses: { '200': { description: all, ${all('Stay')} } }
    post:
      operationId: addStay
      requestBody: { required: true, ${one('NewStay')} }
      responses: { '201': { description: made, ${one('Stay')} }, '400': { description: bad } }
  /stays/{stayId}:
    parameters: [{ name: stayId, in: path, required: true, schema: { type: integer } }]
    get:
      operationId: getStay
      responses: { '200': { description: one, ${one('Stay')} }, ${none} }
    patch:
      operationId: changeStay
      requestBody: { required: true, ${one('NewStay')} }
      responses:
        '200': { description: changed, ${one('Stay')} }
        '400': { description: bad }
        ${none}
components:
  schemas:
    NewKeeper: { type: object, required: [name], properties: { name: { type: string } } }
    Keeper: { allOf: [{ type: object, ${id} }, { $ref: '#/components/schemas/NewKeeper' }] }
    NewStay: { type: object, required: [keeperId, room], properties: { ${stay} } }
    Stay: { allOf: [{ type: object, ${id} }, { $ref: '#/components/schemas/NewStay' }] }
`;

const app = await createMockApp({
  contract: parseContract(document, 'zoo.yaml'),
  config: false,
});
afterAll(() => app.close());
const agent = 'Mozilla/5.0 Test';

async function reference(operation: string): Promise<OperationReference> {
  const { body } = await request(app)
    .get(`/__vouch/reference/${operation}`)
    .set('User-Agent', agent)
    .expect(200);
  return body as OperationReference;
}

/** Sends the prepared request of an operation, and resolves to the status. */
async function sendPrepared(operation: string): Promise<number> {
  const { method, path, parameters, bodies } = await reference(operation);
  const target = parameters
    .filter((each) => each.in === 'path')
    .reduce((sofar, { name, value }) => sofar.replace(`{${name}}`, value), path);
  const call = request(app)[method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete'](target);
  const [body] = bodies;
  const sent = call.set('User-Agent', agent);
  for (const { in: place, name, value } of parameters)
    if (place === 'header') sent.set(name, value);
  const { status } = await (body === undefined
    ? sent
    : sent.set('Content-Type', body.mediaType).send(body.example));
  return status;
}

const keeper = /"keeperId":\s*(\d+)/;

describe('a prepared request of the documentation', () => {
  test('succeeds for every operation, also after the records that it named are gone', async () => {
    const order = ['getKeeper', 'addStay', 'changeStay', 'getStay', 'removeKeeper', 'removeKeeper'];
    const statuses: number[] = [];
    for (const operation of [...order, 'getKeeper', 'addStay', 'changeStay'])
      statuses.push(await sendPrepared(operation));
    expect(statuses).toEqual([200, 201, 200, 200, 204, 204, 200, 201, 200]);
  });

  test('has the same record in its path and in the example of its answer', async () => {
    const { parameters, responses } = await reference('changeStay');
    const [shown = ''] = responses.flatMap(({ contents }) => contents.map((each) => each.example));
    expect(JSON.parse(shown)).toMatchObject({ id: Number(parameters[0]?.value) });
  });

  test('filters by a record that exists', async () => {
    const { parameters } = await reference('listStays');
    const known = (await request(app).get('/keepers')).body as { id: number }[];
    expect(known.map((each) => String(each.id))).toContain(parameters[0]?.value);
  });

  test('names records of the session of the browser', async () => {
    await request(app).put('/__vouch/browser').set('User-Agent', agent).send({ mode: 'usual' });
    const made = await request(app).post('/keepers').set('User-Agent', agent).send({ name: 'Io' });
    const { id: kept } = made.body as { id: number };
    for (const old of (await request(app).get('/keepers').set('User-Agent', agent)).body as {
      id: number;
    }[])
      if (old.id !== kept)
        await request(app)
          .delete(`/keepers/${String(old.id)}`)
          .set({ 'User-Agent': agent, 'If-Match': '*' });
    const { bodies } = await reference('addStay');
    expect(keeper.exec(bodies[0]?.example ?? '')?.[1]).toBe(String(kept));
  });
});

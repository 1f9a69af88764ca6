import { expect, test } from 'vitest';
import { parseContract } from '../../../src/contract/load.ts';
import { mockOf, send, textOf } from '../workshop.ts';

const plank = (more = ''): string =>
  `{ type: object, required: [id, yardId, wood], properties: { id: { type: integer }, yardId: { ` +
  `type: integer }, wood: { type: string }${more} } }`;
const cut = '{ type: object, properties: { id: { type: integer }, depth: { type: number } } }';
const list = (item: string): string => `{ type: array, items: ${item} }`;
const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const id = 'parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]';

/** Records are made and listed below a parent, and read at the root; every schema is written out. */
const document = (read: string): string => `
openapi: 3.0.3
info: { title: Timber, version: '1' }
paths:
  /yards:
    post:
      requestBody: { ${json('{ type: object, required: [town], properties: { town: {} } }')} }
      responses: { '201': { description: Made, ${json(
        '{ type: object, required: [id, town], properties: { id: { type: integer }, town: {} } }',
      )} } }
    get: { responses: { '200': { description: OK, ${json(
      '{ type: array, items: { type: object, required: [id, town], properties: { id: { type: ' +
        'integer }, town: {} } } }',
    )} } } }
  /yards/{id}/planks:
    ${id}
    get: { responses: { '200': { description: OK, ${json(list(plank()))} } } }
    post:
      requestBody: { ${json('{ type: object, required: [wood], properties: { wood: {} } }')} }
      responses: { '201': { description: Made, ${json(plank())} } }
  /planks/{id}/cuts:
    ${id}
    get: { responses: { '200': { description: OK, ${json(list(cut))} } } }
  /planks/{id}:
    ${id}
    get: { responses: { '200': { description: OK, ${json(read)} } } }
    delete: { responses: { '204': { description: Gone } } }
`;

test('records that are written out alike are one set, wherever they are read', async () => {
  const mock = await mockOf({
    contract: parseContract(document(plank()), 'timber.yaml'),
    seedRecords: 3,
  });
  const ask = async (request: string, body?: object): Promise<unknown> => {
    const answer = await send(mock, request, body === undefined ? {} : { body: body as never });
    return answer.body.length === 0 ? answer.status : JSON.parse(textOf(answer));
  };
  const yard = (await ask('POST /yards', { town: 'Bergen' })) as { id: number };
  const below = `/yards/${String(yard.id)}/planks`;
  const made = (await ask(`POST ${below}`, { wood: 'oak' })) as { id: number };
  expect(made).toMatchObject({ yardId: yard.id, wood: 'oak' });
  expect(await ask(`GET /planks/${String(made.id)}`)).toEqual(made);
  // Only records that others made have something below them.
  expect(await ask(`GET /planks/${String(made.id)}/cuts`)).toEqual([]);
  expect(await ask('GET /planks/1/cuts')).not.toEqual([]);
  expect(await ask(`DELETE /planks/${String(made.id)}`)).toBe(204);
  expect(await ask(`GET ${below}`)).toEqual([]);
});

test.each([
  ['alike', plank(), 'planks'],
  ['with another member', plank(', length: { type: integer }'), 'yards.planks'],
  ['of another kind', '{ type: object, properties: { id: {}, sawn: {}, by: {} } }', 'yards.planks'],
])('what is read %s', (_, read, collection) => {
  const { resources } = parseContract(document(read), 'timber.yaml');
  const below = resources.find(({ collectionPath }) => collectionPath === '/yards/{id}/planks');
  expect(below?.collection).toBe(collection);
});

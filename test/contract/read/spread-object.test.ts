import { describe, expect, test } from 'vitest';
import { parseContract } from '../../../src/contract/load.ts';
import { fixturesOf, mockOf, send, textOf } from '../../mock/workshop.ts';

/** A list of books whose query has an object beside other parameters. */
const document = (object: string, others = ''): string => `
openapi: 3.0.1
info: { title: Library, version: v0 }
paths:
  /books:
    get:
      parameters: [${others}{ name: window, in: query, ${object} }]
      responses: { '200': { description: OK, content: { application/json: { schema: {
        type: object, properties: { content: { type: array, items: {
          $ref: '#/components/schemas/Book' } }, totalElements: { type: integer },
          totalPages: { type: integer }, number: { type: integer }, size: { type: integer },
          first: { type: boolean }, last: { type: boolean } } } } } } }
components: { schemas: {
  Book: { type: object, required: [id, title], properties: { id: { type: integer }, title: {
    type: string } } },
  Window: { type: object, properties: { page: { type: integer }, size: { type: integer,
    minimum: 1 }, sort: { type: array, items: { type: string } } } } } }
`;

const spread = `required: true, schema: { $ref: '#/components/schemas/Window' }`;

function parametersOf(written: string): unknown {
  const [list] = parseContract(written, 'books.yaml').operations;
  return list?.parameters.map(({ name, required }) => `${name}${required ? '!' : ''}`);
}

describe('an exploded object in a query', () => {
  test.each([
    ['of optional members', spread, ['page', 'size', 'sort']],
    [
      'with a required member',
      'required: true, schema: { type: object, required: [a], properties: { a: {}, b: {} } }',
      ['a!', 'b'],
    ],
    [
      'that may be absent with its required member',
      'schema: { type: object, required: [a], properties: { a: {}, b: {} } }',
      ['window'],
    ],
    [
      'with a rule about the whole',
      'schema: { type: object, minProperties: 1, properties: { a: {}, b: {} } }',
      ['window'],
    ],
    [
      'with an object inside',
      'schema: { type: object, properties: { a: { type: object } } }',
      ['window'],
    ],
    ['in another style', `style: deepObject, ${spread}`, ['window!']],
    ['that is not exploded', `explode: false, ${spread}`, ['window!']],
  ])('%s', (_, object, expected) => {
    expect(parametersOf(document(object))).toEqual(expected);
  });

  test('gives way to a parameter of the same name', () => {
    const own = '{ name: size, in: query, required: true, schema: { type: integer } }, ';
    expect(parametersOf(document(spread, own))).toEqual(['size!', 'page', 'sort']);
  });
});

test('the members page and sort the list, from page zero', async () => {
  const books = [3, 1, 2].map((id) => ({ id, title: `Title ${String(id)}` }));
  const mock = await mockOf({
    contract: parseContract(document(spread), 'books.yaml'),
    fixtures: fixturesOf({ books }),
  });
  const read = async (query: string): Promise<unknown> =>
    JSON.parse(textOf(await send(mock, `GET /books${query}`)));
  expect(await read('')).toMatchObject({ totalElements: 3 });
  expect(await read('?page=1&size=2&sort=title,desc')).toEqual({
    content: [{ id: 1, title: 'Title 1' }],
    totalElements: 3,
    totalPages: 2,
    number: 1,
    size: 2,
    first: false,
    last: true,
  });
  expect((await send(mock, 'GET /books?size=0')).status).toBe(400);
});

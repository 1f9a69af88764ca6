import { expect, test } from 'vitest';
import { listedRecords } from '../../../src/check/reading/shown-records.ts';
import { parseContract } from '../../../src/contract/load.ts';
import { mockOf, send, textOf } from '../../mock/workshop.ts';

const user = `
    User:
      type: object
      required: [kind, id, name]
      properties:
        kind: { type: string, enum: [User] }
        id: { type: string, readOnly: true }
        name: { type: string }
    Team:
      type: object
      required: [kind, id]
      properties: { kind: { type: string, enum: [Team] }, id: { type: string } }`;

/** Users whose lists have items of a schema, in `member` beside links of the page. */
function users(item: string): ReturnType<typeof parseContract> {
  return parseContract(
    `
openapi: 3.1.0
info: { title: Users, version: '1' }
components:
  schemas:${user}
    Item: ${item}
    Link: { type: object, properties: { relation: { type: string }, url: { type: string } } }
    Page:
      type: object
      properties:
        total: { type: integer }
        links: { type: array, items: { $ref: '#/components/schemas/Link' } }
        member: { type: array, items: { $ref: '#/components/schemas/Item' } }
paths:
  /users:
    get:
      operationId: listUsers
      responses:
        '200':
          description: A page.
          content: { application/json: { schema: { $ref: '#/components/schemas/Page' } } }
    post:
      operationId: addUser
      requestBody:
        content: { application/json: { schema: { $ref: '#/components/schemas/User' } } }
      responses:
        '201':
          description: The user.
          content: { application/json: { schema: { $ref: '#/components/schemas/User' } } }
  /users/{id}:
    get:
      operationId: getUser
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses:
        '200':
          description: The user.
          content: { application/json: { schema: { $ref: '#/components/schemas/User' } } }
`,
    'users.yaml',
  );
}

const one = `{ $ref: '#/components/schemas/User' }`;
const text = '{ type: string }';

test.each([
  [`{ properties: { cursor: ${text}, node: ${one} } }`, '/node'],
  [`{ properties: { address: ${text}, resource: ${one}, found: { type: object } } }`, '/resource'],
  [
    `{ properties: { resource: { oneOf: [${one}, { $ref: '#/components/schemas/Team' }] } } }`,
    '/resource',
  ],
  // A line with a quantity is a record itself, and so is what has a name of its own.
  [`{ properties: { item: ${one}, quantity: { type: integer } } }`, undefined],
  [`{ properties: { id: ${text}, resource: ${one}, note: ${text} } }`, undefined],
])('the records of items as %s are at %s', (item, at) => {
  const [resource] = users(`${item.slice(0, -1)}, type: object }`).resources;
  expect([resource?.list?.records, resource?.list?.item]).toEqual(['/member', at]);
});

test('a list shows the records in its items, without those of other kinds', async () => {
  const schemas = `[${one}, { $ref: '#/components/schemas/Team' }]`;
  const item = `{ type: object, properties: { cursor: ${text}, node: { oneOf: ${schemas} } } }`;
  const contract = users(item);
  const mock = await mockOf({ contract });
  await send(mock, 'POST /users', { body: { kind: 'User', name: 'Ada' } });
  expect(textOf(await send(mock, 'GET /users'))).toMatch(/"node":\{[^{}]*"name":"Ada"/);

  const [resource] = contract.resources;
  const member = [
    { cursor: 'a', node: { kind: 'User', id: '1', name: 'Ada' } },
    { cursor: 'b', node: { kind: 'Team', id: '1' } },
  ];
  const records =
    resource &&
    listedRecords(resource, { kind: 'json', mediaType: 'application/json', value: { member } });
  expect(records).toEqual([{ kind: 'User', id: '1', name: 'Ada' }]);
});

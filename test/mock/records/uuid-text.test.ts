import { expect, test } from 'vitest';
import { parseContract } from '../../../src/contract/load.ts';
import { converse, fixturesOf, mockOf } from '../workshop.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const id = (name: string): string =>
  `{ name: ${name}, in: path, required: true, schema: { type: string, format: uuid } }`;

const contract = parseContract(
  `
openapi: 3.1.0
info: { title: Teams, version: '1' }
paths:
  /teams: { get: { responses: { '200': { description: ok,
      ${json("{ type: array, items: { $ref: '#/components/schemas/Team' } }")} } } } }
  /teams/{teamId}:
    parameters: [${id('teamId')}]
    get: { responses: { '200': { description: ok,
        ${json("{ $ref: '#/components/schemas/Team' }")} }, '404': { description: none } } }
    put: { requestBody: { ${json("{ $ref: '#/components/schemas/Team' }")} }, responses: {
        '200': { description: ok, ${json("{ $ref: '#/components/schemas/Team' }")} }, '404': {
        description: none } } }
    delete: { responses: { '204': { description: gone }, '404': { description: none } } }
  /teams/{teamId}/users:
    parameters: [${id('teamId')}]
    post: { requestBody: { ${json("{ $ref: '#/components/schemas/User' }")} }, responses: {
        '201': { description: made, ${json("{ $ref: '#/components/schemas/User' }")} }, '404': {
        description: none } } }
    get: { parameters: [{ name: boss, in: query, schema: { type: string, format: uuid } }],
        responses: { '200': { description: ok,
        ${json("{ type: array, items: { $ref: '#/components/schemas/User' } }")} }, '404': {
        description: none } } }
components:
  schemas:
    Team: { type: object, required: [id, name], properties: { id: { type: string, format: uuid,
        readOnly: true }, name: { type: string } } }
    User: { type: object, required: [name], properties: { id: { type: integer, readOnly: true },
        name: { type: string }, boss: { type: string, format: uuid } } }
`,
  'teams.yaml',
);

const small = 'a0000000-0000-4000-8000-00000000000b';
const capital = 'C0000000-0000-4000-8000-00000000000D';

test('a UUID in upper or lower case names the same record and its nested records', async () => {
  const mock = await mockOf({
    contract,
    seedRecords: 0,
    fixtures: fixturesOf({
      teams: [
        { id: small, name: 'a' },
        { id: capital, name: 'c' },
      ],
    }),
  });
  expect(
    await converse(mock, [
      [`GET /teams/${small.toUpperCase()}`],
      [`GET /teams/${capital.toLowerCase()}`],
      [`PUT /teams/${small.toUpperCase()}`, { body: { name: 'b' } }],
      [`POST /teams/${small.toUpperCase()}/users`, { body: { name: 'u', boss: small } }],
      [`GET /teams/${small}/users?boss=${small.toUpperCase()}`],
      [`DELETE /teams/${capital.toLowerCase()}`],
      ['GET /teams'],
    ]),
  ).toMatchInlineSnapshot(`
    "GET /teams/A0000000-0000-4000-8000-00000000000B → 200
      ↳ {"id":"a0000000-0000-4000-8000-00000000000b","name":"a"}
    GET /teams/c0000000-0000-4000-8000-00000000000d → 200
      ↳ {"id":"C0000000-0000-4000-8000-00000000000D","name":"c"}
    PUT /teams/A0000000-0000-4000-8000-00000000000B → 200
      ↳ {"id":"a0000000-0000-4000-8000-00000000000b","name":"b"}
    POST /teams/A0000000-0000-4000-8000-00000000000B/users → 201 {"id":1,"name":"u",
      ↳"boss":"a0000000-0000-4000-8000-00000000000b"}
    GET /teams/a0000000-0000-4000-8000-00000000000b/users?boss=A0000000-0000-4000-8000-0
      ↳0000000000B → 200 [{"id":1,"name":"u","boss":"a0000000-0000-4000-8000-00000000000b"}
      ↳]
    DELETE /teams/c0000000-0000-4000-8000-00000000000d → 204
    GET /teams → 200 [{"id":"a0000000-0000-4000-8000-00000000000b","name":"b"}]"
  `);
});

import { describe, expect, test } from 'vitest';
import { missingIdentifiers } from '../../../../src/check/plan/missing-identifiers.ts';
import type { Contract } from '../../../../src/contract/model.ts';
import type { HttpResponse } from '../../../../src/http/message.ts';
import type { JsonObject } from '../../../../src/json/value.ts';
import type { Respond } from '../../../../src/check/mutants/mutant.ts';
import { makeContract } from '../../../contract/make-contract.ts';
import { alarmsOf, contractOf } from '../../fixture/odd-contract.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const list = (name: string): string =>
  json(`{ type: array, items: { $ref: '#/components/schemas/${name}' } }`);

const contract = contractOf(`
paths:
  /owners:
    get: { operationId: listOwners, responses: { '200': { description: ok, ${list('Owner')} } } }
  /owners/{ownerId}:
    parameters: [{ name: ownerId, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getOwner, responses: { '200': { description: ok,
        ${json("{ $ref: '#/components/schemas/Owner' }")} }, '404': { description: none } } }
  /owners/{ownerId}/notes:
    parameters: [{ name: ownerId, in: path, required: true, schema: { type: integer } }]
    get: { operationId: listNotes, responses: { '200': { description: ok, ${list('Note')} },
        '404': { description: none } } }
components:
  schemas:
    Owner: { type: object, required: [id], properties: { id: { type: integer }, name: {
        type: string } } }
    Note: { type: object, required: [id], properties: { id: { type: integer }, text: {
        type: string } } }`);

/** Whatever notes are asked for, the service answers with these. */
function always(body: string): (respond: Respond) => Respond {
  return (respond) => async (request) => {
    const reply = await respond(request);
    const response: HttpResponse = {
      status: 200,
      headers: [['Content-Type', 'application/json']],
      body: new TextEncoder().encode(body),
    };
    return reply.response?.status === 404 && /^\/v2\/owners\/\d+\/notes$/.test(request.target)
      ? { response }
      : reply;
  };
}

describe('a list below a missing record', () => {
  test('is requested, and must not be found', async () => {
    let asked = 0;
    const { alarms } = await alarmsOf(contract, (respond) => async (request) => {
      const reply = await respond(request);
      asked +=
        reply.response?.status === 404 && /^\/v2\/owners\/\d+\/notes$/.test(request.target) ? 1 : 0;
      return reply;
    });
    expect([alarms, asked > 0]).toEqual([[], true]);
  });

  test.each([
    ['records', '[{"id":1}]'],
    ['nothing', '[]'],
  ])('is no list of %s', async (_what, body) => {
    const { alarms } = await alarmsOf(contract, always(body));
    expect(alarms).toEqual([
      expect.stringMatching(
        /^missing-refused: The server answered 200 to a request in which ownerId is \d+; no record has that identifier\.$/,
      ),
    ]);
  });
});

test('a PUT without a body may create a record', async () => {
  const teams = contractOf(`
paths:
  /members:
    get: { operationId: listMembers, responses: { '200': { description: ok, ${list('Member')} } } }
    post: { operationId: addMember, requestBody: {
        ${json("{ $ref: '#/components/schemas/Member' }")} }, responses: { '201': {
        description: ok, ${json("{ $ref: '#/components/schemas/Member' }")} }, '400': {
        description: bad }, '409': { description: taken } } }
  /members/{login}:
    parameters: [{ name: login, in: path, required: true, schema: { type: string } }]
    get: { operationId: getMember, responses: { '200': { description: ok,
        ${json("{ $ref: '#/components/schemas/Member' }")} }, '404': { description: none } } }
    put: { operationId: putMember, responses: { '204': { description: is one }, '404': {
        description: none } } }
    delete: { operationId: removeMember, responses: { '204': { description: gone }, '404': {
        description: none } } }
components:
  schemas:
    Member: { type: object, required: [login], properties: { login: { type: string } } }`);
  const { alarms } = await alarmsOf(teams, (respond) => respond);
  expect(alarms).toEqual([]);
});

test.each<[string, JsonObject, (readonly [RegExp, string])[]]>([
  [
    'an integer',
    { type: 'integer' },
    [
      [/^(1[7-9]|20)\d{8}$/, 'plain'],
      [/^9223372036854775\d{3}$/, 'exotic'],
    ],
  ],
  ['a number of 32 bits', { type: 'integer', format: 'int32' }, [[/^(1[7-9]|20)\d{8}$/, 'plain']]],
  ['a small number', { type: 'integer', maximum: 99 }, []],
  ['a text', { type: 'string' }, [[/^[0-9a-f-]{36}$/, 'plain']]],
  [
    'a UUID',
    { type: 'string', format: 'uuid' },
    [[/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/, 'plain']],
  ],
  ['a short text', { type: 'string', maxLength: 20 }, [[/^missing-\d{6}$/, 'plain']]],
  ['a text or a number', { type: ['integer', 'string'] }, [[/^(1[7-9]|20)\d{8}$/, 'plain']]],
])('what no record is called, where that is %s', (_name, schema, expected) => {
  const [parameter] =
    makeContract({
      paths: {
        '/a/{id}': {
          get: { parameters: [{ name: 'id', in: 'path', required: true, schema }], responses: {} },
        },
      },
    }).operations[0]?.parameters ?? [];
  const found = parameter === undefined ? [] : missingIdentifiers(parameter, 'seed');
  expect(found.map(({ value, rigour }) => [String(value), rigour])).toEqual(
    expected.map(([pattern, rigour]) => [expect.stringMatching(pattern), rigour]),
  );
});

/** The read and the list of owners whose identifier has a type. */
function owners(type: string, query = ''): Contract {
  const record = `{ type: object, required: [id], properties: { id: { type: ${type} } } }`;
  return contractOf(`
paths:
  /owners/{ownerId}:
    parameters: [{ name: ownerId, in: path, required: true, schema: { type: ${type} } }${query}]
    get: { operationId: getOwner, responses: { '200': { description: ok, ${json(record)} },
        '400': { description: bad }, '404': { description: none } } }
  /owners:
    get: { operationId: listOwners, responses: { '200': { description: ok,
        ${json(`{ type: array, items: ${record} }`)} } } }`);
}

function refusal(status: number, message: string): { readonly response: HttpResponse } {
  const body = new TextEncoder().encode(JSON.stringify({ message }));
  return { response: { status, headers: [['Content-Type', 'application/json']], body } };
}

test.each([
  ['a finding', 'integer', 1],
  ['none', 'string', 0],
])(
  'a documented 400 that names the identifier of no record is %s where it is of type %s',
  async (_, type, count) => {
    const { alarms } = await alarmsOf(owners(type), (respond) => async (request) => {
      const reply = await respond(request);
      const id = request.target.split('/').at(-1) ?? '';
      return reply.response?.status === 404 ? refusal(400, `${id} is no such owner`) : reply;
    });
    expect(alarms.map((alarm) => alarm.split(':')[0])).toEqual(
      Array.from({ length: count }, () => 'missing-refused'),
    );
  },
);

test('an invalid path gets a documented status where a 400 can only be of the path', async () => {
  const conflicting =
    (respond: Respond): Respond =>
    async (request) =>
      /owners\/(abc|NaN|1\.5)/.test(request.target) ? refusal(409, 'no number') : respond(request);
  const { alarms } = await alarmsOf(owners('integer'), conflicting);
  expect(alarms).toEqual([expect.stringMatching(/^status-documented: The server answered 409 to/)]);
  const size = ', { name: size, in: query, schema: { type: integer } }';
  expect((await alarmsOf(owners('integer', size), conflicting)).alarms).toEqual([]);
});

import { describe, expect, test } from 'vitest';
import { planCheck } from '../../src/check/engine/check-target.ts';
import type { HttpRequest, HttpResponse } from '../../src/http/message.ts';
import type { ServiceReply, Respond } from '../../src/check/mutants/mutant.ts';
import { alarmsOf, contractOf } from './fixture/odd-contract.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const member = (fields: string, required: string): string =>
  `{ type: object, required: [${required}], properties: { id: { type: ` +
  `integer, readOnly: true }, ${fields} } }`;

/** Members that are added and listed; what collides with another one is refused with 409. */
function membersWith(fields: string, required: string, more = ''): ReturnType<typeof contractOf> {
  return contractOf(`
paths:
  /members:
    get: { operationId: listMembers, responses: { '200': { description: ok,
        ${json("{ type: array, items: { $ref: '#/components/schemas/Member' } }")} } } }
    post: { operationId: addMember, requestBody: { required: true,
        ${json("{ $ref: '#/components/schemas/Member' }")}${more} }, responses: { '201': {
        description: made, ${json("{ $ref: '#/components/schemas/Member' }")} }, '400': {
        description: bad }, '409': { description: taken } } }
  /members/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getMember, responses: { '200': { description: ok,
        ${json("{ $ref: '#/components/schemas/Member' }")} }, '404': { description: none } } }
    delete: { operationId: dropMember, responses: { '204': { description: gone }, '404': {
        description: none } } }
components: { schemas: { Member: ${member(fields, required)} } }`);
}

const conflict: ServiceReply = { response: answer(409) };

function answer(status: number): HttpResponse {
  return { status, headers: [], body: new Uint8Array() };
}

function bodyOf({ body }: HttpRequest): Record<string, unknown> | undefined {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** A service in which no two records ever had the same value in a field. */
function unique(field: string, made: unknown[]): (respond: Respond) => Respond {
  return (respond) => async (request) => {
    const value = request.method === 'POST' ? bodyOf(request)?.[field] : undefined;
    if (typeof value === 'string' && made.includes(value)) return conflict;
    const reply = await respond(request);
    if (request.method === 'POST' && reply.response?.status === 201) made.push(value);
    return reply;
  };
}

describe('a service that requires unique values', () => {
  test.each([
    [
      'address',
      'email',
      'name: { type: string, maxLength: 9 }, email: { type: string, format: email }',
      '',
    ],
    [
      'address that the contract shows',
      'email',
      'name: { type: string, maxLength: 9 }, email: { type: string, format: ' +
        'email, example: ada@example.org }',
      '',
    ],
    [
      'short name',
      'name',
      'name: { type: string, minLength: 2, maxLength: 50 }, age: { type: integer, minimum: 0 }',
      '',
    ],
  ])(
    'of an %s is not accused, and is asked for records that differ',
    async (_name, field, fields, more) => {
      const made: unknown[] = [];
      const { alarms } = await alarmsOf(membersWith(fields, field, more), unique(field, made));
      expect(alarms).toEqual([]);
      expect(made.length).toBeGreaterThan(15);
    },
  );

  test('of a number, which cannot hold a mark, has no finding', async () => {
    const made: unknown[] = [];
    const { alarms } = await alarmsOf(
      membersWith("taxNumber: { type: string, pattern: '^[0-9]{8}$' }", 'taxNumber'),
      unique('taxNumber', made),
    );
    expect([alarms, made.length > 0]).toEqual([[], true]);
  });

  test('is not accused if it never accepts a value: nothing can be compared', async () => {
    const { alarms } = await alarmsOf(
      membersWith("taxNumber: { type: string, pattern: '^[0-9]{8}$' }", 'taxNumber'),
      (respond) => (request) =>
        request.method === 'POST' ? Promise.resolve(conflict) : respond(request),
    );
    expect(alarms).toEqual([]);
  });
});

test('an example address is sent unchanged if no record is created from it', () => {
  const contract = contractOf(`
paths:
  /login: { post: { operationId: logIn, requestBody: { required: true, content: {
      application/json: { schema: { type: object, required: [email], properties: { email: {
      type: string, format: email }, word: { type: string } } }, example: {
      email: ada@example.org, word: open } } } }, responses: { '200': { description: in },
      '400': { description: bad } } } }`);
  const { requests } = planCheck({
    url: 'http://127.0.0.1:1',
    contract,
    seed: 'a',
    mode: 'read-write',
  });
  expect(
    requests.flatMap(
      ({ body }) =>
        /"email":"[^"]*@[^"]*vouch[^"]*"|"email":"[^"]*vouch[^"]*"/.exec(body ?? '') ?? [],
    ),
  ).toEqual([]);
  expect(requests.some(({ body }) => body?.includes('"ada@example.org"') === true)).toBe(true);
});

/** Below each folder there are sheets; a folder is made at once, or only promised. */
const foldersWith = (status: number): ReturnType<typeof contractOf> =>
  contractOf(`
paths:
  /folders:
    get: { operationId: listFolders, responses: { '200': { description: ok,
        ${json("{ type: array, items: { $ref: '#/components/schemas/Folder' } }")} } } }
    post: { operationId: addFolder, requestBody: { required: true,
        ${json("{ $ref: '#/components/schemas/Folder' }")} }, responses: { '${String(status)}': {
        description: made, ${json("{ $ref: '#/components/schemas/Folder' }")} }, '400': {
        description: bad } } }
  /folders/{folderId}:
    parameters: [{ name: folderId, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getFolder, responses: { '200': { description: ok,
        ${json("{ $ref: '#/components/schemas/Folder' }")} }, '404': { description: none } } }
  /folders/{folderId}/sheets:
    parameters: [{ name: folderId, in: path, required: true, schema: { type: integer } }]
    get: { operationId: listSheets, parameters: [{ name: limit, in: query, schema: {
        type: integer, minimum: 1, maximum: 20 } }], responses: { '200': { description: ok,
        ${json("{ type: array, items: { $ref: '#/components/schemas/Sheet' } }")} }, '404': {
        description: none } } }
    post: { operationId: addSheet, requestBody: { required: true,
        ${json("{ $ref: '#/components/schemas/Sheet' }")} }, responses: { '201': {
        description: made, ${json("{ $ref: '#/components/schemas/Sheet' }")} }, '400': {
        description: bad }, '404': { description: none } } }
  /folders/{folderId}/notices: { post: { operationId: addNotice, parameters: [{ name: folderId,
      in: path, required: true, schema: { type: integer } }], requestBody: { required: true,
      ${json('{ type: object, required: [text], properties: { text: { type: string } } }')} },
      responses: { '201': { description: made }, '400': { description: bad }, '404': {
      description: none } } } }
components: { schemas: { Folder: { type: object, required: [name], properties: { id: {
    type: integer, readOnly: true }, name: { type: string } } }, Sheet: { type: object,
    required: [text], properties: { id: { type: integer, readOnly: true }, text: {
    type: string } } } } }`);

/** What is made is found only some requests later. */
function late(respond: Respond): Respond {
  const since = new Map<string, number>();
  let count = 0;
  return async (request) => {
    count += 1;
    const id = /^\/v2\/folders\/(\d+)/.exec(request.target)?.[1] ?? 'none';
    if (count < (since.get(id) ?? -15) + 15) return { response: answer(404) };
    const reply = await respond(request);
    if (
      request.method === 'POST' &&
      request.target === '/v2/folders' &&
      reply.response !== undefined
    )
      since.set(/"id":(\d+)/.exec(new TextDecoder().decode(reply.response.body))?.[1] ?? '', count);
    return reply;
  };
}

test('a record may be missing for a while after a 202, but not after a 201', async () => {
  expect((await alarmsOf(foldersWith(202), late)).alarms).toEqual([]);
  expect((await alarmsOf(foldersWith(201), late)).alarms.join('\n')).toMatch(
    /created-is-readable|valid-accepted/,
  );
});

test('a record whose deletion was refused may be read afterwards', async () => {
  const contract = membersWith('name: { type: string }', 'name');
  const { alarms } = await alarmsOf(
    contract,
    (respond) => (request) =>
      request.method === 'DELETE' && /\/members\/\d{1,6}$/.test(request.target)
        ? Promise.resolve({ response: answer(404) })
        : respond(request),
  );
  expect(alarms.filter((alarm) => alarm.startsWith('missing-refused'))).toEqual([]);
});

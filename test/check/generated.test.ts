import { describe, expect, test } from 'vitest';
import { isJsonObject } from '../../src/json/value.ts';
import { parseJson } from '../../src/json/parse-json.ts';
import type { HttpRequest } from '../../src/http/message.ts';
import { idsAreUnique } from '../../src/check/topics/records/ids-are-unique.ts';
import { alarmsOf, contractOf } from './fixture/odd-contract.ts';
import { type Said, talk } from './fixture/talk.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const boat = `type: object, required: [id, name], properties: { id: { type: integer }, name: {
  type: string }, berth: { type: integer, minimum: 1, maximum: 5 } }`;
const given = `type: object, required: [name], properties: { name: { type: string }, berth: {
  type: integer, minimum: 1, maximum: 5 } }`;
const id = 'parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]';

/** Records that are replaced, as a service of Spring or Gin has it. */
const boats = contractOf(`
paths:
  /boats:
    get: { responses: { '200': { description: all, ${json(
      `{ type: array, items: { ${boat} } }`,
    )} } } }
    post: { requestBody: { required: true, ${json(`{ ${given} }`)} }, responses: {
      '201': { description: made, ${json(`{ ${boat} }`)} }, '400': { description: no } } }
  /boats/{id}:
    ${id}
    get: { responses: { '200': { description: one, ${json(`{ ${boat} }`)} }, '404': {
      description: none } } }
    put: { requestBody: { required: true, ${json(`{ ${given} }`)} }, responses: { '200': {
      description: one, ${json(`{ ${boat} }`)} }, '400': { description: no }, '404': {
      description: none } } }
    delete: { responses: { '204': { description: gone }, '404': { description: none } } }
`);

function berthOf({ body }: HttpRequest): unknown {
  const reading = parseJson(body);
  return reading.ok && isJsonObject(reading.value) ? reading.value['berth'] : undefined;
}

describe('a replacement that answers a value and does not store it', () => {
  test('is told of a member that is no text', async () => {
    const { alarms } = await alarmsOf(boats, (respond) => async (request) => {
      const answer = await respond(request);
      const isLost = request.method === 'PUT' && answer.response?.status === 200;
      const berth = berthOf(request);
      if (!isLost || berth === undefined) return answer;
      const text = new TextDecoder().decode(request.body);
      const kept = text.replace(/"berth":\d+/, '"berth":3');
      await respond({ ...request, body: new TextEncoder().encode(kept) });
      return answer;
    });
    expect(alarms.join('\n')).toMatch(/replaced-is-persisted.* another berth than was sent/);
  });
});

test('a login that knows no made-up password is not accused', async () => {
  const login = contractOf(`
security: [{ Own: [] }]
paths:
  /enter:
    post:
      requestBody: { required: true, ${json(
        '{ type: object, required: [name, password], properties: { name: { type: string }, ' +
          'password: { type: string } } }',
      )} }
      responses: { '201': { description: in, ${json('{ type: object }')} } }
components: { securitySchemes: { Own: { type: http, scheme: bearer } } }
`);
  const { alarms } = await alarmsOf(login, (respond) => async (request) => {
    const reply = await respond(request);
    if (reply.response?.status !== 201) return reply;
    const headers = [
      ['Content-Type', 'application/json'],
      ['WWW-Authenticate', 'Bearer'],
    ] as const;
    const body = new TextEncoder().encode('{"detail":"Wrong name or password"}');
    return { response: { status: 401, headers, body } };
  });
  expect(alarms.filter((line) => /valid-accepted|status-documented/.test(line))).toEqual([]);
});

describe('a service that numbers its records anew after a deletion', () => {
  const shelf = `type: object, required: [id, cityId, name], properties: { id: { type: integer },
    cityId: { type: integer }, name: { type: string } }`;
  const shared = contractOf(`
paths:
  /cities:
    post: { requestBody: { required: true, ${json('{ type: object, properties: { n: {} } }')} },
      responses: { '201': { description: made, ${json(
        '{ type: object, required: [id], properties: { id: { type: integer }, n: {} } }',
      )} } } }
    get: { responses: { '200': { description: all, ${json(
      '{ type: array, items: { type: object, required: [id], properties: { id: { type: integer' +
        ' }, n: {} } } }',
    )} } } }
  /cities/{id}/shelves:
    ${id}
    post: { requestBody: { required: true, ${json(
      '{ type: object, required: [name], properties: { name: { type: string } } }',
    )} }, responses: { '201': { description: made, ${json(`{ ${shelf} }`)} } } }
  /shelves: { get: { responses: { '200': { description: all, ${json(
    `{ type: array, items: { ${shelf} } }`,
  )} } } } }
  /shelves/{id}:
    ${id}
    get: { responses: { '200': { description: one, ${json(`{ ${shelf} }`)} } } }
    delete: { responses: { '204': { description: gone } } }
`);
  const made = (name: string): Said => ({
    ask: 'POST /cities/3/shelves',
    status: 201,
    body: { name },
    answer: { id: 7, cityId: 3, name },
  });
  const told = (said: readonly Said[]): unknown =>
    idsAreUnique.inspect(talk(shared, said))?.map(({ message }) => message);

  test('is not accused, whichever path deletes them', () => {
    expect(told([made('a'), { ask: 'DELETE /shelves/7', status: 204 }, made('b')])).toEqual([]);
  });

  test('is accused where the first is still there', () => {
    expect(told([made('a'), made('b')])).toEqual(['Two creates returned the same id: 7.']);
  });
});

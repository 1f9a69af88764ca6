import { expect, test } from 'vitest';
import { planCheck } from '../../../../src/check/engine/check-target.ts';
import { parseJson } from '../../../../src/json/parse-json.ts';
import { isJsonObject, stringifyJson } from '../../../../src/json/value.ts';
import type { Respond } from '../../../../src/check/mutants/mutant.ts';
import { alarmsOf, contractOf } from '../../fixture/odd-contract.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const members = "name: { type: string }, contact: { type: [string, 'null'], format: email }";

const contract = contractOf(`
paths:
  /people:
    get: { operationId: listPeople, responses: { '200': { description: ok,
        ${json("{ type: array, items: { $ref: '#/components/schemas/Person' } }")} } } }
    post: { operationId: addPerson, requestBody: { required: true,
        ${json(`{ type: object, required: [name], properties: { ${members} } }`)} }, responses: {
        '201': { description: made, ${json("{ $ref: '#/components/schemas/Person' }")} }, '400': {
        description: bad } } }
  /people/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getPerson, responses: { '200': { description: ok,
        ${json("{ $ref: '#/components/schemas/Person' }")} }, '404': { description: none } } }
    patch: { operationId: changePerson, requestBody: { required: true, content: {
        application/merge-patch+json: { schema: { type: object, properties: {
        ${members} } } } } }, responses: { '200': { description: ok,
        ${json("{ $ref: '#/components/schemas/Person' }")} }, '400': { description: bad },
        '404': { description: none } } }
components: { schemas: { Person: { type: object, required: [id, name], properties: { id: {
    type: integer }, ${members} } } } }`);

/** A change takes null for nothing to change, as `COALESCE` does. */
const passesOverNull =
  (respond: Respond): Respond =>
  (request) => {
    const reading = request.method === 'PATCH' ? parseJson(request.body) : undefined;
    if (reading?.ok !== true || !isJsonObject(reading.value)) return respond(request);
    const kept = Object.entries(reading.value).filter(([, value]) => value !== null);
    return respond({
      ...request,
      body: new TextEncoder().encode(stringifyJson(Object.fromEntries(kept))),
    });
  };

test('false and 0 do not replace enum values, read-only fields and references', () => {
  const fields =
    '{ type: object, required: [count, ownerId, mode], properties: { id: { ' +
    'type: integer, readOnly: true }, count: { type: integer, minimum: 0 }, ' +
    'on: { type: boolean }, ownerId: { type: integer, example: 5 }, mode: { ' +
    'type: integer, enum: [3, 0] }, rank: { type: integer, readOnly: true } ' +
    '} }';
  const things = contractOf(`
paths:
  /things:
    post: { operationId: addThing, requestBody: { required: true, ${json(fields)} }, responses: {
        '201': { description: made, ${json(fields)} } } }
  /things/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getThing, responses: { '200': { description: ok, ${json(fields)} } } }`);
  const { requests } = planCheck({
    url: 'http://127.0.0.1:4010',
    contract: things,
    seed: 'lost',
    mode: 'read-write',
  });
  const bodies = requests
    .filter(({ title }) => title === 'a record is created with false and 0')
    .map(({ body }) => body);
  expect(bodies).toEqual([expect.stringMatching(/./)]);
  expect(JSON.parse(bodies[0] ?? '')).toEqual({ count: 0, on: false, ownerId: 5, mode: 3 });
});

test('finds a service that ignores an update to null', async () => {
  expect((await alarmsOf(contract)).alarms).toEqual([]);
  expect((await alarmsOf(contract, passesOverNull)).alarms.join('\n')).toMatch(
    /^replaced-is-persisted: A record that was changed by changePerson is read back with another contact than was sent: "[^"]+" instead of null\.$/m,
  );
});

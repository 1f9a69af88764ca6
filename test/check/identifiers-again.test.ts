import { expect, test } from 'vitest';
import { alarms, findingsOf, jsonObject, type Service } from './fixture/inline-service.ts';
import { contractOf } from './fixture/odd-contract.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const note = '{ $ref: "#/components/schemas/Note" }';
const one = `'200': { description: ok, ${json(note)} }, '404': { description: none }`;

const contract = contractOf(`
paths:
  /notes:
    get: { operationId: listNotes, responses: { '200': { description: ok,
        ${json(`{ type: array, items: ${note} }`)} } } }
    post: { operationId: addNote, requestBody: { required: true, ${json(note)} }, responses: {
        '201': { description: made, ${json(note)} }, '400': { description: bad } } }
  /notes/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getNote, responses: { ${one} } }
    put: { operationId: replaceNote, requestBody: { required: true, ${json(note)} }, responses: {
        ${one}, '400': { description: bad } } }
    delete: { operationId: dropNote, responses: { '204': { description: gone }, '404': {
        description: none } } }
components: { schemas: { Note: { type: object, required: [name], properties: {
    id: { type: integer, readOnly: true }, name: { type: string } } } } }`);

/** Notes whose identifiers are used again as soon as they are free; a change is not stored. */
function notes(): Service {
  const held = new Map<number, { id: number; name: string }>();
  const nameIn = (body: string): string | undefined => {
    const name = jsonObject(body)?.['name'];
    return typeof name === 'string' ? name : undefined;
  };
  return ({ method, path: [, text], body }) => {
    if (text === undefined && method === 'GET') return { status: 200, json: [...held.values()] };
    const name = nameIn(body);
    if (text === undefined) {
      if (method !== 'POST') return { status: 405 };
      if (name === undefined) return { status: 400 };
      let id = 1;
      while (held.has(id)) id += 1;
      held.set(id, { id, name });
      return { status: 201, json: held.get(id) };
    }
    const found = held.get(Number(text));
    if (found === undefined) return { status: 404 };
    if (method === 'GET') return { status: 200, json: found };
    if (method === 'DELETE') return { status: held.delete(found.id) ? 204 : 404 };
    if (method !== 'PUT') return { status: 405 };
    return name === undefined ? { status: 400 } : { status: 200, json: { ...found, name } };
  };
}

test('a lost change is noticed where identifiers of deleted records come again', async () => {
  expect(alarms(await findingsOf(contract, notes())).join('\n')).toMatch(/replaced-is-persisted/);
});

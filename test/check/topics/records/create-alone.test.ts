import { expect, test } from 'vitest';
import { withJson } from '../../../../src/check/mutants/edit-service.ts';
import type { Respond } from '../../../../src/check/mutants/mutant.ts';
import { readJson } from '../../../../src/http/media-type.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../../src/json/value.ts';
import { alarmsOf, contractOf } from '../../fixture/odd-contract.ts';

const note = "content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } }";
const contract = contractOf(`
paths:
  /notes:
    get: { operationId: listNotes, responses: { '200': { description: all, content: {
        application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Note' } }
        } } } } }
    post: { operationId: addNote, requestBody: { required: true, ${note} }, responses: { '201': {
        description: made, ${note} }, '400': { description: bad } } }
  /notes/{noteId}:
    parameters: [{ name: noteId, in: path, required: true, schema: { type: string } }]
    get: { operationId: getNote, responses: { '200': { description: one, ${note} }, '404': {
        description: none } } }
components: { schemas: { Note: { type: object, required: [id, title], properties: { id: {
    type: string, readOnly: true }, title: { type: string } } } } }`);

/** A service whose list hides the records of which `hides` says so, by their age in requests. */
function hiding(hides: (age: number, isNewest: boolean) => boolean) {
  const made = new Map<string, number>();
  let count = 0;
  return (respond: Respond): Respond =>
    async (request) => {
      count += 1;
      const reply = await respond(request);
      const { response } = reply;
      const shown = response && readJson(response);
      if (response === undefined || shown === undefined || !request.target.endsWith('/notes'))
        return reply;
      if (request.method === 'POST') made.set(idOf(shown), count);
      if (request.method !== 'GET' || !isJsonArray(shown)) return reply;
      const ageOf = (entry: JsonValue): number =>
        count - (made.get(idOf(entry)) ?? Number.NEGATIVE_INFINITY);
      const kept = shown.filter((one, index) => !hides(ageOf(one), index === shown.length - 1));
      return { ...reply, response: withJson(response, kept) };
    };
}

function idOf(entry: JsonValue): string {
  return isJsonObject(entry) ? String(entry['id']) : '';
}

test('a list that lacks the newest record is noticed', async () => {
  const { errors } = await alarmsOf(
    contract,
    hiding((_age, isNewest) => isNewest),
  );
  expect(errors.join()).toMatch(/created-is-readable: .*a longer one later has/);
});

test('a list that lags behind for a moment is none that lacks a record', async () => {
  const isFresh = (age: number, isNewest: boolean): boolean => isNewest && age < 6;
  const { errors } = await alarmsOf(contract, hiding(isFresh));
  expect(errors.join()).not.toContain('a longer one later has');
});

import { expect, test } from 'vitest';
import { planOf } from '../../../../src/check/engine/plan/plan-run.ts';
import { resolveSettings } from '../../../../src/check/engine/settings.ts';
import { alarmsOf, contractOf } from '../../fixture/odd-contract.ts';

const note = "content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } }";
const contract = contractOf(`
paths:
  /notes:
    get: { operationId: listNotes, parameters: [{ name: state, in: query, schema: { type: string,
        enum: [open, done], default: open } }, { name: sort, in: query, schema: { type: string,
        enum: [title, -title] } }], responses: { '200': { description: all, content: {
        application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Note' } }
        } } }, '400': { description: bad } } }
    post: { operationId: addNote, requestBody: { required: true, ${note} }, responses: { '201': {
        description: made, ${note} }, '400': { description: bad } } }
  /notes/{noteId}:
    parameters: [{ name: noteId, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getNote, responses: { '200': { description: one, ${note} }, '404': {
        description: none } } }
components: { schemas: { Note: { type: object, required: [title, state], properties: { id: {
    type: integer, readOnly: true }, title: { type: string }, state: { type: string, enum: [open,
    done] } } } } }`);

test('a filter that is tried beside an order has another value than its default', () => {
  const { stages } = planOf(
    resolveSettings({ url: 'http://127.0.0.1:4010', contract, seed: 'usual', mode: 'read-write' }),
  );
  const sources = stages
    .flatMap(({ sequences }) => sequences.flatMap(({ cases }) => cases))
    .flatMap(({ request }) => request.arguments.map(({ source }) => source))
    .filter(({ kind }) => kind === 'held');
  expect(sources.length).toBeGreaterThan(0);
  for (const source of sources) expect(source).toMatchObject({ field: 'state', otherThan: 'open' });
});

test('a list with a filter that has a default raises no alarm', async () => {
  expect((await alarmsOf(contract)).alarms).toEqual([]);
});

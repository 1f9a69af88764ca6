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

/** The requests of a run that filter the list by a value that records have in common. */
function filteredCases() {
  const settings = { url: 'http://127.0.0.1:4010', contract, seed: 'usual' };
  const { stages } = planOf(resolveSettings({ ...settings, mode: 'read-write' }));
  return stages
    .flatMap(({ sequences }) => sequences.flatMap(({ cases }) => cases))
    .map(({ request }) => request.arguments)
    .filter((given) => given.some(({ source }) => source.kind === 'held'));
}

test('a filter that is tried beside an order has another value than its default', () => {
  const sources = filteredCases().flatMap((given) => given.map(({ source }) => source));
  const held = sources.filter(({ kind }) => kind === 'held');
  expect(held.length).toBeGreaterThan(0);
  for (const source of held) expect(source).toMatchObject({ field: 'state', otherThan: 'open' });
});

test('a filter is tried beside an order and the opposite, as few records may be in one', () => {
  const orders = filteredCases()
    .flat()
    .flatMap(({ parameter, source }) =>
      parameter.name === 'sort' && source.kind === 'value' ? [source.value] : [],
    );
  expect(orders.toSorted()).toEqual(['-title', 'title']);
});

test('a list with a filter that has a default raises no alarm', async () => {
  expect((await alarmsOf(contract)).alarms).toEqual([]);
});

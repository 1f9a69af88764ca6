import { expect, test } from 'vitest';
import { makePlan } from '../../../src/check/engine/plan/plan-run.ts';
import { contractOf } from '../fixture/odd-contract.ts';

const book = "content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } }";
const contract = contractOf(`
paths:
  /books:
    post: { operationId: addBook, requestBody: { required: true, ${book} }, responses: { '201': {
        description: made, ${book} }, '400': { description: bad } } }
  /books/{bookId}:
    parameters: [{ name: bookId, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getBook, responses: { '200': { description: one, ${book} }, '404': {
        description: none } } }
    put: { operationId: putBook, requestBody: { required: true, ${book} }, responses: { '200': {
        description: changed, ${book} }, '400': { description: bad }, '404': {
        description: none } } }
    delete: { operationId: dropBook, responses: { '204': { description: gone }, '404': {
        description: none } } }
components: { schemas: { Book: { type: object, required: [title, kind], properties: { id: {
    type: integer, readOnly: true }, title: { type: string }, pages: { type: integer, minimum: 1,
    maximum: 900 }, kind: { type: string, enum: [paper, sound] } } } } }`);

test('a change to be refused has a valid and a wrong field, and is followed by a read', () => {
  const { stages } = makePlan({
    contract,
    mode: 'read-write',
    seed: 'a',
    runId: 'run-a',
    today: '2026-01-02',
    missingServer: () => undefined,
  });
  const sequences = stages
    .flatMap((stage) => [...stage.sequences])
    .filter(({ cases }) =>
      cases.some(
        ({ phase, intent, operation }) =>
          phase === 'sequence' && intent.kind === 'invalid' && operation.id === 'putBook',
      ),
    );
  expect(sequences).toHaveLength(1);
  const ids = sequences.flatMap(({ cases }) => cases.map(({ operation }) => operation.id));
  expect(ids[ids.indexOf('putBook') + 1]).toBe('getBook');
});

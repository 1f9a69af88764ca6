import { expect, test } from 'vitest';
import type { Sequence } from '../../../src/check/model/case.ts';
import { makePlan } from '../../../src/check/engine/plan/plan-run.ts';
import type { Contract } from '../../../src/contract/model.ts';
import { openEnvelopes } from '../../../src/contract/infer/open-envelopes.ts';
import { newsroom } from '../fixture/newsroom.ts';
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

/** The cases of a plan, by sequence. */
function sequencesOf(planned: Contract): Sequence[] {
  const { stages } = makePlan({
    contract: planned,
    mode: 'read-write',
    seed: 'a',
    runId: 'run-a',
    today: '2026-01-02',
    missingServer: () => undefined,
  });
  return stages.flatMap((stage) => [...stage.sequences]);
}

test('a change to be refused has a valid and a wrong field, and is followed by a read', () => {
  const sequences = sequencesOf(contract).filter(({ cases }) =>
    cases.some(
      ({ phase, intent, operation }) =>
        phase === 'sequence' && intent.kind === 'invalid' && operation.id === 'putBook',
    ),
  );
  expect(sequences).toHaveLength(1);
  const ids = sequences.flatMap(({ cases }) => cases.map(({ operation }) => operation.id));
  expect(ids[ids.lastIndexOf('putBook') + 1]).toBe('getBook');
});

test('the wrong field is not the one that names the record, which is read first', () => {
  const changes = sequencesOf(openEnvelopes(newsroom().contract)).flatMap(({ cases }) =>
    cases.filter(
      ({ phase, intent, operation: { method, path } }) =>
        phase === 'sequence' &&
        intent.kind === 'invalid' &&
        method === 'PATCH' &&
        path === '/articles/{id}',
    ),
  );
  expect(changes.map(({ title }) => title)).toEqual([
    'status is "unlisted", not one of "draft", "published"',
  ]);
});

import { expect, test } from 'vitest';
import { makePlan } from '../../../src/check/engine/plan/plan-run.ts';
import { contractOf } from '../fixture/odd-contract.ts';

const patch =
  '{ application/json-patch+json: { schema: { type: array, items: { type: ' +
  'object, required: [op, path] } } } }';
const contractWith = (content: string): ReturnType<typeof contractOf> =>
  contractOf(`
paths:
  /books:
    post:
      operationId: addBook
      requestBody: { required: true, content: { application/json: { schema: {
          $ref: '#/components/schemas/Book' } } } }
      responses: { '201': { description: made, content: { application/json: { schema: {
          $ref: '#/components/schemas/Book' } } } } }
  /books/{bookId}:
    parameters: [{ name: bookId, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getBook, responses: { '200': { description: one, content: {
        application/json: { schema: { $ref: '#/components/schemas/Book' } } } }, '404': {
        description: none } } }
    patch:
      operationId: changeBook
      requestBody: { required: true, content: ${content} }
      responses: { '200': { description: changed, content: { application/json: { schema: {
          $ref: '#/components/schemas/Book' } } } }, '404': { description: none }, '422': {
          description: no patch of this book } }
    delete: { operationId: dropBook, responses: { '204': { description: gone }, '404': {
        description: none } } }
components: { schemas: { Book: { type: object, required: [id, title], properties: { id: {
    type: integer, readOnly: true }, title: { type: string } } } } }`);

test.each([
  ['alone', patch],
  [
    'beside another form',
    patch.replace(
      '{ ',
      '{ application/merge-patch+json: { schema: { type: object, properties: { ' +
        'title: { type: string } } } }, ',
    ),
  ],
])(
  'a made-up JSON Patch need not fit the record, where the contract takes one %s',
  (_name, content) => {
    const plan = makePlan({
      contract: contractWith(content),
      mode: 'fuzz',
      seed: 'a',
      runId: 'run-a',
      today: '2026-01-02',
      missingServer: () => undefined,
    });
    const sent = plan.stages
      .flatMap(({ sequences }) => [...sequences])
      .flatMap(({ cases }) => cases)
      .filter(
        ({ request: { body } }) =>
          body?.kind === 'json' && body.mediaType === 'application/json-patch+json',
      );
    const rigours = sent.flatMap(({ intent }) => (intent.kind === 'valid' ? [intent.rigour] : []));
    expect(new Set(rigours)).not.toContain('plain');
    expect(rigours.length).toBeGreaterThan(0);
  },
);

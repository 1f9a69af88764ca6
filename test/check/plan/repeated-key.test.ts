import { expect, test } from 'vitest';
import { makePlan } from '../../../src/check/engine/plan/plan-run.ts';
import { contractOf } from '../fixture/odd-contract.ts';

test('a repeated key has another body, also where no text of it can be marked', () => {
  const { stages } = makePlan({
    contract: contractOf(`
paths:
  /payments:
    post:
      operationId: pay
      parameters: [{ name: Idempotency-Key, in: header, required: true, schema: {
          type: string } }]
      requestBody: { required: true, content: { application/json: { schema: {
          type: object, required: [amount], properties: { amount: { type: integer, minimum: 1,
          maximum: 9 } } } } } }
      responses: { '201': { description: made, content: { application/json: { schema: {
          $ref: '#/components/schemas/Payment' } } } }, '422': { description: key is taken } }
  /payments/{id}:
    get: { operationId: getPayment, parameters: [{ name: id, in: path, required: true, schema: {
        type: integer } }], responses: { '200': { description: one, content: {
        application/json: { schema: { $ref: '#/components/schemas/Payment' } } } } } }
components: { schemas: { Payment: { type: object, required: [id, amount], properties: { id: {
    type: integer, readOnly: true }, amount: { type: integer } } } } }`),
    mode: 'read-write',
    seed: 'a',
    runId: 'run-a',
    today: '2026-01-02',
    missingServer: () => undefined,
  });
  const sequence = stages
    .flatMap(({ sequences }) => [...sequences])
    .find(({ cases }) =>
      cases.some(({ intent }) => intent.kind === 'condition' && intent.wanted === 'key-refused'),
    );
  const bodies = sequence?.cases.map(({ request: { body } }) =>
    body?.kind === 'json' ? JSON.stringify(body.value) : undefined,
  );
  expect(bodies).toHaveLength(3);
  expect(bodies?.[1]).toBe(bodies?.[0]);
  expect(bodies?.[2]).not.toBe(bodies?.[0]);
});

import { describe, expect, test } from 'vitest';
import type { Case } from '../../../src/check/model/case.ts';
import { planOf } from '../../../src/check/engine/plan/plan-run.ts';
import { requestBudget } from '../../../src/check/plan/plan-context.ts';
import { resolveSettings } from '../../../src/check/engine/settings.ts';
import { parseContract } from '../../../src/contract/load.ts';
import type { Contract } from '../../../src/contract/model.ts';

describe('the request budget of each operation', () => {
  test.each([
    [1, { edges: 60, changes: 12, odd: 24, invalid: 80, arguments: Infinity, fragile: 20 }],
    [100, { edges: 60, changes: 12, odd: 24, invalid: 80, arguments: Infinity, fragile: 20 }],
    [200, { edges: 30, changes: 6, odd: 12, invalid: 40, arguments: 50, fragile: 10 }],
    [400, { edges: 15, changes: 3, odd: 6, invalid: 20, arguments: 25, fragile: 5 }],
    [1_223, { edges: 15, changes: 3, odd: 6, invalid: 20, arguments: 25, fragile: 5 }],
  ])('shrinks as a plan has more operations: %i', (operations, budget) => {
    expect(requestBudget(operations, 'read-write')).toEqual(budget);
    expect(requestBudget(operations, 'read-only')).toEqual(budget);
  });

  test('fuzzing gives every operation the whole budget, changes included', () => {
    expect(requestBudget(1_223, 'fuzz')).toEqual({
      edges: 60,
      changes: 60,
      odd: 24,
      invalid: 80,
      arguments: Infinity,
      fragile: 20,
    });
  });

  test('bounds the invalid parameters of a large contract, and each parameter has its turn', () => {
    const parameters = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta'].map(
      (name) => ({ name, in: 'query', schema: { type: 'integer', minimum: 1, maximum: 9 } }),
    );
    const response = { 200: { description: 'ok' }, 400: { description: 'no' } };
    const contractOf = (count: number): Contract =>
      parseContract(
        JSON.stringify({
          openapi: '3.1.0',
          info: { title: 'Many', version: '1' },
          paths: Object.fromEntries(
            Array.from({ length: count }, (_, index) => [
              `/reports${String(index)}`,
              { get: { operationId: `report${String(index)}`, parameters, responses: response } },
            ]),
          ),
        }),
        'many.json',
      );
    const invalidOf = (contract: Contract): Case[] =>
      planOf(resolveSettings({ url: 'http://127.0.0.1:1', contract, seed: 'budget' }))
        .stages.filter(({ phase }) => phase === 'negative')
        .flatMap(({ sequences }) => sequences.flatMap(({ cases }) => cases))
        .filter(
          ({ operation, intent }) =>
            operation.id === 'report0' && intent.kind === 'invalid' && intent.part === 'query',
        );
    const few = invalidOf(contractOf(1));
    const many = invalidOf(contractOf(400));
    expect(few.length).toBeGreaterThan(50);
    expect(many).toHaveLength(25);
    const subjects = many.map(({ intent }) => (intent.kind === 'invalid' ? intent.subject : ''));
    expect(new Set(subjects).size).toBe(8);
    const titles = few.map(({ title }) => title);
    expect(many.map(({ title }) => titles.indexOf(title)).toSorted((a, b) => a - b)).toEqual(
      many.map(({ title }) => titles.indexOf(title)),
    );
  });
});

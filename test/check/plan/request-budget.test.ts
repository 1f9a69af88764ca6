import { describe, expect, test } from 'vitest';
import { requestBudget } from '../../../src/check/plan/plan-context.ts';

describe('the request budget of each operation', () => {
  test.each([
    [1, { edges: 60, changes: 12, odd: 24, invalid: 80, fragile: 20 }],
    [100, { edges: 60, changes: 12, odd: 24, invalid: 80, fragile: 20 }],
    [200, { edges: 30, changes: 6, odd: 12, invalid: 40, fragile: 10 }],
    [400, { edges: 15, changes: 3, odd: 6, invalid: 20, fragile: 5 }],
    [1_223, { edges: 15, changes: 3, odd: 6, invalid: 20, fragile: 5 }],
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
      fragile: 20,
    });
  });
});

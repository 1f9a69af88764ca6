import { describe, expect, test } from 'vitest';
import { roomFor } from '../../../src/check/plan/plan-context.ts';

describe('the room that each operation of a plan gets', () => {
  test.each([
    [1, { edges: 60, changes: 12, odd: 24, invalid: 80, fragile: 20 }],
    [100, { edges: 60, changes: 12, odd: 24, invalid: 80, fragile: 20 }],
    [200, { edges: 30, changes: 6, odd: 12, invalid: 40, fragile: 10 }],
    [400, { edges: 15, changes: 3, odd: 6, invalid: 20, fragile: 5 }],
    [1_223, { edges: 15, changes: 3, odd: 6, invalid: 20, fragile: 5 }],
  ])('%i operations', (operations, room) => {
    expect(roomFor(operations, 'read-write')).toEqual(room);
    expect(roomFor(operations, 'read-only')).toEqual(room);
  });

  test('fuzzing gives every operation all of it, and those that change a record no less', () => {
    expect(roomFor(1_223, 'fuzz')).toEqual({
      edges: 60,
      changes: 60,
      odd: 24,
      invalid: 80,
      fragile: 20,
    });
  });
});

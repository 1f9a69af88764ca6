import { expect, test } from 'vitest';
import { singularOf } from '../../../src/contract/infer/infer-names.ts';

test.each([
  ['categories', 'category'],
  ['buses', 'bus'],
  ['warehouses', 'warehouse'],
  ['clauses', 'clause'],
  ['caches', 'cache'],
  ['coaches', 'coach'],
  ['sizes', 'size'],
  ['waltzes', 'waltz'],
  ['boxes', 'box'],
  ['status', 'status'],
])('the singular of %s is %s', (plural, singular) => {
  expect(singularOf(plural)).toBe(singular);
  expect(singularOf(singular)).toBe(singular);
});

import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/json/value.ts';
import { relateFields } from '../../src/values/relations.ts';

const relate = (record: JsonObject, ...fixed: string[]): JsonObject =>
  relateFields(record, (name) => !fixed.includes(name));

test.each<[name: string, given: JsonObject]>([
  ['codes have no order', { from: 'USD', to: 'EUR' }],
  ['a date that is none has no order', { from: '2024-13-45', to: '2024-01-01' }],
  [
    'a date and a moment have no common order',
    { start: '2024-03-01', end: '2024-01-01T10:00:00Z' },
  ],
  ['an end after its start may be far', { from: '2024-03-01', to: '2035-01-01' }],
  ['a list without amounts has no sum', { items: [{ name: 'a' }], subtotal: 5, total: 5, tax: 0 }],
  ['two fields are a page, not an invoice', { items: [{ price: 9 }], total: 1 }],
  ['a mail address with a host of its own stays', { name: 'Ada', email: 'x@vouch.test' }],
])('%s: nothing changes', (_name, given) => {
  expect(relate(given)).toEqual(given);
});

test('a number that may not change moves the other one', () => {
  const given = { minScore: 9, maxScore: 4 };
  expect(relate(given)).toEqual({ minScore: 9, maxScore: 9 });
  expect(relate(given, 'maxScore')).toEqual({ minScore: 4, maxScore: 4 });
  expect(relate(given, 'minScore', 'maxScore')).toEqual(given);
});

test('an end by another word of its start is moved behind it', () => {
  expect(relate({ effective_from: '2024-03-01', effective_to: '2024-01-03' })).toEqual({
    effective_from: '2024-03-01',
    effective_to: '2024-03-05',
  });
  expect(relate({ openTime: '18:00:00', closeTime: '09:00:00' })).toEqual({
    openTime: '18:00:00',
    closeTime: '19:00:00',
  });
});

test('a discount that is more than all lines is reduced', () => {
  const lines = [{ quantity: 2, price: 10 }];
  expect(relate({ lines, discount: 25, total: 1 })).toEqual({ lines, discount: 2, total: 18 });
});

import { describe, expect, test } from 'vitest';
import { type JsonValue, withoutMembers } from '../../src/json/value.ts';
import { placeValue } from '../../src/values/baseline.ts';

const full = { name: 'Robin', owner: { email: 'a@b.co', city: 'Porto' }, tags: ['one', 'two'] };

describe('placeValue', () => {
  test.each<[JsonValue, string, JsonValue, JsonValue]>([
    [{ name: 'Ida' }, '', 5, 5],
    [{ name: 'Ida' }, '/name', null, { name: null }],
    [{ name: 'Ida' }, '/owner', 7, { name: 'Ida', owner: 7 }],
    [{ name: 'Ida' }, '/owner/email', 'x', { name: 'Ida', owner: { email: 'x', city: 'Porto' } }],
    [{ name: 'Ida', tags: [] }, '/tags/0', 'x', { name: 'Ida', tags: ['x'] }],
    [{ name: 'Ida' }, '/tags/1', 'x', { name: 'Ida', tags: ['one', 'x'] }],
    [{ 'a/b': 1 }, '/a~1b', 2, { 'a/b': 2 }],
  ])('%j at %s', (base, at, part, expected) => {
    expect(placeValue({ base, full, at }, part)).toEqual(expected);
  });

  test('keeps a member named __proto__ as data', () => {
    const placed = placeValue({ base: {}, full: {}, at: '/__proto__' }, { polluted: true });
    expect(Object.hasOwn(placed as object, '__proto__')).toBe(true);
    expect((placed as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

test('withoutMembers leaves the rest as it is', () => {
  expect(withoutMembers(full, 'owner')).toEqual({ name: 'Robin', tags: ['one', 'two'] });
});

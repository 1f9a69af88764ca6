import { expect, test } from 'vitest';
import { type JsonValue, setMember } from '../../src/json/value.ts';

test.each(['name', '', '0', 'constructor', 'toString', '__proto__'])(
  '%j becomes a member of its own, and nothing else changes',
  (name) => {
    const object: Record<string, JsonValue> = {};
    setMember(object, name, { polluted: true });
    setMember(object, 'last', 1);
    expect(Object.entries(object)).toEqual([
      [name, { polluted: true }],
      ['last', 1],
    ]);
    expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
    expect('polluted' in object).toBe(false);
  },
);

test('the last value of a name counts', () => {
  const object: Record<string, JsonValue> = {};
  for (const value of [1, 2])
    for (const name of ['__proto__', 'name']) setMember(object, name, value);
  expect(Object.entries(object)).toEqual([
    ['__proto__', 2],
    ['name', 2],
  ]);
});

import { describe, expect, test } from 'vitest';
import { type JsonValue, stringifyJson } from '../../src/json/value.ts';
import { fc } from '../property.ts';
import { anyJson } from './json-arbitraries.ts';

const rows: readonly (readonly [value: JsonValue, indent: number | undefined, text: string])[] = [
  [null, undefined, 'null'],
  ['é"', undefined, '"é\\""'],
  [9007199254740993n, undefined, '9007199254740993'],
  [-(2n ** 64n), undefined, '-18446744073709551616'],
  [
    { id: 9223372036854775807n, tags: [1, 2n] },
    undefined,
    '{"id":9223372036854775807,"tags":[1,2]}',
  ],
  [
    { id: 9223372036854775807n, tags: [1] },
    2,
    '{\n  "id": 9223372036854775807,\n  "tags": [\n    1\n  ]\n}',
  ],
  [{ a: [1] }, 1, '{\n "a": [\n  1\n ]\n}'],
  [{ toJSON: 'a field', id: 2n ** 53n }, undefined, '{"toJSON":"a field","id":9007199254740992}'],
  ['\ud800', undefined, '"\\ud800"'],
];

describe('stringifyJson', () => {
  test.each(rows)('%o with indent %o', (value, indent, text) => {
    expect(stringifyJson(value, indent)).toBe(text);
  });

  test('an own __proto__ is written', () => {
    expect(stringifyJson(JSON.parse('{"__proto__":1}'))).toBe('{"__proto__":1}');
  });

  test('agrees with a second writer on any value', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        expect(stringifyJson(value)).toBe(writtenByHand(value));
      }),
    );
  });

  test('bigints stay exact where an application has given them a lossy toJSON', () => {
    Object.defineProperty(BigInt.prototype, 'toJSON', { value: () => 'lost', configurable: true });
    try {
      expect(stringifyJson({ id: 9007199254740993n, list: [1n] })).toBe(
        '{"id":9007199254740993,"list":[1]}',
      );
      expect(stringifyJson(5n)).toBe('5');
    } finally {
      Reflect.deleteProperty(BigInt.prototype, 'toJSON');
    }
  });
});

/** A second way to the same text, which knows nothing of JSON.rawJSON. */
function writtenByHand(value: JsonValue): string {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value))
    return `[${value.map((item: JsonValue) => writtenByHand(item)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(
      ([name, member]: [string, JsonValue]) => `${JSON.stringify(name)}:${writtenByHand(member)}`,
    )
    .join(',')}}`;
}

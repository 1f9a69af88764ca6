import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../src/json/value.ts';
import { stringifyJson } from '../../src/json/stringify-json.ts';
import { shrinkValue } from '../../src/values/shrink-value.ts';

const values: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, fc.constantFrom(null, true, false), fc.integer(), fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n }), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.string({ unit: 'binary' }), fc.array(tie('value'), { maxLength: 4 }), fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 })),
})).value;

describe('simpler values', () => {
  test.each<[string, JsonValue, readonly string[]]>([
    ['text', 'Rex', ['""', '"R"', '"Re"', '"ex"', '"aaa"']],
    ['plain text', 'a', ['""']],
    ['emoji', '😀', ['""', '"a"']],
    ['integer', 7, ['0', '3', '6']],
    ['negative integer', -7, ['0', '7', '-3', '-6']],
    ['bigint', 9007199254740993n, ['0', '4503599627370496', '9007199254740992']],
    ['fraction', 2.5, ['0', '2', '1']],
    ['true', true, ['false']],
    ['array', [1, 0], ['[]', '[1]', '[0]', '[1]', '[0,0]']],
    ['object', { a: 1, b: false }, ['{}', '{"b":false}', '{"a":1}', '{"a":0,"b":false}']],
    ['nothing simpler than null', null, []],
    ['nothing simpler than false', false, []],
    ['nothing simpler than an empty object', {}, []],
  ])('%s', (_what, value, expected) => {
    expect([...shrinkValue(value)].map((simpler) => stringifyJson(simpler))).toEqual(expected);
  });

  test('are always simpler, so that shrinking ends', () => {
    fc.assert(
      fc.property(values, fc.infiniteStream(fc.nat()), (value, choices) => {
        let current = value;
        for (let step = 0; step < 5_000; step += 1) {
          const simpler = shrinkValue(current).take(50).toArray();
          if (simpler.length === 0) return true;
          current = simpler[(choices.next().value ?? 0) % simpler.length] ?? null;
        }
        return false;
      }),
    );
  });

  test('a search for the smallest that still shows a fault finds it', () => {
    const shows = (value: JsonValue): boolean => stringifyJson(value).includes('é');
    let smallest: JsonValue = { name: 'café au lait', tags: ['one', 'two'], size: 12 };
    for (let next: JsonValue | undefined = smallest; next !== undefined; next = shrinkValue(smallest).find(shows)) smallest = next;
    expect(smallest).toEqual({ name: 'é' });
  });
});

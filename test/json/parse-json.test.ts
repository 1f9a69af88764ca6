import { describe, expect, test } from 'vitest';
import { findJsonFault } from '../../src/json/find-json-fault.ts';
import type { JsonLimits } from '../../src/json/json-problem.ts';
import { completeLimits, parseJson } from '../../src/json/parse-json.ts';
import { stringifyJson } from '../../src/json/value.ts';
import { fc } from '../property.ts';
import { accepted, notUtf8, refused } from './json-grammar.ts';
import { anyJson, jsonLikeText } from './json-arbitraries.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('valid JSON of RFC 8259', () => {
  test.each(accepted)('%s', (text, value) => {
    expect(parseJson(text)).toEqual({ ok: true, value });
    expect(parseJson(bytesOf(text))).toEqual({ ok: true, value });
    expect(findJsonFault(text, completeLimits(undefined))).toBeUndefined();
  });
});

describe('invalid JSON is refused with its place', () => {
  test.each(
    refused.map(([text, code, offset]) => ({ shown: text.slice(0, 40), text, code, offset })),
  )('$code: $shown', ({ text, code, offset }) => {
    expect(parseJson(text)).toMatchObject({ ok: false, problem: { code, offset } });
    if (text.isWellFormed())
      expect(parseJson(bytesOf(text))).toMatchObject({ ok: false, problem: { code, offset } });
  });

  test.each(notUtf8)('bytes that are not UTF-8: %s', (_name, bytes, offset) => {
    expect(parseJson(Uint8Array.from(bytes))).toMatchObject({
      ok: false,
      problem: { code: 'encoding', offset },
    });
  });
});

describe('the limits can be changed', () => {
  const cases: readonly (readonly [text: string, limits: JsonLimits, expected: unknown])[] = [
    ['[[1]]', { maxDepth: 2 }, [[1]]],
    ['[[1]]', { maxDepth: 1 }, 'depth'],
    ['1', { maxDepth: 0 }, 1],
    ['[]', { maxDepth: 0 }, 'depth'],
    ['{"a":1,"a":2}', { duplicateKeys: 'allow' }, { a: 2 }],
    ['{"a":1,"a":9007199254740993}', { duplicateKeys: 'allow' }, { a: 9007199254740993n }],
    ['{"a":9007199254740993,"a":1}', { duplicateKeys: 'allow' }, { a: 1 }],
    ['{"a":1,"a":1e400}', { duplicateKeys: 'allow' }, 'number-range'],
    ['{"constructor":1}', { forbiddenKeys: ['constructor'] }, 'forbidden-key'],
    ['{"a":"constructor"}', { forbiddenKeys: ['constructor'] }, { a: 'constructor' }],
    ['["\\ud800"]', { loneSurrogates: 'allow' }, ['\ud800']],
    ['["\ud800",9007199254740993]', { loneSurrogates: 'allow' }, ['\ud800', 9007199254740993n]],
    ['["\\ud800\\uZZZZ"]', { loneSurrogates: 'allow' }, 'syntax'],
  ];
  test.each(cases)('%s with %o', (text, limits, expected) => {
    const reading = parseJson(text, limits);
    expect(reading.ok ? reading.value : reading.problem.code).toEqual(expected);
  });

  test('a caller can allow at most 1,000 levels', () => {
    const text = '['.repeat(1000) + '9007199254740993' + ']'.repeat(1000);
    expect(parseJson(text, { maxDepth: Infinity }).ok).toBe(true);
    expect(parseJson(`[${text}]`, { maxDepth: Infinity })).toMatchObject({
      ok: false,
      problem: { code: 'depth', offset: 1000 },
    });
  });
});

describe('values survive parsing and writing', () => {
  test('-0 keeps its sign', () => {
    const reading = parseJson('-0');
    expect(reading.ok && Object.is(reading.value, -0)).toBe(true);
  });

  test.each([
    '{"__proto__":{"polluted":true},"a":1}',
    '{"__proto__":{"polluted":9007199254740993},"a":1}',
  ])('an allowed __proto__ is an own key: %s', (text) => {
    const reading = parseJson(text, { forbiddenKeys: [] });
    const value = reading.ok ? reading.value : undefined;
    expect(Object.keys(value ?? {})).toEqual(['__proto__', 'a']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect('polluted' in {}).toBe(false);
  });

  test('inherited names neither hide a duplicate nor invent one', () => {
    Object.defineProperty(Object.prototype, 'inherited', {
      value: 1,
      enumerable: true,
      configurable: true,
      writable: true,
    });
    try {
      expect(parseJson('{"a":1}').ok).toBe(true);
      expect(parseJson('{"a":1,"a":2}')).toMatchObject({
        ok: false,
        problem: { code: 'duplicate-key' },
      });
    } finally {
      delete (Object.prototype as Record<string, unknown>)['inherited'];
    }
  });
});

test('messages have the found text, the expected one and the place', () => {
  const texts = [
    '{"a":1,}',
    '{\n  "name": "Rex",\n  "age": NaN\n}',
    "{'a': 1}",
    '[1, 2',
    '{"a": {"b": 1}',
    '{"a" 1}',
    '{"a": True}',
    '[undefined]',
    '// note\n{}',
    '[05]',
    '[+5]',
    '[.5]',
    '[0x1F]',
    '"a\tb"',
    '"a\nb"',
    '"a\u0001"',
    '"a\\x"',
    '"\\u12G4"',
    '"abc',
    '{} {}',
    '[1\u00A02]',
    '',
    '[1e400]',
    '{"id":1,"id":2}',
    '{"__proto__":1}',
    '"\\ud83d!"',
    '['.repeat(65),
    '\uFEFF{}',
    `[${'x'.repeat(100)}]`,
    '["a" "b"]',
    '<html>',
    '{,}',
    '\u202Eabc',
  ];
  const messages = texts.map((text) => {
    const reading = parseJson(text);
    return reading.ok ? `taken: ${text}` : reading.problem.message;
  });
  expect(messages.join('\n')).toMatchInlineSnapshot(`
    "expected more after the comma, found \`}\` (JSON allows no comma before a closing
      ↳ bracket), at line 1, column 8
    expected a value after the colon, found \`NaN\` (JSON has no such number), at line
      ↳ 3, column 10
    expected a member name in double quotes or \`}\`, found \`'a'\` (JSON quotes text
      ↳ with "), at line 1, column 2
    expected \`,\` or \`]\`, found the end of the text (the array that begins at line 1,
      ↳ column 1 is not closed), at line 1, column 6
    expected \`,\` or \`}\`, found the end of the text (the object that begins at line
      ↳ 1, column 1 is not closed), at line 1, column 15
    expected \`:\` after the member name, found \`1\`, at line 1, column 6
    expected a value after the colon, found \`True\` (JSON writes it \`true\`), at line
      ↳ 1, column 7
    expected a value or \`]\`, found \`undefined\` (JSON writes it \`null\`), at line 1,
      ↳ column 2
    expected a value, found \`//\` (JSON has no comments), at line 1, column 1
    expected a number, found \`05\` (JSON allows no leading zero), at line 1, column 2
    expected a number, found \`+5\` (JSON allows no \`+\` before a number), at line 1,
      ↳ column 2
    expected a number, found \`.5\` (a decimal point needs a digit on each side), at
      ↳ line 1, column 2
    expected a number, found \`0x1F\` (JSON writes numbers in decimal), at line 1,
      ↳ column 2
    expected the rest of a string, found a tab (inside a string it is written \`\\t\`),
      ↳ at line 1, column 3
    expected the rest of a string, found a line break (inside a string it is written
      ↳ \`\\n\`), at line 1, column 3
    expected the rest of a string, found the character U+0001 (inside a string it is
      ↳ written \`\\u0001\`), at line 1, column 3
    expected one of \`" \\ / b f n r t u\` after the backslash, found \`\\x\`, at line
      ↳ 1, column 3
    expected four hexadecimal digits after \`\\u\`, found \`\\u12G4\`, at line 1, column
      ↳ 2
    expected \`"\` after the string that begins at line 1, column 1, found the end of
      ↳ the text, at line 1, column 5
    expected nothing after the value, found \`{\`, at line 1, column 4
    expected \`,\` or \`]\`, found the character U+00A0, at line 1, column 3
    expected a JSON value, found nothing, at line 1, column 1
    the number \`1e400\` is beyond what a double can hold (1.8e308), at line 1, column 2
    the member \`id\` is given twice in one object, at line 1, column 9
    the member name \`__proto__\` is not allowed, at line 1, column 2
    the string holds \`\\ud83d\`, which is a lone surrogate, at line 1, column 2
    arrays and objects are nested more than 64 levels deep, at line 1, column 65
    expected a JSON value, found a byte order mark (U+FEFF), at line 1, column 1
    expected a value or \`]\`, found \`xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…\`, at
      ↳ line 1, column 2
    expected \`,\` or \`]\`, found the string \`"b"\`, at line 1, column 6
    expected a value, found \`<html>\`, at line 1, column 1
    expected a member name in double quotes or \`}\`, found \`,\`, at line 1, column 2
    expected a value, found the character U+202E, at line 1, column 1"
  `);
});

test('bytes that are not UTF-8 are distinguished from text', () => {
  const reading = parseJson(Uint8Array.from([0x7b, 0x0a, 0x22, 0xe9, 0x22]));
  expect(reading.ok ? '' : reading.problem.message).toMatchInlineSnapshot(
    `"expected UTF-8, found an invalid byte, at line 2, column 2"`,
  );
});

describe('laws of parseJson', () => {
  test('written JSON is parsed back to the same value', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        expect(parseJson(stringifyJson(value), { forbiddenKeys: [] })).toEqual({ ok: true, value });
      }),
    );
  });

  test('no bytes make it throw', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 40 }),
        (bytes) => typeof parseJson(bytes).ok === 'boolean',
      ),
    );
  });

  test('parseJson never throws, and agrees with JSON.parse on what it accepts', () => {
    fc.assert(
      fc.property(jsonLikeText, (text) => {
        const reading = parseJson(text, {
          duplicateKeys: 'allow',
          forbiddenKeys: [],
          loneSurrogates: 'allow',
        });
        const native = attempt(text);
        if (reading.ok) expect(reading.value).toEqual(native?.value);
        else if (native !== undefined) expect(reading.problem.code).toBe('number-range');
      }),
      { numRuns: 2000 },
    );
  });

  test('the quick checks and the whole scan find the same problems', () => {
    fc.assert(
      fc.property(jsonLikeText, (text) => {
        const reading = parseJson(text);
        const fault = findJsonFault(text, completeLimits(undefined));
        expect(reading.ok ? undefined : reading.problem.offset).toBe(
          text.startsWith('\uFEFF') ? 0 : fault?.offset,
        );
      }),
      { numRuns: 2000 },
    );
  });
});

test.each([
  ['a string of 1 MB', `"${'x'.repeat(1e6)}"`],
  ['half a million escapes', `"${'\\"'.repeat(5e5)}"`],
  ['a million digits', '1'.repeat(1e6)],
  ['a million brackets', '['.repeat(1e6)],
  ['a million unclosed objects', '{"a":'.repeat(1e6)],
  [
    '100,000 members',
    `{${Array.from({ length: 1e5 }, (_, index) => `"k${index}":1`).join(',')},"k1":1}`,
  ],
  ['a million line breaks before a fault', `${'\n'.repeat(1e6)}x`],
])('%s is read or refused', (_name, text) => {
  expect(typeof parseJson(text).ok).toBe('boolean');
});

/** JSON.parse as a judge: what it makes of a text without big integers, or nothing. */
function attempt(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

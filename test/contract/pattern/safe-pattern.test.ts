import { describe, expect, test } from 'vitest';
import { makeLinearMatcher } from '../../../src/contract/pattern/linear-matcher.ts';
import { parseRegex } from '../../../src/contract/pattern/parse-regex.ts';
import {
  decidePattern,
  makeBoundedPattern,
  makeSafePattern,
} from '../../../src/contract/pattern/safe-pattern.ts';
import { fc } from '../../property.ts';
import { makeContract, jsonContent } from '../make-contract.ts';

describe('a pattern with catastrophic backtracking has a result', () => {
  const many = 'a'.repeat(50_000);
  test.each<[string, string, boolean]>([
    ['^(a+)+$', `${'a'.repeat(28)}!`, false],
    ['^(a+)+$', `${many}!`, false],
    ['^(a+)+$', many, true],
    ['^(a|a)*$', `${'a'.repeat(40)}!`, false],
    ['^(\\w+\\s?)*$', `${'word '.repeat(200)}!`, false],
    ['^(\\w+\\s?)*$', 'word '.repeat(200), true],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(40), false],
    ['a*a*a*b', many, false],
    ['\\s+$', `${' '.repeat(50_000)}x`, false],
    ['^(([a-z]{1,9}x?){1,9})+$', `${'a'.repeat(60)}!`, false],
    ['^(?=(a+)+$)a', `${'a'.repeat(40)}!`, true],
    ['^(a+)+\\1$', `${'a'.repeat(40)}!`, true],
    ['^(?=.*\\d)(?=.*[a-z]).{8,}$', 'a'.repeat(200), false],
  ])('%s', (pattern, text, expected) => {
    expect(makeSafePattern(pattern).test(text)).toBe(expected);
  });

  test('a schema with an exponential pattern validates long texts', () => {
    const contract = makeContract({
      paths: {
        '/a': {
          post: {
            requestBody: jsonContent({ type: 'string', pattern: '^(a+)+$' }),
            responses: { 200: { description: 'Fine' } },
          },
        },
      },
    });
    const schema = contract.operations[0]?.requestBody?.content[0]?.schema;
    expect(schema?.validate(`${'a'.repeat(28)}!`, 'request').map(({ message }) => message)).toEqual(
      ['must match the pattern ^(a+)+$'],
    );
    expect(schema?.validate('a'.repeat(5_000), 'request')).toEqual([]);
  });
});

describe('the linear matcher agrees with the engine', () => {
  const patterns = [
    '^(a+)+$',
    'a|b',
    '(ab|a)(c|bcd)',
    '^a{2,3}b?$',
    '^(a{2}){1,2}$',
    '[^a]',
    '^[a-c\\d]+$',
    '\\bab\\b',
    'a\\Bb',
    '^.$',
    '^.*$',
    '^\\w\\W\\s\\S\\d\\D',
    'a{0}b',
    '^(?:a|b)*?c',
    '(?<n>a)b',
    '^\\u{1F600}+$',
    '^[😀-😂]$',
    '\\.',
    '^$',
    '',
    '^(|a)+$',
    '^\\x61\\n?$',
    '\\p{Lu}',
    '^[\\]\\-]$',
    '^a{2,}$',
    '^(a|b){0,2}c$',
    'x*',
    '^[\\s\\S]$',
  ];
  const alphabet = fc.constantFrom(
    'a',
    'b',
    'c',
    'd',
    '1',
    ' ',
    '\n',
    '\u2028',
    '😀',
    '😁',
    'É',
    ']',
    '-',
    '.',
    '_',
    'x',
  );

  test.each(patterns)('%s', (source) => {
    const engine = new RegExp(source, 'u');
    const linear = makeLinearMatcher(engine);
    expect(linear).toBeDefined();
    fc.assert(
      fc.property(
        fc.array(alphabet, { maxLength: 12 }),
        (letters) => linear?.(letters.join('')) === engine.test(letters.join('')),
      ),
      { numRuns: 300 },
    );
  });

  test.each(['^[a-', 'a-\\-b', '^\\_+$', '{a}', '^a\\:b$'])(
    'a pattern that is not valid with the flag u: %s',
    (source) => {
      let engine: RegExp;
      try {
        engine = new RegExp(source);
      } catch {
        expect(() => makeSafePattern(source)).toThrow(SyntaxError);
        return;
      }
      const linear = makeLinearMatcher(engine);
      fc.assert(
        fc.property(
          fc.array(fc.constantFrom('a', 'b', '-', '_', '{', '}', ':'), { maxLength: 10 }),
          (letters) => linear?.(letters.join('')) === engine.test(letters.join('')),
        ),
        { numRuns: 200 },
      );
    },
  );

  test.each(['^(?=a)b$', '(a)\\1', '(?<!a)b', `^(${'a?'.repeat(5_000)})$`])(
    'there is none for %.20s',
    (source) => {
      expect(makeLinearMatcher(new RegExp(source, 'u'))).toBeUndefined();
    },
  );
});

test('a control character in a pattern is that character, in a class and outside', () => {
  const points = [0x0a, 0x0d, 0x09, 0x0b, 0x0c, 0x00];
  expect(parseRegex('\\n\\r\\t\\v\\f\\0')).toMatchObject({
    parts: points.map((point) => ({ kind: 'point', ranges: [[point, point]] })),
  });
  expect(parseRegex('[\\n\\r\\t\\v\\f\\0]')).toMatchObject({
    parts: [{ kind: 'point', ranges: points.map((point) => [point, point]) }],
  });
});

describe('a pattern of a person is decided within a budget', () => {
  let state = 7;
  const words = Array.from({ length: 60_000 }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state > 2 ** 30 ? 'a' : 'b';
  }).join('');

  test.each<[string, string, boolean | undefined]>([
    ['^(a+)+$', `${'a'.repeat(50_000)}!`, false],
    ['^(a|aa)+$', 'a'.repeat(50_000), true],
    ['^(?=(a+)+$)a', `${'a'.repeat(40)}!`, undefined],
    ['^(a+)+\\1$', `${'a'.repeat(40)}!`, undefined],
    ['(?=b)b', 'ab', true],
    // Many sets of branches, each as large as the pattern.
    [`(a|b)*a(a|b){400}!`, words, undefined],
  ])('%s', (source, text, expected) => {
    expect(makeBoundedPattern(source).decide(text)).toBe(expected);
  });

  test('each text has a budget of its own', () => {
    const pattern = makeBoundedPattern(`(a|b)*a(a|b){400}!`);
    expect(pattern.decide(words)).toBeUndefined();
    expect(pattern.decide('ab')).toBe(false);
  });
});

test.each<[string, string, boolean | undefined]>([
  ['^x-\\d$', 'x-4', true],
  ['(', 'x', undefined],
  ['^(?!b)(a+)+$', `${'a'.repeat(60)}!`, undefined],
])('the pattern %s is decided for %s', (source, text, expected) => {
  expect(decidePattern(source, text)).toBe(expected);
});

import { describe, expect, test } from 'vitest';
import { parseRegex } from '../../src/contract/pattern/parse-regex.ts';
import { regexText } from '../../src/values/regex-text.ts';
import { fc } from '../property.ts';

const anyLength = { min: 0, max: Infinity };

/** Patterns as contracts have them. */
const written = [
  '^[A-Z]{3}-\\d{4}$',
  '^#[0-9a-fA-F]{6}$',
  '^\\+?[1-9]\\d{1,14}$',
  '^[a-z0-9]+(?:-[a-z0-9]+)*$',
  '^(draft|open|closed)$',
  '^v\\d+(\\.\\d+){0,2}$',
  '^[^\\s<>]+$',
  '^\\p{Lu}[\\p{L} ]*$',
  '^(?=.*[A-Z])(?=.*\\d)(?=.*[!@#$%]).{8,}$',
  '^(?!admin)[a-z]{4,}$',
  '^(["\'])[a-z]+\\1$',
  '^(?<mark>[*_])x\\k<mark>$',
  '^[\\w.+-]+@[\\w-]+\\.[a-z]{2,}$',
  '^\\u0041\\x42\\t$',
  '^[\\]\\\\-]+$',
  '^a{3}b{2,}c{1,2}?$',
  'somewhere',
  '^$',
  '^[\\u4e00-\\u9fff]{2}$',
];

describe('regexText', () => {
  test.each(written)('writes a text for %s', (pattern) => {
    for (const seed of [1, 2, 3])
      expect(regexText(pattern, anyLength, seed)).toMatch(new RegExp(pattern, 'u'));
  });

  test.each([
    ['^[a-z]+$', 1, 1],
    ['^[a-z]+$', 40, 40],
    ['^[a-z]+@[a-z]+\\.com$', 30, 30],
    ['^(foo|barbaz)+$', 9, 9],
    ['^[a-z0-9]+(?:-[a-z0-9]+)*$', 12, 14],
    ['^\\d{3,}$', 5, 5],
  ])('writes %s with %i to %i characters', (pattern, min, max) => {
    const text = regexText(pattern, { min, max }, 'seed') ?? '';
    expect(text).toMatch(new RegExp(pattern, 'u'));
    expect(text.length).toBeGreaterThanOrEqual(min);
    expect(text.length).toBeLessThanOrEqual(max);
  });

  test.each([
    ['a longer text than the pattern has', '^[a-z]{3}$', { min: 4, max: 9 }],
    ['a shorter one', '^[a-z]{3}$', { min: 0, max: 2 }],
    ['what is no regular expression', '(', anyLength],
    ['a Unicode property beyond the common ones', '^\\p{Script=Greek}+$', anyLength],
    ['a text that is too long to be of use', '^a{1000000}$', anyLength],
    [
      'a pattern that is too long to be honest',
      `^${'('.repeat(3000)}a${')'.repeat(3000)}$`,
      anyLength,
    ],
    ['a look-around that cannot be met', '^(?=b)a$', anyLength],
  ])('does not write %s', (_what, pattern, lengths) => {
    expect(regexText(pattern, lengths, 1)).toBeUndefined();
  });

  test('writes words rather than codes', () => {
    expect([
      regexText('^[\\w-]{4,}$', anyLength, 1),
      regexText('^[A-Za-z ]+$', anyLength, 2),
      regexText('^[A-Z0-9]{6}$', anyLength, 3),
    ]).toMatchInlineSnapshot(`
      [
        "buise",
        "mas",
        "AUFNXL",
      ]
    `);
  });

  test.each(['^arn:aws', '[0-9]$', '[a-z]'])('fills up what %s leaves open', (pattern) => {
    const text = regexText(pattern, { min: 20, max: 30 }, 'seed') ?? '';
    expect(text).toMatch(new RegExp(pattern));
    expect(text.length).toBeGreaterThanOrEqual(20);
  });

  test('gives the same text for the same seed', () => {
    fc.assert(
      fc.property(fc.constantFrom(...written), fc.string(), (pattern, seed) => {
        expect(regexText(pattern, anyLength, seed)).toBe(regexText(pattern, anyLength, seed));
      }),
    );
  });
});

describe('parseRegex', () => {
  test.each([
    '',
    'a|b|',
    '[^]',
    '[-a]',
    '[a-]',
    'a{,3}',
    '{',
    '\\cA',
    '[\\b]',
    '(?:a(b(c)))',
    '^x*?$',
  ])('reads %s', (pattern) => {
    expect(parseRegex(pattern)).toBeDefined();
  });

  test.each(['(', ')', '[', '*', '(?', '(?i:a)', '\\'])('does not read %s', (pattern) => {
    expect(parseRegex(pattern)).toBeUndefined();
  });

  test('its text matches every pattern that fast-check can read', () => {
    const parts = fc.constantFrom('a', '[a-f]', '\\d', '(x|yz)', '.', '\\w', '(?:q)');
    const counts = fc.constantFrom('', '*', '+', '?', '{2}', '{1,3}');
    const patterns = fc
      .array(fc.tuple(parts, counts), { minLength: 1, maxLength: 5 })
      .map((list) => `^${list.flat().join('')}$`);
    fc.assert(
      fc.property(patterns, fc.nat(), (pattern, seed) => {
        expect(regexText(pattern, anyLength, seed)).toMatch(new RegExp(pattern, 'u'));
      }),
    );
  });
});

test.each(['^(?!.*!)([a-z]+)+$', '^(?=(a|aa)+b)(a+)+b$', '^(a+)+\\1b$', '^(\\w+\\s?)*(?=x)$'])(
  'a text for %s is found or given up, whatever the pattern backtracks',
  (pattern) => {
    const text = regexText(pattern, { min: 20, max: 60 }, 'seed');
    expect(text === undefined || text.length >= 20).toBe(true);
  },
);

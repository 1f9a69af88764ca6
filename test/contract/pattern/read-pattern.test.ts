import { describe, expect, test } from 'vitest';
import {
  compilePattern,
  patternFault,
  translatePattern,
} from '../../../src/contract/pattern/read-pattern.ts';

describe('a pattern of another dialect is read as one of ECMA-262', () => {
  test.each<[string, string, string[], string[]]>([
    ['ignored case', '(?i)^ab-[c-e]\\d$', ['ab-c1', 'AB-D2'], ['ab-f1', 'ab-c']],
    ['ignored case behind the anchor', '^(?i)on|off$', ['ON', 'off'], ['of']],
    ['ignored case of escapes and groups', '(?i)^(?:\\w-\\p{L}x)$', ['a-bX'], ['a-1x']],
    ['a possessive quantifier', '^[a-z]++\\d*+$', ['ab1', 'ab'], ['1', 'A']],
    ['an atomic group', '^(?>a|b)+$', ['abba'], ['c']],
    ['a named group of Python', '^(?P<year>\\d{4})-(?P=year)$', ['2024-2024'], ['2024-2025']],
    ['a POSIX class', '^[[:alpha:]][[:alnum:]_]++$', ['a_1'], ['1a']],
    ['a comment', '^a(?#first)b*+$', ['abb'], ['b']],
  ])('%s', (_name, source, valid, invalid) => {
    expect(patternFault(source)).toMatch(/\w/);
    const meant = compilePattern(translatePattern(source) ?? '(');
    expect(valid.map((text) => meant?.test(text))).toEqual(valid.map(() => true));
    expect(invalid.map((text) => meant?.test(text))).toEqual(invalid.map(() => false));
  });

  test.each(['(', '[a', 'a{2,1}', '(?<=a', '*'])('%s is not a pattern', (source) => {
    expect(patternFault(source)).toMatch(/\w/);
    expect(translatePattern(source)).toBeUndefined();
  });

  test.each(['^a$', '^[\\w.-]+$', '\\p{L}', '^\\-$'])('%s needs no translation', (source) => {
    expect(patternFault(source)).toBeUndefined();
  });
});

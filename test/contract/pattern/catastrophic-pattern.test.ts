import { describe, expect, test } from 'vitest';
import { isCatastrophicPattern } from '../../../src/contract/pattern/catastrophic-pattern.ts';

describe('patterns that take exponential time to refuse some text', () => {
  test.each([
    ['^(a+)+$'],
    ['^(a*)*$'],
    ['^(a|a)*$'],
    ['^(a|ab|b)*$'],
    ['^(\\w+\\s?)+$'],
    ['^([a-z0-9]+)*@'],
    ['^(a?b?)*$'],
    ['^(.*,)*x$'],
    ['^((ab)+)+$'],
    ['^(a{1,30}){1,30}$'],
    ['^(\\d|[0-9a-f])+$'],
    ['^(?:x+x+)+y$'],
  ])('%s', (pattern) => {
    expect(isCatastrophicPattern(pattern)).toBe(true);
  });
});

describe('patterns that do not take exponential time', () => {
  test.each([
    ['^a+$'],
    ['^[a-z]+(-[a-z]+)*$'],
    ['^([a-z]+\\.)+[a-z]{2,}$'],
    ['^\\w+( \\w+)*$'],
    ['^(ab|cd)+$'],
    ['^\\d{4}-\\d{2}-\\d{2}$'],
    ['^(\\+\\d{1,3} )?\\d{4,12}$'],
    ['^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$'],
    ['^a*a*$'],
    ['(a?){3}'],
    ['^(?=.*\\d)(?=.*[a-z]).{8,}$'],
    ['[a-'],
    [''],
  ])('%s', (pattern) => {
    expect(isCatastrophicPattern(pattern)).toBe(false);
  });
});

test('a very long pattern is passed over quickly', () => {
  expect(isCatastrophicPattern(`^(${'(a|b)?'.repeat(500)})+$`)).toBe(false);
});

import { describe, expect, test } from 'vitest';
import {
  isCertainMatch,
  isExact,
  isInside,
  isOutside,
  matchesFilter,
  resembles,
} from '../../../../src/check/topics/lists/filter-match.ts';
import type { Parameter } from '../../../../src/contract/model.ts';
import type { JsonObject, JsonValue } from '../../../../src/json/value.ts';
import { makeParameter } from '../../../contract/parameter/make-parameter.ts';

const parameterOf = (schema: JsonObject): Parameter => ({
  ...makeParameter(schema),
  required: false,
  deprecated: false,
  examples: [],
  pointer: '',
});
const parameter = parameterOf({ type: 'string' });

const inField = { field: 'at', parameter, op: 'eq' } as const;

describe('a record certainly matches', () => {
  test.each<[string, JsonObject, JsonValue, boolean]>([
    ['the day that is asked for', { at: '2026-01-02' }, '2026-01-02', true],
    ['the next day', { at: '2026-01-03' }, '2026-01-02', false],
    [
      'a time of that day, which is another day elsewhere',
      { at: '2026-01-02T23:00:00Z' },
      '2026-01-02',
      false,
    ],
    ['the same moment', { at: '2026-01-02T12:00:00Z' }, '2026-01-02T14:00:00+02:00', true],
    ['a text', { at: 'x' }, 'x', true],
    ['a field that is not shown', { other: 'x' }, 'x', false],
  ])('%s', (_name, record, wanted, expected) => {
    expect(isCertainMatch(record, inField, wanted)).toBe(expected);
  });
});

describe('a record matches a filter', () => {
  test.each<[string, JsonObject, JsonValue, boolean | undefined]>([
    ['the same value', { at: 'x' }, 'x', true],
    ['another value', { at: 'x' }, 'y', false],
    ['another case', { at: 'x' }, 'X', false],
    ['a number that is asked for as a text', { at: 5 }, '5', true],
    ['a great integer, digit by digit', { at: 9007199254740993n }, 9007199254740992, false],
    ['one of several that are asked for', { at: 'x' }, ['y', 'x'], true],
    ['none of several', { at: 'x' }, ['y', 'z'], false],
    ['one of several that it holds', { at: ['a', 'x'] }, 'x', true],
    ['a field that is not shown', { other: 'x' }, 'x', undefined],
    ['a field that is null', { at: null }, 'x', undefined],
    ['the day before', { at: '2026-01-01' }, '2026-01-02', false],
    [
      'the same moment in another zone',
      { at: '2026-01-02T12:00:00Z' },
      '2026-01-02T14:00:00+02:00',
      true,
    ],
    [
      'the same moment with fewer digits',
      { at: '2026-01-02T12:00:00.000Z' },
      '2026-01-02T12:00:00Z',
      true,
    ],
    ['another moment', { at: '2026-01-02T12:00:00Z' }, '2026-01-02T12:00:01Z', false],
    ['a day where moments are kept', { at: '2026-01-02T23:00:00Z' }, '2026-01-02', true],
    ['the day before, anywhere on earth', { at: '2026-01-03T13:59:00Z' }, '2026-01-02', true],
    ['two days away', { at: '2026-01-03T15:00:00Z' }, '2026-01-02', false],
    ['a text that only begins like a day', { at: '2026-01-02 and more' }, '2026-01-02', false],
    ['a day that is none', { at: '2026-99-99' }, '2026-88-88', false],
  ])('%s', (_name, record, wanted, expected) => {
    expect(matchesFilter(record, { parameter, field: 'at' }, wanted)).toBe(expected);
  });
});

describe('a record is outside a bound', () => {
  test.each<[JsonValue, 'gte' | 'gt' | 'lte' | 'lt', JsonValue, boolean | undefined]>([
    [4, 'gte', 5, true],
    [5, 'gte', 5, false],
    [5, 'gt', 5, false],
    [6, 'gte', 5, false],
    [6, 'lte', 5, true],
    [5, 'lt', 5, false],
    [4, 'lt', 5, false],
    [9007199254740993n, 'lte', 9007199254740992n, true],
    ['2026-01-02T12:00:00Z', 'lte', '2026-01-02T11:59:58Z', true],
    ['2026-01-02T12:00:00Z', 'lte', '2026-01-02T11:59:59Z', false],
    ['2026-01-02T12:00:00Z', 'gte', '2026-01-02T14:00:00+02:00', false],
    ['2026-01-02T12:00:00Z', 'gte', '2026-01-03', false],
    ['2026-01-01T00:00:00Z', 'gte', '2026-01-03', true],
    ['2026-01-02', 'lte', '2026-01-01', false],
    ['b', 'lte', 'a', undefined],
    [5, 'gte', '9', undefined],
    ['2026-01-02', 'gte', 3, undefined],
    [null, 'gte', 3, undefined],
    [[1, 2], 'gte', 3, undefined],
  ])('%o %s %o: %s', (value, op, bound, expected) => {
    const range = { parameter, field: 'at', op, bound: 'unknown' } as const;
    expect(isOutside({ at: value }, range, bound)).toBe(expected);
  });

  test.each([
    ['included', false, true],
    ['excluded', true, false],
    ['unknown', false, false],
  ] as const)('the bound itself, where it is %s', (bound, outside, inside) => {
    const range = { parameter, field: 'at', op: 'gt', bound } as const;
    expect(isOutside({ at: 5 }, range, 5)).toBe(outside);
    expect(isInside({ at: 5 }, range, 5)).toBe(inside);
  });
});

describe('a filter compares values instead of searching', () => {
  test.each<[JsonObject, string | undefined, boolean]>([
    [{ type: 'string' }, undefined, false],
    [{ type: 'integer' }, undefined, true],
    [{ type: 'string', enum: ['a'] }, undefined, true],
    [{ type: 'string', const: 'a' }, undefined, true],
    [{ type: 'string', format: 'date' }, undefined, true],
    [{ type: 'object', properties: { state: { type: 'string' } } }, 'state', false],
    [{ type: 'object', properties: { state: { type: 'string', enum: ['a'] } } }, 'state', true],
    [{ type: 'object', properties: { size: { type: 'integer' } } }, 'size', true],
  ])('%o %s: %s', (schema, member, expected) => {
    expect(
      isExact({
        parameter: parameterOf(schema),
        field: 'at',
        ...(member === undefined ? {} : { member }),
      }),
    ).toBe(expected);
  });
});

test.each<[JsonValue, JsonValue, boolean]>([
  ['Köln am Rhein', 'koln', true],
  ['kö', 'KÖLN', true],
  ['Bonn', 'köln', false],
  ['Bonn', ['köln', 'BON'], true],
  [15, '5', true],
])('a search may find %o by %o: %s', (value, wanted, expected) => {
  expect(resembles(value, wanted)).toBe(expected);
});

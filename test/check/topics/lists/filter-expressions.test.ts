import { describe, expect, test } from 'vitest';
import { filterHolds } from '../../../../src/check/topics/lists/filter-holds.ts';
import type { JsonObject } from '../../../../src/json/value.ts';
import { jsonContent, makeContract } from '../../../contract/make-contract.ts';
import { talk, type Said } from '../../fixture/talk.ts';

const thing: JsonObject = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    kind: { type: 'string', enum: ['axe', 'saw'] },
    size: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' } },
    made: { type: 'string', format: 'date-time' },
  },
};
const contract = makeContract({
  paths: {
    '/things': {
      get: {
        operationId: 'listThings',
        parameters: ['filter', 'order_by'].map((name) => ({
          name,
          in: 'query',
          schema: { type: 'string' },
        })),
        responses: { 200: { description: 'ok', ...jsonContent({ type: 'array', items: thing }) } },
      },
    },
  },
});

const made = (second: number): string => `2026-01-02T03:04:0${String(second)}Z`;
const small: JsonObject = { id: 1, name: 'small', kind: 'axe', size: 5, made: made(1) };
const large: JsonObject = { id: 2, name: 'large', kind: 'axe', size: 9, made: made(5) };
const saw: JsonObject = { id: 3, name: 'saw', kind: 'saw' };
const list = (filter: string, ...answer: JsonObject[]): Said => ({
  ask: `GET /things${filter === '' ? '' : `?filter=${encodeURIComponent(filter)}`}`,
  answer,
});
const whole = list('', small, large, saw);

/** What is said of the last answer; undefined where the check has nothing to look at. */
function said(...all: readonly Said[]): string[] | undefined {
  return filterHolds
    .inspect(talk(contract, all))
    ?.map(({ message, severity }) =>
      severity === undefined ? message : `${severity}: ${message}`,
    );
}

describe('a page of an expression holds', () => {
  test.each<[string, Said, string[]]>([
    ['what is equal', list('kind = "axe"', small, large), []],
    ['what is unequal', list('kind != "axe"', saw), []],
    ['what is less, and what does not show the field', list('size < 9', small, saw), []],
    ['the bound that is included', list('size <= 9', small, large), []],
    ['a moment less than a second from the bound', list(`made > "${made(5)}"`, large), []],
    ['what is unequal by another case', list('name != "SMALL"', small), []],
    ['what has an item', list('tags:"new"', { ...small, tags: ['old', 'new'] }), []],
    [
      'what has another item alone',
      list('tags:"new"', { ...small, tags: ['newer'] }),
      [
        'The list filtered by filter=tags:"new" holds 1 record with another tags, such ' +
          'as ["newer"].',
      ],
    ],
    [
      'what is not equal',
      list('kind = "axe"', small, saw),
      ['The list filtered by filter=kind = "axe" holds 1 record with another kind, such as "saw".'],
    ],
    [
      'what is not unequal',
      list('kind != "axe"', small, saw),
      ['The list filtered by filter=kind != "axe" holds 1 record whose kind is "axe".'],
    ],
    [
      'the bound that is left out',
      list('size < 9', small, large),
      [
        'The list bounded by filter=size < 9 holds 1 record outside the bound, such as one ' +
          'whose size is 9.',
      ],
    ],
    [
      'an earlier moment',
      list(`made > "${made(5)}"`, small),
      [
        `The list bounded by filter=made > "${made(5)}" holds 1 record outside the bound, such ` +
          `as one whose made is "${made(1)}".`,
      ],
    ],
    [
      'what matches one comparison of two',
      list('kind = "axe" AND size > 5', small, large),
      [
        'The list bounded by filter=kind = "axe" AND size > 5 holds 1 record outside the bound, ' +
          'such as one whose size is 5.',
      ],
    ],
    [
      'what "not" excludes',
      list('NOT kind = "axe"', small, saw),
      [
        'The list filtered by filter=NOT kind = "axe" holds 1 record that the expression ' +
          'excludes, such as the one whose id is 1.',
      ],
    ],
    [
      'what the tighter joint excludes',
      list('kind = "saw" AND size = 5 OR size = 9', small, large),
      [
        'The list filtered by filter=kind = "saw" AND size = 5 OR size = 9 holds 2 records that ' +
          'the expression excludes, such as the one whose id is 1.',
      ],
    ],
    [
      'a text that a search may not have found',
      list('name = "small"', small, large),
      [
        'warning: The list filtered by filter=name = "small" holds 1 record with another name, ' +
          'such as "large".',
      ],
    ],
  ])('%s', (_, page, expected) => {
    expect(said(page)).toEqual(expected);
  });

  test.each(['kind = "axe" XOR size = 9', 'colour = "red"', 'size:9', 'tags = "new"', '((('])(
    'and is not checked for %s',
    (filter) => {
      expect(said(list(filter, saw))).toBeUndefined();
    },
  );
});

describe('between two whole lists, a page of an expression', () => {
  test.each<[string, Said, string[]]>([
    ['has all that are unequal', list('kind != "axe"', saw), []],
    ['may lack what is unequal by a part of the text', list('name != "sm"', large, saw), []],
    ['may lack what does not show the field', list('size != 9', small), []],
    ['may lack a moment near the bound', list(`made >= "${made(5)}"`), []],
    ['may lack what it is not understood to select', list('kind = "axe" XOR size = 9'), []],
    [
      'lacks what one of two comparisons selects',
      list('kind = "none" OR size = 9', small),
      [
        'The list filtered by filter=kind = "none" OR size = 9 lacks 1 record that the whole ' +
          'list shows to match, such as the one whose id is 2.',
      ],
    ],
    ['may lack what does not show a field of a condition', list('-size = 9', small), []],
    [
      'lacks the bound that is included',
      list('size <= 9', small),
      [
        'The list filtered by filter=size <= 9 lacks 1 record that the whole list shows to ' +
          'match, such as the one whose id is 2.',
      ],
    ],
    [
      'lacks what is unequal',
      list('kind != "saw"', small),
      [
        'The list filtered by filter=kind != "saw" lacks 1 record that the whole list shows to ' +
          'match, such as the one whose id is 2.',
      ],
    ],
    [
      'lacks what is unequal beside a list',
      list('kind != "saw" AND size > 5'),
      [
        'The list filtered by filter=kind != "saw" AND size > 5 lacks 1 record that the whole ' +
          'list shows to match, such as the one whose id is 2.',
      ],
    ],
    [
      'lacks what matches both comparisons',
      list('kind = "axe" AND size > 5'),
      [
        'The list filtered by filter=kind = "axe" AND size > 5 lacks 1 record that the whole ' +
          'list shows to match, such as the one whose id is 2.',
      ],
    ],
  ])('%s', (_, page, expected) => {
    expect(said(whole, page, whole)).toEqual(expected);
  });
});

test('between two whole lists, a page of records with an item has those that show it last', () => {
  const tagged = { ...small, tags: ['old', 'new'] };
  const all = list('', tagged, large, saw);
  expect(said(all, list('tags:"new"'), all)).toEqual([
    'The list filtered by filter=tags:"new" lacks 1 record that the whole list shows to match, ' +
      'such as the one whose id is 1.',
  ]);
});

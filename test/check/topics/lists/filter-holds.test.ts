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
    kind: { type: 'string', enum: ['axe', 'saw'] },
    state: { type: 'string', enum: ['new', 'old'] },
    size: { type: 'integer' },
  },
};
const inQuery = (name: string, schema: JsonObject): JsonObject => ({ name, in: 'query', schema });
const contract = makeContract({
  paths: {
    '/things': {
      get: {
        operationId: 'listThings',
        parameters: [
          inQuery('kind', { type: 'string' }),
          inQuery('state', { type: 'string' }),
          inQuery('minSize', { type: 'integer' }),
        ],
        responses: { 200: { description: 'ok', ...jsonContent({ type: 'array', items: thing }) } },
      },
    },
    '/things/{id}': {
      get: {
        operationId: 'getThing',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: { 200: { description: 'ok', ...jsonContent(thing) } },
      },
    },
  },
});

const newAxe: JsonObject = { id: 1, kind: 'axe', state: 'new', size: 5 };
const oldAxe: JsonObject = { id: 2, kind: 'axe', state: 'old', size: 9 };
const newSaw: JsonObject = { id: 3, kind: 'saw', state: 'new' };
const list = (query: string, ...answer: JsonObject[]): Said => ({
  ask: `GET /things${query}`,
  answer,
});
const whole = list('', newAxe, oldAxe, newSaw);

/** What is said of the last answer; undefined where the check has nothing to look at. */
function said(...all: readonly Said[]): string[] | undefined {
  return filterHolds.inspect(talk(contract, all))?.map(({ message }) => message);
}

describe('a filtered page holds', () => {
  test.each<[string, Said, string[]]>([
    ['what matches', list('?kind=axe', newAxe, oldAxe), []],
    ['what does not show the field', list('?minSize=6', oldAxe, newSaw), []],
    [
      'a stranger',
      list('?kind=axe', newAxe, newSaw),
      ['The list filtered by kind=axe holds 1 record with another kind, such as "saw".'],
    ],
    [
      'one by either filter',
      list('?kind=axe&state=new', oldAxe, newSaw),
      [
        'The list filtered by kind=axe holds 1 record with another kind, such as "saw".',
        'The list filtered by state=new holds 1 record with another state, such as "old".',
      ],
    ],
    [
      'one below the bound',
      list('?minSize=6', newAxe, oldAxe),
      [
        'The list bounded by minSize=6 holds 1 record outside the bound, such as ' +
          'one whose size is 5.',
      ],
    ],
  ])('%s', (_, page, expected) => {
    expect(said(page)).toEqual(expected);
  });

  test('is not checked without a filter', () => {
    expect(said(whole)).toBeUndefined();
  });
});

describe('between two whole lists, a filtered page', () => {
  test.each<[string, Said, string[]]>([
    ['has all that match', list('?kind=axe', newAxe, oldAxe), []],
    [
      'lacks one',
      list('?kind=axe', newAxe),
      [
        'The list filtered by kind=axe lacks 1 record that the whole list shows ' +
          'to match, such as the one whose id is 2.',
      ],
    ],
    [
      'has all that match both filters, though others match one',
      list('?kind=axe&state=new', newAxe),
      [],
    ],
    [
      'lacks what matches both',
      list('?kind=axe&state=new'),
      [
        'The list filtered by kind=axe&state=new lacks 1 record that the whole ' +
          'list shows to match, such as the one whose id is 1.',
      ],
    ],
  ])('%s', (_, page, expected) => {
    expect(said(whole, page, whole)).toEqual(expected);
  });

  test('is not reported for a record that it shows when it is repeated', () => {
    expect(
      said(whole, list('?kind=axe', newAxe), list('?kind=axe', newAxe, oldAxe), whole),
    ).toEqual([]);
  });

  test('is not reported for a record that was changed or removed meanwhile', () => {
    expect(said(whole, list('?kind=axe', newAxe), list('', newAxe, newSaw))).toEqual([]);
    expect(
      said(whole, list('?kind=axe', newAxe), list('', newAxe, { ...oldAxe, kind: 'saw' }, newSaw)),
    ).toEqual([]);
  });
});

test('the values of strangers are counted one by one', () => {
  const strangers = [4, 5, 6].map((id): JsonObject => ({ ...newAxe, id, kind: 'saw' }));
  const shown = list('?minSize=6', oldAxe, newAxe, { ...newAxe, size: 4 }, { ...newAxe, id: 9 });
  const [[bounded], [filtered]] = [
    filterHolds.inspect(talk(contract, [shown])) ?? [],
    filterHolds.inspect(talk(contract, [list('?kind=axe', newAxe, ...strangers)])) ?? [],
  ];
  expect(bounded?.actual).toBe('size is 5 in 2 of 4 records, 4 in 1');
  expect(filtered?.actual).toBe('kind is "saw" in 3 of 4 records');
});

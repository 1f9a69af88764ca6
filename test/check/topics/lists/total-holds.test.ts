import { describe, expect, test } from 'vitest';
import { totalHolds } from '../../../../src/check/topics/lists/total-holds.ts';
import type { RunKnowledge } from '../../../../src/check/model/knowledge.ts';
import { jsonContent, makeContract } from '../../../contract/make-contract.ts';
import { talk, type Said } from '../../fixture/talk.ts';

const thing = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, kind: { type: 'string', enum: ['a', 'b'] } },
};
const parameters = [
  { name: 'limit', schema: { type: 'integer' } },
  { name: 'offset', schema: { type: 'integer', minimum: 0 } },
  { name: 'kind', schema: { type: 'string', enum: ['a', 'b'] } },
];
const contract = makeContract({
  paths: {
    '/things': {
      get: {
        operationId: 'listThings',
        parameters: parameters.map((one) => ({ ...one, in: 'query' })),
        responses: {
          200: {
            description: 'ok',
            headers: {
              'X-Shown': {
                description: 'Number of items returned in the response body',
                schema: { type: 'integer' },
              },
            },
            ...jsonContent({
              type: 'object',
              properties: { total: { type: 'integer' }, items: { type: 'array', items: thing } },
            }),
          },
        },
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

const page = (query: string, total: number, count: number): Said => ({
  ask: `GET /things${query}`,
  answer: { total, items: Array.from({ length: count }, (_, index) => ({ id: index, kind: 'a' })) },
});

function told(said: readonly Said[], knows: Partial<RunKnowledge> = {}): string[] | undefined {
  return totalHolds
    .inspect(talk(contract, said, knows))
    ?.map(
      ({ severity = 'error', cause = '', message, expected, actual }) =>
        `${severity} (${cause}) ${message} ${expected}; ${actual}`,
    );
}

describe('a total', () => {
  const other = (said: number, count: number): readonly Said[] => [
    page('?limit=9', 20, 9),
    page('?limit=2', said, count),
    page('?limit=9', 20, 9),
  ];
  const changes = (said: number): string[] => [
    `error (page) Total changes with the page: ${String(said)} where GET /` +
      `things?limit=2, 20 just before and after. 20; ${String(said)}`,
  ];

  test.each<[string, readonly Said[], string[]]>([
    ['is more than a page holds', [page('', 20, 5)], []],
    [
      'is less than a page holds',
      [page('', 4, 5)],
      [
        'error (count) A page holds 5 records, and total says that there are 4 ' +
          'in all. 5 or more; 4',
      ],
    ],
    ['is the same on every page', other(20, 2), []],
    ['is the length of the page', other(2, 2), changes(2)],
    ['is far off on another page', other(24, 2), changes(24)],
    ['is near on one page, where another client may have been', other(23, 2), []],
    [
      'is near on two pages',
      [
        page('?limit=9', 20, 9),
        page('?limit=2', 21, 2),
        page('?limit=3', 21, 3),
        page('?limit=9', 20, 9),
      ],
      changes(21),
    ],
    [
      'differs for the very same request',
      [
        page('?limit=9', 20, 9),
        page('?limit=9', 25, 9),
        page('?limit=2', 2, 2),
        page('?limit=9', 20, 9),
      ],
      [],
    ],
    [
      'differs before and after',
      [page('?limit=9', 21, 9), page('?limit=2', 2, 2), page('?limit=9', 20, 9)],
      [],
    ],
    [
      'is of other records',
      [page('?limit=9', 20, 9), page('?limit=2&kind=b', 2, 2), page('?limit=9', 20, 9)],
      [],
    ],
  ])('%s', (_name, said, expected) => {
    expect(told(said)).toEqual(expected);
  });
});

describe('the count of a whole list', () => {
  const miscounted = (query: string): string[] => [
    `error (count) Total is 9, and the whole list has 4 records (GET /things${query}). 4; 9`,
  ];
  const shortened = (rest: Said): readonly Said[] => [
    page('?limit=50', 9, 4),
    rest,
    page('?limit=50', 9, 4),
  ];

  test.each<[string, readonly Said[], Partial<RunKnowledge>, string[]]>([
    [
      'is not the total: without its first record it is shorter by one',
      shortened(page('?limit=50&offset=1', 9, 3)),
      {},
      miscounted('?limit=50'),
    ],
    [
      'is not known: without its first record it is as long',
      shortened(page('?limit=50&offset=1', 9, 4)),
      {},
      [],
    ],
    [
      'is not known: more than the first was left out',
      shortened(page('?limit=50&offset=2', 9, 3)),
      {},
      [],
    ],
    [
      'is not known: there was little room',
      [page('?limit=12', 9, 4), page('?limit=12&offset=1', 9, 3), page('?limit=12', 9, 4)],
      {},
      [],
    ],
    [
      'is not the total of a filtered list, where longer ones were seen',
      [page('?kind=a', 9, 4)],
      { largestPages: new Map([['listThings', 6]]) },
      miscounted('?kind=a'),
    ],
    [
      'is not known of a filtered list of which no record is asked for',
      [page('?kind=a&limit=0', 9, 0)],
      { largestPages: new Map([['listThings', 6]]) },
      [],
    ],
    [
      'is not known of a filtered list of a usual page size, where no limit is sent',
      [page('?kind=', 49, 10)],
      { largestPages: new Map([['listThings', 49]]) },
      [],
    ],
    ['is not known of a filtered list that may be cut', [page('?kind=a', 9, 4)], {}, []],
    [
      'is not known of a list that is not filtered',
      [page('', 9, 4)],
      { largestPages: new Map([['listThings', 6]]) },
      [],
    ],
  ])('%s', (_name, said, knows, expected) => {
    expect(told(said, knows)).toEqual(expected);
  });

  test('is not judged without a total', () => {
    expect(told([{ ask: 'GET /things', answer: { items: [] } }])).toBeUndefined();
    expect(
      told([{ ask: 'GET /things', status: 500, answer: { total: 1, items: [] } }]),
    ).toBeUndefined();
  });
});

describe('the count of a walk', () => {
  const said =
    (total: number) =>
    (query: string, ...ids: readonly number[]): Said => ({
      ask: `GET /things${query}`,
      answer: { total, items: ids.map((id) => ({ id, kind: 'a' })) },
    });
  const five = [1, 2, 3, 4, 5];

  test.each<
    [string, number, readonly (readonly [query: string, ids: readonly number[]])[], string[]]
  >([
    [
      'is the total',
      5,
      [
        ['?limit=2&offset=0', [1, 2]],
        ['?limit=2&offset=2', [3, 4]],
        ['?limit=2&offset=4', [5]],
      ],
      [],
    ],
    [
      'is not the total',
      9,
      [
        ['?limit=2&offset=0', [1, 2]],
        ['?limit=2&offset=2', [3, 4]],
        ['?limit=2&offset=4', [5]],
      ],
      [
        'error (count) Total is 9, and the pages of the list hold 5 records from ' +
          'the first to the last (GET /things?limit=6). 5; 9',
      ],
    ],
    [
      'is not known: it did not come to the end',
      9,
      [
        ['?limit=2&offset=0', [1, 2]],
        ['?limit=2&offset=2', [3, 4]],
      ],
      [],
    ],
    [
      'is not known: a page was left out',
      9,
      [
        ['?limit=2&offset=0', [1, 2]],
        ['?limit=2&offset=4', [5]],
      ],
      [],
    ],
    ['is not known: every page is cut', 9, [['?limit=3&offset=0', [1, 2]]], []],
    [
      'is not known: a page holds others',
      9,
      [
        ['?limit=2&offset=0', [1, 2]],
        ['?limit=2&offset=2', [3, 7]],
        ['?limit=2&offset=4', [5]],
      ],
      [],
    ],
  ])('%s', (_words, total, pages, expected) => {
    const shown = said(total);
    expect(
      told([
        shown('?limit=6', ...five),
        ...pages.map(([query, ids]) => shown(query, ...ids)),
        shown('?limit=6', ...five),
      ]),
    ).toEqual(expected);
  });
});

test('a header that counts the records of its answer has their number', () => {
  const shown = (count: string): string[] | undefined =>
    told([{ ...page('', 20, 5), headers: [['X-Shown', count]] }]);
  expect(shown('5')).toEqual([]);
  expect(shown('20')).toEqual([
    'error (own count) A page holds 5 records, and the header X-Shown counts 20. 5; 20',
  ]);
});

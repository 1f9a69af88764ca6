import { describe, expect, test } from 'vitest';
import { pageHolds } from '../../../../src/check/topics/lists/page-holds.ts';
import type { Violation } from '../../../../src/check/model/knowledge.ts';
import type { Contract } from '../../../../src/contract/model.ts';
import type { JsonObject } from '../../../../src/json/value.ts';
import { jsonContent, makeContract } from '../../../contract/make-contract.ts';
import { talk } from '../../fixture/talk.ts';

const thing = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
};

/** A list with a page size, a word for the page, and an order. */
function contractOf(paging: JsonObject): Contract {
  const query = [
    { name: 'limit', schema: { type: 'integer', minimum: 1 } },
    paging,
    { name: 'sort', schema: { type: 'string', enum: ['name'] } },
  ];
  return makeContract({
    paths: {
      '/things': {
        get: {
          operationId: 'listThings',
          parameters: query.map((one) => ({ ...one, in: 'query' })),
          responses: {
            200: { description: 'ok', ...jsonContent({ type: 'array', items: thing }) },
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
}

const integer = { type: 'integer' };
const contracts = {
  offset: contractOf({ name: 'offset', schema: { type: 'integer', minimum: 0 } }),
  start: contractOf({ name: 'start', schema: integer }),
  page: contractOf({ name: 'page', schema: integer }),
  firstPage: contractOf({ name: 'page', schema: { type: 'integer', minimum: 1 } }),
  cursor: contractOf({ name: 'cursor', schema: { type: 'string' } }),
};

type Page = readonly [query: string, ids: readonly number[]];

/** Looks at a row of four, at pages of it, and at the row again. */
function violations(
  contract: Contract,
  pages: readonly Page[],
  {
    row = [1, 2, 3, 4],
    again = row,
    size = '?limit=4',
  }: {
    readonly row?: readonly number[];
    readonly again?: readonly number[];
    readonly size?: string;
  } = {},
  unordered = false,
): readonly Violation[] | undefined {
  const all: readonly Page[] = [[size, row], ...pages, [size, again]];
  const said = all.map(([query, ids]) => ({
    ask: `GET /things${query}`,
    answer: ids.map((id) => ({ id })),
  }));
  return pageHolds.inspect(
    talk(contract, said, unordered ? { unordered: new Set(['listThings']) } : {}),
  );
}

describe('pages that follow one another', () => {
  test.each<[string, keyof typeof contracts, readonly Page[]]>([
    [
      'by their offset',
      'offset',
      [
        ['?limit=2', [1, 2]],
        ['?limit=2&offset=2', [3, 4]],
      ],
    ],
    ['by an offset beyond the end', 'offset', [['?limit=2&offset=4', []]]],
    ['by an offset that may count from 1', 'start', [['?limit=2&start=3', [3, 4]]]],
    ['by an offset that may count from 0', 'start', [['?limit=2&start=2', [3, 4]]]],
    ['by numbers that may begin at 1', 'page', [['?limit=2&page=2', [3, 4]]]],
    ['by numbers that may begin at 0', 'page', [['?limit=2&page=1', [3, 4]]]],
    ['below a cap', 'offset', [['?limit=3', [1, 2]]]],
    [
      'by a cursor that nobody gave, which may be anywhere',
      'cursor',
      [['?limit=2&cursor=x', [1, 2]]],
    ],
    ['beyond the row', 'offset', [['?limit=2&offset=3', [4, 5]]]],
  ])('%s', (_name, paging, pages) => {
    expect(violations(contracts[paging], pages)).toEqual([]);
  });
});

describe('pages that do not follow one another', () => {
  test.each<[string, keyof typeof contracts, Page, string, string | undefined]>([
    [
      'a record twice',
      'offset',
      ['?limit=2&offset=2', [2, 3]],
      'The page of a list with limit=2&offset=2 holds 2, which comes before it ' +
        'in the list. (the records 3, 4, in that order; 2 records: 2, 3)',
      undefined,
    ],
    [
      'a record left out',
      'offset',
      ['?limit=2&offset=1', [3, 4]],
      'The page of a list with limit=2&offset=1 does not have 2 at its place in the list. ' +
        '(the records 2, 3, in that order; 2 records: 3, 4)',
      undefined,
    ],
    [
      'a page that is empty before the end',
      'offset',
      ['?limit=2&offset=2', []],
      'The page of a list with limit=2&offset=2 does not have 3 at its place in the list. ' +
        '(the records 3, 4, in that order; 0 records: none)',
      undefined,
    ],
    [
      'the offset not looked at, beyond the end',
      'offset',
      ['?limit=2&offset=9', [1, 2]],
      'The page of a list with limit=2&offset=9 is beyond the end, and has ' +
        '1, which is on the first page. (none of the records that come before ' +
        'it; 2 records: 1, 2)',
      undefined,
    ],
    [
      'the last page for every page beyond it, which some servers mean',
      'firstPage',
      ['?limit=2&page=9', [3, 4]],
      'The page of a list with limit=2&page=9 is beyond the end, and has ' +
        '3, which is on the first page. (none of the records that come before ' +
        'it; 2 records: 3, 4)',
      'warning',
    ],
    [
      'the first page for the second',
      'firstPage',
      ['?limit=2&page=2', [1, 2]],
      'The page of a list with limit=2&page=2 holds 1, which comes before it ' +
        'in the list. (the records 3, 4, in that order; 2 records: 1, 2)',
      undefined,
    ],
    [
      'the first page for the second, wherever pages begin',
      'start',
      ['?limit=2&start=3', [1, 2]],
      'The page of a list with limit=2&start=3 holds 1, which comes before it ' +
        'in the list. (the records 4, in that order; 2 records: 1, 2)',
      undefined,
    ],
  ])('%s', (_name, paging, page, expected, severity) => {
    const found = violations(contracts[paging], [page]);
    expect(
      found?.map(({ message, expected: wanted, actual }) => `${message} (${wanted}; ${actual})`),
    ).toEqual([expected]);
    expect(found?.[0]).toMatchObject({ momentary: true });
    expect(found?.[0]?.severity).toBe(severity);
  });

  test('lists only some of many records', () => {
    const row = Array.from({ length: 20 }, (_, index) => index + 1);
    expect(
      violations(contracts.offset, [['?limit=9&offset=1', row.slice(2, 11)]], {
        row,
        size: '?limit=20',
      })?.[0],
    ).toMatchObject({
      expected: 'the records 2, 3, 4, 5, 6, 7, 8, 9, …, in that order',
      actual: '9 records: 3, 4, 5, 6, 7, 8, 9, 10, …',
    });
  });
});

describe('pages cannot be judged', () => {
  const wrong: Page = ['?limit=2&offset=2', [1, 2]];
  test.each<[string, ReturnType<typeof violations>, undefined | readonly []]>([
    [
      'where the list changed meanwhile',
      violations(contracts.offset, [wrong], { again: [1, 2, 3, 5] }),
      undefined,
    ],
    ['where the list is empty', violations(contracts.offset, [wrong], { row: [] }), undefined],
    ['where no page was asked for', violations(contracts.offset, []), undefined],
    [
      'of pages in another order',
      violations(contracts.offset, [['?limit=2&offset=2&sort=name', [1, 2]]]),
      undefined,
    ],
    [
      'of a row that is sorted',
      violations(contracts.offset, [wrong], { size: '?limit=4&sort=name' }),
      undefined,
    ],
    [
      'of a row that is no beginning',
      violations(contracts.offset, [wrong], { size: '?limit=4&offset=1' }),
      undefined,
    ],
    [
      'where a record came and went',
      violations(contracts.offset, [['?limit=2&offset=2', [2, 99]]]),
      [],
    ],
    ['of a list that is in no order', violations(contracts.offset, [wrong], {}, true), []],
  ])('%s', (_name, found, expected) => {
    expect(found).toEqual(expected);
  });
});

describe('a walk from the first page to the last', () => {
  const whole = (...ids: readonly number[]): Page => ['?limit=50', ids];
  const five = [1, 2, 3, 4, 5];
  const clauses = (...pages: readonly Page[]): (string | undefined)[] | undefined =>
    pageHolds
      .inspect(
        talk(
          contracts.offset,
          [whole(...five), ...pages, whole(...five)].map(([query, ids]) => ({
            ask: `GET /things${query}`,
            answer: ids.map((id) => ({ id })),
          })),
        ),
      )
      ?.map(({ message }) => /with (.*)$/.exec(message)?.[1]);

  test.each<[string, readonly Page[], string[]]>([
    [
      'comes by every record',
      [
        ['?limit=2&offset=0', [1, 2]],
        ['?limit=2&offset=2', [3, 4]],
        ['?limit=2&offset=4', [5]],
      ],
      [],
    ],
    [
      'comes by a record twice on the third page',
      [
        ['?limit=2&offset=0', [1, 2]],
        ['?limit=2&offset=2', [3, 4]],
        ['?limit=2&offset=4', [4, 5]],
      ],
      ['limit=2&offset=4 holds 4, which comes before it in the list.'],
    ],
    [
      'comes by no last record',
      [
        ['?limit=2&offset=0', [1, 2]],
        ['?limit=2&offset=2', [3, 4]],
        ['?limit=2&offset=4', []],
      ],
      ['limit=2&offset=4 does not have 5 at its place in the list.'],
    ],
    [
      'comes by one record less, though pages of that size were full before',
      [
        ['?limit=3&offset=0', [1, 2, 3]],
        ['?limit=3&offset=3', [4]],
      ],
      ['limit=3&offset=3 does not have 5 at its place in the list.'],
    ],
    [
      'is cut short by a cap on every page',
      [
        ['?limit=3&offset=0', [1, 2]],
        ['?limit=3&offset=3', [4, 5]],
      ],
      [],
    ],
  ])('%s', (_words, pages, expected) => {
    expect(clauses(...pages)).toEqual(expected);
  });

  test('is not judged if the whole list repeats a record', () => {
    expect(
      violations(contracts.offset, [['?limit=2&offset=2', [1, 2]]], { row: [1, 1, 2, 3] }),
    ).toBeUndefined();
  });
});

test('a page before the last names a next one, where the contract shows how', () => {
  const contract = (name: string): Contract =>
    makeContract({
      paths: {
        '/things': {
          get: {
            operationId: 'listThings',
            parameters: [
              { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1 } },
              { name: 'cursor', in: 'query', schema: { type: 'string' } },
            ],
            responses: {
              200: {
                description: 'ok',
                ...jsonContent({
                  type: 'object',
                  properties: {
                    [name]: { type: 'string' },
                    items: { type: 'array', items: thing },
                  },
                }),
              },
            },
          },
        },
      },
    });
  const walk = ['?limit=4', '?limit=2', '?limit=4'].map((query, index) => ({
    ask: `GET /things${query}`,
    answer: { items: [1, 2, 3, 4].slice(0, index === 1 ? 2 : 4).map((id) => ({ id })) },
  }));
  const causes = (name: string): (string | undefined)[] | undefined =>
    pageHolds.inspect(talk(contract(name), walk))?.map(({ cause }) => cause);
  expect(causes('nextCursor')).toEqual(['ends early']);
  expect(causes('note')).toEqual([]);
});

import { describe, expect, test } from 'vitest';
import { sortHolds } from '../../../../src/check/topics/lists/sort-holds.ts';
import type { Contract } from '../../../../src/contract/model.ts';
import type { JsonObject, JsonValue } from '../../../../src/json/value.ts';
import { jsonContent, makeContract } from '../../../contract/make-contract.ts';
import { talk, type Said } from '../../fixture/talk.ts';

const thing = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'integer' },
    size: { type: 'integer' },
    kind: { type: 'string', enum: ['small', 'large'] },
    tags: { type: 'array', items: { type: 'string' } },
  },
};

function contractOf(sort: JsonObject, ...more: readonly JsonObject[]): Contract {
  const query = [
    { name: 'limit', schema: { type: 'integer' } },
    { name: 'sort', schema: sort, description: sort['description'] ?? '' },
    ...more,
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

const words = contractOf({ type: 'string', enum: ['size', '-size', 'kind'] });
const open = contractOf({ type: 'string' });
const ways = contractOf(
  { type: 'string', enum: ['size'] },
  { name: 'direction', schema: { type: 'string', enum: ['asc', 'desc'] } },
);
const lists = contractOf({ type: 'array', items: { type: 'string', enum: ['size'] } });

const page = (
  query: string,
  field: string,
  ...values: readonly (JsonValue | undefined)[]
): Said => ({
  ask: `GET /things${query}`,
  answer: values.map((value, index) => ({
    id: index,
    ...(value === undefined ? {} : { [field]: value }),
  })),
});

function told(contract: Contract, ...said: readonly Said[]): string[] | undefined {
  return sortHolds
    .inspect(talk(contract, said))
    ?.map(
      ({ severity = 'error', cause = '', message, expected, actual }) =>
        `${severity} (${cause}) ${message} ${expected}; ${actual}`,
    );
}

describe('a requested order', () => {
  test.each<[string, Contract, Said, string[] | undefined]>([
    ['is kept', words, page('?sort=size', 'size', 1, 2, 2, 3), []],
    ['is kept downwards', words, page('?sort=-size', 'size', 3, 2, 1), []],
    [
      'is not kept',
      words,
      page('?sort=size', 'size', 1, 3, 2),
      [
        'error (rising) The list requested with sort=size is not in that order: size is 3 ' +
          'and then 2. size in ascending or descending order; 3 before 2',
      ],
    ],
    [
      'is the wrong way round',
      words,
      page('?sort=-size', 'size', 1, 2),
      [
        'error (falling) The list requested with sort=-size is not in that order: size is 1 ' +
          'and then 2. size in descending order; 1 before 2',
      ],
    ],
    ['is that of an enumeration', words, page('?sort=kind', 'kind', 'small', 'large'), []],
    ['is that of the alphabet', words, page('?sort=kind', 'kind', 'large', 'small'), []],
    [
      'may be known by other words than the contract lists',
      open,
      page('?sort=size', 'size', 2, 1, 3),
      [
        'warning (rising) The list requested with sort=size is not in that order: size is 2 ' +
          'and then 1. size in ascending or descending order; 2 before 1',
      ],
    ],
    [
      'has a parameter for its way',
      ways,
      page('?sort=size&direction=desc', 'size', 1, 2),
      [
        'error (falling) The list requested with sort=size&direction=desc is not in that ' +
          'order: size is 1 and then 2. size in descending order; 1 before 2',
      ],
    ],
    [
      'is asked for in a list of words',
      lists,
      page('?sort=size', 'size', 2, 1, 3),
      [
        'error (rising) The list requested with sort=size is not in that order: size is 2 ' +
          'and then 1. size in ascending or descending order; 2 before 1',
      ],
    ],
    [
      'is asked for by several words, of which the first is not all',
      lists,
      page('?sort=size&sort=size', 'size', 2, 1, 3),
      undefined,
    ],
    ['is of no field of the records', open, page('?sort=colour', 'size', 2, 1, 3), undefined],
    ['was not asked for', words, page('', 'size', 2, 1, 3), undefined],
    [
      'skips records that do not show the field',
      words,
      page('?sort=size', 'size', 1, undefined, 2, null, 3),
      [],
    ],
    [
      'is of a field with many values',
      contractOf({ type: 'string', enum: ['tags'] }),
      page('?sort=tags', 'tags', ['b'], ['a', 'c'], ['c']),
      undefined,
    ],
  ])('%s', (_name, contract, said, expected) => {
    expect(told(contract, said)).toEqual(expected);
  });
});

describe('a short page between two long ones', () => {
  const long = page('?sort=size&limit=4', 'size', 1, 2, 3, 4);
  const cut =
    'error (cut first) A sorted page of 2 does not begin as the longer page ' +
    'does: size is 3, 4 instead of 1, 2. size is 1, 2; size is 3, 4';

  test.each<[string, readonly Said[], string[]]>([
    ['begins as they do', [long, page('?sort=size&limit=2', 'size', 1, 2), long], []],
    ['was cut before it was sorted', [long, page('?sort=size&limit=2', 'size', 3, 4), long], [cut]],
    ['is empty', [long, page('?sort=size&limit=2', 'size'), long], []],
    [
      'is longer than they are',
      [long, page('?sort=size&limit=5', 'size', 2, 2, 3, 4, 5), long],
      [],
    ],
    ['is of another order', [long, page('?sort=-size&limit=2', 'size', 4, 3), long], []],
    [
      'stands between two that differ',
      [
        page('?sort=size&limit=4', 'size', 0, 2, 3, 4),
        page('?sort=size&limit=2', 'size', 3, 4),
        long,
      ],
      [],
    ],
    [
      'stands between two that were asked for otherwise',
      [page('?sort=size&limit=3', 'size', 1, 2, 3), page('?sort=size&limit=2', 'size', 3, 4), long],
      [],
    ],
  ])('%s', (_name, said, expected) => {
    expect(told(words, ...said)).toEqual(expected);
  });
});

test('a record that does not show the field has no value, and comes last, as the list says', () => {
  const description = 'The order; things without a value come last.';
  const ends = contractOf({ type: 'string', enum: ['-size'], description });
  const causes = (...sizes: readonly (JsonValue | undefined)[]): string[] | undefined =>
    told(ends, page('?sort=-size', 'size', ...sizes))?.map(
      (text) => text.split(' The', 1)[0] ?? '',
    );
  expect(causes(2, 1, undefined)).toEqual([]);
  expect(causes(undefined, 2, 1)).toEqual(['error (null)']);
  expect(causes(undefined, true, false)).toEqual([]);
});

describe('pages between two long ones', () => {
  const paged = contractOf(
    { type: 'string', enum: ['size', '-size'] },
    { name: 'offset', schema: { type: 'integer', minimum: 0 } },
  );
  const long: Said = {
    ask: 'GET /things?sort=size&limit=9',
    answer: [1, 1, 2, 3, 4].map((size, id) => ({ id, size })),
  };
  const part = (
    offset: number,
    ...things: readonly (readonly [id: number, size: number])[]
  ): Said => ({
    ask: `GET /things?sort=size&limit=2&offset=${String(offset)}`,
    answer: things.map(([id, size]) => ({ id, size })),
  });

  test.each<[string, readonly Said[], string[]]>([
    [
      'are in order one after the other',
      [part(0, [0, 1], [1, 1]), part(2, [2, 2], [3, 3]), part(4, [4, 4])],
      [],
    ],
    ['hold records that are alike in another order', [part(0, [1, 1], [0, 1])], []],
    [
      'are sorted by themselves alone',
      [part(2, [0, 1], [4, 4])],
      [
        'error (across pages) The pages of a sorted list are not in order one ' +
          'after the other: with limit=2&offset=2, size is 1 where the longer page ' +
          'has 2. size is 2; size is 1',
      ],
    ],
    ['hold a record that came and went', [part(2, [9, 2], [4, 4])], []],
    ['lie beyond what the long ones show', [part(5, [9, 0])], []],
  ])('%s', (_name, said, expected) => {
    expect(told(paged, long, ...said, long)).toEqual(expected);
  });

  test('are wrong where the long ones show that the service knows the order', () => {
    const offset = { name: 'offset', schema: { type: 'integer', minimum: 0 } };
    const unlisted = contractOf({ type: 'string' }, offset);
    const short = { ...long, answer: [1, 1, 2, 3].map((size, id) => ({ id, size })) };
    const severities = (whole: Said): string[] | undefined =>
      told(unlisted, whole, part(2, [0, 1], [1, 1]), whole)?.map(
        (text) => text.split(')', 1)[0] ?? '',
      );
    expect(severities(long)).toEqual(['error (across pages']);
    expect(severities(short)).toEqual(['warning (across pages']);
  });

  test('are not judged if the long pages differ', () => {
    expect(
      told(paged, { ...long, answer: [{ id: 7, size: 0 }] }, part(2, [0, 1], [4, 4]), long),
    ).toEqual([]);
  });
});

describe('an order in its language', () => {
  const signed = contractOf({ type: 'string', example: '-size' });
  const several = contractOf({ type: 'array', items: { type: 'string' }, example: ['-size'] });
  const things = (
    sort: string,
    ...rows: readonly (readonly [kind: string, size: number])[]
  ): Said => ({
    ask: `GET /things?sort=${sort}`,
    answer: rows.map(([kind, size], id) => ({ id, kind, size })),
  });

  test.each<[string, Said, string[]]>([
    ['holds', things('kind,-size', ['large', 3], ['large', 2], ['small', 9]), []],
    [
      'holds where the first field decides alone',
      things('size,-kind', ['small', 1], ['large', 2]),
      [],
    ],
    [
      'ascends without a sign',
      page('?sort=size', 'size', 2, 1),
      [
        'error (rising) The list requested with sort=size is not in that order: size is 2 and ' +
          'then 1. size in ascending order; 2 before 1',
      ],
    ],
    [
      'may not be known for a field that the contract does not show in an order',
      things('-id', ['large', 1], ['large', 2]),
      [
        'warning (falling) The list requested with sort=-id is not in that order: id is 0 and ' +
          'then 1. id in descending order; 0 before 1',
      ],
    ],
    [
      'has a first field that is not in order',
      things('size,kind', ['large', 3], ['large', 2]),
      [
        'error (rising) The list requested with sort=size,kind is not in that order: size is 3 ' +
          'and then 2. size in ascending order; 3 before 2',
      ],
    ],
    [
      'has a second field that is not in order',
      things('kind,-size', ['large', 2], ['large', 3], ['small', 9]),
      [
        'error (second) The list requested with sort=kind,-size is not in that order: where kind ' +
          'is "large", size is 2 and then 3. size in descending order for each kind; 2 before 3',
      ],
    ],
  ])('%s', (_name, said, expected) => {
    expect(told(signed, said)).toEqual(expected);
  });

  test('is read from the items of a list', () => {
    const answer = things('kind&sort=-size', ['large', 2], ['large', 3]);
    expect(told(several, answer)?.length).toBe(1);
  });

  test('of two fields is not judged where nobody knows the language', () => {
    expect(told(open, things('kind,-size', ['large', 2], ['large', 3]))).toBeUndefined();
  });
});

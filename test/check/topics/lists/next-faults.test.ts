import { describe, expect, test } from 'vitest';
import { endsInNothing, faultsOfNext } from '../../../../src/check/topics/lists/next-faults.ts';
import type { CheckInput } from '../../../../src/check/model/knowledge.ts';
import type { Contract } from '../../../../src/contract/model.ts';
import type { JsonObject, JsonValue } from '../../../../src/json/value.ts';
import { jsonContent, makeContract } from '../../../contract/make-contract.ts';
import { type Said, talk } from '../../fixture/talk.ts';

const thing = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, kind: { type: 'string', enum: ['a', 'b'] } },
};

function contractOf(paging: JsonObject, { says = '', tells = '' } = {}): Contract {
  const query = [
    { name: 'limit', schema: { type: 'integer', default: 10 } },
    paging,
    { name: 'kind', schema: { type: 'string', enum: ['a', 'b'] } },
  ];
  return makeContract({
    servers: [
      { url: 'https://{region}.things.example/v1', variables: { region: { default: 'eu' } } },
    ],
    paths: {
      '/things': {
        get: {
          operationId: 'listThings',
          description: tells,
          parameters: query.map((one) => ({ ...one, in: 'query' })),
          responses: {
            200: {
              description: 'ok',
              ...jsonContent({
                type: 'object',
                properties: {
                  next: { type: 'string', description: says },
                  total: { type: 'integer' },
                  items: { type: 'array', items: thing },
                },
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
}

const page = contractOf({ name: 'page', schema: { type: 'integer', minimum: 1 } });
const cursor = contractOf({ name: 'cursor', schema: { type: 'string' } });
const exact = contractOf(
  { name: 'cursor', schema: { type: 'string' } },
  { says: 'The cursor of the next page, null on the last page.' },
);
const kept = contractOf(
  { name: 'cursor', schema: { type: 'string' } },
  { tells: 'The addresses of other pages have the `limit` of the request.' },
);
const records = (count: number): JsonValue =>
  Array.from({ length: count }, (_, index) => ({ id: index, kind: 'a' }));
const link = (query: string, address: string, count = 2): Said => ({
  ask: `GET /things${query}`,
  headers: [['Link', `<${address}>; rel="next"`]],
  answer: { items: records(count) },
});
const named = (query: string, next: JsonValue, count = 2, more: JsonObject = {}): Said => ({
  ask: `GET /things${query}`,
  answer: { next, items: records(count), ...more },
});

function told(contract: Contract, ...said: readonly Said[]): string[] | undefined {
  const found = faultsOfNext(given(talk(contract, said)));
  return (
    found && [found].flat().map(({ severity = 'error', cause = '' }) => `${severity} ${cause}`)
  );
}

/** A run follows the cursors that it was given. */
function given(subject: CheckInput): CheckInput {
  const follow = <Step extends CheckInput | CheckInput['earlier'][number]>(step: Step): Step => ({
    ...step,
    case: {
      ...step.case,
      request: {
        ...step.case.request,
        arguments: [...step.sent.arguments].map(([parameter, value]) => ({
          parameter,
          source:
            parameter.name === 'cursor'
              ? { kind: 'next', resource: 'things', parameter: 'cursor' }
              : { kind: 'value', value },
        })),
      },
    },
  });
  return { ...follow(subject), earlier: subject.earlier.map(follow) };
}

describe('the next page that a list links to', () => {
  test.each<[string, Contract, readonly Said[], string[] | undefined]>([
    ['is none', page, [{ ask: 'GET /things', answer: { items: [] } }], undefined],
    ['comes after it', page, [link('?page=1', '/things?page=2')], []],
    ['is itself', page, [link('?page=2', '/things?page=2')], ['error loop']],
    ['came before it', page, [link('?page=2', '/things?page=1')], ['error loop']],
    [
      'may be called 1, where nobody said what the first is called',
      page,
      [link('', '/things?page=1')],
      [],
    ],
    [
      'comes after one without records',
      page,
      [link('?page=4', '/things?page=5', 0)],
      ['error never ends'],
    ],
    ['is of the same host, in full', page, [link('?page=1', 'http://host/things?page=2')], []],
    [
      'is on a server of the contract',
      page,
      [link('?page=1', 'https://us.things.example/v1/things?page=2')],
      [],
    ],
    [
      'is on another host',
      page,
      [link('?page=1', 'http://things.internal/things?page=2')],
      ['warning another host'],
    ],
    ['keeps the filter', page, [link('?page=1&kind=a', '/things?kind=a&page=2')], []],
    ['loses the filter', page, [link('?page=1&kind=a', '/things?page=2')], ['error next loses it']],
    [
      'loses the size of the pages',
      page,
      [link('?page=1&limit=2', '/things?page=2')],
      ['error next loses it'],
    ],
    [
      'is of the size that pages have anyway',
      page,
      [link('?page=1&limit=10', '/things?page=2')],
      [],
    ],
    [
      'stands in the body, and loses the filter',
      page,
      [named('?page=1&kind=a', '/things?page=2')],
      ['error next loses it'],
    ],
    [
      'may be elsewhere, where the path holds the filter',
      page,
      [link('?page=1&kind=a', '/things/of-kind-a?page=2')],
      [],
    ],
    ['is a cursor, which holds the filter', cursor, [link('?kind=a', '/things?cursor=x')], []],
    ['is a cursor without the size', cursor, [link('?limit=2', '/things?cursor=x')], []],
    ['is a cursor with the size', kept, [link('?limit=2', '/things?limit=2&cursor=x')], []],
    [
      'is a cursor without the size that it keeps, as the list says',
      kept,
      [link('?limit=2', '/things?cursor=x')],
      ['error next loses it'],
    ],
    [
      'stands beside its number, and loses the filter',
      page,
      [named('?page=1&kind=a', 2, 2, { next_page: 2, links: { next: '/things?page=2' } })],
      ['error next loses it'],
    ],
    ['is another cursor', cursor, [named('', 'a'), named('?cursor=a', 'b')], []],
    [
      'is the cursor by which it was asked for',
      cursor,
      [named('', 'a'), named('?cursor=a', 'a')],
      ['error loop'],
    ],
    [
      'is a cursor from before',
      cursor,
      [named('', 'a'), named('?cursor=a', 'b'), named('?cursor=b', 'a')],
      ['error loop'],
    ],
    [
      'is a cursor from before, of another walk',
      cursor,
      [named('', 'a'), named('?cursor=a', 'b'), named('', 'a')],
      [],
    ],
    [
      'comes after one page without records, which a server that looks through them may have',
      cursor,
      [named('', 'a'), named('?cursor=a', 'b', 0)],
      [],
    ],
    [
      'comes after two pages without records',
      cursor,
      [named('', 'a'), named('?cursor=a', 'b', 0), named('?cursor=b', 'c', 0)],
      ['warning never ends'],
    ],
    [
      'is for later, as the list says',
      cursor,
      [named('', 'a'), named('?cursor=a', 'a', 2, { has_more: false })],
      undefined,
    ],
  ])('%s', (_name, contract, said, expected) => {
    expect(told(contract, ...said)).toEqual(expected);
  });
});

describe('a list whose last page names no next one, as its contract says', () => {
  test('is not walked without end', () => {
    const walk = [named('', 'a'), named('?cursor=a', 'b', 0), named('?cursor=b', 'c', 0)];
    expect(told(exact, ...walk)).toEqual(['error never ends']);
    expect(told(cursor, ...walk)).toEqual(['warning never ends']);
  });

  test('names no next page beside all the records that it counts', () => {
    expect(told(exact, named('', 'a', 2, { total: 2 }))).toEqual(['error beyond the end']);
    expect(told(exact, named('', 'a', 2, { total: 3 }))).toEqual([]);
    expect(told(cursor, named('', 'a', 2, { total: 2 }))).toEqual([]);
  });

  test('names no next page beside all the records that it had before, twice', () => {
    const whole = named('', null);
    const full = named('?limit=2', 'a');
    expect(told(exact, whole, whole, full)).toEqual(['error beyond the end']);
    expect(told(exact, whole, full)).toEqual([]);
    expect(told(exact, whole, named('', null, 3), full)).toEqual([]);
    expect(told(cursor, whole, whole, full)).toEqual([]);
  });

  test('may name the next one in a header', () => {
    const counted = contractOf(
      { name: 'page', schema: { type: 'integer', minimum: 1 } },
      { tells: '`X-Next-Page` is empty where there is no such page.' },
    );
    const headed = (value: string): Said => ({
      ask: 'GET /things?limit=2',
      headers: [['X-Next-Page', value]],
      answer: { items: records(2), total: 2 },
    });
    expect(told(counted, headed('2'))).toEqual(['error beyond the end']);
    expect(told(counted, headed(''))).toBeUndefined();
  });

  test('does not lead to a page without records', () => {
    const ends = (contract: Contract, ...said: readonly Said[]): number =>
      [endsInNothing(given(talk(contract, said))) ?? []].flat().length;
    expect(ends(exact, named('', 'a'), named('?cursor=a', null, 0))).toBe(1);
    expect(ends(exact, named('', 'a'), named('?cursor=a', null, 1))).toBe(0);
    expect(ends(exact, named('', 'a'), named('?cursor=a', 'b', 0))).toBe(0);
    expect(ends(cursor, named('', 'a'), named('?cursor=a', null, 0))).toBe(0);
  });
});

import { expect, test } from 'vitest';
import {
  pageUrl,
  type ListPage,
  type PageRelation,
} from '../../../../src/mock/records/show/envelope.ts';
import { jsonContent, makeContract } from '../../../contract/make-contract.ts';

/** Where a link of a list leads, whose pages one parameter chooses. */
function urlOf(
  relation: PageRelation,
  page: ListPage,
  target = '/things',
  name = 'offset',
): string | undefined {
  const parameters = [{ name, in: 'query', schema: { type: 'integer' } }];
  const [resource] = makeContract({
    paths: {
      '/things': {
        get: {
          parameters,
          responses: {
            200: {
              description: 'Fine',
              ...jsonContent({
                type: 'array',
                items: { type: 'object', properties: { id: { type: 'integer' } } },
              }),
            },
          },
        },
      },
    },
  }).resources;
  if (resource?.list === undefined) throw new Error('The contract has no list.');
  return pageUrl(relation, page, {
    request: { method: 'GET', target, headers: [], body: new Uint8Array(0) },
    shape: resource.list,
  });
}

test.each<[string, PageRelation, ListPage, string | undefined]>([
  [
    'the first of a list without pages is the whole',
    'first',
    { offset: 2, size: undefined, count: 3, total: 5 },
    '/things?offset=0',
  ],
  [
    'a list without pages has no other',
    'prev',
    { offset: 2, size: undefined, count: 3, total: 5 },
    undefined,
  ],
  ['nor a last one', 'last', { offset: 2, size: undefined, count: 3, total: 5 }, undefined],
  [
    'pages that hold nothing lead nowhere',
    'prev',
    { offset: 2, size: 0, count: 0, total: 5 },
    undefined,
  ],
  ['the page before', 'prev', { offset: 4, size: 2, count: 1, total: 5 }, '/things?offset=2'],
  [
    'the page before, where it is cut short',
    'prev',
    { offset: 1, size: 2, count: 2, total: 5 },
    '/things?offset=0',
  ],
  [
    'the page before a page behind the end',
    'prev',
    { offset: 9, size: 2, count: 0, total: 5 },
    '/things?offset=4',
  ],
  ['none before the first', 'prev', { offset: 0, size: 2, count: 2, total: 5 }, undefined],
  ['the page behind', 'next', { offset: 2, size: 2, count: 2, total: 5 }, '/things?offset=4'],
  ['none behind the last', 'next', { offset: 4, size: 2, count: 1, total: 5 }, undefined],
  ['the last', 'last', { offset: 0, size: 2, count: 2, total: 4 }, '/things?offset=2'],
  ['the last of nothing', 'last', { offset: 0, size: 2, count: 0, total: 0 }, '/things?offset=0'],
])('%s', (_name, relation, page, expected) => {
  expect(urlOf(relation, page)).toBe(expected);
});

test.each([
  ['/things?a=1&page+index=2&b=%', '/things?a=1&b=%&page%20index=3'],
  ['/things?page%20index=2', '/things?page%20index=3'],
])('a parameter is known in any of its spellings: %s', (target, expected) => {
  expect(
    urlOf('next', { offset: 2, size: 1, count: 1, total: 9 }, target, 'page index')?.replace(
      '=4',
      '=3',
    ),
  ).toBe(expected);
});

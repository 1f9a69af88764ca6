import { expect, test } from 'vitest';
import { readSortWord } from '../../../src/check/reading/sort-order.ts';
import { listingContract } from '../fixture/listing-contract.ts';

const sort = listingContract({ paging: 'none', total: 'none' }).resources[0]?.list?.sort;

test.each([
  ['name', { field: 'name', descending: undefined }],
  ['-name', { field: 'name', descending: true }],
  ['+name', { field: 'name', descending: false }],
  ['created', { field: 'createdAt', descending: undefined }],
  ['created_at_desc', { field: 'createdAt', descending: true }],
  ['price:asc', { field: 'price', descending: false }],
  ['price desc', { field: 'price', descending: true }],
  ['name,price', undefined],
  ['relevance', undefined],
])('%s', (word, key) => {
  expect(sort).toBeDefined();
  expect(sort && readSortWord(sort, word)).toEqual(key);
});

import { expect, test } from 'vitest';
import { readAddress } from '../../../src/contract/infer/read-address.ts';

const item = '/v1/depots/{depot}/vehicles/{vehicle}';
const both = { 2: 'a', 4: 'b' };

test.each([
  ['/v1/depots/a/vehicles/b', both],
  ['depots/a/vehicles/b', both],
  ['https://api.example.com/v1/depots/a/vehicles/b?view=full#top', both],
  ['/api/2/depots/a/vehicles/b/', both],
  ['//depots.example.com/depots/a/vehicles/b', both],
  ['depots/a%20c/vehicles/b', { 2: 'a c', 4: 'b' }],
  ['vehicles/b', { 4: 'b' }],
  ['a/vehicles/b', { 4: 'b' }],
])('%s is the address of a vehicle', (text, values) => {
  expect(Object.fromEntries(readAddress(item, text) ?? [])).toEqual(values);
});

test.each([
  'a/b',
  'vehicles',
  'vehicles/',
  '/v1/depots/a',
  'depots/a/trucks/b',
  'garages/a/vehicles/b',
  'b',
])('%s is no address of a vehicle', (text) => {
  expect(readAddress(item, text)).toBeUndefined();
});

test.each([
  ['Things(5)', '5'],
  ["https://services.example.com/odata/Things('A-1')", 'A-1'],
  ['Things(ID=5)', '5'],
])('%s is an address with its key in parentheses (OData)', (text, key) => {
  expect(readAddress('/Things({ID})', text)?.get(1)).toBe(key);
});

test('a path without a word leads nowhere in particular', () => {
  expect(readAddress('/{thing}', '/a')).toBeUndefined();
});

import { expect, test } from 'vitest';
import {
  addressPath,
  readAddress,
  rewriteAddress,
} from '../../../src/contract/infer/read-address.ts';
import { contractOf } from '../../check/fixture/odd-contract.ts';

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

test.each([
  ['/things/{id}.json', '/v1/things/7.json', '7'],
  ['/things/{id}.json', '/v1/things/7', '7'],
  ['/things/{id}.{format}', 'https://h/things/7.xml?view=a', '7'],
  ['/things/{id}', '/things/7.json', '7.json'],
])('behind %s, %s names %s', (path, text, id) => {
  expect(readAddress(path, text)?.get(1)).toBe(id);
});

test('the addresses of a record have the file suffix of the path that reads it', () => {
  const [gems] = contractOf(`
paths:
  /gems.json: { get: { operationId: listGems, responses: { '200': { description: ok, content: {
      application/json: { schema: { type: array, items: {
      $ref: '#/components/schemas/Gem' } } } } } } } }
  /gems/{code}.json: { get: { operationId: getGem, parameters: [{ name: code, in: path,
      required: true, schema: { type: string } }], responses: { '200': { description: ok,
      content: { application/json: { schema: { $ref: '#/components/schemas/Gem' } } } } } } }
components: { schemas: { Gem: { type: object, properties: {
    code: { type: string } } } } }`).resources;
  expect(gems && addressPath(gems)).toBe('/gems/{code}.json');
});

test('a path without a word leads nowhere in particular', () => {
  expect(readAddress('/{thing}', '/a')).toBeUndefined();
});

const part = '/Things({id})/parts({pid})';

test.each([
  ['/v1/depots/{depot}', 'depots/a', { 2: 'N' }, 'depots/N'],
  ['/v1/depots/{depot}', 'https://h/api/depots/a', { 2: 'N' }, 'https://h/api/depots/N'],
  [
    '/v1/depots/{depot}',
    'https://h/v1/depots/a/?view=a#a',
    { 2: 'N' },
    'https://h/v1/depots/N/?view=a#a',
  ],
  ['/v1/depots/{depot}', 'depots/a%20b', { 2: 'a b' }, 'depots/a%20b'],
  ['/v1/depots/{depot}', ' depots/a ', { 2: 'c/d e@f' }, ' depots/c%2Fd%20e@f '],
  ['/depots/{depot}.json', '/v1/depots/a.json?view=a', { 1: 'N' }, '/v1/depots/N.json?view=a'],
  ['/Things({id})', 'https://h/odata/Things(5)', { 1: 'N' }, 'https://h/odata/Things(N)'],
  ['/Things({id})', "Things(id='id')", { 1: 'N' }, "Things(id='N')"],
  [part, 'https://h/Things(5)/parts(6)', { 1: 'M', 3: 'N' }, 'https://h/Things(M)/parts(N)'],
  [part, 'parts(6)', { 1: 'M', 3: 'N' }, 'parts(N)'],
  [item, 'depots/e/vehicles/vehicles', { 2: 'M', 4: 'N' }, 'depots/M/vehicles/N'],
])('an address of %s, such as %s, keeps its form', (path, text, values, written) => {
  const known = new Map(Object.entries(values));
  expect(rewriteAddress(path, text, (segment) => known.get(String(segment)))).toBe(written);
});

test.each(['depots/a', 'vehicles'])('%s is not rewritten as the address of a vehicle', (text) => {
  expect(rewriteAddress(item, text, () => 'N')).toBeUndefined();
});

test('an address is not rewritten while the value of a parent is unknown', () => {
  const written = (text: string): string | undefined =>
    rewriteAddress(item, text, (segment) => (segment === 4 ? 'N' : undefined));
  expect(written('depots/a/vehicles/b')).toBeUndefined();
  expect(written('vehicles/b')).toBe('vehicles/N');
});

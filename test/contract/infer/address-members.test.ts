import { expect, test } from 'vitest';
import { parseContract } from '../../../src/contract/load.ts';
import { addressedBy } from '../../../src/contract/infer/address-members.ts';

const record = {
  type: 'object',
  properties: { name: { type: 'string' }, size: { type: 'integer' } },
};
const answer = { 200: { description: 'ok', content: { 'application/json': { schema: record } } } };
const list = {
  200: {
    description: 'ok',
    content: { 'application/json': { schema: { type: 'array', items: record } } },
  },
};
const names = (path: string): object[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
const paths = Object.fromEntries(
  ['/v1/depots', '/v1/depots/{depot}/vehicles'].flatMap((path) => [
    [path, { parameters: names(path), get: { responses: list } }],
    [
      `${path}/{${path.endsWith('depots') ? 'depot' : 'vehicle'}}`,
      {
        parameters: names(`${path}/{${path.endsWith('depots') ? 'depot' : 'vehicle'}}`),
        get: { responses: answer },
      },
    ],
  ]),
);
const { resources } = parseContract(
  JSON.stringify({ openapi: '3.0.3', info: { title: 'Depots', version: '1' }, paths }),
  'depots.json',
);

test.each([
  ['^depots/[^/]+$', 'v1.depots', 'depots/x'],
  ['^depots/[a-z][a-z0-9-]*/vehicles/[^/]+$', 'v1.depots.vehicles', 'depots/xx/vehicles/x'],
  ['depots/([^/]+)', 'v1.depots', 'depots/x'],
])('texts with the pattern %s are addresses of %s', (pattern, name, text) => {
  const found = addressedBy({ type: 'string', pattern }, resources);
  expect([found?.resource.name, found?.text]).toEqual([name, text]);
});

test('an example that is an address shows it too', () => {
  const found = addressedBy({ type: 'string', example: '/v1/depots/north' }, resources);
  expect([found?.resource.name, found?.text]).toEqual(['v1.depots', '/v1/depots/north']);
});

test.each([
  { type: 'string', pattern: '^garages/[^/]+$' },
  { type: 'string', pattern: '^(a|b)/c$' },
  { type: 'string', example: 'north' },
  { type: 'string' },
])('%j addresses no record', (node) => {
  expect(addressedBy(node, resources)).toBeUndefined();
});

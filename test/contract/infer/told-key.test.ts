import { expect, test } from 'vitest';
import { jsonContent, makeContract } from '../make-contract.ts';

const text = { type: 'string' };

test.each([
  ['Rack name', 'name'],
  ['The code of the rack.', 'code'],
  ['Rack UUID', 'id'],
  ['The rack', 'id'],
  ['Warehouse resource name', 'id'],
])('what a path carries, described as %j, is %s', (description, expected) => {
  const rack = {
    type: 'object',
    required: ['id', 'name'],
    properties: { id: { ...text, format: 'uuid' }, name: text, code: text },
  };
  const answers = { 200: { description: '', ...jsonContent(rack) } };
  const list = { 200: { description: '', ...jsonContent({ type: 'array', items: rack }) } };
  const parameters = [{ name: 'rack', in: 'path', required: true, description, schema: text }];
  const [racks] = makeContract({
    paths: {
      '/racks': { get: { responses: list } },
      '/racks/{rack}': { parameters, get: { responses: answers } },
    },
  }).resources;
  expect(racks?.identifier.field).toBe(expected);
});

import { expect, test } from 'vitest';
import { fieldValue, heldValue } from '../../../../src/check/engine/memory/resolve-source.ts';
import { contractOf } from '../../fixture/odd-contract.ts';

const { resources } = contractOf(`
paths:
  /notes:
    get: { operationId: listNotes, responses: { '200': { description: all, content: {
        application/json: { schema: { type: array, items: { type: object, properties: { id: {
        type: integer }, state: { type: string } } } } } } } } }`);
const [resource] = resources;

test.each([
  ['the rarest value that enough records have', {}, ['a', 'a', 'a', 'b', 'b', 'c'], 'b'],
  ['another one than that', { otherThan: 'b' }, ['a', 'a', 'a', 'b', 'b', 'c'], 'a'],
  ['that one where no record has another', { otherThan: 'b' }, ['b', 'b'], 'b'],
])('a value that known records share is %s', (_what, more, states, expected) => {
  if (resource === undefined) throw new Error('the contract has no resource');
  const seen = states.map((state, id) => ({ id, state }));
  const source = { kind: 'held', resource: resource.name, field: 'state', least: 2 } as const;
  expect(heldValue({ ...source, ...more }, { resource, seen, earlier: [] })).toBe(expected);
});

test.each([
  ['the middle one of words', ['c', 'a', 'b'], 'b'],
  ['the middle one of numbers whose order is the same as text', [30, 10, 20], 20],
  ['the one that a comparison of texts misplaces', [10, 20, 30, 9], 9],
  ['the same of numbers that are texts', ['64.06', '097878.93', '51.66', '28.17'], '097878.93'],
])('a bound is %s', (_what, states, expected) => {
  if (resource === undefined) throw new Error('the contract has no resource');
  const contract = contractOf('\npaths: {}');
  const seen = states.map((state, id) => ({ id, state }));
  const source = { kind: 'field', resource: resource.name, field: 'state', of: 'middle' } as const;
  expect(fieldValue(source, { resource, seen, earlier: [] }, contract)).toBe(expected);
});

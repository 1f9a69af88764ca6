import { expect, test } from 'vitest';
import { heldValue } from '../../../../src/check/engine/memory/resolve-source.ts';
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

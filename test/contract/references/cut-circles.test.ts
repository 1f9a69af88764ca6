import { describe, expect, test } from 'vitest';
import { parseContract } from '../../../src/contract/load.ts';
import type { Contract } from '../../../src/contract/model.ts';
import type { JsonValue } from '../../../src/json/value.ts';

const to = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

/** A contract in which each of these schemas is the body of an operation of its name. */
function contractOf(schemas: Readonly<Record<string, object>>): Contract {
  const paths = Object.keys(schemas).map((name): [string, object] => [
    `/${name}`,
    {
      post: {
        operationId: name,
        requestBody: { content: { 'application/json': { schema: to(name) } } },
        responses: { 204: { description: 'Taken' } },
      },
    },
  ]);
  const info = { title: 'Circles', version: '1' };
  const document = {
    openapi: '3.1.0',
    info,
    paths: Object.fromEntries(paths),
    components: { schemas },
  };
  return parseContract(JSON.stringify(document), 'circles.json');
}

function takes(contract: Contract, name: string, value: JsonValue): boolean {
  const operation = contract.operations.find(({ id }) => id === name);
  const schema = operation?.requestBody?.content[0]?.schema;
  if (schema === undefined) throw new Error(`There is no schema ${name}.`);
  return schema.accepts(value, 'request');
}

const number = (name: string): object => ({
  type: 'object',
  required: [name],
  properties: { [name]: { type: 'integer' } },
});

describe('a schema that is a condition of itself', () => {
  test('has all that the schemas of its circle have', () => {
    const contract = contractOf({
      Left: { allOf: [to('Right'), number('l')] },
      Right: { allOf: [to('Middle'), number('r')] },
      Middle: { allOf: [to('Left'), number('m')] },
    });
    expect(contract.faults.map(({ pointer, rule }) => [pointer, rule])).toEqual(
      ['Left', 'Right', 'Middle'].map((name) => [
        `/components/schemas/${name}/allOf/0/$ref`,
        'no-unresolved-refs',
      ]),
    );
    expect(contract.faults[0]?.message).toContain('a part of itself');
    expect(takes(contract, 'Left', { l: 1, r: 2 })).toBe(true);
    expect(takes(contract, 'Left', { l: 1 })).toBe(false);
  });

  test('stays a choice of children that each include their parent', () => {
    const contract = contractOf({
      Tool: {
        ...number('weight'),
        oneOf: [to('Saw'), to('Drill')],
        discriminator: { propertyName: 'kind' },
      },
      Saw: { allOf: [to('Tool'), number('teeth')] },
      Drill: { allOf: [to('Tool'), number('speed')] },
    });
    expect(contract.faults.map(({ pointer }) => pointer)).toEqual([
      '/components/schemas/Saw/allOf/0/$ref',
      '/components/schemas/Drill/allOf/0/$ref',
    ]);
    expect(takes(contract, 'Tool', { weight: 1, teeth: 30 })).toBe(true);
    expect(takes(contract, 'Tool', { weight: 1 })).toBe(false);
    expect(takes(contract, 'Saw', { weight: 1, teeth: 30 })).toBe(true);
    expect(takes(contract, 'Saw', { teeth: 30 })).toBe(false);
  });

  test.each<[string, object]>([
    ['by an alternative', { anyOf: [to('Knot'), number('k')] }],
    ['by a negation', { ...number('k'), not: to('Knot') }],
    ['by a condition', { ...number('k'), if: to('Knot'), then: number('k') }],
    ['at the second level', { allOf: [{ allOf: [to('Knot')] }, number('k')] }],
  ])('can be judged, %s', (_way, Knot) => {
    const contract = contractOf({ Knot });
    expect(contract.faults).toHaveLength(1);
    expect(takes(contract, 'Knot', { k: 1 })).toBe(true);
  });
});

test('a schema that has itself as a member or an item is no circle', () => {
  const contract = contractOf({
    Tree: {
      allOf: [number('size')],
      properties: { parent: to('Tree'), branches: { type: 'array', items: to('Tree') } },
    },
    Base: { ...number('b'), discriminator: { propertyName: 'kind' } },
    Child: { allOf: [to('Base'), { properties: { of: to('Child') } }] },
  });
  expect(contract.faults).toEqual([]);
  expect(takes(contract, 'Tree', { size: 1, parent: { size: 2 } })).toBe(true);
  expect(takes(contract, 'Tree', { size: 1, parent: {} })).toBe(false);
});

test('many circles take little time', () => {
  const names = Array.from({ length: 150 }, (_, index) => `S${String(index)}`);
  const all = Object.fromEntries(names.map((name) => [name, { allOf: names.map(to) }]));
  expect(contractOf(all).faults.length).toBe(150 * 150);
}, 10_000);

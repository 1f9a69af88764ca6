import { expect, test } from 'vitest';
import { decodeParameter } from '../../../src/contract/parameter/decode-parameter.ts';
import type { Parameter } from '../../../src/contract/model.ts';
import type { JsonObject, JsonValue } from '../../../src/json/value.ts';
import { makeContract } from '../make-contract.ts';

const schemas: JsonObject = {
  Id: { type: 'integer', format: 'int64' },
  Ids: { type: 'array', items: { $ref: '#/components/schemas/Id' } },
  Base: { type: 'object', properties: { active: { type: 'boolean' } } },
  Filter: {
    allOf: [
      { $ref: '#/components/schemas/Base' },
      { type: 'object', properties: { owner: { $ref: '#/components/schemas/Id' } } },
    ],
  },
  Word: { enum: ['1', 'x'] },
  Tree: { anyOf: [{ $ref: '#/components/schemas/Tree' }, { $ref: '#/components/schemas/Id' }] },
  Nothing: { anyOf: [{ $ref: '#/components/schemas/Nothing' }] },
  Large: { anyOf: [{ type: 'integer', minimum: 10 }, { type: 'string' }] },
};

const rows: readonly (readonly [
  schema: string,
  more: JsonObject,
  rawQuery: string,
  value: JsonValue,
])[] = [
  ['Ids', {}, 'p=1&p=9007199254740993', [1, 9007199254740993n]],
  [
    'Filter',
    { style: 'deepObject' },
    'p[active]=true&p[owner]=9223372036854775807',
    { active: true, owner: 9223372036854775807n },
  ],
  ['Word', {}, 'p=1', '1'],
  ['Tree', {}, 'p=7', 7],
  ['Large', {}, 'p=10', 10],
  ['Large', {}, 'p=5', '5'],
];

test.each(rows)(
  '%s of a contract with references, read from %o %s',
  (name, more, rawQuery, value) => {
    expect(
      decodeParameter(parameterOf(name, more), { path: new Map(), rawQuery, headers: [] }),
    ).toEqual({ kind: 'value', value });
  },
);

test('a schema that only refers to itself accepts any value', () => {
  const wire = { path: new Map(), rawQuery: 'other=1', headers: [] };
  expect(decodeParameter(parameterOf('Nothing', {}), wire)).toEqual({ kind: 'absent' });
});

function parameterOf(name: string, more: JsonObject): Parameter {
  const parameter = {
    name: 'p',
    in: 'query',
    schema: { $ref: `#/components/schemas/${name}` },
    ...more,
  };
  const operation = { parameters: [parameter], responses: { 200: { description: 'ok' } } };
  const found = makeContract({ paths: { '/a': { get: operation } }, components: { schemas } })
    .operations[0]?.parameters[0];
  if (found === undefined) throw new Error('the contract has no parameter');
  return found;
}

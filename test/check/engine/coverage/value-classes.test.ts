import { expect, test } from 'vitest';
import { inputsOf } from '../../../../src/check/plan/input-classes.ts';
import type { JsonObject } from '../../../../src/json/value.ts';
import { boundaryValues } from '../../../../src/values/boundary-values.ts';
import { exoticValues } from '../../../../src/values/exotic-values.ts';
import { invalidValues } from '../../../../src/values/invalid-values.ts';
import { jsonContent, makeContract } from '../../../contract/make-contract.ts';

/**
 * A field of each kind that a contract can write: what the matrix of a run claims for it is what
 * there are values for.
 */
test.each<JsonObject>([
  { type: 'integer', minimum: 1, maximum: 9 },
  { type: 'integer', format: 'int32' },
  { type: 'integer', format: 'int64', multipleOf: 5 },
  { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
  { type: 'number', minimum: 0.5, multipleOf: 0.5 },
  { type: 'string' },
  { type: 'string', minLength: 0, maxLength: 5 },
  { type: 'string', minLength: 2, maxLength: 5 },
  { type: 'string', pattern: '^[a-z]{3}$' },
  ...['date', 'date-time', 'email', 'uuid', 'uri', 'ipv4', 'byte'].map((format) => ({
    type: 'string',
    format,
  })),
  { type: 'string', enum: ['a', 'b'] },
  { type: ['string', 'null'], enum: ['a', null] },
  { type: ['string', 'null'] },
  { type: 'boolean' },
  { const: 'fixed' },
  { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 3, uniqueItems: true },
  { type: 'array', items: { type: 'string' }, minItems: 0 },
  { oneOf: [{ type: 'string', maxLength: 3 }, { type: 'integer' }] },
])('%j: every class that the matrix claims has a value', (field) => {
  for (const required of [true, false]) {
    const schema = {
      type: 'object',
      properties: { field },
      ...(required ? { required: ['field'] } : {}),
    };
    const contract = makeContract({
      paths: {
        '/things': {
          post: {
            operationId: 'add',
            requestBody: { required: true, ...jsonContent(schema) },
            responses: { '201': { description: 'made' } },
          },
        },
      },
    });
    const [operation] = contract.operations;
    const body = operation?.requestBody?.content[0]?.schema;
    if (operation === undefined || body === undefined)
      throw new Error('The contract has no such operation.');
    const claimed =
      inputsOf(operation, () => false).find(({ name }) => name === 'field')?.classes ?? [];
    const made = [
      ...boundaryValues(body, 'request'),
      ...exoticValues(body, 'request'),
      ...invalidValues(body, 'request'),
    ];
    const reached = new Set<string>(
      made.filter(({ at }) => at === '/field').map(({ valueClass }) => valueClass),
    );
    // What is left out stands beside the place: in the object around it.
    for (const { valueClass, at } of made)
      if (at === '' || valueClass.startsWith('missing')) reached.add(valueClass);
    expect(claimed.length).toBeGreaterThan(0);
    expect(claimed.filter((name) => !reached.has(name))).toEqual([]);
  }
});

test.each<[JsonObject, string[]]>([
  [{ type: 'string', format: 'date' }, ['format-broken']],
  [{ type: 'string', format: 'binary' }, []],
  [{ type: 'string', format: 'password' }, []],
  [{ type: 'string' }, ['exotic']],
  [{ type: 'string', pattern: '^a' }, ['pattern-broken']],
  [{ type: 'integer', format: 'int64' }, ['integer-edge']],
  [{ type: 'number', format: 'double' }, []],
  [{ type: 'string', minLength: 0 }, ['shortest', 'exotic']],
  [{ type: 'array', minItems: 1, items: {} }, ['fewest-items', 'too-few-items']],
  [{ type: 'boolean' }, ['boolean-value']],
  [{ oneOf: [{ type: 'boolean' }, { type: 'string' }] }, ['exotic', 'branch']],
])('%j has these classes in the matrix: %j', (field, expected) => {
  const [operation] = makeContract({
    paths: {
      '/things': {
        post: {
          requestBody: { ...jsonContent({ type: 'object', properties: { field } }) },
          responses: {},
        },
      },
    },
  }).operations;
  const always = ['optional-missing', 'null-given', 'wrong-type'];
  const claimed =
    operation === undefined
      ? []
      : inputsOf(operation, () => false)
          .filter(({ name }) => name === 'field')
          .flatMap(({ classes }) => classes);
  expect(claimed.filter((name) => !always.includes(name))).toEqual(expected);
});

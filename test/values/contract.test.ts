import { describe, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import type { Contract, Direction, Schema } from '../../src/contract/model.ts';
import { valueAt } from '../../src/json/pointer.ts';
import { boundaryValues } from '../../src/values/boundary-values.ts';
import { exoticValues } from '../../src/values/exotic-values.ts';
import { invalidTexts } from '../../src/values/invalid-texts.ts';
import { invalidValues } from '../../src/values/invalid-values.ts';
import { plainValue } from '../../src/values/plain-value.ts';
import { loadSampler } from '../../src/values/sample-value.ts';

/**
 * A document in the dialect of 3.0, with what only that has: `nullable`, boolean exclusive bounds,
 * `example`.
 */
const older = {
  openapi: '3.0.3',
  info: { title: 'Older', version: '1' },
  paths: {
    '/things': {
      post: {
        operationId: 'createThing',
        parameters: [
          { name: 'X-Trace', in: 'header', schema: { type: 'string', format: 'uuid' } },
          {
            name: 'ids',
            in: 'query',
            schema: { type: 'array', items: { type: 'integer', minimum: 1 } },
          },
        ],
        requestBody: {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
        },
        responses: {
          '201': {
            description: 'made',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Thing: {
        allOf: [{ $ref: '#/components/schemas/Base' }],
        required: ['weight', 'shape'],
        properties: {
          weight: { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 1000 },
          label: { type: 'string', nullable: true, maxLength: 12, example: 'fragile' },
          serial: { type: 'integer', format: 'int64' },
          shape: {
            oneOf: [
              { $ref: '#/components/schemas/Circle' },
              { $ref: '#/components/schemas/Square' },
            ],
            discriminator: { propertyName: 'kind' },
          },
          parts: { type: 'array', items: { $ref: '#/components/schemas/Thing' }, maxItems: 2 },
        },
      },
      Base: {
        type: 'object',
        required: ['id'],
        properties: {
          id: { type: 'integer', readOnly: true },
          pin: { type: 'string', writeOnly: true, pattern: '^\\d{4}$' },
        },
      },
      Circle: {
        type: 'object',
        required: ['kind', 'radius'],
        properties: { kind: { type: 'string' }, radius: { type: 'integer', minimum: 1 } },
      },
      Square: {
        type: 'object',
        required: ['kind', 'side'],
        properties: { kind: { type: 'string' }, side: { type: 'integer', minimum: 1 } },
      },
    },
  },
};

const contracts: readonly [string, Contract][] = [
  ['the bundled contract', await loadContract('openapi/petstore.v1.yaml')],
  ['a document of 3.0', await loadContract(older)],
];

/** Every schema of a contract, with the way in which its values travel. */
function schemasOf({ operations }: Contract): [Direction, Schema][] {
  return operations.flatMap(({ parameters, requestBody, responses }) => [
    ...parameters.map(({ schema }): [Direction, Schema] => ['request', schema]),
    ...(requestBody?.content ?? []).flatMap(({ schema }): [Direction, Schema][] =>
      schema === undefined ? [] : [['request', schema]],
    ),
    ...responses.flatMap(({ content }) =>
      content.flatMap(({ schema }): [Direction, Schema][] =>
        schema === undefined ? [] : [['response', schema]],
      ),
    ),
  ]);
}

describe.each(contracts)('values of %s:', (_name, contract) => {
  test('there are schemas for requests and responses', () => {
    expect(new Set(schemasOf(contract).map(([direction]) => direction))).toEqual(
      new Set(['request', 'response']),
    );
  });

  test('every schema has a plain value and a sample, both valid', async () => {
    const { sampleValue } = await loadSampler();
    for (const [direction, schema] of schemasOf(contract)) {
      for (const made of [
        plainValue(schema, { seed: 1, direction }),
        plainValue(schema, { seed: 1, direction, required: 'all' }),
        sampleValue(schema, { seed: 1, direction }),
      ]) {
        expect(made.ok && schema.validate(made.value, direction), schema.pointer).toEqual([]);
      }
    }
  });

  test(
    'every valid value is valid, every invalid one invalid, and each points ' +
      'at what is written',
    () => {
      for (const [direction, schema] of schemasOf(contract)) {
        const valid = [...boundaryValues(schema, direction), ...exoticValues(schema, direction)];
        const invalid = invalidValues(schema, direction);
        for (const { value, label } of valid)
          expect(schema.validate(value, direction), label).toEqual([]);
        for (const { value, label } of invalid)
          expect(schema.validate(value, direction), label).not.toEqual([]);
        // The `example` of 3.0 is one of `examples` in the model.
        for (const { pointer, label } of [...valid, ...invalid])
          expect(
            valueAt(contract.document, pointer.replace(/\/examples\/0$/, '')),
            `${label}: ${pointer}`,
          ).toBeDefined();
        expect(invalid.length, schema.pointer).toBeGreaterThan(0);
      }
    },
  );

  test('every invalid text has an existing pointer', () => {
    const texts = contract.operations.flatMap(({ parameters }) =>
      parameters.flatMap(({ schema }) => invalidTexts(schema)),
    );
    expect(texts.length).toBeGreaterThan(0);
    for (const { pointer } of texts)
      expect(valueAt(contract.document, pointer), pointer).toBeDefined();
  });
});

test('64 bits are exact: the last integer inside is valid, the first outside is not', () => {
  const things = contracts.flatMap(([, { operations }]) =>
    operations.filter(({ id }) => id === 'createThing'),
  );
  const schema = things[0]?.requestBody?.content[0]?.schema;
  const shown = (values: readonly { at: string; value: unknown }[]): unknown[] =>
    values
      .filter(({ at }) => at === '/serial')
      .map(({ value }) => (value as { serial?: unknown }).serial);
  expect(schema && shown(boundaryValues(schema, 'request'))).toEqual(
    expect.arrayContaining([2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n + 1n]),
  );
  expect(schema && shown(invalidValues(schema, 'request'))).toEqual(
    expect.arrayContaining([2n ** 63n, -(2n ** 63n) - 1n]),
  );
});

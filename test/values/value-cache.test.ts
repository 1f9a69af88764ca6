import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import type { Schema, SchemaNode } from '../../src/contract/model.ts';
import { boundaryValues } from '../../src/values/boundary-values.ts';
import { exoticValues } from '../../src/values/exotic-values.ts';
import { invalidTexts } from '../../src/values/invalid-texts.ts';
import { invalidValues } from '../../src/values/invalid-values.ts';
import { plainValue } from '../../src/values/plain-value.ts';
import { shareAmongAlike, ValueCache } from '../../src/values/value-cache.ts';
import { fc } from '../property.ts';
import { anySchema } from './any-schema.ts';

/**
 * The schemas of the bodies of a contract, each operation's with the components that it refers to.
 */
function bodies(
  schemas: readonly SchemaNode[],
  components: Readonly<Record<string, SchemaNode>> = {},
): Schema[] {
  const paths = Object.fromEntries(
    schemas.map((schema, index) => [
      `/things${String(index)}`,
      {
        post: {
          requestBody: { content: { 'application/json': { schema } } },
          responses: { 204: { description: 'Done' } },
        },
      },
    ]),
  );
  const text = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths,
    components: { schemas: components },
  });
  return parseContract(text, 'contract.json').operations.flatMap(
    ({ requestBody }) => requestBody?.content[0]?.schema ?? [],
  );
}

function everythingOf(schema: Schema): unknown {
  return [
    boundaryValues(schema, 'request'),
    exoticValues(schema, 'request'),
    invalidValues(schema, 'request'),
    invalidTexts(schema),
    plainValue(schema, { seed: 'a', direction: 'request' }),
  ];
}

/**
 * What is made of the last of some schemas when it is made alone, and when it shares with those
 * before it.
 */
function aloneAndShared(schemas: readonly Schema[]): [alone: unknown, shared: unknown] {
  const alone = schemas.map(everythingOf).at(-1);
  const shared = new ValueCache().within(() => schemas.map(everythingOf)).at(-1);
  return [alone, shared];
}

describe(
  'values of a schema are the same, whether or not they were made for ' +
    'another one that says the same:',
  () => {
    test('for any schema', () => {
      fc.assert(
        fc.property(anySchema, (node) => {
          const [alone, shared] = aloneAndShared(bodies([node, node]));
          expect(shared).toEqual(alone);
        }),
        { numRuns: 25 },
      );
    });

    const record = {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string', maxLength: 20 },
        kind: { $ref: '#/components/schemas/Kind' },
        inner: { type: 'object', properties: { size: { type: 'integer', minimum: 3 } } },
      },
    } as const;
    const Kind: SchemaNode = { type: 'string', enum: ['small', 'large'] };

    test.each<[string, readonly SchemaNode[], Readonly<Record<string, SchemaNode>>]>([
      [
        'where both refer to one',
        [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/A' }],
        { A: record, Kind },
      ],
      [
        'where each refers to its own',
        [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }],
        { A: record, B: record, Kind },
      ],
      [
        'where they differ in an example',
        [
          { ...record, example: { name: 'Robin' } },
          { ...record, example: { name: 'Bella' } },
        ],
        { Kind },
      ],
      [
        'where they differ in a description',
        [
          { ...record, description: 'One' },
          { ...record, description: 'Two' },
        ],
        { Kind },
      ],
      [
        'where a discriminator asks for the name of each',
        [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
        Object.fromEntries(
          ['Cat', 'Dog'].map((name) => [
            name,
            {
              type: 'object',
              required: ['kind'],
              properties: { kind: { type: 'string' } },
              discriminator: { propertyName: 'kind' },
            },
          ]),
        ),
      ],
      [
        'where no value can be made',
        [
          { type: 'integer', minimum: 5, maximum: 3 },
          { type: 'integer', minimum: 5, maximum: 3 },
        ],
        {},
      ],
    ])('%s', (_name, schemas, components) => {
      const [alone, shared] = aloneAndShared(bodies(schemas, components));
      expect(shared).toEqual(alone);
    });
  },
);

test('values of equal schemas are made once, only with a shared cache', () => {
  const [first, second, other] = bodies([
    { type: 'string' },
    { type: 'string' },
    { type: 'integer' },
  ]);
  const made: string[] = [];
  const make = (schema: Schema | undefined): string | undefined =>
    schema &&
    shareAmongAlike(schema, 'place', {
      make: () => (made.push(schema.pointer), schema.pointer),
      move: (pointer, to) => to(pointer),
    });
  expect(new ValueCache().within(() => [first, second, other].map(make))).toEqual(
    [first, second, other].map((schema) => schema?.pointer),
  );
  expect(made).toEqual([first?.pointer, other?.pointer]);
  expect([make(first), make(second)]).toEqual([first?.pointer, second?.pointer]);
  expect(made).toHaveLength(4);
});

test('what is judged of an example by its format alone leaves its schema as it is', () => {
  const at: SchemaNode = {
    type: 'string',
    format: 'date-time',
    readOnly: true,
    example: '2019-01-01T00:00:00Z',
  };
  const [schema] = bodies([{ type: 'object', required: ['at'], properties: { at } }]);
  const place = schema?.flatten().properties.get('at');
  expect(schema && plainValue(schema, { seed: 'a', direction: 'response' })).toBeDefined();
  expect(place && schema?.part(place).flatten().node).toMatchObject({ readOnly: true });
});

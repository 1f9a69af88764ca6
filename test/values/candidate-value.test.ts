import { expect, test, vi } from 'vitest';
import type { Schema, SchemaNode } from '../../src/contract/model.ts';
import { boundaryCandidates, boundaryValues } from '../../src/values/boundary-values.ts';
import { type CandidateValue, judgedValues } from '../../src/values/candidate-value.ts';
import { invalidCandidates, invalidValues } from '../../src/values/invalid-values.ts';
import { makeSchema } from './make-schema.ts';

/** A body with 60 texts, every third with a format, and a list. */
const wide: SchemaNode = {
  type: 'object',
  required: ['field0'],
  properties: {
    ...Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [
        `field${String(index)}`,
        {
          type: 'string',
          maxLength: 20 + index,
          minLength: 1,
          ...(index % 3 === 2 ? { format: 'date', maxLength: 10 } : {}),
        },
      ]),
    ),
    tags: { type: 'array', items: { type: 'string' }, maxItems: 3 },
  },
};

/** How often a schema judges a value while something is done. */
function judgements(schema: Schema, work: () => void): number {
  const [validate, accepts] = [vi.spyOn(schema, 'validate'), vi.spyOn(schema, 'accepts')];
  work();
  const count = validate.mock.calls.length + accepts.mock.calls.length;
  vi.restoreAllMocks();
  return count;
}

test.each([
  ['edges', boundaryCandidates],
  ['invalid values', invalidCandidates],
] as const)('only the %s of a wide body that are read are judged', (_name, make) => {
  const schema = makeSchema(wide);
  let candidates: readonly CandidateValue[] = [];
  const making = judgements(schema, () => (candidates = make(schema, 'request')));
  expect(candidates.length).toBeGreaterThan(150);
  expect(making).toBeLessThan(candidates.length / 2);
  const reading = judgements(schema, () => {
    expect([...judgedValues(candidates).take(10)]).toHaveLength(10);
  });
  expect(reading).toBeLessThan(40);
});

test('a candidate is judged once', () => {
  const schema = makeSchema(wide);
  const [candidate] = boundaryCandidates(schema, 'request');
  candidate?.judge();
  expect(judgements(schema, () => candidate?.judge())).toBe(0);
});

test.each<[string, SchemaNode]>([
  ['a wide body', wide],
  [
    'branches',
    {
      oneOf: [
        { type: 'string', maxLength: 3 },
        { type: 'integer', maximum: 9 },
      ],
    },
  ],
  [
    // The enumerated values, the booleans and the sizes meet in the plain value.
    'edges that are the plain value',
    {
      type: 'object',
      properties: {
        state: { enum: ['on', 'off'], default: 'on' },
        flag: { type: 'boolean', default: true },
        tags: { type: 'array', items: { type: 'string', default: 'a' }, minItems: 1, maxItems: 2 },
      },
    },
  ],
  ['an integer and its equal', { type: 'number', enum: [1, 1.5], default: 1 }],
])('the candidates of %s that are judged well are its values, each once', (_name, node) => {
  const schema = makeSchema(node);
  const edges = [...judgedValues(boundaryCandidates(schema, 'request'))];
  expect(edges).toEqual(boundaryValues(schema, 'request'));
  expect(new Set(edges.map(({ value }) => JSON.stringify(value))).size).toBe(edges.length);
  expect([...judgedValues(invalidCandidates(schema, 'request'))]).toEqual(
    invalidValues(schema, 'request'),
  );
});

test('a pinned list size does not change members beside the list', () => {
  const schema = makeSchema(wide);
  const sized = boundaryValues(schema, 'request').filter(({ at }) => at === '/tags');
  expect(sized.map(({ value }) => value)).toEqual(
    [0, 3].map((size) =>
      expect.objectContaining({ tags: expect.objectContaining({ length: size }) as unknown }),
    ),
  );
});

import { describe, expect, test } from 'vitest';
import { WorkBudget } from '../../../src/json/work-budget.ts';
import { parseJson } from '../../../src/json/parse-json.ts';
import type { JsonValue } from '../../../src/json/value.ts';
import { fc } from '../../property.ts';
import { hostilePairs, hostileTexts, schemaOf, type HostilePair } from './hostile-pairs.ts';

function valueOf({ body }: HostilePair): JsonValue {
  const reading = parseJson(body);
  if (!reading.ok) throw new Error(reading.problem.reason);
  return reading.value;
}

/** Validates a body: the number of issues, and the work units that are left of the budget. */
function judge(pair: HostilePair): { issues: number; left: number } {
  const [schema, value, budget] = [schemaOf(pair), valueOf(pair), new WorkBudget()];
  const issues = schema.validate(value, 'request', budget).length;
  return { issues, left: budget.left };
}

describe('validation stays within its budget', () => {
  test.each(hostilePairs.map((pair) => [pair.name, pair] as const))('%s', (_name, pair) => {
    expect(pair.body.length).toBeLessThanOrEqual(1024 * 1024);
    const { issues, left } = judge(pair);
    expect(issues).toBeLessThanOrEqual(1_000);
    expect(left).toBeGreaterThanOrEqual(0);
  });

  test('every format over long texts', () => {
    const overspent = hostileTexts(64 * 1024)
      .filter((pair) => judge(pair).left < 0)
      .map(({ name }) => name);
    expect(overspent).toEqual([]);
  });
});

describe('exceeding the budget is reported', () => {
  const recursive = hostilePairs.find(({ name }) => name === 'recursive anyOf');

  test('by one issue', () => {
    if (recursive === undefined) throw new Error('There is no such pair.');
    const schema = schemaOf(recursive);
    expect(schema.validate(valueOf(recursive), 'request')).toMatchObject([
      { at: '', unjudged: true },
    ]);
    expect(schema.accepts(valueOf(recursive), 'request')).toBe(false);
  });

  test('the next value is validated with a new budget', () => {
    if (recursive === undefined) throw new Error('There is no such pair.');
    const schema = schemaOf(recursive);
    schema.validate(valueOf(recursive), 'request');
    expect(schema.validate({ a: { a: {} } }, 'request')).toEqual([]);
    expect(schema.validate(1, 'request')).toMatchObject([{ keyword: 'anyOf' }]);
  });

  test('values that share a spent budget', () => {
    const schema = schemaOf({ name: 'plain', schema: { type: 'string' }, body: '' });
    const budget = new WorkBudget(0);
    expect(schema.validate('a', 'request', budget)).toMatchObject([{ unjudged: true }]);
    expect(schema.validate('a', 'request')).toEqual([]);
  });
});

describe('the work is counted', () => {
  function spent(schema: HostilePair['schema'], value: JsonValue): number {
    const budget = new WorkBudget();
    schemaOf({ name: '', schema, body: '' }).validate(value, 'request', budget);
    return new WorkBudget().left - budget.left;
  }
  const many = (count: number): JsonValue => Array.from({ length: count }, (_, index) => index);
  const wide = (count: number): JsonValue =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${String(index)}`, 1]));

  test.each<[string, HostilePair['schema'], (count: number) => JsonValue]>([
    ['items', { items: { type: 'integer' } }, many],
    ['errors', { items: { type: 'string' } }, many],
    ['unique items', { uniqueItems: true }, many],
    ['names', { additionalProperties: false }, wide],
    ['names by a pattern', { propertyNames: { pattern: '^k' } }, wide],
    ['a pattern', { pattern: '^(a+)+$' }, (count) => 'a'.repeat(count)],
    ['a format', { format: 'uri' }, (count) => 'a'.repeat(count)],
    ['an enumeration', { items: { enum: many(40) } }, many],
  ])('of %s, for each of them', (_name, schema, value) => {
    const [few, more] = [spent(schema, value(4_000)), spent(schema, value(8_000))];
    expect(more).toBeGreaterThan(few * 1.8);
    expect(more).toBeLessThan(few * 2.5);
  });

  test('of generated schemas and bodies, within every budget', () => {
    const leaf = fc.constantFrom<HostilePair['schema']>(
      { type: 'string' },
      { type: 'integer', multipleOf: 0.01 },
      { pattern: '^(a|a)*$' },
      { enum: [1, 'a', { a: 1 }] },
      { uniqueItems: true },
      { additionalProperties: false },
      { $ref: '#/components/schemas/S' },
    );
    const schemas = fc.letrec<{ node: HostilePair['schema'] }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 3 },
        leaf,
        ...['anyOf', 'oneOf', 'allOf'].map((keyword) =>
          fc
            .array(tie('node'), { minLength: 1, maxLength: 3 })
            .map((branches) => ({ [keyword]: branches })),
        ),
        fc.record({ properties: fc.record({ a: tie('node') }) }),
        ...[
          'not',
          'items',
          'contains',
          'additionalProperties',
          'propertyNames',
          'unevaluatedProperties',
        ].map((keyword) => tie('node').map((node) => ({ [keyword]: node }))),
      ),
    })).node;
    const bodies = fc.oneof(
      fc.jsonValue().map((value) => value as JsonValue),
      fc
        .integer({ min: 1, max: 60 })
        .map((depth) => JSON.parse('{"a":'.repeat(depth) + '1' + '}'.repeat(depth)) as JsonValue),
    );
    fc.assert(
      fc.property(schemas, bodies, fc.integer({ min: 0, max: 200_000 }), (schema, body, units) => {
        const budget = new WorkBudget(units);
        const issues = schemaOf({ name: '', schema, body: '' }).validate(body, 'request', budget);
        return budget.left <= units && budget.left >= 0 && issues.length <= 1_000;
      }),
      { numRuns: 300 },
    );
  });
});

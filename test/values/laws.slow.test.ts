import { describe, expect, test } from 'vitest';
import type { Direction, SchemaNode } from '../../src/contract/model.ts';
import { joinPointer, splitPointer, valueAt } from '../../src/json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/json/value.ts';
import { boundaryValues } from '../../src/values/boundary-values.ts';
import { exoticValues } from '../../src/values/exotic-values.ts';
import { invalidValues } from '../../src/values/invalid-values.ts';
import { formsOf } from '../../src/values/forms.ts';
import { plainValue } from '../../src/values/plain-value.ts';
import { loadSampler } from '../../src/values/sample-value.ts';
import { valueKey } from '../../src/json/json-type.ts';
import { fc } from '../property.ts';
import { anySchema } from './any-schema.ts';
import { makeSchema } from './make-schema.ts';

const runs = { numRuns: 100 };
const direction: Direction = 'request';
const makers = { boundaryValues, exoticValues, invalidValues };

describe('for any schema:', () => {
  test('the plain value is valid and deterministic', () => {
    fc.assert(
      fc.property(
        anySchema,
        fc.constantFrom(undefined, 'all' as const, 'only' as const),
        fc.string(),
        (node, required, seed) => {
          const schema = makeSchema(node);
          const options = { seed, direction, ...(required === undefined ? {} : { required }) };
          const made = plainValue(schema, options);
          if (!made.ok) throw new Error(made.reason);
          expect(schema.validate(made.value, direction)).toEqual([]);
          expect(plainValue(makeSchema(node), options)).toEqual(made);
        },
      ),
      runs,
    );
  });

  test('a sample is valid and deterministic', async () => {
    const { sampleValue } = await loadSampler();
    fc.assert(
      fc.property(anySchema, fc.nat(), (node, seed) => {
        const schema = makeSchema(node);
        const made = sampleValue(schema, { seed, direction: 'response' });
        if (!made.ok) throw new Error(made.reason);
        expect(schema.validate(made.value, 'response')).toEqual([]);
        expect(sampleValue(schema, { seed, direction: 'response' })).toEqual(made);
      }),
      runs,
    );
  });

  test.each(['boundaryValues', 'exoticValues'] as const)('every one of %s is valid', (name) => {
    fc.assert(
      fc.property(anySchema, (node) => {
        const schema = makeSchema(node);
        for (const { value, label } of makers[name](schema, direction))
          expect(schema.validate(value, direction), label).toEqual([]);
      }),
      runs,
    );
  });

  test('every one of invalidValues is invalid', () => {
    fc.assert(
      fc.property(anySchema, (node) => {
        const schema = makeSchema(node);
        for (const { value, label } of invalidValues(schema, direction))
          expect(schema.validate(value, direction), label).not.toEqual([]);
      }),
      runs,
    );
  });

  test.each(['boundaryValues', 'exoticValues', 'invalidValues'] as const)(
    '%s come once, in the same order, and point into the contract',
    (name) => {
      fc.assert(
        fc.property(anySchema, (node) => {
          const values = makers[name](makeSchema(node), direction);
          expect(new Set(values.map(({ value }) => valueKey(value))).size).toBe(values.length);
          expect(makers[name](makeSchema(node), direction)).toEqual(values);
          for (const { pointer, label } of values)
            expect(pointsInto(node, pointer), `${label}: ${pointer}`).toBe(true);
        }),
        runs,
      );
    },
  );

  test('an invalid value differs from a valid one at one place only', () => {
    fc.assert(
      fc.property(anySchema, (node) => {
        const schema = makeSchema(node);
        const plain = plainValue(schema, { seed: 'plain', direction });
        if (!plain.ok) throw new Error(plain.reason);
        const whole = [
          plain,
          ...formsOf(schema).map((form) => plainValue(form, { seed: 'plain', direction })),
        ].flatMap((made) => (made.ok ? [made.value] : []));
        for (const { value, label, at } of invalidValues(schema, direction))
          expect(
            whole.some((one) => differsOnlyAt(splitPointer(at), one, value)),
            label,
          ).toBe(true);
      }),
      runs,
    );
  });
});

/**
 * Whether two values are the same but for one place, and what is missing in the first on the way
 * there.
 */
function differsOnlyAt(
  [token, ...rest]: readonly string[],
  left: JsonValue | undefined,
  right: JsonValue | undefined,
): boolean {
  if (token === undefined || left === undefined || right === undefined) return true;
  if (!isJsonObject(left) || !isJsonObject(right))
    return (
      Array.isArray(left) &&
      Array.isArray(right) &&
      differsOnlyAt(rest, left[Number(token)], right[Number(token)])
    );
  const others = [...new Set([...Object.keys(left), ...Object.keys(right)])].filter(
    (name) => name !== token,
  );
  const isSame = (name: string): boolean =>
    Object.hasOwn(left, name) &&
    Object.hasOwn(right, name) &&
    valueKey(left[name] ?? null) === valueKey(right[name] ?? null);
  return (
    others.every(isSame) &&
    differsOnlyAt(
      rest,
      valueAt(left, joinPointer('', token)),
      valueAt(right, joinPointer('', token)),
    )
  );
}

function pointsInto(node: SchemaNode, pointer: string): boolean {
  return valueAt(node as JsonObject, pointer) !== undefined;
}

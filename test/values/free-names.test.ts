import { expect, test } from 'vitest';
import type { SchemaNode, SchemaObject } from '../../src/contract/model.ts';
import { isJsonObject } from '../../src/json/value.ts';
import { freeNames } from '../../src/values/free-names.ts';
import { plainValue } from '../../src/values/plain-value.ts';
import { viewOf } from '../../src/values/view.ts';
import { makeSchema } from './make-schema.ts';

/** The names of the members of a generated map. */
function namesOf(propertyNames: SchemaNode, more: SchemaObject): string[] {
  const schema = makeSchema({
    type: 'object',
    propertyNames,
    additionalProperties: { type: 'integer' },
    ...more,
  });
  const made = plainValue(schema, { seed: 'names', direction: 'response' });
  if (!made.ok || !isJsonObject(made.value)) throw new Error(JSON.stringify(made));
  return Object.keys(made.value);
}

test.each<[rules: SchemaNode, count: number, looks: RegExp]>([
  [{ format: 'date' }, 3, /^\d{4}-\d\d-\d\d$/],
  [{ format: 'date-time' }, 2, /^\d{4}-\d\d-\d\dT/],
  [{ type: 'string', format: 'email' }, 2, /@/],
  [{ format: 'uuid' }, 2, /^[0-9a-f]{8}-[0-9a-f-]{27}$/],
  [{ format: 'uri', maxLength: 60 }, 12, /:/],
  [{ format: 'hostname' }, 3, /^[a-z0-9.-]+$/],
  [{ allOf: [{ format: 'date' }, { pattern: '^20' }] }, 2, /^20\d\d-/],
  [{ anyOf: [{ const: 'alpha' }, { const: 'beta' }] }, 2, /^(alpha|beta)$/],
  [{ not: { enum: ['amber', 'birch', 'cedar'] } }, 3, /^(?!amber|birch|cedar)[a-z]+$/],
  [{ minLength: 30, maxLength: 32 }, 3, /^.{30,32}$/],
])('free members are named by the rules %j', (rules, count, looks) => {
  const names = namesOf(rules, { minProperties: count });
  expect(names).toHaveLength(count);
  for (const name of names) expect(name).toMatch(looks);
});

test('rules that no name keeps give no names', () => {
  const schema = makeSchema({ type: 'object', propertyNames: false });
  const view = viewOf(schema, [{ node: schema.node, pointer: '' }]);
  expect(freeNames(view, 2, new Set())).toEqual([]);
});

import { expect, test } from 'vitest';
import { onlyValue } from '../../../src/mock/records/known-values.ts';
import { parseContract } from '../../../src/contract/load.ts';
import { fieldsOf } from '../../../src/mock/records/schema-fields.ts';

/** What a field of this schema can only be. */
function onlyOf(schema: string): unknown {
  const contract = parseContract(`{ openapi: 3.1.0, info: { title: T, version: '1' }, paths: { /a: { get: { responses: { '200': { description: ok, content: { application/json: { schema: { type: object, properties: { field: ${schema} } } } } } } } } } }`, 'one.yaml');
  const body = contract.operations[0]?.responses[0]?.content[0]?.schema;
  const field = body && fieldsOf(body).get('field');
  return field && onlyValue(field);
}

test.each<[string, unknown]>([
  ['{ const: 5 }', 5],
  ['{ const: null }', null],
  ['{ enum: [one] }', 'one'],
  ['{ enum: [one, two] }', undefined],
  ['{ type: string }', undefined],
])('a field of %s can only be %j', (schema, value) => {
  expect(onlyOf(schema)).toBe(value);
});

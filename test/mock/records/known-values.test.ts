import { expect, test } from 'vitest';
import {
  fieldsOf,
  type MomentKind,
  onlyValue,
  type SchemaField,
  writeMoment,
} from '../../../src/mock/records/record-fields.ts';
import { parseContract } from '../../../src/contract/load.ts';

/** A field of this schema. */
function fieldOf(schema: string, name = 'field'): SchemaField {
  const contract = parseContract(
    `{ openapi: 3.1.0, info: { title: T, version: '1' }, paths: { /a: { get: ` +
      `{ responses: { '200': { description: ok, content: { application/json: { ` +
      `schema: { type: object, properties: { ${name}: ${schema} } } } } } } } ` +
      '} } }',
    'one.yaml',
  );
  const body = contract.operations[0]?.responses[0]?.content[0]?.schema;
  const field = body && fieldsOf(body).get(name);
  if (field === undefined) throw new Error('the test has no field');
  return field;
}

test.each<[string, unknown]>([
  ['{ const: 5 }', 5],
  ['{ const: null }', null],
  ['{ enum: [one] }', 'one'],
  ['{ enum: [one, two] }', undefined],
  ['{ type: string }', undefined],
])('a field of %s can only be %j', (schema, value) => {
  expect(onlyValue(fieldOf(schema))).toBe(value);
});

test.each<[name: string, schema: string, kind: MomentKind]>([
  ['createdAt', '{ type: string, format: date-time }', 'creation'],
  ['created', '{ type: string, format: date }', 'creation'],
  ['created', '{ type: integer, format: unix-time }', 'creation'],
  ['last_modified', '{ type: string, format: date-time }', 'change'],
  ['updated_on', '{ type: string }', 'change'],
  ['added', '{ type: string }', undefined],
  ['createdAt', '{ type: integer }', undefined],
  ['createdAt', '{ type: string, format: uuid }', undefined],
  ['createdAt', '{ type: string, enum: [now] }', undefined],
  ['birthDate', '{ type: string, format: date }', undefined],
])('%s of %s holds a moment: %s', (name, schema, kind) => {
  expect(fieldOf(schema, name).moment).toBe(kind);
});

test.each([
  ['date-time', '2030-01-02T03:04:05.678Z'],
  ['date', '2030-01-02'],
  ['unix-time', 1893553445],
])('a moment as %s', (format, expected) => {
  expect(
    writeMoment(
      fieldOf(`{ type: [string, integer], format: ${format} }`),
      new Date('2030-01-02T03:04:05.678Z'),
    ),
  ).toBe(expected);
});

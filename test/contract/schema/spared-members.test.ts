import { describe, expect, test } from 'vitest';
import type { Schema } from '../../../src/contract/model.ts';
import { parseContract } from '../../../src/contract/load.ts';
import { plainValue } from '../../../src/values/plain-value.ts';

/** The schema of the request body, beside components that others refer to. */
function bodyOf(schema: string): Schema {
  const { operations } = parseContract(
    `
openapi: 3.1.0
info: { title: Archive, version: '1' }
paths: { /boxes: { post: { requestBody: { content: { application/json: { schema: ${schema} } } },
  responses: { '204': { description: Kept } } } } }
components: { schemas: { Named: { type: object, required: [id, name], properties: { name: {
  type: string } } }, Marked: { type: object, properties: { id: { type: integer,
  readOnly: true } } } } }
`,
    'boxes.yaml',
  );
  const body = operations[0]?.requestBody?.content[0]?.schema;
  if (body === undefined) throw new Error('the document has no such body');
  return body;
}

const refer = (name: string): string => `{ $ref: '#/components/schemas/${name}' }`;

describe('a readOnly member that another part of the object requires', () => {
  test.each([
    [`{ allOf: [${refer('Marked')}, ${refer('Named')}] }`],
    [`{ allOf: [${refer('Named')}, ${refer('Marked')}] }`],
    [`{ allOf: [${refer('Marked')}], required: [id, name] }`],
    [`{ allOf: [{ allOf: [${refer('Named')}] }], properties: { id: { readOnly: true } } }`],
    [`{ $ref: '#/components/schemas/Marked', required: [id, name] }`],
  ])('is not required in a request: %s', (schema) => {
    const body = bodyOf(schema);
    expect(body.accepts({ name: 'Attic' }, 'request')).toBe(true);
    expect(body.accepts({}, 'request')).toBe(false);
    expect(body.accepts({ name: 'Attic' }, 'response')).toBe(false);
    expect(body.accepts({ id: 1, name: 'Attic' }, 'response')).toBe(true);
  });

  test('does not change the part where it stands alone', () => {
    const body = bodyOf(
      `{ type: object, properties: { both: { allOf: [${refer('Marked')}, ${refer(
        'Named',
      )}] }, one: ${refer('Named')} } }`,
    );
    expect(body.accepts({ both: { name: 'a' } }, 'request')).toBe(true);
    expect(body.accepts({ one: { name: 'a' } }, 'request')).toBe(false);
  });

  test('has a valid body', () => {
    const made = plainValue(bodyOf(`{ allOf: [${refer('Marked')}, ${refer('Named')}] }`), {
      seed: 'a',
      direction: 'request',
    });
    expect(made.ok).toBe(true);
  });
});

describe('a required member with a default', () => {
  const body = bodyOf(
    '{ type: object, required: [size, name], properties: { name: { type: string }, size: { ' +
      'type: integer, default: 3 } } }',
  );

  test('may be absent from a request, and is in every response', () => {
    expect(body.accepts({ name: 'a' }, 'request')).toBe(true);
    expect(body.accepts({ size: 3 }, 'request')).toBe(false);
    expect(body.accepts({ name: 'a', size: 'x' }, 'request')).toBe(false);
    expect(body.accepts({ name: 'a' }, 'response')).toBe(false);
  });

  test('does not make an equal schema without one spare it', () => {
    const without = bodyOf(
      '{ type: object, properties: { a: { type: object, required: [size], properties: { size: { ' +
        'type: integer, default: 3 } } }, b: { type: object, required: [size], properties: { ' +
        'size: { type: integer } } } } }',
    );
    expect(without.accepts({ a: {} }, 'request')).toBe(true);
    expect(without.accepts({ b: {} }, 'request')).toBe(false);
  });
});

import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import type { Schema, SchemaNode } from '../../src/contract/model.ts';
import { brokenRules, countBroken, keepsRules } from '../../src/values/broken-rules.ts';
import { ValueCache } from '../../src/values/value-cache.ts';

const narrow: SchemaNode = {
  type: 'object',
  required: ['name', 'size'],
  properties: { name: { type: 'string', maxLength: 3 }, size: { type: 'integer' } },
};
const wide: SchemaNode = { type: 'object', properties: { name: { type: 'string' } } };
const value = { name: 'Robin' };

/** Schemas of one contract, each in a place of its own, and how often each was asked. */
function schemasOf(...nodes: readonly SchemaNode[]): {
  readonly schemas: readonly Schema[];
  readonly asked: number[];
} {
  const text = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: Object.fromEntries(
      nodes.map((schema, index) => [
        `/things${String(index)}`,
        {
          post: {
            requestBody: { content: { 'application/json': { schema } } },
            responses: { 204: { description: 'Done' } },
          },
        },
      ]),
    ),
  });
  const asked = nodes.map(() => 0);
  const schemas = parseContract(text, 'contract.json').operations.flatMap(
    ({ requestBody }, index) => {
      const schema = requestBody?.content[0]?.schema;
      if (schema === undefined) return [];
      const note = (): void => void (asked[index] = (asked[index] ?? 0) + 1);
      return [
        {
          pointer: schema.pointer,
          node: schema.node,
          follow: (place) => schema.follow(place),
          flatten: (place) => schema.flatten(place),
          part: (place) => schema.part(place),
          derive: (read) => schema.derive(read),
          validate: (given, direction) => (note(), schema.validate(given, direction)),
          accepts: (given, direction) => (note(), schema.accepts(given, direction)),
        } satisfies Schema,
      ];
    },
  );
  return { schemas, asked };
}

describe('the violations of a value', () => {
  test('are computed once for equal schemas with a shared cache', () => {
    const { schemas, asked } = schemasOf(narrow, narrow);
    const cache = new ValueCache();
    expect(cache.within(() => schemas.map((schema) => countBroken(schema, value)))).toEqual([2, 2]);
    expect(cache.within(() => schemas.map((schema) => keepsRules(schema, value)))).toEqual([
      false,
      false,
    ]);
    expect(asked).toEqual([1, 0]);
  });

  test('are computed for each different schema', () => {
    const { schemas } = schemasOf(narrow, wide, narrow);
    expect(
      new ValueCache().within(() => schemas.map((schema) => countBroken(schema, value))),
    ).toEqual([2, 0, 2]);
    expect(
      new ValueCache().within(() => schemas.map((schema) => keepsRules(schema, value))),
    ).toEqual([false, true, false]);
  });

  test('are computed for each schema without a cache', () => {
    const { schemas, asked } = schemasOf(narrow, narrow);
    expect(schemas.map((schema) => countBroken(schema, value))).toEqual([2, 2]);
    expect(asked).toEqual([1, 1]);
  });

  test('have the pointers of the given schema', () => {
    const { schemas } = schemasOf(narrow, narrow);
    const places = new ValueCache().within(() =>
      schemas.map((schema) =>
        brokenRules(schema, value).map(({ pointer }) => pointer.split('/')[2]),
      ),
    );
    expect(places).toEqual([
      ['~1things0', '~1things0'],
      ['~1things1', '~1things1'],
    ]);
  });
});

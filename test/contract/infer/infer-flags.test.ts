import { describe, expect, test } from 'vitest';
import { addedOf, flagsOf, kindsOf } from '../../../src/contract/infer/infer-flags.ts';
import type { Resource } from '../../../src/contract/model.ts';
import type { JsonObject } from '../../../src/json/value.ts';
import { jsonContent, makeContract } from '../make-contract.ts';

const flag = { type: 'boolean' };

/** A list of things whose records may be active, and whose query has one parameter. */
function things(name: string, schema: JsonObject, description = 'Lists things.'): Resource {
  const thing = {
    type: 'object',
    required: ['id', 'is_active'],
    properties: { id: { type: 'string' }, is_active: flag, part_count: { type: 'integer' } },
  };
  const [resource] = makeContract({
    paths: {
      '/things': {
        get: {
          operationId: 'listThings',
          description,
          parameters: [{ name, in: 'query', schema }],
          responses: {
            200: { description: 'ok', ...jsonContent({ type: 'array', items: thing }) },
          },
        },
      },
    },
  }).resources;
  if (resource === undefined) throw new Error('no resource');
  return resource;
}

const several = (...values: string[]): JsonObject => ({
  type: 'array',
  items: { type: 'string', enum: values },
});

describe('a boolean parameter leaves records out', () => {
  test.each([
    ['exclude_active', true],
    ['hideActive', true],
    ['only-active', false],
  ])('by the field that %s names', (name, hides) => {
    const [found] = flagsOf(things(name, flag));
    expect([found?.field, found?.hides]).toEqual(['is_active', hides]);
  });

  test.each(['include_active', 'highlight_active', 'exclude_old', 'active'])(
    'and %s is none',
    (name) => {
      expect(flagsOf(things(name, flag))).toEqual([]);
    },
  );
});

describe('a parameter takes kinds of records', () => {
  test('of which a field tells one, and denies the other', () => {
    const [found] = kindsOf(things('types', several('active_thing', 'old_thing')));
    expect(found?.told?.field).toBe('is_active');
    expect([...(found?.told?.by ?? [])]).toEqual([
      ['active_thing', true],
      ['old_thing', false],
    ]);
  });

  test('of which nothing tells them where the values share no noun', () => {
    const [found] = kindsOf(things('columns', several('name', 'active_since', 'size')));
    expect(found?.told).toBeUndefined();
  });
});

describe('a boolean parameter adds a field', () => {
  test('where a text names both', () => {
    const says = '`part_count` is shown with include_part_count only.';
    expect(addedOf(things('include_part_count', flag, says))[0]?.field).toBe('part_count');
    expect(addedOf(things('include_part_count', flag))).toEqual([]);
    expect(addedOf(things('include_is_active', flag))).toEqual([]);
  });
});

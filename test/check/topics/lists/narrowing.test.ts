import { describe, expect, test } from 'vitest';
import { type Listing, narrowing, newestFirst } from '../../../../src/check/plan/listing.ts';
import type { JsonObject, JsonValue } from '../../../../src/json/value.ts';
import { jsonContent, makeContract } from '../../../contract/make-contract.ts';

const thing: JsonObject = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'integer' },
    code: { type: 'string' },
    kind: { enum: ['a', 'b'] },
    done: { type: 'boolean' },
    createdAt: { type: 'string', format: 'date-time' },
  },
};

/** A list of things with parameters in its query, whose identifiers are of a type. */
function listing(
  parameters: Readonly<Record<string, JsonObject>>,
  id: JsonObject = { type: 'integer' },
): Listing {
  const record = { ...thing, properties: { ...(thing['properties'] as JsonObject), id } };
  const contract = makeContract({
    paths: {
      '/things': {
        get: {
          operationId: 'listThings',
          parameters: Object.entries(parameters).map(([name, schema]) => ({
            name,
            in: 'query',
            schema,
          })),
          responses: {
            200: { description: 'ok', ...jsonContent({ type: 'array', items: record }) },
          },
        },
      },
      '/things/{id}': {
        get: {
          operationId: 'getThing',
          parameters: [{ name: 'id', in: 'path', required: true, schema: id }],
          responses: { 200: { description: 'ok', ...jsonContent(record) } },
        },
      },
    },
  });
  const [resource] = contract.resources;
  if (resource?.list === undefined) throw new Error('the contract has no list');
  // Neither asks for the draft.
  return { resource, shape: resource.list } as unknown as Listing;
}

describe('the order that shows new records first', () => {
  test.each<[string, readonly JsonValue[], JsonObject, unknown]>([
    [
      'by a counted identifier rather than by moments',
      ['-createdAt', '-id'],
      { type: 'integer' },
      ['-id'],
    ],
    [
      'by moments, where identifiers are not counted',
      ['-id', '-createdAt'],
      { type: 'string' },
      ['-createdAt'],
    ],
    [
      'by what the list has beside words that are none',
      [null, 7, '-createdAt'],
      { type: 'integer' },
      ['-createdAt'],
    ],
    [
      'in no order that goes upwards',
      ['id', 'createdAt', 'createdAt:asc'],
      { type: 'integer' },
      [],
    ],
    ['in no order of another field', ['-code'], { type: 'integer' }, []],
  ])('%s: %j', (_name, words, id, expected) => {
    expect(newestFirst(listing({ sort: { enum: words } }, id)).map(({ source }) => source)).toEqual(
      (expected as string[]).map((value) => ({ kind: 'value', value })),
    );
  });

  test('is unknown without a sort parameter, or without listed words', () => {
    expect(newestFirst(listing({}))).toEqual([]);
    expect(newestFirst(listing({ sort: { type: 'string' } }))).toEqual([]);
  });
});

describe('the filter that fits the fewest records', () => {
  const filters = {
    done: { type: 'boolean' },
    kind: { type: 'string', enum: ['a', 'b'] },
    code: { type: 'string' },
  } as const;
  const shown = (...bodies: readonly JsonValue[]): unknown =>
    narrowing(listing(filters), bodies).map(({ parameter, source }) => [parameter.name, source]);

  test.each<[string, readonly JsonValue[], unknown]>([
    [
      'a text before a word of a list before yes and no',
      [{ done: true, kind: 'a', code: 'x' }],
      [['code', { kind: 'field', resource: 'things', field: 'code' }]],
    ],
    [
      'a word of a list before yes and no',
      [{ done: true, kind: 'a' }],
      [['kind', { kind: 'field', resource: 'things', field: 'kind' }]],
    ],
    [
      'yes and no alone',
      [{ done: false }],
      [['done', { kind: 'field', resource: 'things', field: 'done' }]],
    ],
    [
      'what several have alike',
      [
        { kind: 'a', code: 'x' },
        { kind: 'a', code: 'y' },
      ],
      [['kind', { kind: 'value', value: 'a' }]],
    ],
    ['nothing that one of them lacks', [{ kind: 'a' }, { code: 'x' }], []],
    ['nothing of what is no record', ['x'], []],
    ['nothing of nothing', [], []],
  ])('%s', (_name, bodies, expected) => {
    expect(shown(...bodies)).toEqual(expected);
  });
});

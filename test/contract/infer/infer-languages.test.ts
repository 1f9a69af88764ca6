import { describe, expect, test } from 'vitest';
import { overrideResources } from '../../../src/contract/infer/override-resources.ts';
import type { Resource, ResourceOverride } from '../../../src/contract/model.ts';
import type { JsonObject } from '../../../src/json/value.ts';
import { jsonContent, makeContract } from '../make-contract.ts';

const record: JsonObject = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'string' },
    name: { type: 'string' },
    size: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' } },
    owner: { type: 'object', properties: { name: { type: 'string' } } },
  },
};

type Asked = string | JsonObject;

/** The resource of a list with these query parameters; a name alone is one that takes a text. */
function resourceOf(asked: readonly Asked[], mediaType = 'application/json'): Resource {
  const parameters = asked.map((one): JsonObject => ({
    in: 'query',
    schema: { type: 'string' },
    ...(typeof one === 'string' ? { name: one } : one),
  }));
  const content = { [mediaType]: { schema: { type: 'array', items: record } } };
  const [resource] = makeContract({
    paths: {
      '/things': { get: { parameters, responses: { 200: { description: 'ok', content } } } },
    },
  }).resources;
  if (resource === undefined) throw new Error('The contract has no list.');
  return resource;
}

/** The language of each expression of a list, by its parameter. */
function expressionsOf(...asked: readonly Asked[]): Record<string, string> {
  const { expressions = [] } = resourceOf(asked).list ?? {};
  return Object.fromEntries(
    expressions.map(({ parameter, language }) => [parameter.name, language.id]),
  );
}

const orderOf = (asked: readonly Asked[], mediaType?: string): string | undefined =>
  resourceOf(asked, mediaType).list?.sort?.language?.id;

const described = (name: string, description: string): JsonObject => ({ name, description });

describe('a parameter takes expressions', () => {
  test.each<[string, string, readonly Asked[]]>([
    ['by its name in OData', 'odata-filter', ['$filter']],
    ['as a filter beside order_by', 'aip-160', ['filter', 'order_by']],
    ['as a filter beside orderBy', 'aip-160', ['filter', 'orderBy']],
    ['as a filter beside page_token', 'aip-160', ['filter', 'page_token']],
    ['by its example', 'rsql', [{ name: 'filter', example: 'name==a;size=gt=3' }, 'page_token']],
    [
      'by the example of its schema',
      'odata-filter',
      [{ name: 'where', schema: { type: 'string', example: "owner/name eq 'Ann'" } }],
    ],
    [
      'by code in its description',
      'aip-160',
      [described('query', 'Such as `size > 3 AND name = "a"`.')],
    ],
    ['by a quotation in its description', 'rsql', [described('q', 'Such as "name==a".')]],
    ['by a quotation with quotes', 'odata-filter', [described('q', 'Say: "name eq \'a\'".')]],
    ['by the standard that is named', 'rsql', [described('search', 'A filter in RSQL.')]],
    [
      'by the address of the standard',
      'aip-160',
      [described('filter', 'See https://google.aip.dev/160.')],
    ],
  ])('%s', (_, id, asked) => {
    expect(Object.values(expressionsOf(...asked))).toEqual([id]);
  });

  test('and is neither a filter by one field nor a search', () => {
    const { list } = resourceOf([described('q', 'Such as `name = "a"`.'), 'page_token']);
    expect(list?.search).toBeUndefined();
    expect(list?.filters).toEqual([]);
  });

  test('over the fields of the record, those of examples first', () => {
    const fields = (description: string): readonly string[] | undefined =>
      resourceOf([described('filter', description)]).list?.expressions?.[0]?.fields;
    expect(fields('Such as `size > 3`.')).toEqual(['size', 'id', 'name', 'owner.name']);
    expect(fields('Such as `size > 3`. By `name`.')).toEqual(['size', 'name']);
  });

  test('over the lists of the record, which are asked for an item', () => {
    const lists = (description: string): readonly string[] | undefined =>
      resourceOf([described('filter', description)]).list?.expressions?.[0]?.lists;
    expect(lists('Such as `tags:"new"`.')).toEqual(['tags']);
    expect(lists('Such as `name:"new"`.')).toBeUndefined();
    expect(lists('Such as `tags = "new"`.')).toBeUndefined();
  });

  test('and says so', () => {
    expect(resourceOf(['$filter']).why).toContain(
      'The query parameter $filter filters by expressions in OData $filter over the record ' +
        'fields id, name, size, owner.name.',
    );
  });
});

test.each<[string, ResourceOverride]>([
  ['for all filters', { filters: false }],
  ['for this one', { filters: { filter: false } }],
])('the configuration denies expressions: %s', (_, settings) => {
  const parameters = ['filter', 'page_token'].map((name): JsonObject => ({
    name,
    in: 'query',
    schema: { type: 'string' },
  }));
  const answer = { description: 'ok', ...jsonContent({ type: 'array', items: record }) };
  const contract = makeContract({
    paths: { '/things': { get: { parameters, responses: { 200: answer } } } },
  });
  const [resource] = overrideResources(contract, { things: settings }).resources;
  expect(contract.resources[0]?.list?.expressions?.length).toBe(1);
  expect(resource?.list?.expressions ?? []).toEqual([]);
});

describe('a parameter takes no expressions', () => {
  test.each<[string, readonly Asked[]]>([
    ['as a filter alone', ['filter']],
    ['as a search', ['q', 'page_token']],
    ['with an example in no known language', [{ name: 'filter', example: 'name~a' }, 'order_by']],
    ['with an example that many languages have', [{ name: 'query', example: 'name=a' }]],
    ['with another one of them', [{ name: 'query', example: 'name!=a' }]],
    ['with an example of other fields', [described('q', 'Such as `colour = "red"`.')]],
    [
      'if its words are listed',
      [{ name: 'filter', schema: { type: 'string', enum: ['all', 'own'] } }, 'page_token'],
    ],
    ['if it is no text', [{ name: 'filter', schema: { type: 'integer' } }, 'page_token']],
    ['as another option of OData', [described('$select', 'As in OData.')]],
    ['if two standards are named', [described('q', 'RSQL, unlike OData.')]],
  ])('%s', (_, asked) => {
    expect(expressionsOf(...asked)).toEqual({});
  });
});

describe('an order descends', () => {
  test.each<[string, string, readonly Asked[]]>([
    ['by a word, by its name in OData', 'word-order', ['$orderby']],
    ['by a word, as order_by beside page_token', 'word-order', ['order_by', 'page_token']],
    ['by a word, by its example', 'word-order', [{ name: 'sort', example: 'name,size desc' }]],
    ['by a minus, by code in its description', 'sign-order', [described('sort', 'As `-size`.')]],
    ['by a minus, beside page[number]', 'sign-order', ['sort', 'page[number]']],
  ])('%s', (_, id, asked) => {
    expect(orderOf(asked)).toBe(id);
  });

  test('for the fields of an example, or for all by a standard', () => {
    const shownBy = (...asked: readonly Asked[]): readonly string[] | undefined =>
      resourceOf(asked).list?.sort?.shown;
    expect(shownBy({ name: 'sort', example: 'name,-size' })).toEqual(['name', 'size']);
    expect(shownBy({ name: '$orderby', example: 'name desc' })).toBeUndefined();
    expect(shownBy('order_by', 'page_token')).toBeUndefined();
  });

  test('by a minus in the media type of JSON:API', () => {
    expect(orderOf(['sort'], 'application/vnd.api+json')).toBe('sign-order');
  });

  test.each<[string, readonly Asked[]]>([
    ['with no sign of a language', ['sort']],
    ['as order_by alone', ['order_by']],
    ['with a parameter for the direction', [{ name: 'sort', example: '-size' }, 'sort_order']],
    [
      'with listed words',
      [{ name: 'sort', schema: { type: 'string', enum: ['name', '-name'] }, example: '-name' }],
    ],
    ['with an example of other fields', [{ name: 'sort', example: '-colour' }]],
  ])('as nobody knows: %s', (_, asked) => {
    expect(orderOf(asked)).toBeUndefined();
  });
});

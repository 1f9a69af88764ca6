import { describe, expect, test } from 'vitest';
import { openEnvelopes } from '../../../src/contract/infer/open-envelopes.ts';
import { closeRecord, layoutOf, openRecord } from '../../../src/contract/infer/record-view.ts';
import { parseContract } from '../../../src/contract/load.ts';

const text = { type: 'string' };
const objectOf = (properties: object): object => ({ type: 'object', properties });
const linkTo = (type: string): object =>
  objectOf({ type: { type: 'string', enum: [type] }, id: text });

/** A contract whose list shows records of a schema. */
function listing(record: object): ReturnType<typeof parseContract> {
  const schema = objectOf({ data: { type: 'array', items: record } });
  const content = { 'application/json': { schema } };
  const read = { 'application/json': { schema: objectOf({ data: record }) } };
  const parameters = [{ name: 'id', in: 'path', required: true, schema: text }];
  const paths = {
    '/things': { get: { responses: { 200: { description: 'ok', content } } } },
    '/things/{id}': {
      parameters,
      get: { responses: { 200: { description: 'ok', content: read } } },
    },
  };
  return parseContract(
    JSON.stringify({ openapi: '3.0.3', info: { title: 'Things', version: '1' }, paths }),
    'things.json',
  );
}

const article = objectOf({
  id: text,
  type: { type: 'string', enum: ['articles'] },
  attributes: objectOf({ title: text, words: { type: 'integer' } }),
  relationships: objectOf({
    author: objectOf({ data: linkTo('people') }),
    tags: objectOf({ data: { type: 'array', items: linkTo('tags') } }),
  }),
  links: objectOf({ self: text }),
});

describe('a record that keeps its fields in a group', () => {
  const [resource] = openEnvelopes(listing(article)).resources;
  const layout = resource && layoutOf(resource.record);

  test('has the fields, and references under their names', () => {
    const names = [...(resource?.record.flatten().properties.keys() ?? [])];
    expect(names).toEqual(['id', 'type', 'links', 'title', 'words', 'author', 'tags']);
  });

  test('declares each field where the document does', () => {
    const place = resource?.record.flatten().properties.get('title');
    expect(place?.pointer).toMatch(/\/attributes\/properties\/title$/);
  });

  test('is opened, and closed to what it was', () => {
    if (layout === undefined) throw new Error('The record has no layout.');
    const written = {
      id: '7',
      type: 'articles',
      attributes: { title: 'Hello', words: 3 },
      relationships: {
        author: { data: { type: 'people', id: '1' } },
        tags: { data: [{ type: 'tags', id: '2' }] },
      },
    };
    const fields = openRecord(layout, written);
    expect(fields).toEqual({
      id: '7',
      type: 'articles',
      title: 'Hello',
      words: 3,
      author: '1',
      tags: ['2'],
    });
    expect(closeRecord(layout, fields)).toEqual(written);
  });

  test('may lack a group, but not some of what the group requires', () => {
    const links = objectOf({ author: objectOf({ data: linkTo('people') }) });
    const draft = {
      ...objectOf({
        id: text,
        type: text,
        attributes: { ...objectOf({ title: text, words: text }), required: ['title'] },
        relationships: links,
      }),
      required: ['type', 'relationships'],
    };
    const [drafts] = openEnvelopes(listing(draft)).resources;
    const form = drafts && layoutOf(drafts.record);
    if (form === undefined) throw new Error('The record has no layout.');
    const isValid = (fields: object): boolean =>
      drafts?.record.validate({ ...fields }, 'response').length === 0;
    expect([{ type: 'a' }, { type: 'a', title: 'b' }].map(isValid)).toEqual([true, true]);
    expect(isValid({ type: 'a', words: 'b' })).toBe(false);
    expect(closeRecord(form, { type: 'a' })).toEqual({ type: 'a', relationships: {} });
  });

  test('may call the group otherwise', () => {
    const row = objectOf({
      id: text,
      createdTime: { ...text, readOnly: true },
      fields: objectOf({ name: text }),
    });
    const [rows] = openEnvelopes(listing(row)).resources;
    expect([...(rows?.record.flatten().properties.keys() ?? [])]).toEqual([
      'id',
      'createdTime',
      'name',
    ]);
  });
});

test('a group that a create requires, beside lists that it may take, has the fields', () => {
  const open = { type: 'object', additionalProperties: text, example: { name: 'Ada' } };
  const content = (schema: object): object => ({ 'application/json': { schema } });
  const row = objectOf({ id: text, madeAt: text, values: open });
  const links = { type: 'array', items: text };
  const taken = { ...objectOf({ values: open, links }), required: ['values'] };
  const post = {
    requestBody: { required: true, content: content(taken) },
    responses: { 201: { description: 'made', content: content(row) } },
  };
  const get = {
    responses: { 200: { description: 'ok', content: content({ type: 'array', items: row }) } },
  };
  const written = { openapi: '3.0.3', info: { title: 'Rows', version: '1' } };
  const paths = { '/rows': { get, post } };
  const contract = parseContract(JSON.stringify({ ...written, paths }), 'rows.json');
  const create = openEnvelopes(contract).operations.find(({ method }) => method === 'POST');
  const [media] = create?.requestBody?.content ?? [];
  expect([...(media?.schema?.flatten().properties.keys() ?? [])]).toContain('name');
  expect(media?.envelope?.layout?.group).toBe('values');
});

test.each([
  ['has fields beside it', { id: text, name: text, address: objectOf({ city: text }) }],
  [
    'has no identifier beside it',
    { ok: { type: 'boolean', enum: [true] }, a: objectOf({ b: text }) },
  ],
  ['has two of them', { id: text, one: objectOf({ a: text }), other: objectOf({ b: text }) }],
  ['has a field of the same name', { id: text, type: text, data: objectOf({ type: text }) }],
  ['holds lists alone', { id: text, rules: objectOf({ all: { type: 'array', items: text } }) }],
])('an object that %s is no group', (_what, properties) => {
  const contract = listing(objectOf(properties));
  expect(openEnvelopes(contract)).toBe(contract);
});

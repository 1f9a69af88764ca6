import { describe, expect, test } from 'vitest';
import { boundOf } from '../../../src/contract/words/read-range.ts';
import { uniqueFields, uniqueInChange } from '../../../src/contract/words/read-unique.ts';
import { bodySchema } from '../../../src/contract/model/operation.ts';
import type { Operation } from '../../../src/contract/model.ts';
import type { JsonObject } from '../../../src/json/value.ts';
import { creatorKey } from '../../../src/check/reading/created-record.ts';
import { jsonContent, makeContract } from '../make-contract.ts';

const id = (name: string): JsonObject => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'integer' },
});
const note: JsonObject = {
  type: 'object',
  properties: { id: { type: 'integer' }, key: { type: 'string' }, at: { type: 'string' } },
};
const answers = (...statuses: number[]): JsonObject =>
  Object.fromEntries(statuses.map((status) => [status, { description: '', ...jsonContent(note) }]));
const body = { requestBody: { required: true, ...jsonContent(note) } };

function contractOf(create: JsonObject, change: JsonObject = {}) {
  const bounds = ['at_since', 'at_after'].map((name) => ({
    name,
    in: 'query',
    schema: { type: 'string', format: 'date-time' },
    description: 'Only notes at or after this moment.',
  }));
  return makeContract({
    paths: {
      '/books/{id}/notes': {
        parameters: [id('id')],
        get: {
          operationId: 'list',
          parameters: bounds,
          responses: {
            200: { description: '', ...jsonContent({ type: 'array', items: note }) },
          },
        },
        post: { operationId: 'add', ...body, responses: answers(201, 409), ...create },
      },
      '/books/{book}/notes/{id}': {
        parameters: [id('book'), id('id')],
        get: { operationId: 'read', responses: answers(200) },
        patch: { operationId: 'change', ...body, responses: answers(200), ...change },
      },
    },
  });
}

function operation(contract: ReturnType<typeof contractOf>, name: string): Operation {
  const found = contract.operations.find((each) => each.id === name);
  if (found === undefined) throw new Error(`No operation ${name}.`);
  return found;
}

function namesOf(contract: ReturnType<typeof contractOf>, change?: string): string[] {
  const create = operation(contract, 'add');
  const own = change === undefined ? create : operation(contract, change);
  const schema = bodySchema(own);
  if (schema === undefined) return [];
  const fields =
    change === undefined ? uniqueFields(own, schema) : uniqueInChange(own, schema, create);
  return fields.map(({ name }) => name);
}

describe('a field that a description calls unique', () => {
  const unique = { description: 'The key is unique.' };

  test('is unique in a create', () => {
    expect(namesOf(contractOf(unique))).toEqual(['key']);
  });

  test.each([
    'The key is unique. Idempotent on the key.',
    'The key is unique. A known key returns the existing note.',
  ])('is not refused where a create with a known value returns that record: %s', (description) => {
    expect(namesOf(contractOf({ description }))).toEqual([]);
  });

  test.each([
    ['The key of another note is 409.', ['key']],
    ['The key of another note is 409, an unknown book 404.', ['key']],
    ['An unknown book is 409, the key of another note 404.', []],
    ['Takes the key of another note.', []],
  ])('is what is said to be refused with 409: %s', (description, names) => {
    expect(namesOf(contractOf({ description, responses: answers(201, 404, 409) }))).toEqual(names);
  });

  test('is unique in a change only where the change documents 409', () => {
    expect(namesOf(contractOf(unique), 'change')).toEqual([]);
    const refused = { responses: answers(200, 409) };
    expect(namesOf(contractOf(unique, refused), 'change')).toEqual(['key']);
  });
});

describe('the bound of a filter', () => {
  test('is included where the description says so, whatever the name says', () => {
    const [resource] = contractOf({}).resources;
    expect(resource?.list?.ranges.map(({ op, bound }) => [op, bound])).toEqual([
      ['gte', 'included'],
      ['gte', 'included'],
    ]);
  });

  test.each([
    ['gte', 'unknown'],
    ['gt', 'excluded'],
  ] as const)('%s with "after the date" is %s', (op, bound) => {
    const [range] = contractOf({}).resources[0]?.list?.ranges ?? [];
    if (range === undefined) throw new Error('There is no range.');
    const parameter = { ...range.parameter, description: 'Only notes after the date.' };
    expect(boundOf(parameter, op)).toBe(bound);
  });
});

test('records below two parents may have one identifier where the path names the parent', () => {
  const contract = contractOf({});
  const [resource] = contract.resources;
  const add = operation(contract, 'add');
  const [parameter] = add.parameters;
  if (resource === undefined || parameter === undefined) throw new Error('There is no resource.');
  const key = (parent: number): string =>
    creatorKey(resource, 1, {
      operation: add,
      sent: { arguments: new Map([[parameter, parent]]) },
    });
  expect(key(1)).not.toBe(key(2));
  expect(key(2)).toBe(key(2));
  const alone = { ...resource, itemPath: '/notes/{id}' };
  const sent = { arguments: new Map([[parameter, 2]]) };
  expect(creatorKey(alone, 1, { operation: add, sent })).toBe(`${resource.name} 1`);
});

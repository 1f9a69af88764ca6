import { expect, test } from 'vitest';
import { planCheck } from '../../../../src/check/engine/check-target.ts';
import type { JsonObject } from '../../../../src/json/value.ts';
import { jsonContent, makeContract } from '../../../contract/make-contract.ts';

/** The members of what is sent under a title, for things of which some fields have to be there. */
function membersSent(title: string, required: readonly string[]): string[] {
  const thing: JsonObject = {
    type: 'object',
    required,
    properties: {
      id: { type: 'integer', readOnly: true },
      name: { type: 'string' },
      size: { type: 'integer' },
      note: { type: 'string' },
    },
  };
  const answer = { responses: { 200: { description: 'ok', ...jsonContent(thing) } } };
  const body = {
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: thing,
          example: Object.fromEntries(required.map((name) => [name, name === 'size' ? 1 : 'x'])),
        },
      },
    },
  };
  const contract = makeContract({
    paths: {
      '/things': {
        get: {
          operationId: 'list',
          responses: {
            200: { description: 'ok', ...jsonContent({ type: 'array', items: thing }) },
          },
        },
        post: {
          operationId: 'create',
          ...body,
          responses: { 201: { description: 'made', ...jsonContent(thing) } },
        },
      },
      '/things/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        get: { operationId: 'read', ...answer },
        put: { operationId: 'replace', ...body, ...answer },
        patch: {
          operationId: 'update',
          requestBody: jsonContent({ ...thing, required: [] }),
          ...answer,
        },
      },
    },
  });
  const { requests } = planCheck({
    url: 'http://127.0.0.1:4010',
    contract,
    seed: 'changes',
    mode: 'read-write',
  });
  return requests
    .filter((request) => request.title === title)
    .flatMap((request) => Object.keys(JSON.parse(request.body ?? '{}') as object))
    .sort();
}

test('a record whose missing fields are tested has all of them first', () => {
  expect(membersSent('a record is created to be updated in one field', ['name'])).toEqual([
    'name',
    'note',
    'size',
  ]);
  expect(membersSent('a record is created to be replaced by less', ['name'])).toEqual([
    'name',
    'note',
    'size',
  ]);
  expect(
    membersSent('the created record is replaced by its required fields alone', ['name']),
  ).toEqual(['name']);
});

test('a record without optional fields gets no smaller replacement, but one update', () => {
  const all = ['name', 'note', 'size'];
  expect(membersSent('a record is created to be updated in one field', all)).toEqual(all);
  expect(membersSent('a record is created to be replaced by less', all)).toEqual([]);
});

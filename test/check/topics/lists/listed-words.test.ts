import { expect, test } from 'vitest';
import { makePlan } from '../../../../src/check/engine/plan/plan-run.ts';
import type { JsonObject } from '../../../../src/json/value.ts';
import { jsonContent, makeContract } from '../../../contract/make-contract.ts';

const thing = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string', enum: ['red', 'green'] } },
    size: { type: 'integer' },
    age: { type: 'integer' },
  },
};
const words = (...list: readonly string[]): JsonObject => ({
  type: 'array',
  items: { type: 'string', enum: list },
});

/** The titles of what is asked of a list by a parameter. */
function asked(name: string, schema: JsonObject, description = ''): string[] {
  const contract = makeContract({
    paths: {
      '/things': {
        get: {
          operationId: 'listThings',
          parameters: [{ name, in: 'query', schema, description }],
          responses: {
            200: { description: 'ok', ...jsonContent({ type: 'array', items: thing }) },
          },
        },
      },
      '/things/{id}': {
        get: {
          operationId: 'getThing',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
          responses: { 200: { description: 'ok', ...jsonContent(thing) } },
        },
      },
    },
  });
  const { stages } = makePlan({
    contract,
    mode: 'read-only',
    seed: 'words',
    runId: 'words',
    today: '2026-01-02',
    missingServer: () => undefined,
  });
  return stages.flatMap(({ sequences }) =>
    sequences.flatMap(({ cases }) => cases.map(({ title }) => title)),
  );
}

test('a filter that takes a list of words gets two at once', () => {
  expect(asked('tags', words('red', 'green'))).toContain('tags is red or green');
});

test('a sort that takes a list of words gets the listed ones, and no other field', () => {
  const titles = asked('sort', words('size'));
  expect(titles).toContain('sort is size');
  expect(titles.filter((title) => /^sort is -?(id|tags)$/.test(title))).toEqual([]);
});

test('a sort that takes a list of words gets two of them at once, the second descending', () => {
  const schema = words('size', '-size', 'age', '-age');
  expect(asked('sort', schema)).toContain('sort is size,-age');
});

test('a filter of a list of words gets two in either order, and an item behind others', () => {
  const titles = asked('tags', words('red', 'green'));
  expect(titles).toContain('tags is green or red');
  expect(titles).toContain('tags is the last of several items that a record has');
});

test('an expression with an unknown field is not sent where such fields are ignored', () => {
  const unknown = /no expression over the fields/;
  const text = { type: 'string' };
  expect(asked('$filter', text).join('\n')).toMatch(unknown);
  expect(asked('$filter', text, 'Unknown fields are ignored.').join('\n')).not.toMatch(unknown);
});

test('an expression is asked for a text with a quote that a record was given', () => {
  const schema = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
  const answer = { description: 'ok', ...jsonContent(schema) };
  const contract = makeContract({
    paths: {
      '/notes': {
        get: {
          operationId: 'listNotes',
          parameters: [{ name: '$filter', in: 'query', schema: { type: 'string' } }],
          responses: {
            200: { description: 'ok', ...jsonContent({ type: 'array', items: schema }) },
          },
        },
        post: {
          operationId: 'makeNote',
          requestBody: { required: true, ...jsonContent(schema) },
          responses: { 201: answer },
        },
      },
      '/notes/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        get: { operationId: 'getNote', responses: { 200: answer } },
        delete: { operationId: 'dropNote', responses: { 204: { description: 'gone' } } },
      },
    },
  });
  const { stages } = makePlan({
    contract,
    mode: 'read-write',
    seed: 'quotes',
    runId: 'quotes',
    today: '2026-01-02',
    missingServer: () => undefined,
  });
  const texts = stages.flatMap(({ sequences }) =>
    sequences.flatMap(({ cases }) =>
      cases.flatMap(({ request }) =>
        request.arguments.map(({ source }) => (source.kind === 'value' ? source.value : '')),
      ),
    ),
  );
  expect(texts).toContainEqual(expect.stringMatching(/^name eq 'Qz\w+''s own'$/));
});

import { expect, test } from 'vitest';
import { bodyTagOf, sentTag } from '../../../src/contract/protocols/body-tag.ts';
import { bodySchema } from '../../../src/contract/model/operation.ts';
import { shownField } from '../../../src/check/plan/shown-field.ts';
import type { JsonObject } from '../../../src/json/value.ts';
import { jsonContent, makeContract } from '../make-contract.ts';

const members = (...names: string[]): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'integer' }])),
});
const note = members('id', 'size', 'row_version');
const answer: JsonObject = {
  200: {
    description: 'Done.',
    ...jsonContent({ type: 'object', properties: { ok: { type: 'boolean' }, note } }),
  },
};
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };

/** Notes that a POST below their path changes; what it says, and what a create takes. */
function notes(description: string, made = members('size')): ReturnType<typeof makeContract> {
  return makeContract({
    paths: {
      '/notes': { post: { requestBody: jsonContent(made), responses: answer } },
      '/notes/{id}': {
        parameters: [id],
        get: { responses: answer },
        patch: {
          description,
          requestBody: jsonContent(members('size', 'row_version')),
          responses: { ...answer, 409: { description: 'Not possible now.' } },
        },
      },
    },
  });
}

const told = '409 if row_version is given and not the current one.';

test('a version that a change names, and that it documents a refusal of, is a tag', () => {
  const [resource] = notes(told).resources;
  expect(resource && bodyTagOf(resource)?.field).toBe('row_version');
  const update = resource?.operations.update;
  expect(update && sentTag(update, bodySchema(update))).toBe('row_version');
});

test.each([
  ['that no words name', notes('Changes a note.')],
  ['that a create takes', notes(told, members('size', 'row_version'))],
])('a version %s is a field as any other', (_how, contract) => {
  const [resource] = contract.resources;
  expect(resource && bodyTagOf(resource)).toBeUndefined();
});

test('the version of a record is shown where the answer has the record', () => {
  const [resource] = notes(told).resources;
  const read = resource?.operations.read;
  expect(resource && read && shownField(read, resource, 'row_version')).toBe(
    '$response.body#/note/row_version',
  );
});

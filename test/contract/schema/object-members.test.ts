import { expect, test } from 'vitest';
import { objectMembers } from '../../../src/contract/schema/object-members.ts';
import type { JsonObject, JsonValue } from '../../../src/json/value.ts';
import { jsonContent, makeContract } from '../make-contract.ts';

const id: JsonObject = { type: 'integer', format: 'int64', maximum: 9_223_372_036_854_775_807n };
const form = (properties: JsonObject, ...required: string[]): JsonObject => ({
  type: 'object',
  required,
  properties,
});

/** Where each member is defined, with what is required, and what every form has. */
function shown(node: JsonObject): {
  members: Record<string, JsonValue>;
  required: string[];
  common: string[];
} {
  const schema = makeContract({
    paths: { '/one': { post: { requestBody: jsonContent(node), responses: {} } } },
  }).operations[0]?.requestBody?.content[0]?.schema;
  if (schema === undefined) throw new Error('the contract has no schema');
  const { properties, required, common } = objectMembers(schema);
  // A node is JSON, as the document has it.
  return {
    members: Object.fromEntries(
      [...properties].map(([name, place]) => [name, place.node as JsonValue]),
    ),
    required: [...required],
    common: [...common],
  };
}

test('a member that is equal in every form keeps its 64-bit bounds exactly', () => {
  expect(
    shown({
      oneOf: [
        form({ id, a: { type: 'string' } }, 'id', 'a'),
        form({ id, b: { type: 'string' } }, 'id'),
      ],
    }),
  ).toEqual({
    members: { id, a: { type: 'string' }, b: { type: 'string' } },
    required: ['id'],
    common: ['id'],
  });
});

test('a member that differs in a digit may match any form', () => {
  const { members } = shown({
    anyOf: [form({ id }), form({ id: { ...id, maximum: 9_223_372_036_854_775_806n } })],
  });
  expect(Object.keys(members['id'] as JsonObject)).toEqual(['anyOf']);
});

test('a member of forms in forms refers to what the document has alone', () => {
  const [one, other, third] = [1, 2, 3].map((maximum) => form({ id: { ...id, maximum } }));
  const { members } = shown({ oneOf: [third ?? {}, { oneOf: [one ?? {}, other ?? {}] }] });
  const referred = (members['id'] as { anyOf: { $ref: string }[] }).anyOf.map(({ $ref }) => $ref);
  expect(referred).toHaveLength(3);
  expect(referred.filter((reference) => reference.includes('members'))).toEqual([]);
});

test('members beside the forms count for all of them', () => {
  expect(
    shown({
      ...form({ id }, 'id'),
      oneOf: [form({ a: {} }, 'a'), form({ a: {}, id: { type: 'string' } }, 'a')],
    }),
  ).toEqual({ members: { id, a: {} }, required: ['id', 'a'], common: ['id', 'a'] });
});

test('a union with null or text keeps the members of the other form', () => {
  expect(shown({ oneOf: [form({ id }, 'id'), { type: 'null' }] })).toEqual({
    members: { id },
    required: ['id'],
    common: ['id'],
  });
  expect(shown({ oneOf: [form({ id }, 'id'), { type: 'string' }] })).toEqual({
    members: {},
    required: [],
    common: [],
  });
});

test('a member of forms that a part of allOf has refers to where the document has them', () => {
  const contract = makeContract({
    paths: {
      '/settings': {
        post: {
          operationId: 'updateSettings',
          requestBody: jsonContent({
            allOf: [
              { $ref: '#/components/schemas/Delay' },
              { type: 'object', properties: { fixed: { type: 'number' } } },
            ],
          }),
          responses: { 200: { description: 'Done.' } },
        },
      },
    },
    components: {
      schemas: {
        Delay: { oneOf: ['uniform', 'normal'].map((word) => form({ type: { enum: [word] } })) },
      },
    },
  });
  const schema = contract.operations[0]?.requestBody?.content[0]?.schema;
  if (schema === undefined) throw new Error('the contract has no schema');
  expect(objectMembers(schema).properties.get('type')?.node).toEqual({
    anyOf: [0, 1].map((at) => ({
      $ref: `#/components/schemas/Delay/oneOf/${String(at)}/properties/type`,
    })),
  });
});

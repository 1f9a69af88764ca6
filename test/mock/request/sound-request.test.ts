import { expect, test } from 'vitest';
import { fc } from '../../property.ts';
import type { JsonObject, JsonValue } from '../../../src/json/value.ts';
import { soundBody } from '../../../src/mock/request/sound-request.ts';
import { makeContract } from '../../contract/make-contract.ts';
import { bodySchema } from '../../../src/contract/model/operation.ts';

const schema: JsonObject = {
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: {
    name: { type: 'string' },
    tags: { type: 'array', items: { type: 'integer' } },
    size: { type: 'object', properties: { wide: { type: 'integer' } } },
    either: { oneOf: [{ type: 'string' }, { type: 'boolean' }] },
  },
};

const operation = makeContract({
  paths: {
    '/a': {
      post: {
        operationId: 'a',
        requestBody: { content: { 'application/json': { schema } } },
        responses: { 200: { description: 'ok' } },
      },
    },
  },
}).operations[0];

function soundOf(value: JsonValue, itemSchema = false): JsonValue | undefined {
  const read = operation && bodySchema(operation);
  return soundBody({
    kind: 'value',
    value,
    mediaType: 'application/json',
    schema: itemSchema ? undefined : read,
    ...(itemSchema ? { itemSchema: read } : {}),
  });
}

test.each<[string, JsonValue, JsonValue | undefined]>([
  ['a body that is valid', { name: 'a', tags: [1] }, { name: 'a', tags: [1] }],
  ['a body in which something is missing', { tags: [1] }, { tags: [1] }],
  ['what is not wrong beside a wrong member', { name: 5, tags: [1] }, { tags: [1] }],
  ['the items that are not wrong', { tags: ['x', 1, 'y', 2, null] }, { tags: [1, 2] }],
  ['members within a member', { size: { wide: 'x', high: 1 } }, { size: { high: 1 } }],
  ['members that the contract names', { name: 'a', more: 1, tags: 2 }, { name: 'a' }],
  ['nothing of a choice that is none', { name: 'a', either: 5 }, { name: 'a' }],
  ['nothing of a body of another type', ['a'], undefined],
])('of an invalid request remains %s', (_what, given, expected) => {
  expect(soundOf(given)).toEqual(expected);
});

test('of an invalid sequence the valid items remain', () => {
  expect(soundOf([{ name: 'a' }, { name: 5 }, {}, { name: 'b' }], true)).toEqual([
    { name: 'a' },
    { name: 'b' },
  ]);
});

test('what remains of a body breaks no rule but that of what is missing', () => {
  const read = operation && bodySchema(operation);
  const leaf = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.boolean());
  const members = fc.dictionary(
    fc.constantFrom('name', 'tags', 'size', 'either', 'more', 'wide'),
    fc.oneof(leaf, fc.array(leaf), fc.dictionary(fc.constantFrom('wide', 'x'), leaf)),
  );
  fc.assert(
    fc.property(members, (given) => {
      const left = soundOf(given);
      const issues = left === undefined ? [] : (read?.validate(left, 'request') ?? []);
      expect(issues.filter(({ keyword }) => keyword !== 'required')).toEqual([]);
    }),
  );
});

import { expect, test } from 'vitest';
import { brokenEnvelopes } from '../../../../src/check/topics/validity/negative-bodies.ts';
import { openEnvelopes } from '../../../../src/contract/infer/open-envelopes.ts';
import { draftBodies } from '../../../../src/check/plan/draft-body.ts';
import type { JsonObject } from '../../../../src/json/value.ts';
import { jsonContent, makeContract } from '../../../contract/make-contract.ts';

/** What is wrong with the envelope of each body that an operation gets. */
function labelsOf(schema: JsonObject, answer: JsonObject = schema): string[] {
  const { operations } = openEnvelopes(
    makeContract({
      paths: {
        '/customers': {
          post: {
            requestBody: { required: true, ...jsonContent(schema) },
            responses: { 201: { description: 'made', ...jsonContent(answer) } },
          },
        },
      },
    }),
  );
  const [operation] = operations;
  const made = operation && draftBodies(operation, 'seed');
  if (made?.ok !== true) throw new Error('no body');
  return made.bodies.flatMap(brokenEnvelopes).map(({ labelled }) => labelled.label);
}

const text = { type: 'string' };
const wrapped = (inner: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  required: Object.keys(inner),
  properties: inner,
  ...more,
});
const fields = wrapped({ name: text });

test('a wrapped record gets bodies without its member, and with another one', () => {
  const shown = wrapped({ customer: wrapped({ id: text, name: text }) });
  expect(labelsOf(wrapped({ customer: fields }), shown)).toEqual([
    'customer is missing',
    'the value is null',
    'the value is 12345, not an object',
  ]);
  expect(labelsOf(wrapped({ customer: fields }, { additionalProperties: false }), shown)).toContain(
    'unexpected is given, which the contract does not name',
  );
});

test('a record with its fields in a group gets bodies with something else in its place', () => {
  const record = wrapped({ type: { ...text, enum: ['customers'] }, attributes: fields });
  const labels = labelsOf(wrapped({ data: record }));
  expect(labels).toEqual(expect.arrayContaining(['data is missing', 'data.attributes is missing']));
  expect(labels.some((label) => label.startsWith('data.attributes is 12345'))).toBe(true);
  expect(labels.filter((label) => label.startsWith('data.type'))).toEqual([]);
});

test('what the contract allows is not broken', () => {
  const record = {
    ...wrapped({ type: { ...text, enum: ['customers'] }, attributes: fields }),
    required: ['type'],
  };
  expect(labelsOf(wrapped({ data: record }))).not.toContain('data.attributes is missing');
  expect(labelsOf(fields)).toEqual([]);
});

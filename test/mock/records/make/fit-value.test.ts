import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../src/json/value.ts';
import { fitValue } from '../../../../src/mock/records/make/fit-value.ts';
import { jsonContent, makeContract } from '../../../contract/make-contract.ts';

function fit(schema: JsonObject, value: JsonValue): JsonValue | undefined {
  const found = makeContract({
    paths: {
      '/a': { get: { responses: { 200: { description: 'Fine', ...jsonContent(schema) } } } },
    },
  }).operations[0]?.responses[0]?.content[0]?.schema;
  if (found === undefined) throw new Error('The contract has no schema.');
  return fitValue(found, value, 'seed');
}

const text = { type: 'string' };
const label: JsonObject = {
  type: 'object',
  properties: { title: text, name: text, id: { type: 'integer' } },
};

test.each<[string, JsonObject, JsonValue, JsonValue | undefined]>([
  ['a text names an object by its most telling field', label, 'bug', { name: 'bug' }],
  [
    'by one that is required, before that',
    { ...label, required: ['title'] },
    'bug',
    { title: 'bug' },
  ],
  ['a number by the field that takes one', label, 7, { id: 7 }],
  [
    'each item of a list',
    { type: 'array', items: label },
    ['bug', { title: 'x' }, 7],
    [{ name: 'bug' }, { title: 'x' }, { id: 7 }],
  ],
  [
    'a day as its first moment',
    { type: 'object', properties: { at: { type: 'string', format: 'date-time' } } },
    { at: '2026-04-30' },
    { at: '2026-04-30T00:00:00Z' },
  ],
  [
    'a moment as its day',
    { type: 'array', items: { type: 'string', format: 'date' } },
    ['2026-04-30T10:00:00Z'],
    ['2026-04-30'],
  ],
  [
    'what a member names',
    { type: 'object', properties: { label } },
    { label: 'bug' },
    { label: { name: 'bug' } },
  ],
  ['one of several forms', { anyOf: [{ type: 'integer' }, label] }, 'bug', { name: 'bug' }],
  ['an empty text is none', { type: ['integer', 'null'] }, '', null],
  ['what the schema takes stays', text, 'bug', 'bug'],
  ['nothing, where no field takes it', label, true, undefined],
])('%s', (_name, schema, value, expected) => {
  expect(fit(schema, value)).toEqual(expected);
});

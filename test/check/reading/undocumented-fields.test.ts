import { expect, test } from 'vitest';
import { readFields } from '../../../src/check/reading/undocumented-fields.ts';
import type { Step } from '../../../src/check/model/step.ts';
import type { JsonObject, JsonValue } from '../../../src/json/value.ts';
import { jsonContent, makeContract } from '../../contract/make-contract.ts';
import { talk } from '../fixture/talk.ts';

const thing: JsonObject = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    owner: { type: 'object', properties: { name: { type: 'string' } } },
    tags: { type: 'array', items: { type: 'object', properties: { word: { type: 'string' } } } },
  },
};

/** Where the schema of a thing stands. */
const itself = '#/paths/~1thing/get/responses/200/content/application~1json/schema';

/** A read of a thing that was answered so. */
function stepOf(answer: JsonValue, schema: JsonObject = thing): Step {
  return talk(
    makeContract({
      paths: {
        '/thing': { get: { responses: { 200: { description: 'ok', ...jsonContent(schema) } } } },
      },
    }),
    [{ ask: 'GET /thing', answer }],
  );
}

/** The fields that were seen and that the contract does not name. */
const fieldsOf = (step: Step): string[] =>
  readFields(step).flatMap(({ fields }) =>
    fields.map(([name, value]) => `${name}=${JSON.stringify(value)}`),
  );

test.each<[string, JsonValue, JsonObject, string[]]>([
  ['none', { id: 1, owner: { name: 'a' }, tags: [{ word: 'b' }] }, thing, []],
  ['one of the record', { id: 1, more: 2 }, thing, ['more=2']],
  ['one of an object in it', { owner: { name: 'a', age: 7 } }, thing, ['age=7']],
  [
    'those of the items of a list',
    { tags: [{ word: 'a' }, { colour: null }] },
    thing,
    ['colour=null'],
  ],
  [
    'no field of an object that may have any',
    { more: 1 },
    { ...thing, additionalProperties: true },
    [],
  ],
  ['no field of an object that names none', { more: 1 }, { type: 'object' }, []],
  [
    'those of what a schema says of itself, at any depth',
    { parent: { parent: { more: 1, parent: { id: 1, less: 2 } } } },
    { type: 'object', properties: { id: {}, parent: { $ref: itself } } },
    ['less=2', 'more=1'],
  ],
  [
    'no field that one of several forms names',
    { id: 1, b: 2 },
    { oneOf: [thing, { type: 'object', properties: { b: {} } }] },
    [],
  ],
])('undocumented fields of a response are reported: %s', (_name, answer, schema, expected) => {
  expect(fieldsOf(stepOf(answer, schema))).toEqual(expected);
});

test('a response is parsed once', () => {
  const step = stepOf({ more: 1 });
  expect(readFields(step)).toBe(readFields(step));
});

test.each<[string, (step: Step) => Step]>([
  [
    'an answer of problem details, which may have fields of their own',
    (step) => ({
      ...step,
      answer: { ...step.answer, mediaType: 'application/problem+json' },
    }),
  ],
  [
    'an answer in a type that the contract does not have',
    (step) => ({
      ...step,
      answer: { ...step.answer, mediaType: 'application/hal+json' },
    }),
  ],
  [
    'what a method that the contract does not have is answered',
    (step) => ({
      ...step,
      case: { ...step.case, intent: { kind: 'method', method: 'PUT', wanted: 'refused' } },
    }),
  ],
  ['an answer that is no JSON', (step) => ({ ...step, answer: { kind: 'empty' } })],
  [
    'no answer',
    ({ exchange: { response: _none, ...exchange }, ...step }) => ({
      ...step,
      exchange: { ...exchange, fault: { kind: 'timeout', message: '' } },
    }),
  ],
])('no undocumented field is reported for %s', (_name, change) => {
  const step = stepOf({ more: 1 });
  // An answer of its own, of which nothing was read before.
  expect(readFields(change({ ...step, answer: { ...step.answer } }))).toEqual([]);
});

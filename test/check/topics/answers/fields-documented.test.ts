import { expect, test } from 'vitest';
import { fieldsDocumented } from '../../../../src/check/topics/answers/fields-documented.ts';
import type { JsonObject } from '../../../../src/json/value.ts';
import { jsonContent, makeContract } from '../../../contract/make-contract.ts';
import { talk } from '../../fixture/talk.ts';

const thing = { type: 'object', properties: { id: { type: 'integer' } } };
const contract = makeContract({
  paths: {
    '/things': {
      get: {
        responses: { 200: { description: 'ok', ...jsonContent({ type: 'array', items: thing }) } },
      },
    },
  },
});

/** What is told of a list of these things. */
function told(...things: readonly JsonObject[]): string[] | undefined {
  return fieldsDocumented
    .inspect(talk(contract, [{ ask: 'GET /things', answer: things }]))
    ?.map(({ message }) => message);
}

test.each<[string, readonly JsonObject[], string[] | undefined]>([
  [
    'a field that all show',
    [
      { id: 1, a: 1 },
      { id: 2, a: 2 },
    ],
    ['Responses have a field that the contract does not document: a.'],
  ],
  [
    'one that some show',
    [{ id: 1, a: 1 }, { id: 2 }],
    ['Responses have a field that the contract does not document: a (in 1 of 2).'],
  ],
  [
    'several',
    [{ a: 1, b: 2 }],
    ['Responses have 2 fields that the contract does not document: a, b.'],
  ],
  [
    'as many as can be named',
    [Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`f${String(index)}`, 1]))],
    [
      'Responses have 12 fields that the contract does not document: f0, f1, f2, f3, f4, ' +
        'f5, f6, f7, f8, f9, f10, f11.',
    ],
  ],
  [
    'more than can be named',
    [Object.fromEntries(Array.from({ length: 14 }, (_, index) => [`f${String(index)}`, 1]))],
    [
      'Responses have 14 fields that the contract does not document: f0, f1, f2, f3, f4, ' +
        'f5, f6, f7, f8, f9, f10, f11, 2 others.',
    ],
  ],
  ['none', [{ id: 1 }], []],
  ['no object at all', [], undefined],
])('undocumented fields are reported: %s', (_name, things, expected) => {
  expect(told(...things)).toEqual(expected);
});

const page = makeContract({
  paths: {
    '/things': {
      get: {
        operationId: 'listThings',
        responses: {
          200: {
            description: 'ok',
            ...jsonContent({
              type: 'object',
              properties: { things: { type: 'array', items: thing }, next: { type: 'string' } },
            }),
          },
        },
      },
    },
  },
});

test.each<[string, JsonObject, readonly string[]]>([
  ['in an envelope', { ok: true, result: { things: [] } }, ['warning']],
  ['with a documented member beside others', { ok: true, things: [] }, []],
  ['without any member', {}, []],
])('a success %s is told with the severities %j beside notes', (_, answer, severities) => {
  const found = fieldsDocumented.inspect(talk(page, [{ ask: 'GET /things', answer }]));
  expect(found?.flatMap(({ severity }) => severity ?? [])).toEqual(severities);
});

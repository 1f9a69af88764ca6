import { expect, test } from 'vitest';
import { ReachedClasses } from '../../../../src/check/engine/coverage/coverage-meter.ts';
import { readAnswer } from '../../../../src/check/reading/read-answer.ts';
import { type Intent, makeCase } from '../../../../src/check/model/case.ts';
import type { Step } from '../../../../src/check/model/step.ts';
import type { JsonValue } from '../../../../src/json/value.ts';
import { jsonContent, makeContract } from '../../../contract/make-contract.ts';

const [operation] = makeContract({
  paths: {
    '/things': {
      get: {
        parameters: [
          { name: 'kind', in: 'query', schema: { enum: ['a', 'b', 1] } },
          { name: 'q', in: 'query', schema: { type: 'string' } },
        ],
        responses: {
          200: { description: 'ok', ...jsonContent({}) },
          '4XX': { description: 'refused' },
        },
      },
    },
  },
}).operations;
if (operation === undefined) throw new Error('the contract has no operation');
const {
  parameters: [kind, text],
} = operation;
if (kind === undefined || text === undefined) throw new Error('the operation has no parameters');
const expected = operation;
const valid: Intent = { kind: 'valid', rigour: 'plain', at: '' };
const missing: Intent = { kind: 'missing', at: '', rigour: 'plain' };
const invalid: Intent = {
  kind: 'invalid',
  at: '',
  rule: 'kind is c',
  part: 'query',
  subject: 'kind',
  accepted: 'error',
};

/** A request with a value of `kind`, where one is given, and its answer. */
function step(value: JsonValue | undefined, intent: Intent, status = 200): Step {
  const response = {
    status,
    headers: [['Content-Type', 'application/json; charset=utf-8']] as const,
    body: new Uint8Array(),
  };
  return {
    case: makeCase({
      title: 't',
      phase: 'read',
      operation: expected,
      request: { arguments: [], credential: 'given' },
      intent,
    }),
    sent: { arguments: new Map(kind === undefined || value === undefined ? [] : [[kind, value]]) },
    exchange: {
      baseUrl: 'http://a.example',
      request: { method: 'GET', target: '/things', headers: [], body: new Uint8Array() },
      durationMs: 1,
      response,
    },
    answer: readAnswer(response),
  };
}

const place = { in: 'query', name: 'kind' };
const after = (...steps: readonly Step[]): ReachedClasses => {
  const seen = new ReachedClasses();
  for (const each of steps) seen.note(each);
  return seen;
};

test('an enumeration is covered when each value was sent as a valid one', () => {
  expect(after(step('a', valid), step('b', valid)).hasClass(expected, place, 'enum-value')).toBe(
    false,
  );
  expect(
    after(step('a', valid), step('b', valid), step(1, invalid)).hasClass(
      expected,
      place,
      'enum-value',
    ),
  ).toBe(false);
  expect(
    after(step('a', valid), step('b', valid), step('1', valid)).hasClass(
      expected,
      place,
      'enum-value',
    ),
  ).toBe(false);
  expect(
    after(step(1, valid), step('a', valid), step('b', valid)).hasClass(
      expected,
      place,
      'enum-value',
    ),
  ).toBe(true);
});

test('a parameter is omitted, names a known record or an unknown one', () => {
  const shown = (seen: ReachedClasses): string[] =>
    ['optional-missing', 'missing-record', 'known-record'].filter((name) =>
      seen.hasClass(expected, place, name),
    );
  expect([
    shown(after(step(undefined, valid))),
    shown(after(step('a', missing))),
    shown(after(step('a', valid))),
    shown(after(step('a', invalid))),
  ]).toEqual([['optional-missing'], ['missing-record'], ['known-record'], []]);
});

test('a response counts under its documented status and media type', () => {
  const seen = after(step('a', invalid), step('a', valid, 404));
  expect([
    seen.hasAnswer('200'),
    seen.hasAnswer('200', 'application/json'),
    seen.hasAnswer('4XX'),
    seen.hasAnswer('404'),
    seen.hasAnswer('4XX', 'application/json'),
    seen.succeeded,
  ]).toEqual([true, true, true, false, false, false]);
  expect(after(step('a', valid)).succeeded).toBe(true);
  expect(after(step('a', valid, 500)).hasAnswer('500')).toBe(false);
});

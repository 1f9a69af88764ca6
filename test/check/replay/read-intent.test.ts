import { expect, test } from 'vitest';
import { headersOf, readIntent } from '../../../src/check/replay/read-intent.ts';
import type { JsonObject } from '../../../src/json/value.ts';

test.each<JsonObject>([
  { kind: 'valid', rigour: 'plain', at: '/paths' },
  {
    kind: 'invalid',
    at: '/paths',
    rule: 'limit is 0',
    part: 'query',
    subject: 'limit',
    accepted: 'error',
  },
  { kind: 'credential', choice: 'prefix' },
  { kind: 'credential', choice: 'longer' },
  { kind: 'credential', choice: 'other-case' },
  { kind: 'method', method: 'PUT', wanted: 'refused' },
  { kind: 'missing', at: '/paths', rigour: 'exotic' },
])('an intent is read back as it was written: $kind', (intent) => {
  expect(readIntent({ ...intent, added: 'later' })).toEqual(intent);
});

test.each<JsonObject>([
  {},
  { kind: 'guess' },
  { kind: 'valid', at: '/paths' },
  { kind: 'valid', rigour: 'plain' },
  { kind: 'credential', choice: 'given' },
  { kind: 'invalid', at: '/x', rule: 'r', part: 'trailer', subject: 's', accepted: 'error' },
])('an invalid intent is reported: %j', (intent) => {
  expect(() => readIntent(intent)).toThrow(
    /^(the report has no intent for its requests|this release of vouch does not support the intent of the report)/,
  );
});

test('header fields are pairs of texts', () => {
  expect(headersOf([['A', 'b']])).toEqual([['A', 'b']]);
  expect(() => headersOf([['A']])).toThrow('the report has no headers for its requests');
});

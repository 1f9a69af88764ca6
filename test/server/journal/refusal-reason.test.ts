import { expect, test } from 'vitest';
import { refusalReason } from '../../../src/server/journal/journal.ts';

test.each<[string, string | undefined]>([
  [
    '{"type":"about:blank","title":"Bad Request","detail":"`limit` is too small."}',
    '`limit` is too small.',
  ],
  ['{"code":"missing","message":"name is missing","status":400}', 'name is missing'],
  ['{"error":{"code":7,"message":"wrapped"}}', 'wrapped'],
  ['{"errors":[{"title":"the first of them"},{"title":"another"}]}', 'the first of them'],
  ['{"error":"invalid_token","error_description":"it has expired"}', 'it has expired'],
  ['{"error":"plain"}', 'plain'],
  ['{"detail":"","title":"T"}', 'T'],
  ['{"message":7}', undefined],
  ['{"a":{"error":{"message":"too deep to be meant"}}}', undefined],
  ['["message"]', undefined],
  ['null', undefined],
  ['<html>', undefined],
  ['', undefined],
  [`{"message":"${'a'.repeat(20_000)}"}`, undefined],
])('%s says %s', (body, reason) => {
  expect(refusalReason({ body: new TextEncoder().encode(body) })).toBe(reason);
});

import { expect, test } from 'vitest';
import { stableUnderRepeat } from '../../../src/check/checks/stable-under-repeat.ts';
import { flickerKey } from '../../../src/check/evidence/steadiness.ts';
import { libraryContract } from '../fixture/library-contract.ts';
import { talk, type Said } from '../fixture/talk.ts';

const contract = libraryContract();
const refusal = { code: 'no', message: 'no', status: 429 };

/**
 * What is said of a refusal, where the same request was accepted five times and refused so often.
 */
function said(refused: number, talked: Said): string[] | undefined {
  const subject = talk(contract, [talked]);
  const key = flickerKey(subject);
  return stableUnderRepeat
    .inspect(talk(contract, [talked], { flickers: new Map([[key, { accepted: 5, refused }]]) }))
    ?.map(({ message }) => message);
}

test('a request that is sometimes refused is reported', () => {
  expect(said(2, { ask: 'GET /books', status: 403, answer: refusal })).toEqual([
    'The server answered 403 to a request in which GET /books, and a success ' +
      'to the same request at other times: 2 of 7 were refused.',
  ]);
});

test('a refusal with Retry-After, or of most requests, is not reported', () => {
  expect(said(2, { ask: 'GET /books', status: 429, answer: refusal })).toBeUndefined();
  expect(said(6, { ask: 'GET /books', status: 403, answer: refusal })).toEqual([]);
});

test('a refused change is not reported, because only reads are compared', () => {
  expect(said(2, { ask: 'DELETE /books/1', status: 403, answer: refusal })).toBeUndefined();
});

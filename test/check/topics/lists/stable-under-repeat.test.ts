import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/json/value.ts';
import { stableUnderRepeat } from '../../../../src/check/topics/lists/stable-under-repeat.ts';
import { flickerKey } from '../../../../src/check/reading/steadiness.ts';
import { libraryContract } from '../../fixture/library-contract.ts';
import { talk, type Said } from '../../fixture/talk.ts';

const contract = libraryContract();
const refusal = { code: 'no', message: 'no', status: 429 };

/** What is said of a refusal, where the same request was accepted five times and refused so. */
function said(refusals: readonly number[], talked: Said): string[] | undefined {
  const subject = talk(contract, [talked]);
  const key = flickerKey(subject);
  return stableUnderRepeat
    .inspect(talk(contract, [talked], { flickers: new Map([[key, { accepted: 5, refusals }]]) }))
    ?.map(({ message, actual }) => `${message} ${actual}`);
}

test('a request that is sometimes refused is reported', () => {
  expect(said([403, 403], { ask: 'GET /books', status: 403, answer: refusal })).toEqual([
    'The server answered 403 to a request in which GET /books, and a success ' +
      'to the same request at other times: 2 of 7 were refused. 403 in 2 of 7',
  ]);
});

test('refusals of several statuses are counted by status', () => {
  expect(said([404, 403, 403], { ask: 'GET /books', status: 404, answer: refusal })).toEqual([
    expect.stringMatching(/: 3 of 8 were refused\. 403 in 2 of 8, 404 in 1$/),
  ]);
});

test('a refusal with Retry-After, or of most requests, is not reported', () => {
  expect(said([403, 403], { ask: 'GET /books', status: 429, answer: refusal })).toBeUndefined();
  expect(
    said(Array<number>(6).fill(403), { ask: 'GET /books', status: 403, answer: refusal }),
  ).toEqual([]);
});

test('a refused change is not reported, because only reads are compared', () => {
  expect(
    said([403, 403], { ask: 'DELETE /books/1', status: 403, answer: refusal }),
  ).toBeUndefined();
});

test('a member that comes and goes is a warning, and another type an error', () => {
  const severities = (odd: JsonObject): unknown[] | undefined => {
    const list = (second: JsonObject): Said => ({
      ask: 'GET /books',
      answer: { items: [{ id: 1, title: 'a' }, second], total: 2, limit: 20, offset: 0 },
    });
    const usual = list({ id: 2, title: 'b' });
    const oddBoth: Said = {
      ask: 'GET /books',
      answer: {
        items: [
          { ...odd, id: 1 },
          { ...odd, id: 2 },
        ],
        total: 2,
        limit: 20,
        offset: 0,
      },
    };
    return stableUnderRepeat
      .inspect(talk(contract, [usual, oddBoth, usual]))
      ?.map(({ severity = stableUnderRepeat.severity }) => severity);
  };
  expect(severities({})).toEqual(['warning']);
  expect(severities({ title: 7 })).toEqual(['error']);
});

import { expect, test } from 'vitest';
import { makeCase } from '../../src/check/model/case.ts';
import type { RequestTemplate, Source } from '../../src/check/model/request-template.ts';
import { libraryContract } from './fixture/library-contract.ts';

const operation = libraryContract().operations.find(({ id }) => id === 'listBooks');
const [parameter] = operation?.parameters ?? [];
if (operation === undefined || parameter === undefined)
  throw new Error('the contract has no list with a parameter');
const listBooks = operation;
const first = parameter;

/** The id of a case that sends this. */
function idOf(request: Partial<RequestTemplate>, title = 't'): string {
  return makeCase({
    title,
    phase: 'boundary',
    operation: listBooks,
    request: { arguments: [], credential: 'given', ...request },
    intent: { kind: 'valid', rigour: 'plain', at: '' },
  }).id;
}

test('what a case sends is in its id, 64-bit integers digit for digit', () => {
  const sources: readonly Source[] = [
    { kind: 'value', value: 1 },
    { kind: 'value', value: '1' },
    { kind: 'value', value: 9_007_199_254_740_992n },
    { kind: 'value', value: 9_007_199_254_740_993n },
    { kind: 'text', text: '1' },
    { kind: 'raw', text: '1' },
    { kind: 'known', resource: 'books' },
    { kind: 'known', resource: 'books', otherwise: 9_007_199_254_740_992n },
    { kind: 'known', resource: 'books', otherwise: 9_007_199_254_740_993n },
    { kind: 'own', resource: 'books' },
    { kind: 'own', resource: 'notes' },
  ];
  const requests: readonly Partial<RequestTemplate>[] = [
    {},
    { credential: 'none' },
    { method: 'HEAD' },
    { headers: [['Accept', 'text/html']] },
    { polling: { at: '/state', values: ['running'], seconds: 5 } },
    { polling: { at: '/state', values: ['running', 'queued'], seconds: 5 } },
    { body: { kind: 'json', mediaType: 'application/json', value: { n: 9_007_199_254_740_993n } } },
    { body: { kind: 'json', mediaType: 'application/json', value: { n: 9_007_199_254_740_992n } } },
    { body: { kind: 'json', mediaType: 'application/json', value: {}, onto: 'getBook' } },
    { body: { kind: 'bytes', bytes: new Uint8Array([1]) } },
    { body: { kind: 'bytes', mediaType: 'text/plain', bytes: new Uint8Array([1]) } },
  ];
  const ids = [
    ...sources.map((source) => idOf({ arguments: [{ parameter: first, source }] })),
    ...requests.map((request) => idOf(request)),
    idOf({}, 'another title'),
  ];
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[0-9a-f]{10}$/.test(id))).toEqual([]);
  expect(idOf(requests[5] ?? {})).toBe(idOf(requests[5] ?? {}));
});

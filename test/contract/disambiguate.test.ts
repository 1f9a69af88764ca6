import { expect, test } from 'vitest';
import { disambiguate, type RequestHints } from '../../src/contract/route.ts';
import { makeContract } from './make-contract.ts';

const body = (mediaType: string): object => ({ requestBody: { content: { [mediaType]: {} } } });
const { operations } = makeContract({
  paths: {
    '/a#one': { post: { operationId: 'plain', responses: {} } },
    '/a#two': { post: { operationId: 'json', ...body('application/json'), responses: {} } },
    '/a#three': { post: { operationId: 'text', ...body('text/*'), responses: {} } },
    '/a#X-Way=up': { post: { operationId: 'up', ...body('application/json'), responses: {} } },
  },
});
const rivals = operations.map((operation) => ({ operation, path: new Map() }));

test.each<[string, Partial<RequestHints>, string | undefined]>([
  ['nothing: the one without a body', {}, 'plain'],
  [
    'the type of the body',
    { headers: [['Content-Type', 'application/json; charset=utf-8']] },
    'json',
  ],
  ['a type that a range takes', { headers: [['content-type', 'text/csv']] }, 'text'],
  ['a type that none takes', { headers: [['content-type', 'image/png']] }, undefined],
  [
    'a sign in the query, whatever the type',
    { query: [['two', '']], headers: [['content-type', 'text/csv']] },
    'json',
  ],
  ['a sign in a header, in any case', { headers: [['x-way', 'up']] }, 'up'],
  ['a sign with another value', { headers: [['x-way', 'down']] }, 'plain'],
])('operations on one path are told apart by %s', (_name, signs, expected) => {
  expect(disambiguate(rivals, { query: [], headers: [], ...signs })?.operation.id).toBe(expected);
});

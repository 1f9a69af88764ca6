import { expect, test } from 'vitest';
import { openEnvelopes } from '../../../src/contract/infer/open-envelopes.ts';
import { contractOf } from '../../check/fixture/odd-contract.ts';

const reading = (path: string, members: string): string => `
  ${path}: { get: { responses: { '200': { description: ok, content: { application/json: {
      schema: { type: object, properties: { ${members} } } } } } } } }`;

const stated = 'code: { type: integer }, message: { type: string }';
const list = 'data: { type: array, items: { type: string } }';
const object = 'data: { type: object, nullable: true }';

const envelopes = (...paths: readonly string[]): unknown[] =>
  openEnvelopes(contractOf(`\npaths:${paths.join('')}`)).operations.map(({ envelope }) => envelope);

test('what all successes state beside their content is the envelope', () => {
  expect(
    envelopes(reading('/a', `${stated}, ${list}`), reading('/b', `${stated}, ${object}`)),
  ).toEqual([
    ['code', 'message'],
    ['code', 'message'],
  ]);
});

test.each([
  ['one operation', [reading('/a', `${stated}, ${list}`)]],
  ['answers without content', [reading('/a', stated), reading('/b', stated)]],
  ['answers that share no member', [reading('/a', list), reading('/b', `${stated}, ${list}`)]],
])('%s has none', (_what, paths) => {
  expect(envelopes(...paths).flatMap((names) => names ?? [])).toEqual([]);
});

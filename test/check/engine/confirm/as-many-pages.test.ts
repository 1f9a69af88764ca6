import { expect, test } from 'vitest';
import { asManyPages, withItsPages } from '../../../../src/check/engine/confirm/as-many-pages.ts';
import { type Case, makeCase, makeSequence } from '../../../../src/check/model/case.ts';
import type { Source } from '../../../../src/check/model/request-template.ts';
import { tokenList } from '../../fixture/paged.ts';

const { contract } = tokenList();
const [operation] = contract.operations;
if (operation === undefined) throw new Error('The contract has no operation.');
const [size, token] = operation.parameters;
if (size === undefined || token === undefined) throw new Error('The list has no pages.');

function page(title: string, share: number, next?: Source): Case {
  if (operation === undefined || size === undefined || token === undefined) throw new Error('none');
  const source: Source = { kind: 'share', resource: 'books', pages: 5, page: share, of: 'size' };
  return makeCase({
    title,
    phase: 'sequence',
    operation,
    request: {
      arguments: [
        { parameter: size, source },
        ...(next === undefined ? [] : [{ parameter: token, source: next }]),
      ],
      credential: 'given',
    },
    intent: { kind: 'valid', rigour: 'plain', at: '' },
  });
}

function pagesOf(cases: readonly Case[]): number[] {
  return asManyPages({ cases }).flatMap(({ request }) =>
    request.arguments.flatMap(({ source }) => (source.kind === 'share' ? source.pages : [])),
  );
}

test('a replay divides a list that has grown into the pages that the run has followed', () => {
  const next: Source = { kind: 'next', resource: 'books', parameter: 'page_token' };
  const two = [page('first', 1), page('second', 1, next)];
  expect(pagesOf(two)).toEqual([2, 2]);
  const many = ['third', 'fourth', 'fifth', 'sixth', 'seventh'].map((title) =>
    page(title, 1, next),
  );
  expect(new Set(pagesOf([...two, ...many]))).toEqual(new Set([5]));
});

test('a replay divides a list into the pages that the run has numbered', () => {
  expect(pagesOf([page('first', 1), page('second', 2), page('third', 3)])).toEqual([3, 3, 3]);
  expect(pagesOf([page('first', 1)])).toEqual([5]);
});

test('a replay reads all pages of the list of a step, those that were passed over included', () => {
  const next: Source = { kind: 'next', resource: 'books', parameter: 'page_token' };
  const [first, second, third] = [
    page('first', 1),
    page('second', 1, next),
    page('third', 1, next),
  ] as const;
  const ofOther = page('of another list', 2, next);
  const sequence = { ...makeSequence(first, second), passedOver: [third, ofOther] };
  const paged = [1, 2].map((count) => withItsPages(sequence, count));
  for (const { before, cases } of paged) {
    expect(before).toBe(0);
    expect(cases.map(({ title }) => title)).toEqual(['first', 'second', 'third']);
  }
});

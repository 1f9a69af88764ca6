import { expect, test } from 'vitest';
import { checkedPhrases } from '../../src/contract/words/phrases/checked.ts';
import { checkedPhrases as leftOut } from '../../src/msw/left-out.ts';

test('a mock in a browser knows the names of the facts that only a check reads', () => {
  expect(Object.keys(leftOut).toSorted()).toEqual(Object.keys(checkedPhrases).toSorted());
});

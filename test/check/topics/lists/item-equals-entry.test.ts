import { expect, test } from 'vitest';
import { itemEqualsEntry } from '../../../../src/check/topics/lists/item-equals-entry.ts';
import type { JsonValue } from '../../../../src/json/value.ts';
import { libraryContract } from '../../fixture/library-contract.ts';
import { talk } from '../../fixture/talk.ts';

const book = (id: number, title: string): JsonValue => ({ id, title, shelfId: 4 });

test.each<[string, JsonValue, number, number | undefined]>([
  ['the record of that identifier', book(1, 'Dune'), 200, 0],
  ['another record', book(2, 'Dune'), 200, 1],
  ['a refusal', book(2, 'Dune'), 404, undefined],
])('a read that answers %s', (_, answer, status, count) => {
  expect(
    itemEqualsEntry.inspect(talk(libraryContract(), [{ ask: 'GET /books/1', status, answer }]))
      ?.length,
  ).toBe(count);
});

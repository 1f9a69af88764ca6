import { expect, test } from 'vitest';
import { ShownValues } from '../../../../src/check/engine/memory/ownership.ts';
import type { JsonValue } from '../../../../src/json/value.ts';
import { libraryContract } from '../../fixture/library-contract.ts';
import { talk } from '../../fixture/talk.ts';

/** Whether an answer to a list of books showed a value, as far as the books themselves go. */
function isShown(answer: JsonValue, value: JsonValue, isKnown: boolean): boolean {
  const shown = new ShownValues();
  shown.note(talk(libraryContract(), [{ ask: 'GET /books', answer }]), { at: 1, isKnown });
  return shown.wasShown(value, { before: 2, below: '/books' });
}

test('a total in digits is no identifier, whether it is a number or a text', () => {
  expect(isShown({ total: '38', books: [] }, '38', true)).toBe(false);
  expect(isShown({ total: 38, books: [] }, 38, true)).toBe(false);
  expect(isShown({ total: '38', books: [] }, '38', false)).toBe(true);
  expect(isShown({ next: '/books/38' }, '38', true)).toBe(true);
  expect(isShown({ name: 'B-38' }, 'B-38', true)).toBe(true);
});

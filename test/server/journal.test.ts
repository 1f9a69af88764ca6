import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeJournal, type ExchangeRecord } from '../../src/server/journal.ts';

const recordOf = (target: string, operation?: string): ExchangeRecord => ({
  method: 'GET',
  target,
  status: 200,
  durationMs: 1,
  ...(operation === undefined ? {} : { operation }),
});

test('keeps the last so many, oldest first, and counts what it forgot', () => {
  fc.assert(
    fc.property(fc.array(fc.webPath(), { maxLength: 40 }), fc.integer({ min: 1, max: 10 }), (targets, capacity) => {
      const journal = makeJournal(capacity);
      for (const target of targets) journal.add(recordOf(target));
      expect(journal.list().map(({ target }) => target)).toEqual(targets.slice(-capacity));
      expect(journal.forgotten()).toBe(Math.max(0, targets.length - capacity));
    }),
  );
});

test('lists those of one operation', () => {
  const journal = makeJournal(3);
  journal.add(recordOf('/a', 'a'));
  journal.add(recordOf('/b', 'b'));
  journal.add(recordOf('/none'));
  expect(journal.list('b')).toEqual([recordOf('/b', 'b')]);
});

test('is empty after it was cleared', () => {
  const journal = makeJournal(1);
  journal.add(recordOf('/a'));
  journal.add(recordOf('/b'));
  journal.clear();
  expect([journal.list(), journal.forgotten()]).toEqual([[], 0]);
});

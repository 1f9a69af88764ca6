import { expect, test } from 'vitest';
import { EntryMap } from '../../src/store/overlay.ts';
import { StoredEntry } from '../../src/store/field-values.ts';
import { fc } from '../property.ts';

const ids = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 12 }).map(String) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      '-1',
      '007',
      '0',
      '00',
      '1.0',
      '1e1',
      ' 3',
      'abc',
      '999999999999999',
      '1000000000000000',
      '9007199254740993',
      '٣',
    ),
  },
);
const steps = fc.array(fc.tuple(fc.constantFrom('set', 'set', 'set', 'delete'), ids), {
  maxLength: 60,
});

const entryOf = (id: string, place: number): StoredEntry =>
  new StoredEntry({ id, record: {} }, place);

test('behaves like a hash table for any sequence of changes', () => {
  fc.assert(
    fc.property(steps, (given) => {
      const [map, model] = [new EntryMap(), new Map<string, StoredEntry>()];
      for (const [place, [step, id]] of given.entries()) {
        if (step === 'set') {
          const entry = entryOf(id, place);
          map.set(id, entry);
          model.set(id, entry);
        } else {
          map.delete(id);
          model.delete(id);
        }
        expect(map.size).toBe(model.size);
      }
      for (const [, id] of given) {
        expect(map.get(id)).toBe(model.get(id));
        expect(map.has(id)).toBe(model.has(id));
      }
    }),
    { numRuns: 300 },
  );
});

test('counted identifiers start anywhere, without gaps', () => {
  const map = new EntryMap();
  for (let id = 31; id <= 3_000; id += 1) map.set(String(id), entryOf(String(id), id));
  expect(map.get('31')?.place).toBe(31);
  expect(map.get('3000')?.place).toBe(3_000);
  expect([map.get('30'), map.get('3001'), map.get('031')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(map.size).toBe(2_970);
});

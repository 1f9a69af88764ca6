import { expect, test } from 'vitest';
import { type Crud, crud, moment, type Row, shown, text } from '../../fixture/crud/crud.ts';

/** What a list gets wrong; nothing is right. */
type Fault = 'beginnings' | 'first-of-several' | 'bound-too' | 'texts' | 'nothing';

/** Crates that a list selects as the descriptions of its parameters say. */
function crates(fault: Fault): Crud {
  const integer = { type: 'integer' };
  const crate = {
    fields: { maker: text, number: shown(integer), packed: shown(moment) },
    can: 'list create read',
    query: {
      maker: { ...text, description: 'Only crates of exactly this maker.' },
      numbers: { ...text, description: 'Only crates with these numbers, comma-separated.' },
      since_number: { ...integer, description: 'Only crates with a greater number.' },
      packed_min: { ...moment, description: 'Only crates packed at this moment or later.' },
    },
  };
  return crud({ Crate: crate }, (rows) => {
    const stamp = (row: Row, number: number, at: string): void =>
      void Object.assign(row, { number, packed: at });
    for (let number = 1; number < 6; number += 1) {
      const row: Row = { id: `c${String(number)}`, maker: `Fjord ${'ABCDE'.charAt(number)}` };
      stamp(row, number, `2026-03-01T0${String(number)}:00:00Z`);
      rows('crates').push(row);
    }
    return {
      made: {
        crates: (row) => stamp(row, rows('crates').length, '2026-03-01T08:00:00Z'),
      },
      find: {
        crates: ({ maker, number, packed }, query) => {
          const [wanted, since] = [query.get('maker'), query.get('since_number')];
          const numbers = query.get('numbers')?.split(',');
          const least = query.get('packed_min');
          const own = String(maker);
          return (
            (wanted === null ||
              (fault === 'beginnings' ? own.startsWith(wanted) : own === wanted)) &&
            (numbers === undefined ||
              (fault === 'first-of-several' ? numbers.slice(0, 1) : numbers).includes(
                String(number),
              )) &&
            (since === null || Number(number) > Number(since) - Number(fault === 'bound-too')) &&
            (least === null ||
              (fault === 'texts'
                ? String(packed) >= least
                : Date.parse(String(packed)) >= Date.parse(least)))
          );
        },
      },
    };
  });
}

test.each<[Fault, RegExp | undefined]>([
  ['nothing', undefined],
  ['beginnings', /filtered by maker=\S+ holds \d+ records? with another maker/],
  ['first-of-several', /numbers=/],
  ['bound-too', /bounded by since_number=\d+ holds 1 record outside the bound/],
  ['texts', /filtered by packed_min=\S+\+14:00 lacks \d+ records? that the whole list shows/],
])('a list with the fault %s is told by %s', async (fault, expected) => {
  const alarms = await crates(fault).alarms(/^error/, { only: ['filter-holds'] });
  if (expected === undefined) expect(alarms).toEqual([]);
  else expect(alarms).toContainEqual(expect.stringMatching(expected));
});

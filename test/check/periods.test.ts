import { describe, expect, test } from 'vitest';
import { type Crud, crud, moment, type Row, text } from './fixture/crud/crud.ts';

/** What the service does wrong. */
type Quirk =
  'calls-it-422' | 'takes-twice' | 'refuses-next' | 'blocks-itself' | 'moves-onto' | 'stays-taken';

/** Desks, and bookings of them that do not overlap. */
function desks(quirk?: Quirk): Crud {
  const taken = 'Another booking has the desk at this time.';
  const past: Row[] = [];
  return crud(
    {
      Desk: { fields: { name: text }, can: 'list create' },
      Booking: {
        fields: {
          deskId: text,
          start: { ...moment, example: '2027-05-04T09:00:00Z' },
          end: { ...moment, example: '2027-05-04T10:00:00Z' },
        },
        can: 'list create read update delete',
        changeable: ['start', 'end'],
        says: {
          create: 'Two bookings of a desk may not overlap. One may start when another one ends.',
        },
        refuses: { create: { 409: taken, 422: 'There is no such desk.' }, update: { 409: taken } },
      },
    },
    (rows) => {
      const period = ({ start, end }: Row): number[] =>
        [start, end].map((at) => Date.parse(String(at)));
      const isTaken = (one: Row, before?: Row): boolean =>
        [...rows('bookings'), ...(quirk === 'stays-taken' ? past : [])].some((other) => {
          if (other['deskId'] !== one['deskId']) return false;
          if (other === before && quirk !== 'blocks-itself') return false;
          const [from = 0, to = 0] = period(one);
          const [begin = 0, end = 0] = period(other);
          return (quirk === 'refuses-next' && from === end) || (from < end && to > begin);
        });
      return {
        refuse: {
          bookings: (next, _beside, before) => {
            if (!rows('desks').some(({ id }) => id === next['deskId'])) return 422;
            if (!isTaken(next, before)) return undefined;
            if (before !== undefined) return quirk === 'moves-onto' ? undefined : 409;
            return quirk === 'takes-twice' ? undefined : quirk === 'calls-it-422' ? 422 : 409;
          },
        },
        on: {
          deleteBooking: ({ row }) => {
            if (row !== undefined) past.push({ ...row });
            return undefined;
          },
        },
      };
    },
  );
}

const alarmsOf = (quirk?: Quirk): Promise<string[]> => desks(quirk).alarms(/ periods-hold /);

describe('periods', () => {
  test('a service that keeps them apart has no finding', async () => {
    expect(await alarmsOf()).toEqual([]);
  });

  test.each<[Quirk, string]>([
    [
      'calls-it-422',
      'error periods-hold createBooking: The server answered 422 to a POST of the same',
    ],
    ['takes-twice', 'error periods-hold createBooking: The server accepted (201) a POST of'],
    [
      'refuses-next',
      'error periods-hold createBooking: The server answered 409 to a POST of a period right',
    ],
    [
      'blocks-itself',
      'error periods-hold updateBooking: The server answered 409 to a PATCH by a part',
    ],
    ['moves-onto', 'error periods-hold updateBooking: The server accepted (200) a PATCH onto'],
    [
      'stays-taken',
      'error periods-hold createBooking: The server answered 409 to a POST of a period that',
    ],
  ])('%s is an %s', async (quirk, expected) => {
    const lines = await alarmsOf(quirk);
    expect(lines.map((line) => line.slice(0, expected.length))).toContain(expected);
  });
});

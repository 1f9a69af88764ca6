import { expect, test } from 'vitest';
import { type Crud, crud, type Row, shown, text } from '../../fixture/crud/crud.ts';
import { alarms, findingsOf } from '../../fixture/inline-service.ts';

const says =
  'From held, `status` goes to paid; from paid to used. It may stay, and all else is a 409. ' +
  'The seat has to be free if the booking is paid (409).';

/** Bookings of seats, each of which has one, with a guide whom the service adds; `skip` is taken. */
function theatre(skip = ''): Crud {
  const status = { type: 'string', enum: ['held', 'paid', 'used'], default: 'held' };
  const seat = { type: 'string', pattern: '^seats/[a-z0-9-]+$' };
  const guest = { type: 'object', required: ['name'], properties: { name: text } };
  const isTaken = (next: Row, others: readonly Row[]): boolean =>
    others.some((other) => other['seat'] === next['seat']);
  return crud(
    {
      Seat: {
        fields: { row: text },
        can: 'list create read delete',
        refuses: { delete: { 409: 'It is booked.' } },
      },
      Booking: {
        fields: { seat, status, guests: { type: 'array', items: guest }, price: shown(text) },
        optional: ['status'],
        can: 'list create read replace delete',
        says: { replace: says },
        refuses: {
          create: { 409: 'The seat is taken.' },
          replace: { 409: 'Not with that seat, or from that status.' },
        },
      },
    },
    (rows) => {
      for (let at = 0; at < 60; at += 1) rows('seats').push({ id: `s${String(at)}`, row: 'A' });
      const moves = ['held to paid', 'paid to used', skip];
      const addGuide = (row: Row): void => {
        const guests = (row['guests'] ?? []) as { name: string }[];
        const guided = guests.some(({ name }) => name === 'guide');
        row['guests'] = guided ? guests : [...guests, { name: 'guide' }];
      };
      return {
        refuseDeletion: {
          seats: ({ id }) =>
            rows('bookings').some(({ seat: booked }) => booked === `seats/${id}`) ? 409 : undefined,
        },
        made: { bookings: addGuide },
        changed: { bookings: addGuide },
        refuse: {
          bookings: (next, others, before) => {
            const isSeat = rows('seats').some(({ id }) => next['seat'] === `seats/${id}`);
            if (!isSeat) return 400;
            const [from, to] = [before?.['status'], next['status']].map(String);
            const isMove =
              before === undefined || from === to || moves.includes(`${from} to ${to}`);
            return !isMove || isTaken(next, others) ? 409 : undefined;
          },
        },
        on: {
          createBooking: ({ sound }) => {
            const answer = sound();
            return answer.status === 409 ? { ...answer, text: 'The seat is taken.' } : answer;
          },
        },
      };
    },
  );
}

test('each new record names another one where one that was accepted is refused', async () => {
  let made = 0;
  const { contract, service } = theatre();
  const counted: typeof service = async (call) => {
    const answer = await service(call);
    if (call.method === 'POST' && call.path[0] === 'bookings' && answer.status === 201) made += 1;
    return answer;
  };
  expect(alarms(await findingsOf(contract, counted))).toEqual([]);
  expect(made).toBeGreaterThan(20);
});

test.each(['held to used', 'used to paid'])('a move from %s is found on them', async (skip) => {
  const lines = await theatre(skip).alarms(/states-hold/);
  expect(lines.join('\n')).toContain(`the status was "${skip.split(' ')[0] ?? ''}"`);
});

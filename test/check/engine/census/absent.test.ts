import { expect, test } from 'vitest';
import { alarms, findingsOf } from '../../fixture/inline-service.ts';
import { crud, text } from '../../fixture/crud/crud.ts';

test('a record that was listed and not found before any change is not missed later', async () => {
  let made = 0;
  const { contract, service, rows } = crud(
    {
      Note: {
        fields: { title: text, about: text, place: text },
        can: 'list create read replace update delete',
      },
    },
    (notes) => ({
      // The list has the newest five, of which one is deleted when the run begins.
      find: { notes: (row) => notes('notes').slice(-5).includes(row) },
      on: { getNote: ({ row, sound }) => (row?.id === 'old' ? { status: 404 } : sound()) },
    }),
  );
  rows('notes').push({ id: 'old', title: 'gone', about: 'it', place: 'here' });
  const found = await findingsOf(contract, (call) => {
    made += Number(call.method === 'POST');
    return service(call);
  });
  expect(alarms(found)).toEqual([]);
  expect(made).toBeGreaterThan(50);
});

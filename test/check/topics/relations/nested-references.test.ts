import { expect, test } from 'vitest';
import { type Crud, crud, text } from '../../fixture/crud/crud.ts';

const stated =
  'Errors are as usual. A reference to a record that does not exist\nor is deleted is a 422.';

/** Visits of guests, each of whom an object names by the address. */
function hotel(description: string, isChecked = true): Crud {
  const reference = { type: 'string', pattern: '^guests/[a-z0-9-]+$' };
  const guest = { type: 'object', required: ['reference'], properties: { reference } };
  return crud(
    {
      Guest: { fields: { name: text }, can: 'list create read delete' },
      Visit: {
        fields: { guest, note: text },
        can: 'list create read',
        refuses: { create: { 422: 'Not as it is.' } },
      },
    },
    (rows) => ({
      refuse: {
        visits: (visit) => {
          const { reference: named } = visit['guest'] as { reference: string };
          const isThere = rows('guests').some(({ id }) => named === `guests/${id}`);
          return isThere || !isChecked ? undefined : 422;
        },
      },
    }),
    { description },
  );
}

test.each([
  ['a service that refuses references to nothing', stated, true],
  ['a service that does not say so', 'Errors are as usual.', false],
])('%s has no finding', async (_title, description, isChecked) => {
  expect(await hotel(description, isChecked).alarms()).toEqual([]);
});

test('an address of no record within an object is found where that is refused', async () => {
  const lines = await hotel(stated, false).alarms(/^error/);
  expect(lines.join('\n')).toMatch(/guest names no record|guest names a record that was deleted/);
});

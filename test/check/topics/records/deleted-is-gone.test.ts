import { expect, test } from 'vitest';
import { type Crud, crud, text } from '../../fixture/crud/crud.ts';

/** Notes whose contract says something of 410; the service answers a status for deleted ones. */
function notes(says: string, status: number): Crud {
  const deleted = new Set<string>();
  return crud(
    {
      Note: {
        fields: { title: text },
        can: 'list create read delete',
        refuses: { read: { 410: says } },
      },
    },
    () => ({
      refuseDeletion: { notes: ({ id }) => void deleted.add(id) },
      on: {
        getNote: ({ call, sound }) => (deleted.has(call.path.at(-1) ?? '') ? { status } : sound()),
      },
    }),
  );
}

test.each([
  ['The note was deleted.', 410],
  ['It has expired.', 404],
])('%s (410), and %i after a deletion, has no finding', async (says, status) => {
  expect(await notes(says, status).alarms()).toEqual([]);
});

test('404 for a deleted record is found where the contract states 410 for that', async () => {
  const lines = await notes('The note was deleted.', 404).alarms(/^error/);
  expect(lines.join('\n')).toContain('deleted-is-gone getNote: getNote answered 404');
});

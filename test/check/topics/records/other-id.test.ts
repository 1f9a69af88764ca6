import { expect, test } from 'vitest';
import { type Crud, crud, text } from '../../fixture/crud/crud.ts';

/** Notes whose body has their identifier; `isChecked`: another one is refused. */
function notes(says: string, isChecked: boolean): Crud {
  return crud(
    {
      Note: {
        fields: { id: text, title: text },
        optional: ['id'],
        can: 'list create read replace delete',
        says: { replace: says },
      },
    },
    () => ({
      on: {
        replaceNote: ({ row, sent, sound }) => {
          const { id } = Object(sent) as { id?: string };
          const isOther = row !== undefined && id !== undefined && id !== row.id;
          return isOther && isChecked ? { status: 400 } : sound();
        },
      },
    }),
  );
}

const says = 'The whole note, whose `id` is that of the address (400).';

test.each([
  ['a service that refuses another identifier', says, true],
  ['a service that does not say so', 'The whole note.', false],
])('%s has no finding', async (_title, told, isChecked) => {
  expect(await notes(told, isChecked).alarms()).toEqual([]);
});

test('a body with the identifier of another record is found where that is refused', async () => {
  const lines = await notes(says, false).alarms(/^error/);
  expect(lines.join('\n')).toContain('a PUT whose id is that of another record');
});

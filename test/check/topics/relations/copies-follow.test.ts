import { expect, test } from 'vitest';
import { type Crud, crud, text } from '../../fixture/crud/crud.ts';

/** Jobs that show the name of their client, beside its identifier, in an object. */
function office(description: string, isStale: boolean, told = 'The name of the client.'): Crud {
  const name = { ...text, readOnly: true, description: told };
  const first = new Map<unknown, unknown>();
  return crud(
    {
      Client: { fields: { name: text }, can: 'list create read update' },
      Job: {
        fields: {
          title: text,
          for: { type: 'object', required: ['client_id'], properties: { client_id: text, name } },
        },
        can: 'list create read',
      },
    },
    (rows) => ({
      show: {
        jobs: (job) => {
          const { client_id: id } = job['for'] as { client_id: unknown };
          const now = String(rows('clients').find((one) => one.id === id)?.['name'] ?? '');
          if (!first.has(job['id'])) first.set(job['id'], now);
          const shown = isStale ? first.get(job['id']) : now;
          return { ...job, for: { client_id: String(id), name: String(shown) } };
        },
      },
    }),
    { description },
  );
}

const said = 'Names of related records are always those that the records have now.';

test('a service whose records show the names that others have now has no finding', async () => {
  expect(await office(said, false).alarms(/copy|former/)).toEqual([]);
});

test('a name that stays as it was is an error where it is said to follow', async () => {
  const lines = await office(said, true).alarms(/former text/);
  expect(lines.join('\n')).toMatch(/^error.*for\.name/);
});

test('it is a warning where nothing is said, and nothing where it is that of a time', async () => {
  expect((await office('Jobs.', true).alarms(/former text/)).join('\n')).toMatch(/^warning/);
  const then = 'The name of the client at the time of the job.';
  expect(await office('Jobs.', true, then).alarms(/former text/)).toEqual([]);
});

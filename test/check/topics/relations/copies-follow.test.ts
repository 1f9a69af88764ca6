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

test.each([
  ['nothing is said', 'Jobs.', 'The name of the client.'],
  ['it is that of a time', said, 'The name of the client at the time of the job.'],
])('it is nothing where %s', async (_what, description, told) => {
  expect(await office(description, true, told).alarms(/former text/)).toEqual([]);
});

import { expect, test } from 'vitest';
import { type Crud, crud, shown, text } from '../../fixture/crud/crud.ts';

/** What a service does with the key of a client in a job. */
type Habit = 'active-only' | 'takes-any';

/** Jobs that are made with `client_id` and show `client: { id, name }`; only open clients count. */
function office(habit: Habit): Crud {
  const client = {
    type: 'object',
    required: ['id', 'name'],
    properties: { id: text, name: text },
    readOnly: true,
  };
  const isOpen = { type: 'boolean', default: true };
  return crud(
    {
      Client: {
        fields: { name: text, is_open: isOpen },
        optional: ['is_open'],
        can: 'list create read',
        query: { is_open: { type: 'boolean' } },
      },
      Job: {
        fields: { title: text, client_id: { ...text, writeOnly: true }, client },
        can: 'list create read update',
        refuses: { create: { 422: 'client_id is not that of an open client.' } },
      },
    },
    (rows) => ({
      find: {
        clients: (row, query) =>
          !query.has('is_open') || String(row['is_open'] ?? true) === query.get('is_open'),
      },
      refuse: {
        jobs: (job) => {
          const named = rows('clients').find(({ id }) => id === job['client_id']);
          if (named === undefined) return habit === 'takes-any' ? undefined : 422;
          return named['is_open'] === false ? 422 : undefined;
        },
      },
      on: {
        createJob: ({ sound }) => {
          const answer = sound();
          return answer.status === 422
            ? { status: 422, json: { message: 'It is closed or unknown.', fields: ['client_id'] } }
            : undefined;
        },
      },
      show: {
        jobs: ({ client_id: id, ...job }) => {
          const named = rows('clients').find((one) => one.id === id);
          return { ...job, client: { id: String(id), name: String(named?.['name'] ?? 'none') } };
        },
      },
    }),
    { description: 'A body that names a record that does not exist is answered with 422.' },
  );
}

test('a body names records of the run by a key that answers write as an object', async () => {
  const jobs = office('active-only');
  expect(await jobs.alarms(/^error/)).toEqual([]);
  const made = jobs.rows('jobs').map((job) => job['client_id']);
  const known = new Set(jobs.rows('clients').map(({ id }) => id));
  expect(made.length).toBeGreaterThan(10);
  expect(made.filter((id) => !known.has(String(id)))).toEqual([]);
});

test('a key of no record is found where the service takes it', async () => {
  expect((await office('takes-any').alarms(/^error/)).join('\n')).toMatch(/client_id names no rec/);
});

test('a PATCH with a verb at the end of its path is an action', () => {
  const path = '/jobs/{jobId}';
  const answer = `{"200": {description: ok, content: {application/json: {schema: {$ref:
    '#/components/schemas/Job'}}}}}`;
  const parameters = '[{name: jobId, in: path, required: true, schema: {type: string}}]';
  const deed = (word: string): string =>
    `${path}/${word}: {parameters: ${parameters}, ` +
    `patch: {operationId: ${word}, responses: ${answer}}}`;
  const { contract } = crud({ Job: { fields: { title: text, done: shown(text) } } }, undefined, {
    paths: `${deed('stop')}\n${deed('settings')}`,
  });
  expect(contract.inference.actions.map(({ operation }) => operation.id)).toEqual(['stop']);
});

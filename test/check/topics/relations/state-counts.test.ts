import { expect, test } from 'vitest';
import { type Crud, crud, shown, text } from '../../fixture/crud/crud.ts';

const states = ['open', 'waiting', 'done'] as const;

/** Boards with notes, and how many of these are in a state, as the service counts them. */
function boards(countsAs: (status: unknown) => unknown): Crud {
  const count = (state: string) => ({ type: 'integer', description: `Notes that are ${state}` });
  const stats = Object.fromEntries(states.map((state) => [`${state}_count`, count(state)]));
  return crud(
    {
      Board: {
        fields: { title: text, stats: shown({ type: 'object', properties: stats }) },
        can: 'list create read delete',
      },
      Note: {
        path: '/boards/{boardId}/notes',
        fields: { title: text, status: { type: 'string', enum: [...states] } },
        can: 'list create read update delete',
      },
    },
    (rows) => ({
      show: {
        boards: (board) => {
          const own = rows('notes').filter((note) => boardOf.get(note) === board.id);
          const counts = states.map((state) => [
            `${state}_count`,
            own.filter(({ status }) => countsAs(status) === state).length,
          ]);
          return { ...board, stats: Object.fromEntries(counts) };
        },
      },
      on: {
        createNote: ({ call, sound }) => {
          const before = rows('notes').length;
          const answer = sound();
          const made = rows('notes')[before];
          if (made !== undefined) boardOf.set(made, String(call.path[1]));
          return answer;
        },
      },
    }),
  );
}

const boardOf = new WeakMap<object, string>();

test('counts of parts in a state that follow their states raise no alarm', async () => {
  expect(await boards((status) => status).alarms()).toEqual([]);
});

test('a count that takes parts in another state is found', async () => {
  const takes = (status: unknown) => (status === 'waiting' ? 'open' : status);
  const lines = await boards(takes).alarms(/^error shown-twice-agrees/);
  expect(lines.join('\n')).toContain('stats.open_count is');
});

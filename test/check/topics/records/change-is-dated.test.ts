import { describe, expect, test } from 'vitest';
import { type Crud, crud, moment, shown, text } from '../../fixture/crud/crud.ts';

/** What a service does with the moment of a change; the clock `stands still` for all moments. */
type Habit = 'moves' | 'frozen' | 'stands still' | 'in seconds';

const start = Date.now();

/** Notes that can be changed; each request takes a millisecond. */
function notes(habit: Habit): Crud {
  const write = (time: number): string => {
    const iso = new Date(habit === 'stands still' ? Date.UTC(2030) : time).toISOString();
    return habit === 'in seconds' ? iso.replace(/\.\d+/, '') : iso;
  };
  const now = (): string => write(Math.max(Date.now(), start));
  return crud(
    { Note: { fields: { text, updatedAt: shown(moment) }, can: 'create read replace' } },
    () => ({
      made: { notes: (row) => Object.assign(row, { updatedAt: now() }) },
      changed: {
        notes: (row) => {
          if (habit !== 'frozen' && habit !== 'in seconds')
            Object.assign(row, { updatedAt: now() });
        },
      },
    }),
  );
}

describe('the moment of the last change', () => {
  test('that stays when a record is changed is an error', async () => {
    const lines = await notes('frozen').alarms(/change-is-dated/);
    expect(lines.join('\n')).toMatch(/^error change-is-dated .*updatedAt stayed/);
  });

  test.each<Habit>(['moves', 'stands still', 'in seconds'])(
    'is no finding if it %s, or the clock does not tell',
    async (habit) => {
      expect(await notes(habit).alarms(/change-is-dated/)).toEqual([]);
    },
  );
});

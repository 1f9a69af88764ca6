import { describe, expect, test } from 'vitest';
import { type Crud, crud, moment, shown, text } from '../../fixture/crud/crud.ts';

/** What a service does with the moment of a change; the clock `stands still` for all moments. */
type Habit =
  'moves' | 'frozen' | 'stands still' | 'counts in seconds' | 'frozen in seconds' | 'dates anew';

const start = Date.now();

/** Notes that can be changed; each request takes a millisecond. */
function notes(habit: Habit): Crud {
  const write = (time: number): string => {
    const iso = new Date(habit === 'stands still' ? Date.UTC(2030) : time).toISOString();
    return habit.endsWith('in seconds') ? iso.replace(/\.\d+/, '') : iso;
  };
  const now = (): string => write(Math.max(Date.now(), start));
  return crud(
    {
      Note: {
        fields: { text, createdAt: shown(moment), updatedAt: shown(moment) },
        can: 'create read replace',
      },
    },
    () => ({
      made: { notes: (row) => Object.assign(row, { createdAt: now(), updatedAt: now() }) },
      changed: {
        notes: (row) => {
          if (!habit.startsWith('frozen')) Object.assign(row, { updatedAt: now() });
          if (habit === 'dates anew') Object.assign(row, { createdAt: now() });
        },
      },
    }),
  );
}

describe('the moment of the last change', () => {
  test.each<Habit>(['frozen', 'frozen in seconds'])('that is %s is an error', async (habit) => {
    const lines = await notes(habit).alarms(/change-is-dated/);
    expect(lines.join('\n')).toMatch(/^error change-is-dated .*updatedAt stayed/);
  });

  test('is no moment of the creation: one that a change moves is an error', async () => {
    const lines = await notes('dates anew').alarms(/change-is-dated/);
    expect(lines.join('\n')).toMatch(/^error change-is-dated .*createdAt became/);
  });

  test.each<Habit>(['moves', 'stands still', 'counts in seconds'])(
    'is no finding if it %s, or its clock tells nothing',
    async (habit) => {
      expect(await notes(habit).alarms(/change-is-dated/)).toEqual([]);
    },
  );
});

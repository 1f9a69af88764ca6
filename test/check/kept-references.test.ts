import { describe, expect, test } from 'vitest';
import { type Crud, crud, text } from './fixture/crud/crud.ts';

/** Sectors, and plots that name one by its number. */
function plots(quirk: 'sound' | 'takes-any', conflict: string): Crud {
  return crud(
    {
      Sector: {
        fields: { name: text },
        can: 'list create read delete',
        refuses: { delete: { 409: conflict } },
      },
      Plot: {
        fields: {
          sectorId: { type: ['string', 'integer'], pattern: '^(sector-)?[0-9]+$' },
          crop: text,
        },
        can: 'list create read delete',
      },
    },
    (rows) => ({
      refuse: {
        plots: ({ sectorId }) =>
          quirk === 'takes-any' || rows('sectors').some(({ id }) => id === String(sectorId))
            ? undefined
            : 400,
      },
      refuseDeletion: {
        sectors: ({ id }) =>
          rows('plots').some(({ sectorId }) => String(sectorId) === id) ? 409 : undefined,
      },
    }),
  );
}

describe('a reference to what is kept as long as others refer to it', () => {
  const alarmsOf = (quirk: 'sound' | 'takes-any', conflict: string): Promise<string[]> =>
    plots(quirk, conflict).alarms(/names no record/, { only: ['parent-holds'] });

  test('names a record that exists', async () => {
    expect(await alarmsOf('sound', 'It has plots.')).toEqual([]);
  });

  test.each(['It has plots.', 'Not now.'])(
    'is in doubt where no words say that it has to exist, whatever a deletion says: %s',
    async (conflict) => {
      expect(await alarmsOf('takes-any', conflict)).toEqual([
        expect.stringMatching(/^warning parent-holds createPlot: .*sectorId names no record/),
      ]);
    },
  );
});

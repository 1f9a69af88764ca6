import { describe, expect, test } from 'vitest';
import { type Crud, crud, type Row, text } from './fixture/crud/crud.ts';

type Quirk = 'takes-retired' | 'drops-grown' | 'drops-named';

const grower = { type: 'object', required: ['id'], properties: { id: text } };

/** Growers, seeds, and crates whose rows name seeds; a crate names its grower as an object. */
function crates(quirk?: Quirk): Crud {
  return crud(
    {
      Grower: {
        fields: { name: text },
        can: 'list create read delete',
        refuses: { delete: { 409: 'A seed crate names it.' } },
      },
      Seed: {
        fields: {
          name: text,
          status: { type: 'string', enum: ['On sale', 'Retired'], default: 'On sale' },
        },
        optional: ['status'],
        can: 'list create read delete',
        says: { delete: '409 while a crate of it is packed or sent.' },
        refuses: { delete: { 409: 'Not now.' } },
      },
      SeedCrate: {
        path: '/seed-crates',
        fields: {
          label: text,
          status: { type: 'string', enum: ['packed', 'sent', 'opened'], default: 'packed' },
          grower,
          rows: {
            type: 'array',
            items: { type: 'object', required: ['seedId'], properties: { seedId: text } },
          },
        },
        optional: ['status', 'rows', 'grower'],
        can: 'list create read delete',
        says: { create: 'The seeds must be On sale.' },
      },
    },
    (rows) => {
      const named = (crate: Row): string[] =>
        ((crate['rows'] ?? []) as { seedId: string }[]).map(({ seedId }) => seedId);
      const growerOf = (crate: Row): string | undefined =>
        (crate['grower'] as { id: string } | undefined)?.id;
      return {
        made: {
          seeds: (seed) => (seed['status'] ??= 'On sale'),
          'seed-crates': (crate) => (crate['status'] ??= 'packed'),
        },
        refuse: {
          'seed-crates': (crate) => {
            const seeds = named(crate).map((id) => rows('seeds').find((seed) => seed.id === id));
            const isFit = seeds.every(
              (seed) => seed && (quirk === 'takes-retired' || seed['status'] === 'On sale'),
            );
            const own = growerOf(crate);
            const isKnown = own === undefined || rows('growers').some(({ id }) => id === own);
            return isFit && isKnown ? undefined : 400;
          },
        },
        refuseDeletion: {
          growers: ({ id }) =>
            quirk !== 'drops-grown' && rows('seed-crates').some((crate) => growerOf(crate) === id)
              ? 409
              : undefined,
          seeds: ({ id }) =>
            quirk !== 'drops-named' &&
            rows('seed-crates').some(
              (crate) => crate['status'] !== 'opened' && named(crate).includes(id),
            )
              ? 409
              : undefined,
        },
      };
    },
  );
}

describe('records that another names within objects and lists', () => {
  const alarmsOf = (quirk?: Quirk): Promise<string[]> =>
    crates(quirk).alarms(/^/, { only: ['parent-holds', 'states-hold'] });

  test('have no finding in a service that keeps its contract', async () => {
    expect(await alarmsOf()).toEqual([]);
  });

  test.each<[Quirk, RegExp]>([
    ['takes-retired', /^error states-hold createSeedCrate: .*status was "Retired"/],
    ['drops-grown', /^error parent-holds deleteGrower: .*has seed-crates/],
    ['drops-named', /^error parent-holds deleteSeed: .*has seed-crates/],
  ])('%s is an error', async (quirk, line) => {
    expect(await alarmsOf(quirk)).toEqual([expect.stringMatching(line)]);
  });
});

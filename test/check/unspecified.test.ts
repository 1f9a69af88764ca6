import { describe, expect, test } from 'vitest';
import { type Crud, crud, text } from './fixture/crud/crud.ts';

/** Vans, whose kind is required; `refused` is the status of one without a kind. */
function vans(refused: number | undefined, description: string): Crud {
  return crud(
    {
      Van: {
        fields: {
          label: text,
          kind: { type: 'string', enum: ['KIND_UNSPECIFIED', 'BIG', 'SMALL'] },
        },
        can: 'list create read delete',
      },
    },
    () => ({
      refuse: { vans: ({ kind }) => (kind === 'KIND_UNSPECIFIED' ? refused : undefined) },
    }),
    { description },
  );
}

const byTheAips = 'The API follows AIP-121.';

describe('a required member with the value that stands for none', () => {
  test('is refused by a service that follows the AIPs', async () => {
    expect(await vans(400, byTheAips).alarms()).toEqual([]);
  });

  test('is an error where it is accepted', async () => {
    const lines = await vans(undefined, byTheAips).alarms();
    expect(lines.join('\n')).toMatch(/^error unspecified-refused createVan: .*KIND_UNSPECIFIED/);
  });

  test('may be accepted by other services', async () => {
    expect(await vans(undefined, 'Vans.').alarms()).toEqual([]);
  });
});

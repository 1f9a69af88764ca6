import { describe, expect, test } from 'vitest';
import { type Crud, crud, type Row, shown, text } from '../../fixture/crud/crud.ts';

const identities = {
  ann: { tokens: { bearer: 'ann' } },
  bob: { tokens: { bearer: 'bob' }, sees: { 'nothing-of': 'ann' } },
};
const tokens = ['ann', 'bob'];

async function alarmsOf(service: Crud): Promise<string> {
  return (await service.alarms(/identity-sees/, { identities })).join('\n');
}

/** Notes of their own, of which users show each other some. */
function notes(bug?: 'changes shared' | 'lists all'): Crud {
  const flag = { type: 'boolean', default: false };
  const isShared = ({ shared }: Row): boolean => shared === true;
  return crud(
    {
      Note: {
        fields: { text, shared: flag },
        optional: ['shared'],
        can: 'list create read update delete',
      },
    },
    () => ({
      reaches: (id, row) =>
        (['listNotes', 'getNote'].includes(id) && (isShared(row) || bug === 'lists all')) ||
        (bug === 'changes shared' && id !== 'createNote' && isShared(row)),
    }),
    { tokens },
  );
}

describe('records that users show each other', () => {
  test('are seen by others where they say so, and changed by none of them', async () => {
    expect(await alarmsOf(notes())).toBe('');
  });

  test('are an error if others delete them', async () => {
    expect(await alarmsOf(notes('changes shared'))).toMatch(/deleteNote: .*which deleted/);
  });

  test('are an error if others see those that are not for them', async () => {
    expect(await alarmsOf(notes('lists all'))).toMatch(/listNotes: The list that bob gets/);
  });
});

/** Years that were there before, and of which there are no others. */
function years(isOpen: boolean): Crud {
  const all = [
    { id: 'y-1', begins: '2030-01-01', owner: 'ann' },
    { id: 'y-2', begins: '2031-01-01', owner: 'ann' },
    { id: 'y-3', begins: '2030-05-01', owner: 'bob' },
  ];
  const show = ({ owner: _, ...year }: (typeof all)[number]): object => year;
  return crud(
    { Year: { fields: { begins: { type: 'string', format: 'date' } }, can: 'list create read' } },
    () => ({
      refuse: { years: () => 400 },
      on: {
        listYears: ({ user }) => ({
          status: 200,
          json: all.filter(({ owner }) => owner === user).map(show),
        }),
        getYear: ({ user, call }) => {
          const year = all.find(({ id }) => id === call.path[1]);
          const isSeen = year !== undefined && (isOpen || year.owner === user);
          return isSeen ? { status: 200, json: show(year) } : { status: 404 };
        },
      },
    }),
    { tokens },
  );
}

describe('a record that the run cannot make', () => {
  test('is seen by who has it', async () => {
    expect(await alarmsOf(years(false))).toBe('');
  });

  test('is an error if others read it', async () => {
    expect(await alarmsOf(years(true))).toMatch(/getYear: .* which the run reads and bob must not/);
  });
});

/** Orders, and what cancels one that its body names. */
function orders(isOpen: boolean): Crud {
  const order = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
  return crud(
    {
      Order: { fields: { text, state: shown({ type: 'string' }) }, can: 'list create read' },
      Cancellation: { fields: { order }, can: 'list create read' },
    },
    (rows, ownerOf) => ({
      on: {
        createCancellation: ({ sent, user, sound }) => {
          const { id } = Object((Object(sent) as { order?: unknown }).order) as { id?: unknown };
          const found = rows('orders').find((row) => row.id === id);
          const isKnown = found !== undefined && (isOpen || ownerOf(found) === user);
          return sent !== undefined && !isKnown ? { status: 400 } : sound();
        },
      },
    }),
    { tokens, description: 'Orders are seen only by the client that placed them.' },
  );
}

describe('a record that an object in a body names', () => {
  test('is one of the caller', async () => {
    expect(await alarmsOf(orders(false))).toBe('');
  });

  test('is an error if it is one of others', async () => {
    expect(await alarmsOf(orders(true))).toMatch(/error .*createCancellation: The server accepted/);
  });
});

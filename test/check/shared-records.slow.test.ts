import { describe, expect, test } from 'vitest';
import { type Crud, crud, moment, type Row, shown } from './fixture/crud/crud.ts';

type Quirk = 'others change' | 'others cancel' | 'others list' | 'quiet';

const title = { type: 'string', minLength: 1, maxLength: 90 };
const [one, two] = ['tok-one-77', 'tok-two-88'];

/**
 * Bookings of one desk, which all users see and only their maker changes, and private drafts.
 * `quiet`: what others may not change is answered like a change, and stays as it is.
 */
function desk(quirk?: Quirk): Crud {
  const taken = { 409: 'The desk is taken at this time.' };
  const foreign = { 403: 'Another user made it.' };
  const periodOf = (row: Row): number[] =>
    [row['start'], row['end']].map((at) => Date.parse(String(at)));
  return crud(
    {
      Booking: {
        fields: {
          title: { ...title, example: 'Work' },
          status: shown({ type: 'string', enum: ['confirmed', 'cancelled'] }),
          start: { ...moment, example: '2026-05-04T09:00:00Z' },
          end: { ...moment, example: '2026-05-04T10:00:00Z' },
        },
        can: 'list create read replace delete',
        says: { delete: 'The status becomes cancelled. A cancelled booking can still be read.' },
        refuses: { create: taken, replace: { ...taken, ...foreign }, delete: foreign },
      },
      Draft: {
        fields: { title: { ...title, example: 'First' } },
        query: { limit: { type: 'integer', minimum: 1, maximum: 4, default: 4 } },
      },
    },
    (_rows, ownerOf) => ({
      reaches: (id) => id.includes('Booking') || (id === 'listDrafts' && quirk === 'others list'),
      refuse: {
        bookings: (next, others) => {
          const [from = 0, to = 0] = periodOf(next);
          const isTaken = others.some((other) => {
            const [begin = 0, end = 0] = periodOf(other);
            return other['status'] === 'confirmed' && begin < to && from < end;
          });
          return isTaken ? 409 : undefined;
        },
      },
      made: { bookings: (row) => void Object.assign(row, { status: 'confirmed' }) },
      on: {
        listDrafts: ({ call, sound }) => {
          const { status, json } = sound();
          const limit = Number(call.query.get('limit') ?? 4);
          return Array.isArray(json) ? { status, json: json.slice(0, limit) } : undefined;
        },
        replaceBooking: ({ row, user }) => {
          if (row === undefined || ownerOf(row) === user || quirk === 'others change')
            return undefined;
          return quirk === 'quiet' ? { status: 200, json: row } : { status: 403 };
        },
        deleteBooking: ({ row, user }) => {
          if (row === undefined) return undefined;
          if (ownerOf(row) !== user && quirk !== 'others cancel')
            return { status: quirk === 'quiet' ? 204 : 403 };
          Object.assign(row, { status: 'cancelled' });
          return { status: 204 };
        },
      },
    }),
    { tokens: [one, two] },
  );
}

/** The findings about identities, of a second user who sees bookings, and no drafts of others. */
const foundIn = (quirk?: Quirk): Promise<string[]> =>
  desk(quirk).alarms(/identity-/, {
    identities: {
      one: { token: one },
      two: {
        token: two,
        sees: { 'nothing-of': 'one', except: ['GET /bookings', 'GET /bookings/**'] },
      },
    },
  });

describe('records that all users see, and only their maker changes', () => {
  test('are no finding if the changes of others are refused', async () => {
    expect(await foundIn()).toEqual([]);
  });

  test('are no finding if the changes of others are accepted and change nothing', async () => {
    expect(await foundIn('quiet')).toEqual([]);
  });

  test('are a finding if others change them', async () => {
    expect((await foundIn('others change')).join('\n')).toMatch(
      /^error identity-sees-nothing replaceBooking: .* to a PUT by two, .* two must not change\.$/,
    );
  });

  test('are a finding if others cancel them, and they stay with another status', async () => {
    expect((await foundIn('others cancel')).join('\n')).toMatch(
      /^error identity-sees-nothing deleteBooking: .* to a DELETE by two, which changed the record/,
    );
  });

  test('are a finding in a list of another user with earlier ones on its page', async () => {
    expect((await foundIn('others list')).join('\n')).toMatch(
      /^error identity-sees-nothing listDrafts: The list that two gets holds the record/,
    );
  });
});

import { describe, expect, test } from 'vitest';
import { crud, type Crud, shown, text } from './fixture/crud/crud.ts';

describe('a PUT below another parent', () => {
  /** Crates and their items; a PUT at an address without an item makes one, or changes another's. */
  function crates(put: 'makes-one' | 'changes-that-of-another'): Crud {
    return crud(
      {
        Crate: { fields: { name: text }, can: 'list create read delete' },
        Item: {
          fields: { name: text },
          can: 'list create read replace delete',
          path: '/crates/{crateId}/items',
        },
      },
      (rows) => {
        const made = new Map<string, unknown>();
        const placeOf = (path: readonly string[]): string => path.join('/');
        return {
          on: {
            replaceItem: ({ call, row, sent }) => {
              const id = call.path[3] ?? '';
              const isCrate = rows('crates').some((crate) => crate.id === call.path[1]);
              if (row !== undefined || !isCrate) return undefined;
              if (put === 'makes-one') {
                made.set(placeOf(call.path), sent);
                return { status: 201, json: { ...Object(sent), id } };
              }
              const other = rows('items').find((item) => item.id === id);
              return other && { status: 200, json: Object.assign(other, sent) };
            },
            getItem: ({ call }) => {
              const own = made.get(placeOf(call.path));
              return own === undefined
                ? undefined
                : { status: 200, json: { ...own, id: call.path[3] } };
            },
            deleteItem: ({ call }) =>
              made.delete(placeOf(call.path)) ? { status: 204 } : undefined,
          },
        };
      },
    );
  }

  test('that makes a record of its own accuses nobody, nor does the deletion of that', async () => {
    expect(await crates('makes-one').alarms(/parent-holds/)).toEqual([]);
  });

  test('that changes the record of the first is an error', async () => {
    const lines = await crates('changes-that-of-another').alarms(/parent-holds/);
    expect(lines.map((line) => line.split(':')[0])).toEqual(['error parent-holds replaceItem']);
  });
});

describe('a record that a service embeds', () => {
  /** Sessions, each with an engine: one of its own, or the one that was named, misspelt. */
  function sessions(engine: 'own' | 'misspelt'): Crud {
    const named = engine === 'own' ? {} : { engineId: text };
    return crud(
      {
        Engine: { fields: { name: text } },
        Session: {
          fields: {
            title: text,
            ...named,
            engine: shown({
              type: 'object',
              properties: { id: { type: 'string' }, name: { type: 'string' } },
            }),
          },
        },
      },
      (rows) => ({
        show: {
          sessions: (session) => ({
            ...session,
            engine:
              engine === 'own'
                ? { id: `of-${session.id}`, name: 'default' }
                : { id: session['engineId'], name: 'Default' },
          }),
        },
        refuse: {
          sessions: (session) =>
            engine === 'own' || rows('engines').some(({ id }) => id === session['engineId'])
              ? undefined
              : 400,
        },
      }),
    );
  }

  test('is not compared with one that no request named', async () => {
    expect(await sessions('own').alarms(/shown-twice-agrees/)).toEqual([]);
  });

  test('is compared with the one that the request named', async () => {
    const lines = await sessions('misspelt').alarms(/shown-twice-agrees/);
    expect(lines.map((line) => line.split(':')[0])).toEqual([
      'error shown-twice-agrees getSession',
    ]);
  });
});

import { expect, test } from 'vitest';
import { type Crud, crud, moment, type Row, shown, text } from '../../fixture/crud/crud.ts';

/** Memos that `modified` selects by the moment of their change, or by that of their creation. */
function memos(by: 'changed' | 'made'): Crud {
  const memo = {
    fields: { title: text, modified: shown(moment) },
    can: 'list create read update',
    query: {
      modified: { ...moment, description: 'Only what was changed at this moment or later' },
    },
  };
  const made = new Map<string, string>();
  const now = (): string => new Date().toISOString();
  return crud({ Memo: memo }, (rows) => {
    for (let at = 0; at < 4; at += 1) {
      const modified = `2026-03-0${String(at + 1)}T10:00:00.000Z`;
      made.set(String(at), modified);
      rows('memos').push({ id: String(at), title: `Memo ${String(at)}`, modified });
    }
    const stamp = (row: Row): void => void Object.assign(row, { modified: now() });
    return {
      made: {
        memos: (row) => {
          stamp(row);
          made.set(row.id, String(row['modified']));
        },
      },
      changed: { memos: stamp },
      find: {
        memos: ({ id, modified }, query) => {
          const own = by === 'made' ? made.get(id) : String(modified);
          return Date.parse(own ?? '') >= Date.parse(query.get('modified') ?? '1970-01-01');
        },
      },
    };
  });
}

const alarmsOf = (by: 'changed' | 'made'): Promise<string[]> =>
  memos(by).alarms(/^error/, { only: ['filter-holds'] });

test('a list of what has changed since a moment has what was changed then', async () => {
  expect(await alarmsOf('changed')).toEqual([]);
});

test('one that compares the moment of the creation lacks it', async () => {
  expect(await alarmsOf('made')).toContainEqual(
    expect.stringMatching(/^error filter-holds listMemos.* modified/),
  );
});

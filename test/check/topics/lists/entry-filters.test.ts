import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/json/value.ts';
import { type Crud, crud, shown, text } from '../../fixture/crud/crud.ts';
import { noticeEach } from '../../fixture/notice-each.ts';

type Quirk = 'first-folder-alone' | 'folders-ignored' | 'first-line-alone' | 'last-line-alone';

interface Entry {
  readonly id?: string;
  readonly account?: number;
}

const entries = (properties: Record<string, JsonObject>): JsonObject => ({
  type: 'array',
  items: { type: 'object', required: Object.keys(properties), properties },
});

/** Memos in several folders, with lines on accounts. */
function memos(quirks: readonly Quirk[]): Crud {
  const has = (quirk: Quirk): boolean => quirks.includes(quirk);
  const memo = {
    fields: {
      title: text,
      folder: entries({ id: { type: 'string' } }),
      memoLines: shown(entries({ account: { type: 'integer' }, amount: { type: 'integer' } })),
    },
    query: {
      'folder.id': { type: 'string' },
      account: { type: 'integer', description: 'Only memos with a line on this account.' },
    },
  };
  return crud({ Folder: { fields: { name: text } }, Memo: memo }, (rows) => {
    rows('folders').push({ id: 'folder-1', name: 'Letters' }, { id: 'folder-2', name: 'Bills' });
    for (let at = 0; at < 12; at += 1)
      rows('memos').push({
        id: String(at + 1),
        title: `Memo ${String(at)}`,
        folder: [{ id: 'folder-1' }],
        memoLines: [at % 3, (at + 1) % 3].map((account) => ({ account, amount: at })),
      });
    const isKnown = ({ id }: Entry): boolean => rows('folders').some((one) => one.id === id);
    return {
      refuse: { memos: ({ folder }) => ((folder as Entry[]).every(isKnown) ? undefined : 400) },
      made: { memos: (row) => void Object.assign(row, { memoLines: [] }) },
      find: {
        memos: ({ folder, memoLines }, query) => {
          const [id, account] = [query.get('folder.id'), query.get('account')];
          const folders = (folder as Entry[]).slice(0, has('first-folder-alone') ? 1 : 9);
          const lines = memoLines as Entry[];
          const from = has('last-line-alone') ? 1 : 0;
          const asked = lines.slice(from, has('first-line-alone') ? 1 : 9);
          const isIn = folders.some((one) => one.id === id);
          return (
            (id === null || has('folders-ignored') || isIn) &&
            (account === null || asked.some((one) => String(one.account) === account))
          );
        },
      },
    };
  });
}

const alarmsOf = (quirks: readonly Quirk[]): Promise<string[]> =>
  memos(quirks).alarms(/^error/, { only: ['filter-holds'] });

test('a list that finds a record by any of its entries has no finding', async () => {
  expect(await alarmsOf([])).toEqual([]);
});

noticeEach<Quirk>(
  'a filter by the entries of records: %s is noticed',
  [
    [['first-folder-alone', /^error filter-holds listMemos.*the second folder.id of a record/]],
    [['folders-ignored', /^error filter-holds listMemos.*folder\.id/]],
    [['first-line-alone', /^error filter-holds listMemos.*by account=\d lacks/]],
    [['last-line-alone', /^error filter-holds listMemos.*by account=\d lacks/]],
  ],
  alarmsOf,
);

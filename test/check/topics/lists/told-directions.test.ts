import { expect, test } from 'vitest';
import { type Crud, crud, type Row } from '../../fixture/crud/crud.ts';
import { noticeEach } from '../../fixture/notice-each.ts';

type Quirk = 'ids-as-texts' | 'never-reversed' | 'reversed-on-its-page';

const digits = { type: 'string', pattern: '^[0-9]+$' };

/** Memos whose identifiers are whole numbers in texts, sorted by `sort`, or against it. */
function memos(quirks: readonly Quirk[]): Crud {
  const has = (quirk: Quirk): boolean => quirks.includes(quirk);
  const memo = {
    fields: { id: { ...digits, readOnly: true }, size: { type: 'integer' } },
    query: {
      sort: { type: 'string', description: 'of id and size' },
      backwards: { type: 'boolean', description: 'the whole order of the list is reversed' },
      page: { type: 'integer', minimum: 1 },
      page_size: { type: 'integer', minimum: 1, maximum: 100 },
    },
  };
  const compare = (name: string) => (left: Row, right: Row) =>
    name === 'id' && has('ids-as-texts')
      ? Number(left.id > right.id) * 2 - 1
      : Number(left[name]) - Number(right[name]);
  return crud({ Memo: memo }, (rows) => {
    for (let at = 0; at < 14; at += 1)
      rows('memos').push({ id: String(at + 90), size: (at * 5) % 14 });
    return {
      on: {
        listMemos: ({ call: { query }, sound }) => {
          const { status, json } = sound();
          if (!Array.isArray(json)) return { status, json };
          const ordered = (json as Row[]).toSorted(compare(query.get('sort') ?? 'size'));
          const isReversed = query.get('backwards') === 'true' && !has('never-reversed');
          const isPageAlone = has('reversed-on-its-page');
          const all = isReversed && !isPageAlone ? ordered.toReversed() : ordered;
          const size = Number(query.get('page_size') ?? 50);
          const start = (Number(query.get('page') ?? 1) - 1) * size;
          const page = all.slice(start, start + size);
          return { status, json: isReversed && isPageAlone ? page.toReversed() : page };
        },
      },
    };
  });
}

const alarmsOf = (quirks: readonly Quirk[]): Promise<string[]> =>
  memos(quirks).alarms(/^error/, { only: ['sort-holds'] });

test('a list that is sorted by size, and reversed as a whole, has no finding', async () => {
  expect(await alarmsOf([])).toEqual([]);
});

noticeEach<Quirk>(
  'an order as the parameters say: %s is noticed',
  [
    [['ids-as-texts', /^error sort-holds listMemos.*sort=id.*not in that order: id is/]],
    [['never-reversed', /^error sort-holds listMemos.*backwards=true is not in that order/]],
    [['reversed-on-its-page', /^error sort-holds listMemos.*(?:not begin as|one after the other)/]],
  ],
  alarmsOf,
);

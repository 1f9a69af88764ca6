import { expect, test } from 'vitest';
import { type Crud, crud, type Row, text } from '../../fixture/crud/crud.ts';
import { noticeEach } from '../../fixture/notice-each.ts';

type Quirk = 'first-value-alone' | 'all-values' | 'second-ignored' | 'falling-ignored';

const description = `Records of an office.

- Filters: several values with commas between them are alternatives.
- order_by takes fields with commas between them, - in front is descending.`;

const memo = {
  fields: { title: text, place: text, level: { type: 'string', enum: ['high', 'low'] } },
  query: {
    title: { type: 'string' },
    order_by: { type: 'string', description: 'of title, level, place' },
  },
};

function memos(quirks: readonly Quirk[], says = description): Crud {
  const has = (quirk: Quirk): boolean => quirks.includes(quirk);
  const words = ['Amber', 'Basalt', 'Cedar', 'Dune', 'Ember'];
  return crud(
    { Memo: memo },
    (rows) => {
      for (let at = 0; at < 15; at += 1)
        rows('memos').push({
          id: String(at + 1),
          title: words[at % 5],
          level: at % 2 === 0 ? 'low' : 'high',
          place: `${words[(at * 3) % 4] ?? ''} street`,
        });
      return {
        find: {
          memos: ({ title }, query) => {
            const asked = (query.get('title') ?? String(title)).split(',');
            const [first] = asked;
            if (has('all-values')) return asked.every((one) => one === title);
            return has('first-value-alone') ? first === title : asked.includes(String(title));
          },
        },
        on: {
          listMemos: ({ call: { query }, sound }) => {
            const { status, json } = sound();
            const keys = (query.get('order_by') ?? '').split(',').filter((key) => key !== '');
            if (!Array.isArray(json) || keys.length === 0) return { status, json };
            const used = has('second-ignored') ? keys.slice(0, 1) : keys;
            const compare = (left: Row, right: Row): number => {
              for (const key of used) {
                const name = key.replace('-', '');
                const [one, other] = [String(left[name]), String(right[name])];
                const way = key.startsWith('-') && !has('falling-ignored') ? -1 : 1;
                if (one !== other) return one < other ? -way : way;
              }
              return 0;
            };
            return { status, json: (json as Row[]).toSorted(compare) };
          },
        },
      };
    },
    { description: says },
  );
}

const alarmsOf = (quirks: readonly Quirk[], says?: string): Promise<string[]> =>
  memos(quirks, says).alarms(/^error/, { only: ['filter-holds', 'sort-holds'] });

test('a list that does what the API says of all lists has no finding', async () => {
  expect(await alarmsOf([])).toEqual([]);
});

noticeEach<Quirk>(
  'what the API says of all lists: %s is noticed',
  [
    [['first-value-alone', /^error filter-holds listMemos.*by title=\w+,\w+ lacks/]],
    [['all-values', /^error filter-holds listMemos.*by title=\w+,\w+ lacks/]],
    [['second-ignored', /^error sort-holds listMemos.*level is "\w+", \w+ is/]],
    [['falling-ignored', /^error sort-holds listMemos.*order_by=-/]],
  ],
  alarmsOf,
);

test('of lists of which the API says nothing, nothing is known', async () => {
  expect(await alarmsOf(['first-value-alone', 'second-ignored'], 'Records.')).toEqual([]);
});

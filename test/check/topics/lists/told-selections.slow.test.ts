import { describe, expect, test } from 'vitest';
import { type Crud, crud, moment, type Row, shown, text } from '../../fixture/crud/crud.ts';
import { noticeEach } from '../../fixture/notice-each.ts';

type Quirk =
  | 'search-by-case'
  | 'search-by-beginning'
  | 'search-of-everything'
  | 'search-lags'
  | 'bound-left-out'
  | 'another-order'
  | 'moment-included'
  | 'moment-as-text'
  | 'day-left-out'
  | 'due-left-out'
  | 'out-of-order';

const memo = {
  fields: {
    title: text,
    created: shown({ type: 'string', pattern: String.raw`^\d{4}-\d\d-\d\d \d\d:\d\d$` }),
    due: { type: 'string', format: 'date' },
    valid: { type: 'object', properties: { start: moment, end: moment } },
    level: shown({ type: 'string', enum: ['1', '2', '3', '4', '5'] }),
  },
  optional: ['valid', 'due'],
  says: { list: 'By created.' },
  query: {
    title: {
      type: 'string',
      description: 'A part of the title, upper and lower case do not matter.',
    },
    level_min: { type: 'integer', minimum: 1, maximum: 5 },
    'valid.start.gt': moment,
    to: { type: 'string', format: 'date', description: 'created on this day or earlier' },
    fromdate: { type: 'string', format: 'date', description: 'This day and later ones' },
    limit: { type: 'integer', minimum: 1, maximum: 30 },
  },
};

/** Whether a moment is after another one; with quirks, at it too, or by its text. */
function isAfter(start = '', after: string, quirks: readonly Quirk[]): boolean {
  if (quirks.includes('moment-as-text')) return start > after;
  const [own, bound] = [start, after].map((one) => Date.parse(one));
  if (own === undefined || bound === undefined) return false;
  return quirks.includes('moment-included') ? own >= bound : own > bound;
}

/** Memos that are more than the longest page has, with levels as texts. */
function memos(quirks: readonly Quirk[] = []): Crud {
  const has = (quirk: Quirk): boolean => quirks.includes(quirk);
  const fold = (part: string): string => (has('search-by-case') ? part : part.toLowerCase());
  const isFound = (title: string, part: string): boolean => {
    const place = fold(title).indexOf(fold(part));
    if (part === '' || has('search-of-everything')) return true;
    return !has('search-lags') && (has('search-by-beginning') ? place === 0 : place >= 0);
  };
  const words = ['Amber', 'Basalt', 'Cedar', 'Dune', 'Ember'];
  return crud({ Memo: memo }, (rows) => {
    for (let at = 0; at < 60; at += 1)
      rows('memos').push({
        id: String(at + 1),
        title: `${words[at % 5] ?? ''} ${words[at % 3] ?? ''}`,
        level: String((at % 5) + 1),
        created: `2026-03-${String(10 + Math.floor(at / 3))} 08:15`,
        due: `2026-04-${String(10 + (at % 10))}`,
      });
    return {
      made: {
        memos: (row) => void Object.assign(row, { level: '1', created: '2026-06-01 10:00' }),
      },
      find: {
        memos: (row, query) => {
          const { title, level } = row;
          const least = Number(query.get('level_min') ?? 0);
          const isIn = has('bound-left-out') ? Number(level) > least : Number(level) >= least;
          const { start } = (row['valid'] ?? {}) as Record<string, string>;
          const after = query.get('valid.start.gt');
          if (after !== null && !isAfter(start, after, quirks)) return false;
          const [to, from] = [query.get('to'), query.get('fromdate')];
          const day = String(row['created']).slice(0, 10);
          const due = String(row['due'] ?? '');
          if (to !== null && (has('day-left-out') ? day >= to : day > to)) return false;
          if (from !== null && (has('due-left-out') ? due <= from : due < from)) return false;
          return isIn && isFound(String(title), query.get('title') ?? '');
        },
      },
      on: {
        listMemos: ({ call: { query }, sound }) => {
          const { status, json } = sound();
          if (!Array.isArray(json)) return { status, json };
          const all = json as Row[];
          const isOther = has('out-of-order') || (has('another-order') && query.has('level_min'));
          const [odd, even] = [1, 0].map((rest) => all.filter(({ id }) => Number(id) % 2 === rest));
          const ordered = isOther ? [...(odd ?? []), ...(even ?? []).toReversed()] : all;
          return { status, json: ordered.slice(0, Number(query.get('limit') ?? 30)) };
        },
      },
    };
  });
}

const alarmsOf = (quirks: readonly Quirk[], lines = /^/): Promise<string[]> =>
  memos(quirks).alarms(lines, { only: ['filter-holds', 'sort-holds'] });

describe('a list is searched and bounded as its parameters say', () => {
  test('a service that keeps them has no finding', async () => {
    expect(await alarmsOf([])).toEqual([]);
  });

  noticeEach<Quirk>(
    '%s is noticed',
    [
      [['search-by-case', /^error filter-holds listMemos.*filtered by title=.* lacks/]],
      [['search-by-beginning', /^error filter-holds listMemos.*filtered by title=.* lacks/]],
      [['search-of-everything', /^error filter-holds listMemos.*searched by title=.* without it/]],
      [['bound-left-out', /^error filter-holds listMemos.*filtered by level_min=\d lacks/]],
      [
        [
          'moment-included',
          /^error filter-holds listMemos.*shows a record whose valid.start is "20/,
        ],
      ],
      [['day-left-out', /^error filter-holds listMemos.* by to=2026-\S+ lacks/]],
      [['due-left-out', /^error filter-holds listMemos.* by fromdate=\d+-\S+ lacks/]],
      [['out-of-order', /^error sort-holds listMemos.*that its description states: created is/]],
      [['moment-as-text', /^error filter-holds listMemos.*record whose valid.start is "20/]],
    ],
    alarmsOf,
  );

  test.each<[string, readonly Quirk[]]>([
    ['a search that finds new records later', ['search-lags']],
    ['a page of a filtered list in another order than the whole list', ['another-order']],
  ])('%s is no finding', async (_what, quirks) => {
    expect(await alarmsOf(quirks, /filter-holds/)).toEqual([]);
  });
});

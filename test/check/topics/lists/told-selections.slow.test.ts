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
  | 'moment-as-text';

const memo = {
  fields: {
    title: text,
    valid: { type: 'object', properties: { start: moment, end: moment } },
    level: shown({ type: 'string', enum: ['1', '2', '3', '4', '5'] }),
  },
  optional: ['valid'],
  query: {
    title: {
      type: 'string',
      description: 'A part of the title, upper and lower case do not matter.',
    },
    level_min: { type: 'integer', minimum: 1, maximum: 5 },
    'valid.start.gt': moment,
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
      });
    return {
      made: { memos: (row) => void Object.assign(row, { level: '1' }) },
      find: {
        memos: (row, query) => {
          const { title, level } = row;
          const least = Number(query.get('level_min') ?? 0);
          const isIn = has('bound-left-out') ? Number(level) > least : Number(level) >= least;
          const { start } = (row['valid'] ?? {}) as Record<string, string>;
          const after = query.get('valid.start.gt');
          if (after !== null && !isAfter(start, after, quirks)) return false;
          return isIn && isFound(String(title), query.get('title') ?? '');
        },
      },
      on: {
        listMemos: ({ call: { query }, sound }) => {
          const { status, json } = sound();
          if (!Array.isArray(json)) return { status, json };
          const all = json as Row[];
          const isOther = has('another-order') && query.has('level_min');
          const [odd, even] = [1, 0].map((rest) => all.filter(({ id }) => Number(id) % 2 === rest));
          const ordered = isOther ? [...(odd ?? []), ...(even ?? []).toReversed()] : all;
          return { status, json: ordered.slice(0, Number(query.get('limit') ?? 30)) };
        },
      },
    };
  });
}

const alarmsOf = (quirks: readonly Quirk[]): Promise<string[]> =>
  memos(quirks).alarms(/^/, { only: ['filter-holds'] });

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
      [['moment-as-text', /^error filter-holds listMemos.*record whose valid.start is "20/]],
    ],
    alarmsOf,
  );

  test.each<[string, readonly Quirk[]]>([
    ['a search that finds new records later', ['search-lags']],
    ['a page of a filtered list in another order than the whole list', ['another-order']],
  ])('%s is no finding', async (_what, quirks) => {
    expect(await alarmsOf(quirks)).toEqual([]);
  });
});

import { expect, test } from 'vitest';
import { type Crud, crud, type Row, text } from '../../fixture/crud/crud.ts';

const description = 'fields selects members of records; id and code are always there.';

/** Memos of which a list shows what `fields` names, and what `always` names. */
function memos(always: readonly string[], says = description): Crud {
  const memo = {
    fields: { code: text, title: text, size: text, place: text },
    query: {
      fields: {
        type: 'string',
        description: 'Comma-separated properties to be provided in the response',
      },
    },
  };
  return crud(
    { Memo: memo },
    (rows) => {
      for (let at = 0; at < 4; at += 1)
        rows('memos').push({
          ...{ id: String(at), code: `M-${String(at)}`, title: `Memo ${String(at)}` },
          ...{ size: `${String(at)} pages`, place: 'shelf' },
        });
      return {
        on: {
          listMemos: ({ call: { query }, sound }) => {
            const { status, json } = sound();
            const asked = query.get('fields')?.split(',');
            if (!Array.isArray(json) || asked === undefined) return { status, json };
            const isShown = ([name]: [string, unknown]): boolean =>
              always.includes(name) || asked.includes(name);
            const part = (row: Row): object =>
              Object.fromEntries(Object.entries(row).filter(isShown));
            return { status, json: (json as Row[]).map(part) };
          },
        },
      };
    },
    { description: says },
  );
}

const alarmsOf = (always: readonly string[], says?: string): Promise<string[]> =>
  memos(always, says).alarms(/^error/, { only: ['projection-holds'] });

test('what is shown whatever is asked for is no finding', async () => {
  expect(await alarmsOf(['id', 'code'])).toEqual([]);
});

test.each([
  ['id', ['code']],
  ['code', ['id']],
])('a part of a record without its %s, which is always there, is one', async (lacking, always) => {
  expect(await alarmsOf(always)).toEqual([
    expect.stringMatching(`^error projection-holds listMemos.*does not show the ${lacking}`),
  ]);
});

test('a field of which nothing is said may be left out', async () => {
  expect(await alarmsOf([], 'fields selects members of records.')).toEqual([]);
});

import { expect, test } from 'vitest';
import { type Crud, crud, text } from '../../fixture/crud/crud.ts';

/** The moves of a task, by the state that it leaves. */
const moves: Readonly<Record<string, readonly string[]>> = {
  draft: ['in review'],
  'in review': ['draft', 'published'],
  published: ['withdrawn'],
};

const says =
  'A text moves from draft to in review, in review to draft or published, published to ' +
  'withdrawn. Anything else is a 409.';

/** Texts with states that follow each other; `skips` are moves that a service takes besides. */
function texts(skips: readonly string[] = []): Crud {
  const states = { type: 'string', enum: ['draft', 'in review', 'published', 'withdrawn'] };
  return crud(
    {
      Text: {
        fields: { title: text, status: { ...states, default: 'draft' } },
        optional: ['status'],
        can: 'create read update',
        says: { update: says },
        refuses: { update: { 409: 'It cannot move so.' } },
      },
    },
    () => ({
      refuse: {
        texts: (next, _beside, before) => {
          const [from, to] = [before?.['status'], next['status']].map(String);
          const isMove =
            before === undefined || from === to || moves[from ?? '']?.includes(to ?? '');
          return isMove || skips.includes(`${from} to ${to}`) ? undefined : 409;
        },
      },
    }),
  );
}

test('a service that takes the stated moves alone has no finding', async () => {
  expect(await texts().alarms()).toEqual([]);
});

test.each(['draft to published', 'withdrawn to published'])(
  'a service that moves from %s is found',
  async (skip) => {
    const lines = await texts([skip]).alarms(/states-hold/);
    const [from, to] = skip.split(' to ');
    expect(lines.join('\n')).toContain(`a PATCH to ${to} that is to be refused`);
    expect(lines.join('\n')).toContain(`the status was "${from}"`);
  },
);

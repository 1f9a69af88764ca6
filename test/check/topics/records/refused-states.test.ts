import { expect, test } from 'vitest';
import { type Crud, crud, text } from '../../fixture/crud/crud.ts';

const states = ['new', 'started', 'done', 'dropped'];

/** Tasks whose state goes on and never back; one stores a text before it looks at the state. */
function tasks(isHasty: boolean): Crud {
  return crud(
    {
      Task: {
        fields: { text, state: { type: 'string', enum: states, default: 'new' } },
        optional: ['state'],
        can: 'create read update',
        refuses: { update: { 409: 'The state does not go back.' } },
      },
    },
    () => ({
      refuse: {
        tasks: (next, _beside, before) => {
          const [to, from] = [next, before].map((row) => states.indexOf(String(row?.['state'])));
          if (before === undefined || (to ?? 0) >= (from ?? 0)) return undefined;
          if (isHasty) Object.assign(before, { text: next['text'] });
          return 409;
        },
      },
    }),
  );
}

test('a change that is refused for its state leaves the other members as they are', async () => {
  expect(await tasks(false).alarms()).toEqual([]);
});

test('a change that is refused for its state and stores the rest is an error', async () => {
  const lines = await tasks(true).alarms(/refusal-is-harmless/);
  expect(lines.join('\n')).toMatch(/^error .*answered 409 to updateTask.* text was/);
});

import { expect, test } from 'vitest';
import { type Crud, crud, text } from '../../fixture/crud/crud.ts';

const unique = (more: object = {}): { type: string } => ({
  ...text,
  ...more,
  type: 'string',
});

/** Machines with a name and a short code, each of which is unique; one may be taken again. */
function machines(takes: 'name' | 'code' | 'code of a change' | 'nothing'): Crud {
  const refuses = { 409: 'Another machine has this name or this code.' };
  const machine = {
    fields: {
      name: unique({ description: 'Unique, whatever the case of its letters.' }),
      code: unique({ maxLength: 20, description: 'Unique among the machines.' }),
    },
    can: 'list create read update delete',
    refuses: { create: refuses, update: refuses },
  };
  return crud({ Machine: machine }, () => ({
    refuse: {
      machines: (next, beside, before) =>
        (['name', 'code'] as const).some(
          (field) =>
            takes !== (before && field === 'code' ? 'code of a change' : field) &&
            beside.some((one) => {
              const [left, right] = [one[field], next[field]].map(String);
              return field === 'name'
                ? left?.toLowerCase() === right?.toLowerCase()
                : left === right;
            }),
        )
          ? 409
          : undefined,
    },
  }));
}

test('a service in which both are unique has no finding', async () => {
  expect(await machines('nothing').alarms(/^error/)).toEqual([]);
});

test.each(['name', 'code'] as const)('a %s that is taken again is found', async (takes) => {
  const lines = await machines(takes).alarms(/^error/, { only: ['unique-is-kept'] });
  expect(lines.join('\n')).toMatch(
    new RegExp(`createMachine.* accepted \\(201\\) the ${takes} of another record`),
  );
});

test('a code that a change gives again is found, though codes are short', async () => {
  const lines = await machines('code of a change').alarms(/^error/, { only: ['unique-is-kept'] });
  expect(lines.join('\n')).toMatch(/updateMachine.* accepted \(200\) the code of another record/);
});

import { describe, expect, test } from 'vitest';
import { Judge } from '../../tools/mutation/judge.ts';
import type { ReachLine, TestOrder, TestOutcome } from '../../tools/mutation/messages.ts';
import type { Mutant } from '../../tools/mutation/mutants.ts';
import { Reach } from '../../tools/mutation/reach.ts';

const mutant: Mutant = {
  file: 'src/a/near.ts',
  line: 1,
  start: 0,
  end: 1,
  from: 0,
  replacement: '',
  change: 'x → y',
};

/** One line of what a test executes: the numbers of the mutants in it. */
function line(file: string, id: string | undefined, ...numbers: number[]): ReachLine {
  const bits = numbers.reduce((sum, number) => sum | (1 << number), 0);
  return {
    file,
    ...(id === undefined ? {} : { test: id }),
    milliseconds: 1000,
    bits: Buffer.from([bits]).toString('base64'),
  };
}

const reach = new Reach([
  line('test/a/far.test.ts', 'f1', 1, 2),
  line('test/a/far.test.ts', 'f2', 2),
  line('test/a/near.test.ts', undefined, 3),
  line('test/a/near.test.ts', 'n1', 1),
  line('test/a/near.test.ts', 'n2'),
]);

/**
 * A judge whose tests fail as they are told to, and what was run: in the changed tree, or in the
 * tree as it is.
 */
function judgeWith(fails: (order: TestOrder, isChanged: boolean) => TestOutcome | undefined): {
  judge: Judge;
  ran: string[];
} {
  const ran: string[] = [];
  let isChanged = false;
  const workplace = {
    async with<Result>(_mutant: Mutant, use: () => Promise<Result>): Promise<Result> {
      isChanged = true;
      return use().finally(() => (isChanged = false));
    },
  };
  const run = async (order: TestOrder): Promise<TestOutcome | undefined> => {
    ran.push([isChanged ? 'changed' : 'as it is', order.file, ...(order.tests ?? [])].join(' '));
    return fails(order, isChanged);
  };
  return { judge: new Judge({ workplace, vitest: { run }, reach }), ran };
}

const timed = (id: string): unknown => ({ id, milliseconds: 1000 });

describe('the tests that execute a change', () => {
  test.each<[number, unknown]>([
    [0, []],
    [
      1,
      [
        { file: 'test/a/far.test.ts', tests: [timed('f1')], isWhole: false },
        { file: 'test/a/near.test.ts', tests: [timed('n1')], isWhole: false },
      ],
    ],
    [2, [{ file: 'test/a/far.test.ts', tests: [timed('f1'), timed('f2')], isWhole: true }]],
    [3, [{ file: 'test/a/near.test.ts', tests: [timed('n1'), timed('n2')], isWhole: true }]],
  ])('number %i', (index, expected) => {
    expect(reach.of(index)).toEqual(expected);
  });
});

describe('a change', () => {
  const passed: TestOutcome = { passed: 1, failed: [] };

  test('that no test executes is not reached, and nothing is run', async () => {
    const { judge, ran } = judgeWith(() => passed);
    expect(await judge.judge(mutant, 0)).toEqual({ outcome: 'not reached' });
    expect(ran).toEqual([]);
  });

  test('has survived if all tests pass with it', async () => {
    const { judge, ran } = judgeWith(() => passed);
    expect(await judge.judge(mutant, 1)).toEqual({ outcome: 'survived' });
    expect(ran).toEqual(['changed test/a/near.test.ts n1', 'changed test/a/far.test.ts f1']);
  });

  test('is tried within its time, with the fastest tests first', async () => {
    const { judge, ran } = judgeWith(() => passed);
    await judge.judge(mutant, 3, 2);
    await judge.judge(mutant, 1, 1.5);
    expect(ran).toEqual(['changed test/a/near.test.ts n1']);
  });

  test('is detected by the nearest test that fails with it and passes without it', async () => {
    const { judge, ran } = judgeWith(({ tests = [] }, isChanged) => ({
      passed: 0,
      failed: isChanged ? [...tests] : [],
    }));
    expect(await judge.judge(mutant, 1)).toEqual({
      outcome: 'killed',
      by: 'test/a/near.test.ts',
    });
    await judge.judge(mutant, 1);
    expect(ran).toEqual([
      'changed test/a/near.test.ts n1',
      'as it is test/a/near.test.ts n1',
      'changed test/a/near.test.ts n1',
    ]);
  });

  test('is not detected by a test that fails without it', async () => {
    const { judge } = judgeWith(({ file }) =>
      file.includes('near') ? { passed: 0, failed: ['n1'] } : passed,
    );
    expect(await judge.judge(mutant, 1)).toEqual({ outcome: 'survived' });
  });

  test('is detected by a timeout', async () => {
    const { judge } = judgeWith(() => undefined);
    expect(await judge.judge(mutant, 2)).toEqual({
      outcome: 'timed out',
      by: 'test/a/far.test.ts',
    });
  });
});

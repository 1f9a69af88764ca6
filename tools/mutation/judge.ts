import type { TestOrder, TestOutcome } from './messages.ts';
import type { Mutant } from './mutants.ts';
import type { Reach, Reached, TimedTest } from './reach.ts';
import type { VitestProcess } from './vitest-process.ts';
import type { Workplace } from './workplace.ts';

/**
 * What came of a mutant: a test failed, the tests took far too long, no test noticed it, or none
 * even executes it.
 */
export type Outcome = 'killed' | 'timed out' | 'survived' | 'not reached';

interface Judges {
  readonly workplace: Pick<Workplace, 'with'>;
  readonly vitest: Pick<VitestProcess, 'run'>;
  readonly reach: Reach;
}

/** About what a start costs: a worker, and what a test file imports. */
const startMs = 1000;

/**
 * Judges mutants one after the other by the tests that reach them: the nearest and quickest files
 * first, up to the first that fails.
 */
export class Judge {
  readonly #judges: Judges;
  /**
   * Tests that pass by themselves in the unchanged tree, so that failing means something when only
   * some of a file are run.
   */
  readonly #sound = new Map<string, boolean>();
  /** How often a file was the one that noticed, by the file that was changed. */
  readonly #noticed = new Map<string, number>();

  constructor(judges: Judges) {
    this.#judges = judges;
  }

  /**
   * Runs tests up to the first that fails, and no more than `seconds` of them, starts included: a
   * mutant that is not noticed by then has survived.
   */
  async judge(
    mutant: Mutant,
    index: number,
    seconds = Infinity,
  ): Promise<{ outcome: Outcome; by?: string }> {
    const { workplace, reach } = this.#judges;
    const all = reach.of(index);
    if (all.length === 0) return { outcome: 'not reached' };
    let left = seconds * 1000;
    for (const reached of all.toSorted(
      (one, other) => this.#cost(mutant, one) - this.#cost(mutant, other),
    )) {
      const { order, milliseconds } = orderWithin(reached, left - startMs);
      if (order === undefined) continue;
      left -= startMs + milliseconds;
      // Ten times what it takes, since a machine may be busy; and what it takes to start.
      const outcome = await workplace.with(mutant, () =>
        this.#judges.vitest.run(order, 30 + milliseconds / 100),
      );
      if (outcome === undefined) return { outcome: 'timed out', by: reached.file };
      if (outcome.failed.length > 0 && (await this.#isTrusted(order, outcome))) {
        this.#noticed.set(key(mutant, reached), (this.#noticed.get(key(mutant, reached)) ?? 0) + 1);
        return { outcome: 'killed', by: reached.file };
      }
    }
    return { outcome: 'survived' };
  }

  /**
   * A test that leans on those before it fails without them, and one may fail now and then: what
   * fails must pass alone where nothing is changed.
   */
  async #isTrusted({ file }: TestOrder, { failed: [first = ''] }: TestOutcome): Promise<boolean> {
    if (first === file) return true;
    const known = this.#sound.get(first);
    if (known !== undefined) return known;
    const alone = await this.#judges.vitest.run({ file, tests: [first] }, 120);
    const isSound = alone?.failed.length === 0;
    this.#sound.set(first, isSound);
    return isSound;
  }

  /** The test of the same name, and one that noticed a neighbour, are likely to notice. */
  #cost(mutant: Mutant, reached: Reached): number {
    const cost = startMs + sumOf(reached.tests);
    return (
      cost /
      (1 + (this.#noticed.get(key(mutant, reached)) ?? 0) + 4 * nearness(mutant.file, reached.file))
    );
  }
}

/** What to run of a file, the quickest tests first, in no more than `most` milliseconds. */
function orderWithin(
  { file, tests, isWhole }: Reached,
  max: number,
): { order: TestOrder | undefined; milliseconds: number } {
  let milliseconds = 0;
  const fitting = tests.filter((test) => (milliseconds += test.milliseconds) <= max);
  const order =
    isWhole && fitting.length === tests.length
      ? { file }
      : { file, tests: fitting.map(({ id }) => id) };
  return { order: fitting.length === 0 ? undefined : order, milliseconds: sumOf(fitting) };
}

function sumOf(tests: readonly TimedTest[]): number {
  return tests.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
}

function key({ file }: Mutant, reached: Reached): string {
  return `${file} ${reached.file}`;
}

/** From 0 to 1: how much of the path of the source a test shares. */
function nearness(source: string, test: string): number {
  const [own, other] = [source, test].map((path) =>
    path
      .replace(/(\.test)?\.ts$/, '')
      .split('/')
      .slice(1),
  ) as [string[], string[]];
  const same = own.findIndex((part, at) => part !== other[at]);
  return (same === -1 ? own.length : same) / own.length;
}

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Positions, ReachLine } from './messages.ts';
import type { Mutant } from './mutants.ts';
import { VitestProcess } from './vitest-process.ts';

/** The tests of one file that reach a mutant, the quickest first. */
export interface Reached {
  readonly file: string;
  readonly tests: readonly TimedTest[];
  /** Whether they are all of the file's. */
  readonly isWhole: boolean;
}

export interface TimedTest {
  readonly id: string;
  readonly milliseconds: number;
}

interface FileLines {
  readonly shared: Uint8Array[];
  readonly tests: (TimedTest & { readonly bits: Uint8Array })[];
}

/** What the tests execute, test by test: a mutant can be noticed by those alone that reach it. */
export class Reach {
  readonly #files: ReadonlyMap<string, FileLines>;

  constructor(lines: readonly ReachLine[]) {
    const files = new Map<string, FileLines>();
    for (const { file, test, milliseconds, bits: text } of lines) {
      const own = files.get(file) ?? { shared: [], tests: [] };
      files.set(file, own);
      const bits = Buffer.from(text, 'base64');
      if (test === undefined) own.shared.push(bits);
      else own.tests.push({ id: test, milliseconds, bits });
    }
    this.#files = files;
  }

  /**
   * The tests that reach a mutant, by its number. What a file does outside of its tests concerns
   * all of them.
   */
  of(index: number): Reached[] {
    const isSet = (bits: Uint8Array): boolean =>
      (((bits[index >> 3] ?? 0) >> (index & 7)) & 1) === 1;
    return [...this.#files].flatMap(([file, { shared, tests }]) => {
      const isShared = shared.some(isSet);
      const own = isShared ? tests : tests.filter(({ bits }) => isSet(bits));
      const quickest = own
        .map(({ id, milliseconds }) => ({ id, milliseconds }))
        .toSorted((left, right) => left.milliseconds - right.milliseconds);
      return own.length === 0
        ? []
        : [{ file, tests: quickest, isWhole: own.length === tests.length }];
    });
  }
}

/**
 * Runs every test file once, unchanged, and keeps what each test executes; what was measured in
 * this folder for the same mutants and tests is taken as it is. Answers the files that fail
 * unchanged, which cannot judge anything.
 */
export async function measureReach(
  folder: string,
  tests: readonly string[],
  mutants: readonly Mutant[],
): Promise<{ reach: Reach; broken: string[] }> {
  const [from, to, end] = ['reach-positions.json', 'reach-lines.ndjson', 'reach-end.json'].map(
    (name) => join(folder, name),
  ) as [string, string, string];
  const asked = JSON.stringify({ size: mutants.length, positions: positionsOf(mutants) });
  if (existsSync(end) && readFileSync(from, 'utf8') === asked) {
    // Written below.
    const { tests: measured, broken } = JSON.parse(readFileSync(end, 'utf8')) as {
      tests: string[];
      broken: string[];
    };
    if (tests.every((file) => measured.includes(file)))
      return { reach: readReach(to, tests, broken), broken };
  }
  writeFileSync(from, asked);
  rmSync(to, { force: true });
  const broken = await runAll(folder, { tests, from, to });
  writeFileSync(end, JSON.stringify({ tests, broken }));
  return { reach: readReach(to, tests, broken), broken };
}

async function runAll(
  folder: string,
  {
    tests,
    from,
    to,
  }: { readonly tests: readonly string[]; readonly from: string; readonly to: string },
): Promise<string[]> {
  const setup = fileURLToPath(new URL('reach-setup.ts', import.meta.url));
  const vitest = new VitestProcess(folder, {
    setup,
    environment: { VOUCH_REACH_POSITIONS: from, VOUCH_REACH_LINES: to },
  });
  const broken: string[] = [];
  for (const file of tests) {
    const outcome = await vitest.run({ file }, 600);
    if (outcome === undefined || outcome.failed.length > 0) broken.push(file);
  }
  vitest.stop();
  return broken;
}

function readReach(file: string, tests: readonly string[], broken: readonly string[]): Reach {
  const lines = existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : [];
  return new Reach(
    lines
      .map((line) => JSON.parse(line) as ReachLine)
      .filter(({ file: test }) => tests.includes(test) && !broken.includes(test)),
  );
}

function positionsOf(mutants: readonly Mutant[]): Positions {
  const positions: Record<string, (readonly [number, number])[]> = {};
  for (const [index, { file, from }] of mutants.entries())
    (positions[file] ??= []).push([from, index]);
  for (const own of Object.values(positions)) own.sort(([left], [right]) => left - right);
  return positions;
}

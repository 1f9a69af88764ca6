import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { makeRandom } from '../../src/values/random.ts';
import { Judge, type Outcome } from './judge.ts';
import { findMutants, type Mutant } from './mutants.ts';
import { measureReach } from './reach.ts';
import { VitestProcess } from './vitest-process.ts';
import { Workplace } from './workplace.ts';

/**
 * How much of `src/check`, `src/contract` and `src/mock` the tests of those folders would miss if
 * it changed: a seeded sample of small changes, each made in a copy of the tree and run against the
 * tests that execute it.
 *
 *     node tools/mutation/run.ts --minutes 25 --seconds 30 --seed 1 [--only src/check]
 *       [--at src/check/engine/send/record-guard.ts:40]
 *       [--tests test/check/harm/harm.slow.test.ts]
 *       [--log FILE] [--keep FOLDER]
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '25' },
    seconds: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', multiple: true, default: ['src/check', 'src/contract', 'src/mock'] },
    at: { type: 'string', multiple: true },
    tests: { type: 'string', multiple: true },
    log: { type: 'string' },
    keep: { type: 'string' },
  },
});

interface Numbered {
  readonly mutant: Mutant;
  readonly index: number;
}

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const scratch =
  values.keep === undefined ? mkdtempSync(join(tmpdir(), 'vouch-mutation-')) : resolve(values.keep);
const workplace = new Workplace(root, join(scratch, 'tree'));
const vitest = new VitestProcess(workplace.folder, {
  environment: { NODE_COMPILE_CACHE: join(scratch, 'compiled') },
});
const tried = readLog(values.log);
const results: { readonly mutant: Mutant; readonly outcome: Outcome }[] = [];

/**
 * The areas take turns, each in an order of its own, so that a run that is cut short has looked at
 * all of them.
 */
function sample(mutants: readonly Mutant[]): Numbered[] {
  const numbered = mutants.map((mutant, index) => ({ mutant, index }));
  const areas = values.only.map((area) =>
    shuffle(
      numbered.filter(({ mutant }) => mutant.file.startsWith(`${area}/`)),
      `${values.seed} ${area}`,
    ),
  );
  const longest = Math.max(...areas.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) =>
    areas.flatMap((area) => area[index] ?? []),
  ).flat();
}

function mutantsOf(area: string): Mutant[] {
  const all = filesOf(area, '.ts').flatMap((file) =>
    findMutants(file, readFileSync(join(workplace.folder, file), 'utf8')),
  );
  return values.at === undefined
    ? all
    : all.filter(({ file, line }) =>
        values.at?.some((place) => place === file || place === `${file}:${String(line)}`),
      );
}

function filesOf(folder: string, ending: string): string[] {
  const names = readdirSync(join(workplace.folder, folder), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name).replaceAll('\\', '/'))
    .sort();
}

function shuffle<Item>(items: readonly Item[], seed: string): Item[] {
  const random = makeRandom(seed);
  return items
    .map((item) => ({ item, at: random.next() }))
    .toSorted((left, right) => left.at - right.at)
    .map(({ item }) => item);
}

async function work(queue: readonly Numbered[], judge: Judge): Promise<void> {
  let end = Date.now() + Number(values.minutes) * 60_000;
  // What was tried so far is told all the same.
  process.once('SIGINT', () => (end = 0));
  for (const { mutant, index } of queue) {
    if (Date.now() > end) return;
    const name = `${mutant.file}:${String(mutant.line)}  ${mutant.change}`;
    const known = tried.get(name)?.shift();
    const { outcome, by } =
      known === undefined
        ? await judge.judge(mutant, index, Number(values.seconds))
        : { outcome: known };
    results.push({ mutant, outcome });
    const line = `${outcome}  ${name}`;
    if (values.log !== undefined && known === undefined)
      appendFileSync(values.log, `${line}${by === undefined ? '' : `  by ${by}`}\n`);
    if (outcome === 'survived' || outcome === 'not reached') console.log(line);
  }
}

/** What a log says of mutants that were tried before, by their names. */
function readLog(file: string | undefined): Map<string, Outcome[]> {
  const outcomes = new Map<string, Outcome[]>();
  for (const line of file !== undefined && existsSync(file)
    ? readFileSync(file, 'utf8').split('\n')
    : []) {
    const [, outcome, name] =
      /^(killed|timed out|survived|not reached) {2}(.*?)(?: {2}by \S+)?$/.exec(line) ?? [];
    // The pattern names the outcomes.
    if (name !== undefined) outcomes.set(name, [...(outcomes.get(name) ?? []), outcome as Outcome]);
  }
  return outcomes;
}

function report(): string {
  return values.only
    .map((area) => {
      const own = results.filter(({ mutant }) => mutant.file.startsWith(`${area}/`));
      const count = (outcome: Outcome): number =>
        own.filter((result) => result.outcome === outcome).length;
      const noticed = count('killed') + count('timed out');
      const share = ((100 * noticed) / Math.max(1, own.length)).toFixed(0);
      return (
        `${area}: ${String(noticed)} of ${String(own.length)} noticed (${share} ` +
        `%), ${String(count('timed out'))} of them by running out of time; ` +
        `${String(count('not reached'))} are executed by no test`
      );
    })
    .join('\n');
}

try {
  const mutants = values.only.flatMap(mutantsOf);
  const tests =
    values.tests ??
    values.only.flatMap((area) => filesOf(area.replace(/^src\/([^/]+).*$/, 'test/$1'), '.test.ts'));
  const { reach, broken } = await measureReach(workplace.folder, [...new Set(tests)], mutants);
  if (broken.length > 0)
    console.log(
      `These fail in a copy of the tree as it is, and judge nothing: ${broken.join(', ')}.`,
    );
  console.log(
    `${String(mutants.length)} changes are possible; as many as ` +
      `${values.minutes} minutes allow are tried, seed ${values.seed}.`,
  );
  await work(sample(mutants), new Judge({ workplace, vitest, reach }));
  console.log(report());
} finally {
  vitest.stop();
  if (values.keep === undefined) rmSync(scratch, { recursive: true, force: true });
}

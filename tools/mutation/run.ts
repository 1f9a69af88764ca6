import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { makeRandom } from '../../src/values/random.ts';
import { findMutants, type Mutant } from './mutants.ts';
import { Workplace, type Outcome } from './workplace.ts';

/**
 * How much of `src/check`, `src/contract` and `src/mock` the tests of those folders would miss if it changed: a seeded sample of
 * small changes, each made in a copy of the tree and run against the tests that reach it.
 *
 *     node tools/mutation/run.ts --minutes 25 --seed 1 --workers 2 [--only src/check]
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '25' },
    seconds: { type: 'string', default: '120' },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: '2' },
    only: { type: 'string', multiple: true, default: ['src/check', 'src/contract', 'src/mock'] },
  },
});

const root = fileURLToPath(new URL('../..', import.meta.url));
const results: { readonly mutant: Mutant; readonly outcome: Outcome }[] = [];

/** The areas take turns, each in an order of its own, so that a run that is cut short has looked at all of them. */
function sample(): Mutant[] {
  const areas = values.only.map((area) => shuffle(mutantsOf(area), `${values.seed} ${area}`));
  const longest = Math.max(...areas.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) => areas.flatMap((area) => area[index] ?? [])).flat();
}

function mutantsOf(area: string): Mutant[] {
  const names = readdirSync(join(root, area), { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => name.endsWith('.ts')).map((name) => join(area, name).replaceAll('\\', '/')).sort();
  return files.flatMap((file) => findMutants(file, readFileSync(join(root, file), 'utf8')));
}

function shuffle<Item>(items: readonly Item[], seed: string): Item[] {
  const random = makeRandom(seed);
  return items.map((item) => ({ item, at: random.next() })).toSorted((left, right) => left.at - right.at).map(({ item }) => item);
}

async function work(queue: Mutant[], place: Workplace, end: number): Promise<void> {
  for (let mutant = queue.shift(); mutant !== undefined && Date.now() < end; mutant = queue.shift()) {
    const outcome = await place.judge(mutant, Number(values.seconds));
    results.push({ mutant, outcome });
    if (outcome === 'survived') console.log(`survived  ${mutant.file}:${String(mutant.line)}  ${mutant.change}`);
  }
}

function report(): string {
  return values.only.map((area) => {
    const own = results.filter(({ mutant }) => mutant.file.startsWith(`${area}/`));
    const count = (outcome: Outcome): number => own.filter((result) => result.outcome === outcome).length;
    const noticed = own.length - count('survived');
    return `${area}: ${String(noticed)} of ${String(own.length)} noticed (${((100 * noticed) / Math.max(1, own.length)).toFixed(0)} %; ${String(count('timed out'))} by running out of time)`;
  }).join('\n');
}

const scratch = mkdtempSync(join(tmpdir(), 'vouch-mutation-'));
const places = Array.from({ length: Number(values.workers) }, (_, index) => new Workplace(root, join(scratch, String(index))));
try {
  const sound = await Promise.all(values.only.map((area) => places[0]?.isSound(area, 10 * Number(values.seconds))));
  const broken = values.only.filter((_, index) => sound[index] !== true);
  if (broken.length > 0) throw new Error(`The tests of ${broken.join(', ')} fail as they are: mend them first, since every change would look noticed.`);
  const queue = sample();
  console.log(`${String(queue.length)} changes are possible; as many as ${values.minutes} minutes allow are tried, seed ${values.seed}.`);
  const end = Date.now() + Number(values.minutes) * 60_000;
  await Promise.all(places.map((place) => work(queue, place, end)));
  console.log(report());
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

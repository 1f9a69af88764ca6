import { benchmarks } from './benchmarks.ts';
import { publish, type Benchmark } from './measure/figures.ts';
import { watchStolenTime } from './measure/stolen-time.ts';

const usage = [
  'npm run bench NAME …',
  'npm run bench -- --short NAME …',
  '',
  ...benchmarks.map(({ name, description }) => `  ${name.padEnd(18)}${description}`),
  '',
  '  all               every one of them',
  '  --short           a trial: one round of those that have many, and nothing is written',
].join('\n');

/**
 * `npm run bench NAME …`: runs the named benchmarks in turn; without a name, lists all of them.
 */
async function main(words: readonly string[]): Promise<number> {
  const names = words.filter((word) => word !== '--short');
  if (names.length === 0) {
    console.log(usage);
    return 0;
  }
  // The benchmarks read it where they count their rounds, see measure/trial.ts.
  if (names.length < words.length) process.env['VOUCH_BENCH_SHORT'] = '1';
  const chosen = names.includes('all') ? benchmarks : names.map(find);
  let missedTargets = 0;
  for (const benchmark of chosen) missedTargets += await run(benchmark);
  return missedTargets === 0 ? 0 : 1;
}

function find(name: string): Benchmark {
  const benchmark = benchmarks.find((candidate) => candidate.name === name);
  if (benchmark === undefined)
    throw new Error(
      `There is no benchmark ${name}. There are: ` +
        `${benchmarks.map((candidate) => candidate.name).join(', ')}, all.`,
    );
  return benchmark;
}

async function run(benchmark: Benchmark): Promise<number> {
  console.log(`\n${benchmark.name}: ${benchmark.description}\n`);
  const stolen = watchStolenTime();
  const figures = await benchmark.measure((line) => console.error(`  ${line}`));
  console.log(publish(benchmark, figures, stolen()));
  return figures.filter(({ kept }) => kept === false).length;
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  return 2;
});

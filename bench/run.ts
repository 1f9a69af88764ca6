import { publish, type Benchmark } from './measure/figures.ts';
import { benchmarks } from './benchmarks.ts';

/** `npm run bench NAME …`: runs the named benchmarks one after the other; with no name, says which there are. */
async function main(names: readonly string[]): Promise<number> {
  if (names.length === 0) {
    console.log(['npm run bench NAME …', '', ...benchmarks.map(({ name, description }) => `  ${name.padEnd(18)}${description}`), '', '  all               every one of them'].join('\n'));
    return 0;
  }
  const chosen = names.includes('all') ? benchmarks : names.map(find);
  let missed = 0;
  for (const benchmark of chosen) missed += await run(benchmark);
  return missed === 0 ? 0 : 1;
}

function find(name: string): Benchmark {
  const benchmark = benchmarks.find((candidate) => candidate.name === name);
  if (benchmark === undefined) throw new Error(`There is no benchmark ${name}. There are: ${benchmarks.map((candidate) => candidate.name).join(', ')}, all.`);
  return benchmark;
}

async function run(benchmark: Benchmark): Promise<number> {
  console.log(`\n${benchmark.name}: ${benchmark.description}\n`);
  const figures = await benchmark.measure((line) => console.error(`  ${line}`));
  console.log(publish(benchmark.name, figures));
  return figures.filter(({ kept }) => kept === false).length;
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  return 2;
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { publish } from '../measure/figures.ts';
import { watchStolenTime } from '../measure/stolen-time.ts';
import { servicesFolder } from './install/install.ts';
import { figuresOf, measureServices, servicesBenchmark } from './measure-services.ts';
import type { Service } from './service.ts';
import { services } from './services.ts';
import { tableOf } from './table.ts';

const usage = `node bench/services/run.ts [--only NAME,…] [--mode read-write] [--keep] [--trace]
                               [--examples] [--flag FLAG …]

  --only     these services only: ${services.map(({ name }) => name).join(', ')}
  --mode     the mode of vouch check (default: read-write)
  --keep     keep the data of the services and the reports, in bench/.services/runs
  --trace    take a census after each request, and say which of them changed records of others
  --examples tell vouch identifiers of records of others, in a configuration
  --flag     one more flag of vouch check, repeatable: --flag=--rate=50

Only a run of all services in read-write mode, without --trace, --examples and --flag,
writes bench/results/services.json.`;

/** Checks the services, prints a table, and what the runs lost and left unnamed. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      mode: { type: 'string', default: 'read-write' },
      keep: { type: 'boolean', default: false },
      trace: { type: 'boolean', default: false },
      examples: { type: 'boolean', default: false },
      flag: { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const { only, mode, keep, trace, examples, flag: flags } = values;
  const stolen = watchStolenTime();
  const outcomes = await measureServices(chosenOf(only), {
    mode,
    keep,
    trace,
    examples,
    flags,
    say: (line) => console.error(`  ${line}`),
  });
  const figures = figuresOf(outcomes);
  if (only === undefined && mode === 'read-write' && !trace && !examples && flags.length === 0)
    publish(servicesBenchmark, figures, stolen());
  if (keep || trace)
    writeFileSync(join(servicesFolder, 'last.json'), JSON.stringify(outcomes, null, 2));
  console.log(tableOf(outcomes));
  return figures.some(({ kept }) => kept !== true) ? 1 : 0;
}

function chosenOf(only: string | undefined): readonly Service[] {
  if (only === undefined) return services;
  return only.split(',').map((name) => {
    const service = services.find((candidate) => candidate.name === name.trim());
    if (service === undefined)
      throw new Error(
        `There is no service ${name}. There are: ${services.map((each) => each.name).join(', ')}.`,
      );
    return service;
  });
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  return 2;
});

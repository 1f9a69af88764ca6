import { performance } from 'node:perf_hooks';
import { runCheck } from '../../src/check/engine/check-target.ts';
import type { Finding } from '../../src/check/model/finding.ts';
import { startSelfTarget } from '../../src/library/start-mock.ts';
import { largeContracts, smallContracts, type CorpusContract } from './corpus.ts';

/**
 * What a check of the mock, over the network, says of one contract. Every finding that is more than
 * a note is a false positive until shown otherwise.
 */
interface SelfCheck {
  readonly operations: number;
  readonly requested: number;
  readonly requests: number;
  readonly verdict: string;
  readonly alarms: readonly Finding[];
  readonly notes: number;
  readonly seconds: number;
}

/**
 * `node bench/contracts/check.ts [--seed S] [--max-time SECONDS] [NAME … | FILE …]`: checks the
 * mock of other people's contracts, and prints what is more than a note. Names are parts of a
 * contract's name; without any, the small ones are checked. Exit 1 where a finding is an error.
 */
async function main(words: readonly string[]): Promise<void> {
  const option = (flag: string, otherwise: string): string =>
    words.includes(flag) ? (words[words.indexOf(flag) + 1] ?? otherwise) : otherwise;
  const names = words.filter(
    (word, index) => !word.startsWith('--') && !(words[index - 1] ?? '').startsWith('--'),
  );
  console.log(
    '| contract | operations (requested) | requests | errors | warnings | notes ' +
      '| verdict | seconds | MiB |\n|---|---|---|---|---|---|---|---|---|',
  );
  for (const { name, file } of chosen(names)) {
    const { operations, requested, requests, alarms, notes, verdict, seconds } = await checkSelf(
      file,
      {
        seed: option('--seed', '1'),
        maxTimeMs: Number(option('--max-time', '60')) * 1000,
      },
    );
    const errors = alarms.filter(({ severity }) => severity === 'error');
    const memory = Math.round(process.memoryUsage().rss / 2 ** 20);
    const cells = [
      name,
      `${String(operations)} (${String(requested)})`,
      requests,
      errors.length,
      alarms.length - errors.length,
      notes,
      verdict,
      seconds.toFixed(1),
      memory,
    ];
    console.log(`| ${cells.map(String).join(' | ')} |`);
    for (const { severity, check, operation, message } of alarms)
      console.error(`  ${severity} ${check} ${operation.method} ${operation.path}: ${message}`);
    if (errors.length > 0) process.exitCode = 1;
  }
}

function chosen(names: readonly string[]): CorpusContract[] {
  if (names.length === 0) return smallContracts();
  const known = [...smallContracts(), ...largeContracts()];
  return names.flatMap((name) => {
    const found = known.filter((contract) =>
      contract.name.toLowerCase().includes(name.toLowerCase()),
    );
    return found.length > 0 ? found : [{ name, file: name }];
  });
}

async function checkSelf(
  file: string,
  limits: { readonly seed: string; readonly maxTimeMs: number },
): Promise<SelfCheck> {
  const begin = performance.now();
  const self = await startSelfTarget({ contract: file, config: false });
  try {
    const findings: Finding[] = [];
    for await (const event of runCheck({ ...self.options, ...limits })) {
      if (event.type === 'finding-reported') findings.push(event.finding);
      if (event.type === 'check-crashed') throw new Error(`${event.check} crashed: ${event.stack}`);
      if (event.type !== 'run-finished') continue;
      const { operations, requests, verdict } = event.summary;
      const alarms = findings.filter(({ severity }) => severity !== 'note');
      return {
        operations: operations.length,
        requested: operations.filter((operation) => operation.requests > 0).length,
        requests,
        verdict,
        alarms,
        notes: findings.length - alarms.length,
        seconds: (performance.now() - begin) / 1000,
      };
    }
    throw new Error('The run never finished.');
  } finally {
    await self.mock.close();
  }
}

await main(process.argv.slice(2));

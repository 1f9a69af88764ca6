import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Benchmark } from '../measure/figures.ts';
import { programHere, startServer } from '../measure/server-process.ts';
import { ratiosOf, spreadOf, writeSpread } from '../measure/statistics.ts';
import { roundsOf } from '../measure/trial.ts';
import { runCheckProcess, runProcess } from './check-process.ts';
import { generateContract, resourceName } from './generated-contract.ts';

const resources = 60;
/**
 * So much time has each run at most: one that takes longer is not whole, and ends the benchmark.
 */
const maxSeconds = 120;
/**
 * What a hand-written loop of requests and Ajv did in a second on the machine on which 3,000 were
 * promised.
 */
const loopThen = 4_861;
/** A loop that is as short is for comparison: nothing says how long the one of the promise was. */
const loopRequests = 1_600;
const promisedRate = 3_000;
const promisedShare = promisedRate / loopThen;

const record = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
};
const loop = {
  list: { path: `/${resourceName(0)}`, schema: { type: 'array', items: record } },
  record: { schema: record },
  body: { name: 'One', status: 'open' },
};

/**
 * A contract of 300 operations against a server that does nothing but keep it: judged requests per
 * second, and memory. In the same round a loop by hand sends to the same server, so that the figure
 * says something on any machine: a few requests, most of them cold, and as many as the run.
 */
export const volume: Benchmark = {
  name: 'check-volume',
  description: 'judged requests per second and memory of `vouch check` with 300 operations',
  async measure(say) {
    const rounds = roundsOf(3);
    const folder = mkdtempSync(join(tmpdir(), 'vouch-bench-'));
    const [contract, loopFile] = [join(folder, 'generated.json'), join(folder, 'loop.json')];
    writeFileSync(contract, generateContract({ resources }));
    writeFileSync(loopFile, JSON.stringify(loop));
    const [rates, shortLoops, longLoops, memory]: [number[], number[], number[], number[]] = [
      [],
      [],
      [],
      [],
    ];
    let requests = 0;
    for (let round = 1; round <= rounds; round += 1) {
      const server = await startServer(programHere('check/stateful-server.ts'));
      try {
        const run = await runCheckProcess(server.url, [contract], {
          token: 'bench-key',
          args: ['--max-time', String(maxSeconds)],
        });
        if (run.verdict !== 'passed') throw new Error(`${run.verdict}. ${run.reason}`);
        requests = run.requests;
        rates.push((requests / run.milliseconds) * 1000);
        shortLoops.push(await loopByHand(server.url, loopRequests, loopFile));
        longLoops.push(await loopByHand(server.url, requests, loopFile));
        memory.push(run.residentMiB);
        say(
          `round ${String(round)} of ${String(rounds)}: ${String(run.requests)} ` +
            `requests in ${(run.milliseconds / 1000).toFixed(1)} s, ` +
            `${run.residentMiB.toFixed(0)} MiB; by hand ${String(loopRequests)} at ` +
            `${shortLoops.at(-1)?.toFixed(0) ?? ''}/s, as many at ` +
            `${longLoops.at(-1)?.toFixed(0) ?? ''}/s`,
        );
      } finally {
        await server.stop();
      }
    }
    const [rate, share, longShare, resident] = [
      spreadOf(rates),
      ratiosOf(rates, shortLoops),
      ratiosOf(rates, longLoops),
      spreadOf(memory),
    ];
    return [
      {
        measure: `${String(requests)} requests to 300 operations, start and plan included`,
        measured: `${writeSpread(rate, 0)} requests/s`,
        promised: `at least ${String(promisedRate)}`,
        kept: rate.median >= promisedRate,
        data: rate,
      },
      {
        measure:
          `beside a loop by hand of ${String(loopRequests)} requests that judges ` +
          'the answers of two operations',
        measured: `${writeSpread(share)} of its requests/s`,
        data: { share, loop: spreadOf(shortLoops) },
      },
      {
        measure: 'beside the same loop of as many requests',
        measured: `${writeSpread(longShare)} of its requests/s`,
        promised: `at least ${promisedShare.toFixed(2)}`,
        kept: longShare.median >= promisedShare,
        data: { share: longShare, loop: spreadOf(longLoops) },
      },
      {
        measure: 'the most memory that was resident',
        measured: `${writeSpread(resident, 0)} MiB`,
        data: resident,
      },
    ];
  },
};

/** The requests in a second of the loop by hand, from its start to its end. */
async function loopByHand(url: string, requests: number, file: string): Promise<number> {
  const run = await runProcess([
    programHere('check/hand-written-loop.ts'),
    url,
    String(requests),
    'bench-key',
    file,
  ]);
  if (run.exitCode !== 0)
    throw new Error('The hand-written loop got answers that it did not expect.');
  return (requests / run.milliseconds) * 1000;
}

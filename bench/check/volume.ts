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
/** So much time has each run at most: one that takes longer is not whole, and ends the benchmark. */
const mostSeconds = 120;
/** What the hand-written loop of requests and Ajv did in a second on the machine on which 3,000 were promised. */
const loopThen = 4_861;
const promisedRate = 3_000;
const promisedShare = promisedRate / loopThen;

const record = { type: 'object', required: ['id', 'name'], properties: { id: { type: 'integer' }, name: { type: 'string' } } };
const loop = { list: { path: `/${resourceName(0)}`, schema: { type: 'array', items: record } }, record: { schema: record }, body: { name: 'One', status: 'open' } };

/**
 * A contract of 300 operations against a server that does nothing but keep it: judged requests per second, and memory. A loop by
 * hand sends as many to the same server in the same round, so that the figure says something on any machine.
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
    const [rates, loopRates, memory]: [number[], number[], number[]] = [[], [], []];
    let requests = 0;
    for (let round = 1; round <= rounds; round += 1) {
      const server = await startServer(programHere('check/stateful-server.ts'));
      try {
        const run = await runCheckProcess(server.url, [contract], { token: 'bench-key', args: ['--max-time', String(mostSeconds)] });
        if (run.verdict !== 'kept') throw new Error(`${run.verdict}. ${run.reason}`);
        requests = run.requests;
        const byHand = await runProcess([programHere('check/hand-written-loop.ts'), server.url, String(requests), 'bench-key', loopFile]);
        if (byHand.exitCode !== 0) throw new Error('The hand-written loop got answers that it did not expect.');
        rates.push((requests / run.milliseconds) * 1000);
        loopRates.push((requests / byHand.milliseconds) * 1000);
        memory.push(run.residentMiB);
        say(`round ${String(round)} of ${String(rounds)}: ${String(run.requests)} requests in ${(run.milliseconds / 1000).toFixed(1)} s, ${run.residentMiB.toFixed(0)} MiB; by hand ${(byHand.milliseconds / 1000).toFixed(1)} s`);
      } finally {
        await server.stop();
      }
    }
    const [rate, share, resident] = [spreadOf(rates), ratiosOf(rates, loopRates), spreadOf(memory)];
    return [
      { measure: `${String(requests)} requests to 300 operations, start and plan included`, measured: `${writeSpread(rate, 0)} requests/s`, promised: `at least ${String(promisedRate)}`, kept: rate.median >= promisedRate, data: rate },
      { measure: 'the same beside a loop by hand that judges the answers of two operations', measured: `${writeSpread(share)} of its requests/s`, promised: `at least ${promisedShare.toFixed(2)}`, kept: share.median >= promisedShare, data: { share, loop: spreadOf(loopRates) } },
      { measure: 'the most memory that was resident', measured: `${writeSpread(resident, 0)} MiB`, promised: 'at most 150 MiB', kept: resident.median <= 150, data: resident },
    ];
  },
};

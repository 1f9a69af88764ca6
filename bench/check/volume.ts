import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Benchmark } from '../measure/figures.ts';
import { programHere, startServer } from '../measure/server-process.ts';
import { spreadOf, writeSpread } from '../measure/statistics.ts';
import { runCheckProcess } from './check-process.ts';
import { generateContract } from './generated-contract.ts';

const rounds = 3;
const resources = 60;

/** A contract of 300 operations against a server that does nothing but keep it: judged requests per second, and memory. */
export const volume: Benchmark = {
  name: 'check-volume',
  description: 'judged requests per second and memory of `vouch check` with 300 operations',
  async measure(say) {
    const contract = join(mkdtempSync(join(tmpdir(), 'vouch-bench-')), 'generated.json');
    writeFileSync(contract, generateContract({ resources }));
    const [rates, memory]: [number[], number[]] = [[], []];
    let requests = 0;
    for (let round = 1; round <= rounds; round += 1) {
      const server = await startServer(programHere('check/stateful-server.ts'));
      try {
        const run = await runCheckProcess(server.url, [contract], { token: 'bench-key' });
        if (run.verdict !== 'kept') throw new Error(`${run.verdict}. ${run.reason}`);
        requests = run.requests;
        rates.push((run.requests / run.milliseconds) * 1000);
        memory.push(run.residentMiB);
        say(`round ${String(round)} of ${String(rounds)}: ${String(run.requests)} requests in ${(run.milliseconds / 1000).toFixed(1)} s, ${run.residentMiB.toFixed(0)} MiB`);
      } finally {
        await server.stop();
      }
    }
    const [rate, resident] = [spreadOf(rates), spreadOf(memory)];
    return [
      { measure: `${String(requests)} requests to 300 operations, start and plan included`, measured: `${writeSpread(rate, 0)} requests/s`, promised: 'at least 3000', kept: rate.median >= 3_000, data: rate },
      { measure: 'the most memory that was resident', measured: `${writeSpread(resident, 0)} MiB`, promised: 'at most 150 MiB', kept: resident.median <= 150, data: resident },
    ];
  },
};

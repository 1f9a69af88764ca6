import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { largeContractText } from '../../test/check/fixture/large-contract.ts';
import type { Benchmark, Figure } from '../measure/figures.ts';

const bin = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url));
const maxMs = 2_000;

/** Processor time between Ctrl-C and the end of `vouch check`, while it plans and after. */
export const interruption: Benchmark = {
  name: 'interruption',
  description: 'processor time that `vouch check` of 400 resources needs to end after Ctrl-C',
  async measure(say) {
    const folder = mkdtempSync(join(tmpdir(), 'vouch-bench-'));
    writeFileSync(join(folder, 'large.json'), largeContractText(400));
    const figures: Figure[] = [];
    for (const afterMs of [1_000, 2_000, 3_500]) {
      const ms = await workAfterSignal(folder, afterMs);
      figures.push({
        measure: `Ctrl-C after ${String(afterMs / 1_000)} s`,
        measured: `${String(ms)} ms`,
        promised: `at most ${String(maxMs)} ms`,
        kept: ms <= maxMs,
        data: { ms },
      });
      say(`after ${String(afterMs)} ms: ${String(ms)} ms`);
    }
    rmSync(folder, { recursive: true });
    return figures;
  },
};

/** The processor time in milliseconds that a run uses after a signal; 0 outside of Linux. */
async function workAfterSignal(folder: string, afterMs: number): Promise<number> {
  const env = { PATH: process.env['PATH'], VOUCH_STATE_DIR: join(folder, 'state') };
  const words = [bin, 'check', 'http://127.0.0.1:9', 'large.json', '--plan'];
  const child = spawn(process.execPath, words, { env, stdio: 'ignore', cwd: folder });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await setTimeout(afterMs);
  const before = workOf(child.pid) ?? 0;
  let after = before;
  const watch = setInterval(() => (after = workOf(child.pid) ?? after), 20);
  child.kill('SIGINT');
  await ended;
  clearInterval(watch);
  return after - before;
}

/** The processor time of a process in milliseconds; Linux counts hundredths of a second. */
function workOf(pid: number | undefined): number | undefined {
  try {
    const text = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    const fields = text.split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return undefined;
  }
}

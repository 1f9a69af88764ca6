import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Benchmark, Figure } from '../measure/figures.ts';
import { publishedPackage } from '../measure/published.ts';
import { spreadOf, writeSpread } from '../measure/statistics.ts';
import { runProcess } from './check-process.ts';
import { generateWideContract } from './wide-contract.ts';

const rounds = 3;

/** Bodies of some 100 fields, as a large business API has. */
const fields = 12;

/**
 * `vouch check --plan` with GitHub's document (13 MB, 1,223 operations), and with 187 operations
 * whose bodies are wide and all different.
 */
export const bigPlan: Benchmark = {
  name: 'check-big-plan',
  description:
    "`vouch check --plan` with GitHub's document (node bench/contracts/fetch.ts gets it), " +
    'and with 187 operations of wide bodies',
  async measure(say) {
    const folder = mkdtempSync(join(tmpdir(), 'vouch-big-plan-'));
    const wide = join(folder, 'wide.json');
    writeFileSync(wide, generateWideContract({ fields }));
    try {
      return [
        ...(await measureGitHub(say)),
        ...(await measurePlan('187 operations with wide bodies', wide, { max: 2_000, say })),
      ];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function measureGitHub(say: Say): Promise<Figure[]> {
  const name = "GitHub's document";
  const source = fileURLToPath(new URL('../.cache/api.github.com.json', import.meta.url));
  if (!existsSync(source)) {
    const measured = 'not measured: run node bench/contracts/fetch.ts';
    return [{ measure: name, measured, data: null }];
  }
  return measurePlan(name, source, { max: 5_000, say });
}

type Say = (line: string) => void;

/** The time and the memory of whole processes that print a plan; `most` is in milliseconds. */
async function measurePlan(
  name: string,
  source: string,
  { max, say }: { readonly max: number; readonly say: Say },
): Promise<Figure[]> {
  const [times, memory]: [number[], number[]] = [[], []];
  const command = [join(publishedPackage(), 'bin/vouch.js'), 'check', 'http://127.0.0.1:1'];
  for (let round = 1; round <= rounds; round += 1) {
    const run = await runProcess([...command, source, '--seed', 'bench', '--plan']);
    times.push(run.milliseconds);
    memory.push(run.residentMiB);
    const [seconds, resident] = [run.milliseconds / 1000, run.residentMiB];
    say(
      `${name}, round ${String(round)} of ${String(rounds)}: ` +
        `${seconds.toFixed(1)} s, ${resident.toFixed(0)} MiB`,
    );
  }
  const [time, resident] = [spreadOf(times), spreadOf(memory)];
  return [
    {
      measure: `${name}: --plan`,
      measured: `${writeSpread(time, 0)} ms`,
      promised: `at most ${String(max)} ms`,
      kept: time.median <= max,
      data: time,
    },
    {
      measure: `${name}: the most memory that was resident`,
      measured: `${writeSpread(resident, 0)} MiB`,
      promised: 'at most 500 MiB',
      kept: resident.median <= 500,
      data: resident,
    },
  ];
}

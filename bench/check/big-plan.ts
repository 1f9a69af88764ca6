import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Benchmark } from '../measure/figures.ts';
import { publishedPackage } from '../measure/published.ts';
import { spreadOf, writeSpread } from '../measure/statistics.ts';
import { runProcess } from './check-process.ts';

const rounds = 3;

/** `vouch check --plan` with GitHub's document: 13 MB, 1,223 operations. */
export const bigPlan: Benchmark = {
  name: 'check-big-plan',
  description:
    "`vouch check --plan` with GitHub's document (node bench/contracts/fetch.ts gets it)",
  async measure(say) {
    const source = fileURLToPath(new URL('../.cache/api.github.com.json', import.meta.url));
    if (!existsSync(source))
      return [
        {
          measure: "GitHub's document",
          measured: 'not measured: run node bench/contracts/fetch.ts',
          data: null,
        },
      ];
    const [times, memory]: [number[], number[]] = [[], []];
    for (let round = 1; round <= rounds; round += 1) {
      const run = await runProcess([
        join(publishedPackage(), 'bin/vouch.js'),
        'check',
        'http://127.0.0.1:1',
        source,
        '--seed',
        'bench',
        '--plan',
      ]);
      times.push(run.milliseconds);
      memory.push(run.residentMiB);
      say(
        `round ${String(round)} of ${String(rounds)}: ` +
          `${(run.milliseconds / 1000).toFixed(1)} s, ` +
          `${run.residentMiB.toFixed(0)} MiB`,
      );
    }
    const [time, resident] = [spreadOf(times), spreadOf(memory)];
    return [
      {
        measure: "GitHub's document: --plan",
        measured: `${writeSpread(time, 0)} ms`,
        promised: 'at most 5000 ms',
        kept: time.median <= 5_000,
        data: time,
      },
      {
        measure: "GitHub's document: the most memory that was resident",
        measured: `${writeSpread(resident, 0)} MiB`,
        promised: 'at most 500 MiB',
        kept: resident.median <= 500,
        data: resident,
      },
    ];
  },
};

import type { Benchmark, Figure } from '../measure/figures.ts';
import { startVouch } from '../measure/server-process.ts';
import { runSoak, type SoakResult } from './run-soak.ts';

/**
 * How long each of the two runs lasts: five minutes, so that both together are ten;
 * VOUCH_SOAK_SECONDS shortens it.
 */
const seconds = Number(process.env['VOUCH_SOAK_SECONDS'] ?? 300);

/** Whether the mock holds out: ten minutes of mixed load with faults. */
export const soak: Benchmark = {
  name: 'soak',
  description:
    'ten minutes of mixed load with faults: lost writes, failures, memory ' +
    '(VOUCH_SOAK_SECONDS=20 for a short one)',
  async measure(say) {
    const figures: Figure[] = [];
    for (const persist of [false, true]) {
      const result = await runSoak({
        seconds,
        workers: 16,
        seed: 'soak',
        persist,
        start: startVouch,
        say,
      });
      figures.push(...figuresOf(persist ? 'kept in a file' : 'in memory', result));
    }
    return figures;
  },
};

function figuresOf(
  name: string,
  { requests, failures, lost, verified, memory }: SoakResult,
): Figure[] {
  const growth = growthOf(memory);
  const last = memory.at(-1) ?? NaN;
  return [
    {
      measure: `${name}: writes lost`,
      measured:
        `${String(lost.length)} (${String(requests)} requests, ` +
        `${String(verified)} notes read back)`,
      promised: 'none',
      kept: lost.length === 0,
      data: { lost: lost.slice(0, 20), requests, verified },
    },
    {
      measure: `${name}: failures not asked for`,
      measured: String(failures.length),
      promised: 'none',
      kept: failures.length === 0,
      data: { failures: failures.slice(0, 20) },
    },
    {
      measure: `${name}: growth of memory over the second half`,
      measured: `${growth.toFixed(2)} MiB a minute, ${last.toFixed(0)} MiB at the end`,
      promised: 'at most 2 MiB a minute',
      kept: growth <= 2,
      data: { growth, memory },
    },
  ];
}

/** The slope of the line through the second half of the samples, one a second, in MiB a minute. */
export function growthOf(memory: readonly number[]): number {
  const late = memory.slice(Math.floor(memory.length / 2));
  const [middle, mean] = [
    (late.length - 1) / 2,
    late.reduce((sum, value) => sum + value, 0) / late.length,
  ];
  const steepness = late.reduce((sum, value, at) => sum + (at - middle) * (value - mean), 0);
  const spread = late.reduce((sum, _, at) => sum + (at - middle) ** 2, 0);
  return spread === 0 ? 0 : (60 * steepness) / spread;
}

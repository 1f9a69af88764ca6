import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunInfo } from '../../check/model/event.ts';
import { countsOf } from '../../report/blob/match-shards.ts';
import type { EarlierRun } from '../../report/reporter.ts';
import type { RememberedRun } from './run-memory.ts';

/**
 * The stored runs against the same target with the same contract, oldest first; those that cannot
 * be read are left out.
 */
export function readEarlierRuns(
  folder: string,
  { target, contract }: Pick<RunInfo, 'target' | 'contract'>,
): EarlierRun[] {
  const runs = join(folder, 'runs');
  return namesIn(runs)
    .flatMap((name) => {
      try {
        return [shortRun(JSON.parse(readFileSync(join(runs, name), 'utf8')) as RememberedRun)];
      } catch {
        // Another version wrote it, or another process deletes it.
        return [];
      }
    })
    .filter((run) => run.target === target && run.contract === contract.title);
}

function namesIn(runs: string): string[] {
  try {
    return readdirSync(runs)
      .filter((name) => name.endsWith('.json'))
      .sort();
  } catch {
    return [];
  }
}

function shortRun({ run, findings, summary }: RememberedRun): EarlierRun {
  const { id, target, startedAt, contract } = run;
  const { error, warning } = countsOf(findings);
  return {
    ...{ id, target, startedAt, contract: contract.title, verdict: summary.verdict },
    errors: error,
    warnings: warning,
  };
}

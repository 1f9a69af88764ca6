import type { OperationSummary, RunSummary, Verdict } from '../check/event.ts';
import { isLockedOut } from '../check/judge/verdict.ts';
import { bySeverity, type RunRecord } from './run-record.ts';

/** The verdict in words, as the summaries of all reporters begin with it. */
export const verdictTitles: Readonly<Record<Verdict, string>> = {
  kept: 'Kept.',
  broken: 'Broken.',
  inconclusive: 'Inconclusive.',
  crashed: 'vouch has a fault of its own.',
  interrupted: 'Interrupted.',
};

/** What to do next, in one or two sentences. */
export function nextStep(record: RunRecord, { verdict, findings, operations }: RunSummary): string {
  switch (verdict) {
    case 'kept':
      if (operations.some(isLocked) && record.run?.recorded !== true) return 'Run again with a credential that is let in: what answered 401 to everything was not tested.';
      if (record.findings.some(({ accepted }) => accepted === 'error')) return 'Nothing new to mend. Whoever mends what the baseline accepts updates it: --update-baseline.';
      return findings.warning > 0 ? `Read the ${findings.warning === 1 ? 'warning' : 'warnings'} above; nothing of it fails a run.` : 'Nothing to mend. In CI, --reporter junit=report.xml writes the same for a machine.';
    case 'broken':
      return record.run?.recorded === true ? 'Mend finding 1 first; then record the same again, or check the deployment itself: vouch check URL.' : `${firstStep(record)} Then run again${sameSeed(record)}.`;
    case 'inconclusive':
      return record.run?.recorded === true ? 'See to what the reason names, then record again.' : `See to what the reason names, then run again${sameSeed(record)}.`;
    case 'crashed':
      return 'Please report the fault above with its lines. The findings of the other checks stand.';
    case 'interrupted':
      return `Run again for the whole of it${sameSeed(record)}. What was found so far stands.`;
  }
}

/** Whether nobody was let in to an operation. */
export function isLocked({ statuses }: OperationSummary): boolean {
  return isLockedOut(Object.keys(statuses).map(Number));
}

function firstStep({ findings }: RunRecord): string {
  const [first] = bySeverity(findings);
  return first === undefined || first.curl.length === 0 ? 'Mend finding 1 first.' : 'Mend finding 1 first: the command under it shows it on a fresh server.';
}

/** The seed is repeated only where a shell takes it as it is. */
function sameSeed({ run }: RunRecord): string {
  return run !== undefined && /^\w[\w.-]*$/.test(run.seed) ? ` with --seed ${run.seed}, which sends the same requests` : '';
}

import { isLockedOut } from '../check/judge/verdict.ts';
import type { OperationSummary, RunSummary, Verdict } from '../check/model/run-summary.ts';
import { stopClause } from '../check/model/stop.ts';
import { countOf } from '../text/counts.ts';
import { cleanLine } from '../text/safe-text.ts';
import { bySeverity, type RunRecord } from './run-record.ts';

/** The verdict in words, as the summaries of all reporters begin with it. */
export const verdictTitles: Readonly<Record<Verdict, string>> = {
  passed: 'Passed.',
  failed: 'Failed.',
  inconclusive: 'Inconclusive.',
  crashed: 'Internal error.',
  interrupted: 'Interrupted.',
};

/**
 * The verdict, and where the run ended early after how many requests and why: `Passed.`,
 * `Inconclusive: stopped after …`.
 */
export function headline(summary: RunSummary): string {
  const { verdict, stop, code, requests, cleanup = 0 } = summary;
  const title = verdictTitles[verdict];
  if (stop === undefined || verdict === 'passed') return title;
  // Where the stop is the reason of the verdict, the reason that follows describes it.
  const why = code === 'stopped' ? '' : `, because ${stopClause(stop)}`;
  return `${title.replace(/\.$/, '')}: stopped after ${countOf(requests - cleanup, 'request')}${why}.`;
}

/**
 * The verdict with its reason, in one line; of a run that passed, how much of the contract it did
 * not test.
 */
export function verdictLine(summary: RunSummary, { run }: Pick<RunRecord, 'run'> = {}): string {
  const { verdict, reason, operations } = summary;
  const untested =
    verdict === 'passed' && run?.recorded !== true
      ? operations.filter((operation) => !isTested(operation)).length
      : 0;
  const rest =
    untested === 0
      ? ''
      : ` ${countOf(untested, 'operation')} of ${String(operations.length)} ${untested === 1 ? 'was' : 'were'} not tested.`;
  return cleanLine(`${headline(summary)} ${reason}${rest}`);
}

/** Whether a response of the operation was read whole and judged. */
export function isTested(operation: OperationSummary): boolean {
  return operation.requests > 0 && operation.judged !== 0 && !isLocked(operation);
}

/** How many requests were sent: `25 requests (3 of them clean-up)`. */
export function sentWords({ requests, cleanup }: RunSummary): string {
  return `${countOf(requests, 'request')}${cleanup === undefined ? '' : ` (${String(cleanup)} of them clean-up)`}`;
}

/** What to do next, in one or two sentences. */
export function nextStep(record: RunRecord, { verdict, findings, operations }: RunSummary): string {
  switch (verdict) {
    case 'passed':
      if (operations.some(isLocked) && record.run?.recorded !== true)
        return 'Run again with a credential that is let in: what answered 401 to everything was not tested.';
      if (record.findings.some(({ accepted }) => accepted === 'error'))
        return 'Nothing new to mend. Whoever mends what the baseline accepts updates it: --update-baseline.';
      return findings.warning > 0
        ? `Read the ${findings.warning === 1 ? 'warning' : 'warnings'} above; nothing of it fails a run.`
        : 'Nothing to mend. In CI, --reporter junit=report.xml writes the same for a machine.';
    case 'failed':
      return record.run?.recorded === true
        ? 'Mend finding 1 first; then record the same again, or check the deployment itself: vouch check URL.'
        : `${firstStep(record)} Then run again${sameSeed(record)}.`;
    case 'inconclusive':
      return record.run?.recorded === true
        ? 'See to what the reason names, then record again.'
        : `See to what the reason names, then run again${sameSeed(record)}.`;
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
  return first === undefined || first.curl.length === 0
    ? 'Mend finding 1 first.'
    : 'Mend finding 1 first: the command under it shows it on a fresh server.';
}

/** The seed is repeated only where a shell takes it as it is. */
function sameSeed({ run }: RunRecord): string {
  return run !== undefined && /^\w[\w.-]*$/.test(run.seed)
    ? ` with --seed ${run.seed}, which sends the same requests`
    : '';
}

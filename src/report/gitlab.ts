import { whereOf } from './finding-title.ts';
import type { Finding, Severity } from '../check/model/finding.ts';
import type { RunSummary } from '../check/model/run-summary.ts';
import { cleanLine, writeJson } from '../text/safe-text.ts';
import type { Reporter } from './reporter.ts';
import { atEnd, bySeverity, type RunRecord } from './run-record.ts';
import { shownText } from './shown-text.ts';
import { verdictLine } from './verdict.ts';

/** For GitLab: a Code Quality report, whose entries are on the lines of the contract. */
export const gitlab = {
  id: 'gitlab',
  description: 'for GitLab: a Code Quality report on the lines of the contract',
  begin: (options) =>
    atEnd((record, summary) => `${writeJson(entriesOf(record, summary), 1)}\n`, options),
} as const satisfies Reporter;

/** One entry of the report (GitLab, "Code Quality report format"). */
export interface GitLabEntry {
  readonly description: string;
  readonly check_name: string;
  /** Identifies the entry in the whole pipeline, which may check several contracts. */
  readonly fingerprint: string;
  readonly severity: 'info' | 'minor' | 'major' | 'critical' | 'blocker';
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

const severities: Readonly<Record<Severity, GitLabEntry['severity']>> = {
  error: 'critical',
  warning: 'minor',
  note: 'info',
};

/**
 * The entries of a run, worst first; findings that a baseline accepts are left out. A run that did
 * not finish has an entry for that: it must not look like one without findings.
 */
function entriesOf(record: RunRecord, summary: RunSummary): GitLabEntry[] {
  const path = record.run?.contract.file ?? '.';
  const crashes = [...new Map(record.crashed.map((crash) => [crash.check, crash])).values()];
  const isOver = summary.verdict === 'passed' || summary.verdict === 'failed';
  return [
    ...(isOver ? [] : [entryOfRun(path, summary.verdict, verdictLine(summary, record))]),
    ...crashes.map(({ check, message }) =>
      entryOfRun(path, `${check}-crashed`, `The check ${check} crashed: ${message}`),
    ),
    ...bySeverity(record.findings)
      .filter(({ accepted }) => accepted === undefined)
      .map(entryOf),
  ];
}

function entryOf(finding: Finding): GitLabEntry {
  const { id, check, severity, place, message, expected, actual } = finding;
  const what = `${whereOf(finding)}: ${shownText(message)}`;
  const path = cleanLine(place.file);
  return {
    description: cleanLine(
      `${what} (expected: ${shownText(expected)}; actual: ${shownText(actual)})`,
    ),
    check_name: cleanLine(check),
    fingerprint: `${path} ${cleanLine(id)}`,
    severity: severities[severity],
    location: { path, lines: { begin: Math.max(1, place.line) } },
  };
}

function entryOfRun(file: string, name: string, text: string): GitLabEntry {
  const path = cleanLine(file);
  return {
    description: cleanLine(text),
    check_name: `vouch-${cleanLine(name)}`,
    fingerprint: `${path} vouch-${cleanLine(name)}`,
    severity: 'blocker',
    location: { path, lines: { begin: 1 } },
  };
}

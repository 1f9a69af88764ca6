import { whereOf } from './finding-title.ts';
import { severities } from '../contract/model/severity.ts';
import type { Finding } from '../check/model/finding.ts';
import type { RunSummary, Verdict } from '../check/model/run-summary.ts';
import { countsOf, formatDuration, severityCounts } from '../text/counts.ts';
import { escapeGitHubMessage, escapeGitHubProperty, gitHubAnnotation } from '../text/safe-text.ts';
import type { Reporter } from './reporter.ts';
import { atEnd, bySeverity, type RunRecord } from './run-record.ts';
import { shownCommands, shownText } from './shown-text.ts';
import { sentWords, verdictLine } from './verdict.ts';

/** GitHub shows at most 10 annotations of each kind in a step. */
const maxOfEach = 10;

/**
 * For GitHub Actions: an annotation on the violated line of the contract, at most 10 of each kind,
 * then a summary.
 */
export const github = {
  id: 'github',
  description: 'for GitHub Actions: annotations on the lines of the contract',
  begin: (options) =>
    atEnd(
      (record, summary) =>
        [...annotations(record), ...summaryLines(record, summary)]
          .map((line) => `${line}\n`)
          .join(''),
      options,
    ),
} as const satisfies Reporter;

const verdictCommands: Readonly<Record<Verdict, string>> = {
  passed: 'notice',
  failed: 'error',
  crashed: 'error',
  inconclusive: 'warning',
  interrupted: 'warning',
};

function annotations({ findings, crashed }: RunRecord): string[] {
  const crashes = crashed.map(({ check, message }) => {
    const title = escapeGitHubProperty(`vouch: ${check} crashed`);
    return `::error title=${title}::${escapeGitHubMessage(message)}`;
  });
  const shown = severities.flatMap((severity) =>
    findings
      .filter((finding) => finding.severity === severity && finding.accepted === undefined)
      .slice(0, maxOfEach),
  );
  return [...crashes, ...bySeverity(shown).map(annotation)];
}

function annotation(finding: Finding): string {
  const { severity, place, check, message, expected, actual, evidence, curl } = finding;
  const text = [
    shownText(message),
    `expected: ${shownText(expected)}`,
    `actual: ${shownText(actual)}`,
    `confirmed: ${evidence}`,
    ...shownCommands(curl),
  ].join('\n');
  return gitHubAnnotation(severity, place, `${check}: ${whereOf(finding)}`, text);
}

function summaryLines(record: RunRecord, summary: RunSummary): string[] {
  const { findings } = record;
  const { verdict, findings: counts, durationMs } = summary;
  const hidden = severities.map(
    (severity) =>
      [
        Math.max(
          0,
          findings.filter(
            (finding) => finding.severity === severity && finding.accepted === undefined,
          ).length - maxOfEach,
        ),
        severity,
      ] as const,
  );
  const more = hidden.some(([number]) => number > 0)
    ? [`Not shown as annotations: ${countsOf(hidden)}.`]
    : [];
  const findingCounts = severityCounts(counts);
  const sent = `${sentWords(summary)} in ${formatDuration(durationMs)}`;
  const text = [verdictLine(summary, record), `Findings: ${findingCounts}; ${sent}.`, ...more].join(
    ' ',
  );
  return [`::${verdictCommands[verdict]} title=vouch check::${escapeGitHubMessage(text)}`];
}

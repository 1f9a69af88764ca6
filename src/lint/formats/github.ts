import { countsOf } from '../../text/counts.ts';
import { escapeGitHubMessage, escapeGitHubProperty } from '../../text/safe-text.ts';
import type { LintProblem, LintSeverity } from '../lint-report.ts';
import type { LintFormatter } from '../lint-format.ts';

const commands: Readonly<Record<LintSeverity, string>> = {
  error: 'error',
  warning: 'warning',
  note: 'notice',
};

/** GitHub shows no more than 10 annotations of each kind in a step. */
const mostOfEach = 10;

/**
 * An annotation for GitHub Actions on each line, at most 10 of each kind, then a line with all
 * counts.
 */
export const github: LintFormatter = ({ file, problems, counts }) => {
  const shown = (['error', 'warning', 'note'] as const).flatMap((severity) =>
    problems.filter((problem) => problem.severity === severity).slice(0, mostOfEach),
  );
  const more = problems.length - shown.length;
  const told = countsOf([
    [counts.error, 'error'],
    [counts.warning, 'warning'],
    [counts.note, 'note'],
  ]);
  const summary = `${file}: ${told}.${more === 0 ? '' : ` ${String(more)} of them not shown as annotations; vouch lint ${file} shows all.`}`;
  const kind = counts.error > 0 ? 'error' : counts.warning > 0 ? 'warning' : 'notice';
  return [...shown.map(annotation), `::${kind} title=vouch lint::${escapeGitHubMessage(summary)}`]
    .map((line) => `${line}\n`)
    .join('');
};

function annotation({ severity, rule, message, place, hint }: LintProblem): string {
  const properties = [
    `file=${escapeGitHubProperty(place.file)}`,
    `line=${String(place.line)}`,
    `col=${String(place.column)}`,
    `title=${escapeGitHubProperty(rule)}`,
  ];
  return (
    `::${commands[severity]} ` +
    `${properties.join(',')}::${escapeGitHubMessage(hint === undefined ? message : `${message}\n${hint}`)}`
  );
}

import { wordsIn } from '../words-in.ts';
import { pick } from '../json/value.ts';
import { severities } from '../contract/model/severity.ts';
import { severityCounts } from '../text/counts.ts';
import { escapeGitHubMessage, gitHubAnnotation, writeJson } from '../text/safe-text.ts';
import { pretty } from './format-pretty.ts';
import type {
  LintFormat,
  LintFormatOptions,
  LintFormatter,
  LintProblem,
  LintReport,
} from './lint-report.ts';

/** One JSON document: the report, members in a fixed order, with the version of its format. */
const json: LintFormatter = ({ file, counts: found, problems }: LintReport) => {
  const counts = pick(found, wordsIn('error warning note'));
  return `${writeJson({ version: 1, file, counts, problems: problems.map(ordered) }, 2)}\n`;
};

function ordered(problem: LintProblem): object {
  return {
    ...pick(problem, wordsIn('rule severity message')),
    place: pick(problem.place, wordsIn('file line column')),
    ...pick(problem, wordsIn('pointer frame hint documentation')),
  };
}

/** GitHub shows at most 10 annotations of each kind in a step. */
const maxOfEach = 10;

/**
 * An annotation for GitHub Actions on each line, at most 10 of each kind, then a line with all
 * counts.
 */
const github: LintFormatter = ({ file, problems, counts }) => {
  const shown = severities.flatMap((severity) =>
    problems.filter((problem) => problem.severity === severity).slice(0, maxOfEach),
  );
  const more = problems.length - shown.length;
  const summaryCounts = severityCounts(counts);
  const hidden = `${String(more)} of them have no annotation; vouch lint ${file} shows all.`;
  const summary = `${file}: ${summaryCounts}.${more === 0 ? '' : ` ${hidden}`}`;
  const kind = counts.error > 0 ? 'error' : counts.warning > 0 ? 'warning' : 'notice';
  return [...shown.map(annotation), `::${kind} title=vouch lint::${escapeGitHubMessage(summary)}`]
    .map((line) => `${line}\n`)
    .join('');
};

function annotation({ severity, rule, message, place, hint }: LintProblem): string {
  const text = hint === undefined ? message : `${message}\n${hint}`;
  return gitHubAnnotation(severity, place, rule, text);
}

const formatters: Readonly<Record<LintFormat, LintFormatter>> = { pretty, json, github };

/** The report as text. Pure; ends with a line feed. */
export function formatLint(
  report: LintReport,
  format: LintFormat,
  options: LintFormatOptions,
): string {
  return formatters[format](report, options);
}

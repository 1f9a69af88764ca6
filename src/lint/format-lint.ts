import { severities } from '../contract/model/severity.ts';
import { formatPlace } from '../errors.ts';
import { countOf, countsOf } from '../text/counts.ts';
import {
  cleanLine,
  cleanText,
  disarmCommands,
  escapeGitHubMessage,
  escapeGitHubProperty,
  writeJson,
} from '../text/safe-text.ts';
import { makeTextStyle, type TextStyle } from '../text/text-style.ts';
import { hangText, wrapText } from '../text/wrap-text.ts';
import type {
  LintFormat,
  LintFormatOptions,
  LintFormatter,
  LintProblem,
  LintReport,
  LintSeverity,
} from './lint-report.ts';

interface Page {
  readonly style: TextStyle;
  readonly width: number;
}

/** For people: errors and warnings with their code, then the notes by rule, then the counts. */
const pretty: LintFormatter = (report, { color, width }) => {
  const page = { style: makeTextStyle(color), width };
  const faults = report.problems.filter(({ severity }) => severity !== 'note');
  const lines = [
    ...faults.flatMap((problem) => faultLines(problem, page)),
    ...noteLines(report.problems, page),
    ...summaryLines(report, page),
  ];
  return disarmCommands(lines.map((line) => `${line.trimEnd()}\n`).join(''));
};

function colorOf(severity: LintSeverity, style: TextStyle): (text: string) => string {
  if (severity === 'error') return style.red;
  return severity === 'warning' ? style.yellow : style.cyan;
}

function faultLines(
  { place, severity, rule, message, frame, hint, documentation }: LintProblem,
  { style, width }: Page,
): string[] {
  return [
    `${style.cyan(cleanLine(formatPlace(place)))} ` +
      `${colorOf(severity, style)(severity)} ${style.dim(cleanLine(rule))}`,
    ...hangText('  ', cleanLine(message), width).map((line) => style.bold(line)),
    '',
    ...cleanText(frame)
      .split('\n')
      .map((line) => `    ${line}`),
    '',
    ...(hint === undefined ? [] : hangText('  ', cleanLine(hint), width)),
    ...(documentation === undefined ? [] : [style.dim(`  ${cleanLine(documentation)}`)]),
    ...(hint === undefined && documentation === undefined ? [] : ['']),
  ];
}

function noteLines(problems: readonly LintProblem[], { style, width }: Page): string[] {
  const notes = problems.filter(({ severity }) => severity === 'note');
  if (notes.length === 0) return [];
  const byRule = Map.groupBy(notes, ({ rule }) => rule);
  const groups = [...byRule].flatMap(([rule, group]) => [
    `  ${style.cyan('note')} ${style.dim(cleanLine(rule))}`,
    ...group.flatMap(({ place, message }) => [
      `    ${style.cyan(cleanLine(formatPlace(place)))}`,
      ...hangText('      ', cleanLine(message), width),
    ]),
    ...hangText('    ', cleanLine(group[0]?.hint ?? ''), width).map((line) => style.dim(line)),
    '',
  ]);
  return [style.bold('What the contract leaves open'), '', ...groups];
}

function summaryLines(report: LintReport, { style, width }: Page): string[] {
  const { file, counts } = report;
  const { error, warning, note } = counts;
  const mark = error > 0 ? style.red('✗') : warning > 0 ? style.yellow('!') : style.green('✓');
  const sentence =
    error + warning === 0
      ? `no error, no warning${note > 0 ? `, ${countOf(note, 'note')}` : ''}`
      : countsOf([
          [error, 'error'],
          [warning, 'warning'],
          [note, 'note'],
        ]);
  return [
    ...wrapText(
      `${mark} ${style.bold(cleanLine(file))}: ${sentence}. ${nextStep(report)}`.trimEnd(),
      width,
    ),
  ];
}

function nextStep({ counts: { error, warning, note }, problems }: LintReport): string {
  if (error > 0)
    return (
      'Errors fail the lint and stop vouch start; vouch mock and vouch check use the document ' +
      'in spite of them. Fix it, or set its rule in redocly.yaml beside the ' +
      `document${ruleExample(problems)}.`
    );
  if (warning > 0)
    return (
      'Warnings do not fail the lint; fix them, or set their rules in redocly.yaml beside the ' +
      'document.'
    );
  return note > 0 ? 'Notes do not fail the lint: each says what to add to the contract.' : '';
}

/** Rules whose violation makes the other results unreliable. */
const indispensable = ['struct', 'no-unresolved-refs'];

/** How to configure the rule with the most errors, if the document can do without it. */
function ruleExample(problems: readonly LintProblem[]): string {
  const byRule = Map.groupBy(
    problems.filter(({ severity }) => severity === 'error'),
    ({ rule }) => rule,
  );
  const [first] = [...byRule].toSorted(([, left], [, right]) => right.length - left.length);
  return first === undefined || indispensable.includes(first[0])
    ? ''
    : `, as in rules: { ${cleanLine(first[0])}: warn }`;
}

/** One JSON document: the report, members in a fixed order, with the version of its format. */
const json: LintFormatter = ({ file, counts: found, problems }: LintReport) => {
  const counts = { error: found.error, warning: found.warning, note: found.note };
  return `${writeJson({ version: 1, file, counts, problems: problems.map(ordered) }, 2)}\n`;
};

function ordered({
  rule,
  severity,
  message,
  place,
  pointer,
  frame,
  hint,
  documentation,
}: LintProblem): object {
  return {
    rule,
    severity,
    message,
    place: { file: place.file, line: place.line, column: place.column },
    pointer,
    frame,
    hint,
    documentation,
  };
}

const commands: Readonly<Record<LintSeverity, string>> = {
  error: 'error',
  warning: 'warning',
  note: 'notice',
};

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
  const summaryCounts = countsOf([
    [counts.error, 'error'],
    [counts.warning, 'warning'],
    [counts.note, 'note'],
  ]);
  const hidden = `${String(more)} of them have no annotation; vouch lint ${file} shows all.`;
  const summary = `${file}: ${summaryCounts}.${more === 0 ? '' : ` ${hidden}`}`;
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
  const text = hint === undefined ? message : `${message}\n${hint}`;
  return `::${commands[severity]} ${properties.join(',')}::${escapeGitHubMessage(text)}`;
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

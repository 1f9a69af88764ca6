import { compareSeverities } from '../contract/model/severity.ts';
import { formatPlace } from '../errors.ts';
import { countOf, severityCounts } from '../text/counts.ts';
import { cleanLine, cleanText, disarmCommands } from '../text/safe-text.ts';
import { makeTextStyle, severityColor, type TextStyle } from '../text/text-style.ts';
import { hangText, wrapText } from '../text/wrap-text.ts';
import type { LintFormatter, LintProblem, LintReport, LintSeverity } from './lint-report.ts';

interface Page {
  readonly style: TextStyle;
  readonly width: number;
  /** How many problems of one rule are shown. */
  readonly most: number;
}

interface Group {
  readonly rule: string;
  readonly severity: LintSeverity;
  readonly problems: readonly LintProblem[];
}

/** As many of one rule are read; the others are counted. */
const mostOfRule = 5;

/**
 * For people: defects with their code, then matters of style and what is left open, each in a line
 * or two, then the counts and the errors again. Of one rule, five are shown, or all.
 */
export const pretty: LintFormatter = (report, { color, width, all = false }) => {
  const page = { style: makeTextStyle(color), width, most: all ? Infinity : mostOfRule };
  const faults = report.problems.filter(({ severity }) => severity !== 'note');
  const defects = groupsOf(faults.filter(({ isStyle }) => isStyle !== true));
  const style = groupsOf(faults.filter(({ isStyle }) => isStyle === true));
  const open = groupsOf(report.problems.filter(({ severity }) => severity === 'note'));
  const lines = [
    ...defects.flatMap((group) => [
      ...group.problems.slice(0, page.most).flatMap((problem) => problemLines(problem, page)),
      ...moreLines(group.problems.length, group.rule, page),
    ]),
    ...section('Style', style, page),
    ...section('What the contract leaves open', open, page),
    ...overview([...defects, ...style, ...open], page),
    ...errorLines([...defects, ...style], report, page),
    ...summaryLines(report, page),
  ];
  return disarmCommands(lines.map((line) => `${line.trimEnd()}\n`).join(''));
};

/** The problems by rule: errors first, then in the order of their first lines. */
function groupsOf(problems: readonly LintProblem[]): Group[] {
  const byRule = Map.groupBy(problems, ({ rule, severity }) => `${severity} ${rule}`);
  return [...byRule.values()]
    .flatMap((group): Group[] => {
      const [first] = group;
      return first === undefined
        ? []
        : [{ rule: first.rule, severity: first.severity, problems: group }];
    })
    .toSorted((left, right) => compareSeverities(left.severity, right.severity));
}

function problemLines(
  { place, severity, rule, message, frame, hint, documentation }: LintProblem,
  { style, width }: Page,
): string[] {
  return [
    `${style.cyan(cleanLine(formatPlace(place)))} ` +
      `${severityColor(severity, style)(severity)} ${style.dim(cleanLine(rule))}`,
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

function section(title: string, groups: readonly Group[], page: Page): string[] {
  if (groups.length === 0) return [];
  return [page.style.bold(title), '', ...groups.flatMap((group) => ruleLines(group, page))];
}

/** The problems of a rule without their code; what they have in common is said once. */
function ruleLines({ rule, severity, problems }: Group, page: Page): string[] {
  const { style, width, most } = page;
  const shown = problems.slice(0, most);
  const common = new Set(problems.map(({ message }) => message)).size === 1;
  const say = (text: string | undefined, indent: string): string[] =>
    text === undefined ? [] : hangText(indent, cleanLine(text), width);
  const [first] = problems;
  return [
    `  ${severityColor(severity, style)(severity)} ${style.dim(cleanLine(rule))}`,
    ...(common ? say(first?.message, '    ') : []),
    ...shown.flatMap(({ place, message }) => [
      `    ${style.cyan(cleanLine(formatPlace(place)))}`,
      ...(common ? [] : say(message, '      ')),
    ]),
    // The hints of one rule differ only in names.
    ...say(problems.find(({ hint }) => hint !== undefined)?.hint, '    ').map((line) =>
      style.dim(line),
    ),
    ...(first?.documentation === undefined
      ? []
      : [style.dim(`    ${cleanLine(first.documentation)}`)]),
    ...moreLines(problems.length, rule, page),
    ...(problems.length > most ? [] : ['']),
  ];
}

function moreLines(total: number, rule: string, { style, width, most }: Page): string[] {
  if (total <= most) return [];
  const more = `… and ${(total - most).toLocaleString('en')} more of ${cleanLine(rule)}; `;
  return [...hangText('  ', `${more}vouch lint --all shows them.`, width).map(style.yellow), ''];
}

/** So many rules fit a screen beside the errors and the sentence below them. */
const mostRules = 7;

/** How many problems each rule has, if not all are shown. */
function overview(groups: readonly Group[], { style, most }: Page): string[] {
  if (groups.every(({ problems }) => problems.length <= most)) return [];
  const sorted = groups.toSorted((left, right) => right.problems.length - left.problems.length);
  const rows = sorted.slice(0, mostRules).map(({ rule, severity, problems }) => {
    const count = problems.length.toLocaleString('en').padStart(7);
    return `${count} ${severityColor(severity, style)(severity.padEnd(7))} ${cleanLine(rule)}`;
  });
  const left = sorted.slice(mostRules);
  const rest = left.reduce((sum, { problems }) => sum + problems.length, 0);
  const more =
    left.length === 0
      ? []
      : [`${rest.toLocaleString('en').padStart(7)} of ${countOf(left.length, 'other rule')}`];
  return [...rows, ...more, ''];
}

/** So many rules with errors fit a screen beside the counts. */
const mostErrors = 3;

/**
 * The errors again, in a line or two for each rule, if warnings and notes stand below them; those
 * of style only where there are no others.
 */
function errorLines(groups: readonly Group[], { counts }: LintReport, page: Page): string[] {
  if (counts.error === 0 || counts.warning + counts.note === 0) return [];
  const { style, width } = page;
  const all = groups.filter(({ severity }) => severity === 'error');
  const defects = all.filter(({ problems }) => problems[0]?.isStyle !== true);
  const errors = (defects.length > 0 ? defects : all).slice(0, mostErrors);
  const rows = errors.flatMap(({ rule, problems: [first, ...others] }) => {
    if (first === undefined) return [];
    const more = others.length === 0 ? '' : ` and ${others.length.toLocaleString('en')} more`;
    const where = `${style.cyan(cleanLine(formatPlace(first.place)))}${more}`;
    const what = cleanLine([first.message, first.hint ?? ''].join(' ').trimEnd());
    return hangText('  ', `${where} ${style.dim(cleanLine(rule))}: ${what}`, width);
  });
  return [style.red('Errors'), ...rows, ''];
}

function summaryLines(report: LintReport, { style, width }: Page): string[] {
  const { file, counts } = report;
  const { error, warning, note } = counts;
  const mark = error > 0 ? style.red('✗') : warning > 0 ? style.yellow('!') : style.green('✓');
  const sentence =
    error + warning === 0
      ? `no error, no warning${note > 0 ? `, ${countOf(note, 'note')}` : ''}`
      : severityCounts(counts);
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
      'Errors fail the lint, and stop vouch start if they are more than style; vouch mock and ' +
      'vouch check use the document in spite of them. Fix it, or set its rule in redocly.yaml ' +
      `beside the document${ruleExample(problems)}.`
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

import type { Severity } from '../../check/model/finding.ts';
import type {
  NamedRecord,
  OperationSummary,
  RunSummary,
  Verdict,
} from '../../check/model/run-summary.ts';
import {
  countOf,
  countsOf,
  formatDuration,
  formatNumber,
  severityCounts,
} from '../../text/counts.ts';
import { cleanLine } from '../../text/safe-text.ts';
import type { TextStyle } from '../../text/text-style.ts';
import { columnsOf, hangText, keepTogether, padText, wrapText } from '../../text/wrap-text.ts';
import type { RunRecord } from '../run-record.ts';
import {
  headline,
  isLocked,
  isTested,
  isThin,
  isWithoutResult,
  nextStep,
  openingStep,
  shutClauses,
  verdictLine,
} from '../verdict.ts';
import type { PrettyPage } from './pretty-start.ts';

/** The end of the page: verdict, counts, and what to do next. */
export function summaryLines(record: RunRecord, summary: RunSummary, page: PrettyPage): string[] {
  const { style, width, program } = page;
  const isShort = isWithoutResult(summary);
  const asked = summary.operations.filter(({ requests }) => requests > 0).length;
  const rows: readonly (readonly [word: string, text: string])[] = [
    ...(isShort ? unsentRows(summary) : reachRows(summary)),
    ['findings', severityCounts(summary.findings)],
    ...causes(record),
    record.run?.recorded === true
      ? [
          'judged',
          `${countOf(summary.requests, 'recorded exchange')}, with ` +
            `${String(asked)} of ${countOf(summary.operations.length, 'operation')}`,
        ]
      : [
          'requests',
          `${formatNumber(summary.requests)}${cleanupWords(summary)} in ` +
            `${formatDuration(summary.durationMs)}, to ${String(asked)} of ` +
            countOf(summary.operations.length, 'operation'),
        ],
    ...(isShort ? [] : coverage(summary)),
    ...acceptedRows(record),
    ...skippedRows(summary),
    ...(record.left.length === 0 ? [] : [['left over', leftText(record)] as const]),
    ...(isWithoutResult(summary) ? [] : censusRows(summary)),
    ['next', nextStep(record, summary, program)],
  ];
  return [
    ...verdictLines(record, summary, page),
    '',
    ...rows.flatMap(([word, text]) => hangText(`  ${style.dim(word.padEnd(9))} `, text, width)),
    '',
  ];
}

export function verdictLines(
  record: RunRecord,
  summary: RunSummary,
  { style, width }: PrettyPage,
): string[] {
  const color = isThin(summary) ? style.yellow : verdictColor(summary.verdict, style);
  const title = headline(summary);
  const line = verdictLine(summary, record);
  return wrapText(
    line.replace(title, (words) => color(style.bold(words))),
    width,
  );
}

/** How much was covered, where some operations were not, and why they were skipped. */
function reachRows(summary: RunSummary): Row[] {
  const { reach } = summary;
  if (reach === undefined || reach.shut.length === 0) return [];
  return [
    ['covered', `${String(reach.reached)} of ${countOf(reach.total, 'operation')}`],
    ...untestedRows(summary),
  ];
}

/** Why operations were skipped, at most so many reasons, and what would test most of them. */
export function untestedRows(summary: RunSummary, most = Infinity): Row[] {
  const step = openingStep(summary);
  return [
    ...clauseRows(summary, most),
    ...(step === undefined ? [] : [['test more', step] as const]),
  ];
}

/** Why no operation got a request, where none was sent. */
export function unsentRows(summary: RunSummary, most = Infinity): Row[] {
  return summary.requests === 0 ? clauseRows(summary, most) : [];
}

function clauseRows(summary: RunSummary, most: number): Row[] {
  const clauses = shutClauses(summary);
  const more = clauses.length - most;
  return [
    ...clauses.slice(0, most).map((clause, index): Row => [index === 0 ? 'skipped' : '', clause]),
    ...(more > 0 ? [['', `and for ${countOf(more, 'more reason')}: --verbose`] as const] : []),
  ];
}

/** How many records are left, if the report counts them. */
function leftText({ left }: RunRecord): string {
  const count = left.reduce((sum, entry) => sum + (entry.count ?? 1), 0);
  const records = countOf(count, 'record or action', 'records or actions');
  return `${records} of this run, listed above`;
}

/** What happened to the records that existed before the run. */
export function censusRows({ census }: RunSummary): Row[] {
  if (census === undefined) return [];
  const { gone, changed, isBusy, records, lists, elsewhere = [] } = census;
  if (elsewhere.length > 0) {
    const reads = cleanLine(elsewhere.slice(0, maxNamed).join(', '));
    return [['existing', `unknown: what ${reads} returned could not be compared`]];
  }
  if (records === 0)
    return [['existing', 'unknown: no list returned records that were there before the run']];
  const were = `${countOf(records, 'record')} in ${countOf(lists, 'list')}`;
  if (isBusy) return [['existing', `unknown: other clients also change the ${were}`]];
  if (gone.length + changed.length === 0)
    return [['existing', `${were} that were there before the run are unchanged`]];
  const lost = gone.length === 0 ? [] : [`${String(gone.length)} gone (${someNames(gone)})`];
  const other =
    changed.length === 0 ? [] : [`${String(changed.length)} changed (${someNames(changed)})`];
  return [
    ['existing', `of ${were} that were there before the run: ${[...lost, ...other].join(', ')}`],
  ];
}

const maxNamed = 5;

function someNames(records: readonly NamedRecord[]): string {
  const names = records
    .slice(0, maxNamed)
    .map(({ resource, identifier }) => `${resource} ${identifier}`);
  const more = records.length > maxNamed ? ` and ${String(records.length - maxNamed)} more` : '';
  return cleanLine(`${names.join(', ')}${more}`);
}

function cleanupWords({ cleanup }: RunSummary): string {
  return cleanup === undefined ? '' : ` (including ${formatNumber(cleanup)} for cleanup)`;
}

/** Whether any operation responded. */
export function hasAnswers(operations: RunSummary['operations']): boolean {
  return operations.some((operation) =>
    Object.keys(operation.statuses).some((status) => /^\d/.test(status)),
  );
}

const countedByEye = 3;

/** A row at the end of the report. */
export type Row = readonly [word: string, text: string];

/** The causes of errors and warnings, if there are many. */
function causes({ findings }: RunRecord): Row[] {
  const shown = findings.filter(({ severity }) => severity !== 'note');
  const byCheck = [...Map.groupBy(shown, ({ check }) => check)];
  if (shown.length <= countedByEye || byCheck.length < 2) return [];
  const most = byCheck.toSorted(([, left], [, right]) => right.length - left.length);
  return [
    [
      'causes',
      most
        .map(([check, alike]) => keepTogether(`${cleanLine(check)} ×${String(alike.length)}`))
        .join(', '),
    ],
  ];
}

function coverage({ coverage: of, operations }: RunSummary): Row[] {
  if (
    of === undefined ||
    of.statuses.total === 0 ||
    (of.statuses.reached === 0 && !hasAnswers(operations))
  )
    return [];
  const { reached, total } = of.statuses;
  const rest = reached === total ? '' : '; --reporter html=report.html shows the rest';
  return [
    [
      'coverage',
      `${String(reached)} of ` +
        `${countOf(total, 'documented status', 'documented statuses')}, ` +
        `${formatNumber(of.inputs.reached)} of ` +
        `${countOf(of.inputs.total, 'input variant')}${rest}`,
    ],
  ];
}

/** How many findings a baseline accepts. */
export function acceptedRows({ findings }: RunRecord): Row[] {
  const having = (severity: Severity): number =>
    findings.filter((finding) => finding.accepted === severity).length;
  const known = [
    [having('error'), 'error'],
    [having('warning'), 'warning'],
  ] as const;
  return known.every(([number]) => number === 0)
    ? []
    : [['accepted', `${countsOf(known)}, by the baseline (counted as notes)`]];
}

/** How many findings the configuration skips. */
export function skippedRows({ skippedFindings = [] }: RunSummary): Row[] {
  return skippedFindings.length === 0
    ? []
    : [['excluded', `${countOf(skippedFindings.length, 'finding')}, by the configuration`]];
}

function verdictColor(verdict: Verdict, style: TextStyle): (text: string) => string {
  if (verdict === 'passed') return style.green;
  return verdict === 'failed' || verdict === 'crashed' ? style.red : style.yellow;
}

/** One line for each operation: its result, the number of requests, and the statuses. */
export function operationLines(summary: RunSummary, { style, width }: PrettyPage): string[] {
  const { operations } = summary;
  const names = operations.map(({ method, path }) => ({
    method: cleanLine(method),
    path: cleanLine(path),
  }));
  const columns = {
    method: Math.max(0, ...names.map(({ method }) => columnsOf(method))),
    path: Math.min(40, Math.max(0, ...names.map(({ path }) => columnsOf(path)))),
    requests: Math.max(0, ...operations.map(({ requests }) => countOf(requests, 'request').length)),
  };
  return operations.flatMap((operation) => {
    const name =
      `${padText(cleanLine(operation.method), columns.method)} ` +
      padText(cleanLine(operation.path), columns.path);
    const isDone = isTested(operation, summary);
    const start = `  ${mark(operation, isDone, style)} ${name}  `;
    if (operation.requests === 0)
      return hangText(
        start,
        style.dim(`skipped: ${cleanLine(operation.skipped ?? 'no request sent')}`),
        width,
      );
    const requests = countOf(operation.requests, 'request').padStart(columns.requests);
    return hangText(
      `${start}${requests}  `,
      [
        statuses(operation, style),
        isDone || operation.errors > 0
          ? ''
          : style.dim(
              isLocked(operation)
                ? 'access denied'
                : operation.judged === 0
                  ? 'not tested'
                  : 'no success',
            ),
        problems(operation, style),
      ]
        .filter((text) => text !== '')
        .join(' · '),
      width,
    );
  });
}

function mark({ errors }: OperationSummary, isDone: boolean, style: TextStyle): string {
  if (errors > 0) return style.red('✗');
  return isDone ? style.green('✓') : style.dim('○');
}

function statuses(operation: OperationSummary, style: TextStyle): string {
  const words = Object.entries(operation.statuses).map(
    ([status, times]) => `${cleanLine(status)} ×${formatNumber(times)}`,
  );
  return words.map((word) => style.dim(keepTogether(word))).join(' ');
}

function problems({ errors, warnings, notes }: OperationSummary, style: TextStyle): string {
  if (errors + warnings + notes === 0) return '';
  const counts = [
    [errors, 'error'],
    [warnings, 'warning'],
    [notes, 'note'],
  ] as const;
  const text = counts
    .filter(([number]) => number > 0)
    .map(([number, noun]) => keepTogether(countOf(number, noun)))
    .join(', ');
  if (errors > 0) return style.red(text);
  return warnings > 0 ? style.yellow(text) : style.cyan(text);
}

import type { RunEvent, TargetDifference } from '../check/model/event.ts';
import type { Finding } from '../check/model/finding.ts';
import type { RunSummary } from '../check/model/run-summary.ts';
import { formatPlace } from '../errors.ts';
import { countOf, formatDuration, roughDuration } from '../text/counts.ts';
import { cleanLine, cleanText, disarmCommands } from '../text/safe-text.ts';
import { makeTextStyle, severityColor, type TextStyle } from '../text/text-style.ts';
import { columnsOf, hangText, keepTogether, padText } from '../text/wrap-text.ts';
import { differencePlace, differenceTitle } from './exchange-text.ts';
import { findingBlock, titleOf } from './pretty/finding-block.ts';
import { type PrettyPage, skippedLines, startLines } from './pretty/pretty-start.ts';
import { shortReport } from './pretty/short-report.ts';
import { hasAnswers, operationLines, summaryLines } from './pretty/pretty-summary.ts';
import type { Reporter, ReporterOptions } from './reporter.ts';
import { type EventOf, type RunRecord, bySeverity, emptyRecord, keepEvent } from './run-record.ts';
import { accessNotes, accessTable, workflowStepLine, workflowTitle } from './verdict.ts';

/** For people: what is checked, then every finding with its exchange, then the summary. */
export const pretty = {
  id: 'pretty',
  description: 'for people: findings with code frames and commands, and a summary',
  begin: (options) => {
    const answer = startPretty(options);
    return (event) => {
      const lines = answer(event);
      return lines.length === 0
        ? ''
        : disarmCommands(`${lines.map((line) => line.trimEnd()).join('\n')}\n`);
    };
  },
} as const satisfies Reporter;

function startPretty(options: ReporterOptions): (event: RunEvent) => string[] {
  const { color, width, verbose, terminal = false, program = 'vouch' } = options;
  const page = { style: makeTextStyle(color), width, verbose, terminal, program };
  const record = emptyRecord();
  let skippedEvents: EventOf<'operation-skipped'>[] = [];
  return (event) => {
    if (event.type === 'operation-skipped') {
      keepEvent(record, event);
      skippedEvents.push(event);
      return [];
    }
    if (skippedEvents.length === 0) return answer(event);
    const skipped = verbose ? skippedLines(skippedEvents, page) : [];
    skippedEvents = [];
    return [...skipped, ...answer(event)];
  };

  function answer(event: Exclude<RunEvent, EventOf<'operation-skipped'>>): string[] {
    switch (event.type) {
      case 'run-started':
        keepEvent(record, event);
        return startLines(event.run, page);
      case 'exchange-recorded':
        return verbose ? [exchangeLine(event)] : [];
      case 'plan-made':
        return expectedLines(event);
      case 'run-finished':
        return endLines(record, event.summary, page);
      default:
        keepEvent(record, event);
        return [];
    }
  }
}

/** Shorter runs need no warning. */
const longMs = 10_000;

/** How long the run takes, if that is long. */
function expectedLines({ requests, answerMs = 0, expectedMs = 0 }: EventOf<'plan-made'>): string[] {
  if (expectedMs < longMs) return [];
  return [
    `  time      about ${roughDuration(expectedMs)} for ${countOf(requests, 'request')}, ` +
      `at ${formatDuration(answerMs)} per answer`,
  ];
}

/** One line for each exchange; findings show addresses and bodies. */
function exchangeLine({ case: testCase, exchange }: EventOf<'exchange-recorded'>): string {
  const outcome =
    exchange.response === undefined
      ? (exchange.fault?.kind ?? 'no answer')
      : String(exchange.response.status);
  const words = [
    outcome.padEnd(4),
    formatDuration(exchange.durationMs).padStart(7),
    testCase.phase.padEnd(8),
    `${testCase.operation}: ${testCase.title}`,
  ];
  return `  ${cleanLine(words.join('  '))}`;
}

/** The end of the output: on one screen, or everything with `--verbose`. */
function endLines(record: RunRecord, summary: RunSummary, page: PrettyPage): string[] {
  if (!page.verbose)
    return shortReport(record, summary, page, [
      ...section('Workflows', workflowLines(summary, page), page),
      ...section(differenceTitle(record.run), differenceLines(record, page), page),
      ...section('Internal errors', crashLines(record, page), page),
    ]);
  const shown = bySeverity(record.findings).filter(({ severity }) => severity !== 'note');
  return [
    '',
    ...section('Operations', operationsOf(record, summary, page), page),
    ...section('Workflows', workflowLines(summary, page), page),
    ...section(
      'Findings',
      shown.flatMap((finding, index) => findingLines(finding, index, page)),
      page,
    ),
    ...observedLines(record, summary, page),
    ...section('Records left behind', leftLines(record, page), page),
    ...section('Internal errors', crashLines(record, page), page),
    ...summaryLines(record, summary, page),
  ];
}

/** If no operation responded at all, the reason says it once; a line for each would repeat it. */
function operationsOf(record: RunRecord, summary: RunSummary, page: PrettyPage): string[] {
  return hasAnswers(summary.operations)
    ? operationLines(withoutReasons(record, summary), page)
    : [];
}

/** What a run tells besides its errors and warnings. */
function observedLines(record: RunRecord, summary: RunSummary, page: PrettyPage): string[] {
  const findings = bySeverity(record.findings);
  const accepted = findings.filter((finding) => finding.accepted !== undefined);
  const notes = findings.filter(
    (finding) => finding.severity === 'note' && finding.accepted === undefined,
  );
  return [
    ...section('Notes', noteLines(notes, page), page),
    ...section('Accepted by the baseline', noteLines(accepted, page), page),
    ...section('Gaps of the contract and observed behavior', gapLines(record, page), page),
    ...section(differenceTitle(record.run), differenceLines(record, page), page),
    ...section('Who could do what', accessLines(summary, page), page),
    ...section('Skipped by the configuration', skipLines(summary, page), page),
  ];
}

function section(title: string, lines: readonly string[], { style }: PrettyPage): string[] {
  return lines.length === 0 ? [] : [style.bold(title), '', ...lines, ''];
}

const workflowMarks = { passed: '✓', failed: '✗', 'not-run': '○' } as const;

/** The user's workflows; the steps of those that did not pass. */
function workflowLines(
  { workflows = [] }: RunSummary,
  { style, width, verbose }: PrettyPage,
): string[] {
  const colors = { passed: style.green, failed: style.red, 'not-run': style.dim };
  return workflows.flatMap((workflow) => {
    const mark = colors[workflow.outcome](workflowMarks[workflow.outcome]);
    const steps = verbose || workflow.outcome !== 'passed' ? workflow.steps : [];
    return [
      ...hangText(`  ${mark} `, cleanLine(workflowTitle(workflow)), width),
      ...steps.flatMap((step) => hangText('      ', cleanLine(workflowStepLine(step)), width)),
    ];
  });
}

/** A reason that was printed when the operation was skipped is not repeated. */
function withoutReasons(record: RunRecord, summary: RunSummary): RunSummary {
  const said = new Set(record.skipped.map(({ operation }) => operation.id));
  const operations = summary.operations.map((operation) =>
    operation.requests === 0 && said.has(operation.id)
      ? { ...operation, skipped: 'see above' }
      : operation,
  );
  return { ...summary, operations };
}

function findingLines(finding: Finding, index: number, page: PrettyPage): string[] {
  const number = `  ${String(index + 1)}) `;
  const indent = ' '.repeat(number.length);
  const lines = findingBlock(finding, { ...page, width: page.width - indent.length });
  return [
    ...(index === 0 ? [] : ['']),
    ...lines.map((line, at) => (at === 0 ? number : indent) + line),
  ];
}

const maxDifferences = 24;

function noteLines(notes: readonly Finding[], { style, width }: PrettyPage): string[] {
  return notes.flatMap((note) => {
    const color = severityColor('note', style);
    const about = [
      cleanLine(note.check),
      cleanLine(formatPlace(note.place)),
      ...(note.count > 1 ? [keepTogether(countOf(note.count, 'time'))] : []),
    ];
    return hangText(
      `  ${color('·')} `,
      `${titleOf(note)} ${style.dim(`(${about.join(', ')})`)}`,
      width,
    );
  });
}

function gapLines({ gaps }: RunRecord, { style, width }: PrettyPage): string[] {
  return gaps.flatMap(({ gap, observed }) =>
    hangText(
      `  ${style.dim('·')} `,
      `${cleanLine(gap.message)} ${style.dim('Observed:')} ${cleanLine(observed)}`,
      width,
    ),
  );
}

/**
 * The differences by operation; if there are many, those that a client is likely to notice come
 * first.
 */
function differenceLines({ differences }: RunRecord, page: PrettyPage): string[] {
  const { style, width } = page;
  const ranked = differences.toSorted(
    (left, right) => Number(left.severity === 'note') - Number(right.severity === 'note'),
  );
  const shown = page.verbose ? ranked : ranked.slice(0, maxDifferences);
  const lines = [
    ...Map.groupBy(shown, ({ operation }) => `${operation.method} ${operation.path}`),
  ].flatMap(([name, alike]) => [
    ...hangText('  ', style.bold(cleanLine(name)), width),
    ...alike.flatMap((difference) =>
      hangText(
        `    ${severityColor(difference.severity, style)('≠')} `,
        differenceText(difference, style),
        width,
      ),
    ),
  ]);
  return [...lines, ...moreLine(differences.length - shown.length, page)];
}

function differenceText(
  { at, kind, trying, left, right, count }: TargetDifference,
  style: TextStyle,
): string {
  return (
    `${cleanLine(`${differencePlace({ at, kind })}: ${left} | ${right}`)} ` +
    style.dim(cleanLine(`(${countOf(count, 'time')}: ${trying})`))
  );
}

function accessLines(summary: RunSummary, { style, width }: PrettyPage): string[] {
  const rows = accessTable(summary).map((row) => row.map(cleanLine));
  const columns = (rows[0] ?? []).map((_cell, at) =>
    Math.max(...rows.map((row) => columnsOf(row[at] ?? ''))),
  );
  const lines = rows.map((row) =>
    `  ${row.map((cell, at) => padText(cell, columns[at] ?? 0)).join('  ')}`.trimEnd(),
  );
  const notes = accessNotes(summary).flatMap((note) => hangText('  ', cleanLine(note), width));
  return [...lines.map((line, at) => (at === 0 ? style.dim(line) : line)), ...notes];
}

function skipLines({ skippedFindings = [] }: RunSummary, { style, width }: PrettyPage): string[] {
  return skippedFindings.flatMap(({ check, operation, message, reason, until }) =>
    hangText(
      `  ${style.dim('○')} `,
      `${cleanLine(`${check} on ${operation}: ${message}`)} ` +
        `${style.dim('Skipped')} ` +
        `${until === undefined ? 'without end date' : `until ${cleanLine(until)}`}: ` +
        cleanLine(reason),
      width,
    ),
  );
}

function moreLine(more: number, { style }: PrettyPage): string[] {
  if (more <= 0) return [];
  const count = countOf(more, 'more difference');
  return [style.dim(`    and ${count}; shown by --verbose and --reporter json`)];
}

/** Each record that the run leaves. */
function leftLines({ left }: RunRecord, { style, width }: PrettyPage): string[] {
  return left.flatMap(({ record, operation, reason }) =>
    hangText(
      `  ${style.yellow('!')} `,
      `${cleanLine(record)} (${cleanLine(operation)}): ${cleanLine(reason)}`,
      width,
    ),
  );
}

function crashLines({ crashed }: RunRecord, { style, width }: PrettyPage): string[] {
  return crashed.flatMap(({ check, message, stack }) => [
    ...hangText(
      `  ${style.red('✗')} `,
      `The check ${cleanLine(check)} crashed: ${cleanLine(message)}`,
      width,
    ),
    ...cleanText(stack)
      .split('\n')
      .map((line) => style.dim(`    ${line}`)),
  ]);
}

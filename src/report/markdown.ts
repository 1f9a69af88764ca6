import { basisWords } from './basis-words.ts';
import { whereOf } from './finding-title.ts';
import type { RunInfo } from '../check/model/event.ts';
import type { Finding } from '../check/model/finding.ts';
import type { RunSummary } from '../check/model/run-summary.ts';
import { formatPlace } from '../errors.ts';
import { countOf, formatDuration, severityCounts } from '../text/counts.ts';
import { cleanLine, cleanText, disarmCommands } from '../text/safe-text.ts';
import { bodyMatter } from './body-text.ts';
import { differencePlace, differenceTitle, exchangeLines } from './exchange-text.ts';
import type { Reporter } from './reporter.ts';
import { atEnd, bySeverity, type RunRecord } from './run-record.ts';
import { shownCommands, shownText } from './shown-text.ts';
import {
  accessNotes,
  accessTable,
  headline,
  isTested,
  nextStep,
  openingStep,
  sentWords,
  shutClauses,
  verdictLine,
  workflowStepLine,
  workflowTitle,
} from './verdict.ts';

/**
 * GitHub refuses a comment above 65,536 characters, and there are never more characters than bytes.
 */
const commentMostBytes = 65_536;

/** For pull requests and job summaries: GitHub-flavoured Markdown at the end of the run. */
export const markdown = {
  id: 'markdown',
  description: 'for pull requests and job summaries: a table and the findings',
  begin: () => atEnd((record, summary) => makeMarkdownReport(record, summary, commentMostBytes)),
} as const satisfies Reporter;

/** GitHub refuses a step's summary above 1 MiB. */
const summaryMostBytes = 1024 * 1024;

/**
 * The summary page of a GitHub job: like `markdown`, with GitHub's limit for summaries. `github`
 * writes it, so it is in no table.
 */
export const githubSummary = {
  id: 'github-summary',
  description: 'for the page of a GitHub job: what markdown writes, up to 1 MiB',
  begin: () => atEnd((record, summary) => makeMarkdownReport(record, summary, summaryMostBytes)),
} as const satisfies Reporter;

/**
 * The run as GitHub-flavoured Markdown: verdict, a table of the operations, and each finding folded
 * under its title. The end is left out if it is longer than `maxBytes` (in UTF-8), and a sentence
 * says so.
 */
function makeMarkdownReport(record: RunRecord, summary: RunSummary, maxBytes = Infinity): string {
  return fitMarkdown(
    headOf(record, summary),
    [...findingParts(record, summary), ...otherParts(record, summary)],
    `**Next:** ${escapeMarkdown(nextStep(record, summary))}`,
    maxBytes,
  );
}

function headOf(record: RunRecord, summary: RunSummary): string[] {
  return [
    `## ${escapeMarkdown(headline(summary))}`,
    `${escapeMarkdown(reasonOf(summary, record))} ${countsText(summary)}`,
    ...reachPart(summary),
    ...(record.run === undefined
      ? []
      : [
          `Checked ${escapeMarkdown(record.run.target)} against ` +
            `${escapeMarkdown(`${record.run.contract.title} ${record.run.contract.version}`)} ` +
            `(${modeOf(record.run)}).`,
        ]),
  ];
}

function findingParts(record: RunRecord, summary: RunSummary): string[] {
  const findings = bySeverity(record.findings);
  return [
    ...(summary.operations.length === 0 ? [] : [table(summary, record)]),
    ...findings.filter(({ severity }) => severity !== 'note').map(foldedFinding),
    ...list(
      'Notes',
      findings
        .filter(({ severity, accepted }) => severity === 'note' && accepted === undefined)
        .map(noteItem),
    ),
    ...list(
      'Accepted by the baseline',
      findings.filter(({ accepted }) => accepted !== undefined).map(noteItem),
    ),
  ];
}

function otherParts(record: RunRecord, summary: RunSummary): string[] {
  return [
    ...list(
      'Workflows',
      (summary.workflows ?? []).flatMap((workflow) => [
        escapeMarkdown(workflowTitle(workflow)),
        ...(workflow.outcome === 'passed'
          ? []
          : workflow.steps.map((step) => `\u00a0\u00a0${escapeMarkdown(workflowStepLine(step))}`)),
      ]),
    ),
    ...list(
      'Gaps of the contract and observed behavior',
      record.gaps.map(
        ({ gap, observed }) =>
          `${escapeMarkdown(gap.message)} Observed: ${escapeMarkdown(observed)}`,
      ),
    ),
    ...differenceTables(record),
    ...accessPart(summary),
    ...list(
      'Skipped by the configuration',
      (summary.skippedFindings ?? []).map(({ check, operation, message, reason, until }) =>
        escapeMarkdown(
          `${check} on ${operation}: ${message} Skipped ` +
            `${until === undefined ? 'without end date' : `until ${until}`}: ` +
            reason,
        ),
      ),
    ),
    ...list(
      'Records left behind',
      record.left.map(
        ({ record: name, operation, reason }) =>
          `${escapeMarkdown(name)} of ${escapeMarkdown(operation)}: ${escapeMarkdown(reason)}`,
      ),
    ),
    ...list(
      'Internal errors',
      record.crashed.map(
        ({ check, message }) =>
          `The check ${escapeMarkdown(check)} crashed: ${escapeMarkdown(message)}`,
      ),
    ),
  ];
}

function accessPart(summary: RunSummary): string[] {
  const [head, ...rows] = accessTable(summary).map(
    (row) => `| ${row.map(escapeMarkdown).join(' | ')} |`,
  );
  if (head === undefined) return [];
  const rule = `|${'---|'.repeat((summary.identities?.length ?? 0) + 1)}`;
  const notes = accessNotes(summary).map(escapeMarkdown);
  return ['### Who could do what', [head, rule, ...rows].join('\n'), ...notes];
}

function fitMarkdown(
  head: readonly string[],
  body: readonly string[],
  next: string,
  maxBytes: number,
): string {
  const write = (parts: readonly string[]): string => disarmCommands(`${parts.join('\n\n')}\n`);
  const whole = write([...head, ...body, next]);
  if (Buffer.byteLength(whole) <= maxBytes) return whole;
  const omission =
    '*This report is truncated: the full report has ' +
    `${countOf(Buffer.byteLength(whole), 'byte')}, the limit is ` +
    `${countOf(maxBytes, 'byte')}. \`--reporter html=report.html\` is ` +
    'complete.*';
  let room = maxBytes - Buffer.byteLength(write([...head, omission, next]));
  const fitting = body.filter((part) => {
    // Escaping makes a text longer, so the escaped part is measured.
    const bytes = Buffer.byteLength(write(['', part]));
    if (bytes > room) return false;
    room -= bytes;
    return true;
  });
  return write([...head, ...fitting, omission, next]);
}

/** The verdict without its title, which is in the heading. */
function reasonOf(summary: RunSummary, record: RunRecord): string {
  return verdictLine(summary, record).slice(headline(summary).length + 1);
}

function modeOf({ recorded, proxied, mode, seed }: RunInfo): string {
  if (proxied === true) return 'traffic through a proxy';
  return recorded === true ? 'a recording' : `${mode}, seed ${escapeMarkdown(seed)}`;
}

/** What keeps operations from being reached, and what may open them. */
function reachPart(summary: RunSummary): string[] {
  const clauses = shutClauses(summary).map((clause) => `- ${escapeMarkdown(clause)}`);
  const opens = openingStep(summary);
  if (clauses.length === 0) return [];
  return [
    ['Skipped:', '', ...clauses].join('\n'),
    ...(opens === undefined ? [] : [escapeMarkdown(opens)]),
  ];
}

function countsText(summary: RunSummary): string {
  const { findings, durationMs } = summary;
  const counts = severityCounts(findings);
  return `Findings: ${counts}; ${sentWords(summary)} in ${formatDuration(durationMs)}.`;
}

function table(summary: RunSummary, { skipped }: RunRecord): string {
  const reasons = new Map(skipped.map(({ operation, reason }) => [operation.id, reason]));
  const rows = summary.operations.map((operation) => {
    const { requests, errors, warnings, notes, statuses } = operation;
    const state = errors > 0 ? '❌' : isTested(operation, summary) ? '✅' : '⚪';
    const answers =
      requests === 0
        ? `skipped: ${reasons.get(operation.id) ?? operation.skipped ?? 'no request sent'}`
        : Object.entries(statuses)
            .map(([status, times]) => `${status} ×${String(times)}`)
            .join(', ');
    const cells = [
      state,
      `${operation.method} ${operation.path}`,
      String(requests),
      answers,
      String(errors),
      String(warnings),
      String(notes),
    ];
    return `| ${cells.map(escapeMarkdown).join(' | ')} |`;
  });
  return [
    '| | operation | requests | responses | errors | warnings | notes |',
    '|---|---|---:|---|---:|---:|---:|',
    ...rows,
  ].join('\n');
}

function foldedFinding(finding: Finding): string {
  const {
    severity,
    check,
    basis,
    message,
    trying,
    expected,
    actual,
    place,
    frame,
    exchange,
    curl,
    count,
    evidence,
  } = finding;
  return [
    `<details><summary>${severity === 'error' ? '❌' : '⚠️'} ` +
      `<b>${escapeMarkdown(check)}</b> ` +
      `${escapeMarkdown(`${whereOf(finding)}: ${message}`)}</` +
      'summary>',
    [
      `- tried: ${escapeMarkdown(trying)}`,
      `- expected: ${escapeMarkdown(expected)}`,
      `- actual: ${escapeMarkdown(actual)}`,
      `- seen: ${countOf(count, 'time')}; ${basisWords[basis]}`,
      `- at: ${escapeMarkdown(formatPlace(place))}`,
    ].join('\n'),
    fence(cleanText(frame), ''),
    ...(exchange === undefined
      ? []
      : [fence(exchangeLines(exchange, bodyMatter(finding)).join('\n'), '')]),
    ...(curl.length === 0 ? [] : [fence(shownCommands(curl).map(cleanText).join('\n'), 'sh')]),
    `Confirmed: ${escapeMarkdown(evidence)}`,
    '</details>',
  ].join('\n\n');
}

function noteItem({ operation, message, check, place, count }: Finding): string {
  const times = count > 1 ? ` (${countOf(count, 'time')})` : '';
  return escapeMarkdown(
    `${operation.method} ${operation.path}: ${message}${times} [${check}, ${formatPlace(place)}]`,
  );
}

/** A table for each operation. */
function differenceTables({ run, differences }: RunRecord): string[] {
  const byOperation = [
    ...Map.groupBy(differences, ({ operation }) => `${operation.method} ${operation.path}`),
  ];
  const tables = byOperation.map(([name, alike]) => {
    const rows = alike.map((difference) => {
      const { severity, left, right, count, trying } = difference;
      const cells = [severity, differencePlace(difference), left, right, String(count), trying];
      return `| ${cells.map(escapeMarkdown).join(' | ')} |`;
    });
    return [
      `**${escapeMarkdown(name)}**`,
      '',
      '| | difference | here | there | count | request |',
      '|---|---|---|---|---:|---|',
      ...rows,
    ].join('\n');
  });
  return tables.length === 0 ? [] : [`### ${escapeMarkdown(differenceTitle(run))}`, ...tables];
}

function list(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`### ${title}`, items.map((item) => `- ${item}`).join('\n')];
}

/**
 * One line of text that Markdown shows literally: no markup, no HTML, no table cell, no link, no
 * `@mention`. Punctuation becomes character references, which have the same meaning in text, tables
 * and HTML (CommonMark, section 6.2).
 */
export function escapeMarkdown(text: string): string {
  return cleanLine(shownText(text)).replaceAll(
    /[&<>"'`*_[\]{}()#+!|~@\\]|(?<=:)\/\/|(?<=www)\./gi,
    (found) => [...found].map((character) => `&#${String(character.codePointAt(0))};`).join(''),
  );
}

/** A fenced block whose fence is longer than any run of backticks in the text. */
export function fence(text: string, language: string): string {
  const longestRun = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const ticks = '`'.repeat(Math.max(3, longestRun + 1));
  return `${ticks}${language}\n${text}\n${ticks}`;
}

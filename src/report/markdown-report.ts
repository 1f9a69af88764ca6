import type { OperationSummary, RunSummary } from '../check/event.ts';
import type { Finding } from '../check/finding.ts';
import { formatPlace } from '../errors.ts';
import { countOf, countsOf, formatDuration } from '../text/counts.ts';
import { exchangeLines } from './exchange-text.ts';
import { escapeMarkdown, fence } from './markdown-text.ts';
import { bySeverity, type RunRecord } from './run-record.ts';
import { cleanText, disarmCommands } from '../text/safe-text.ts';
import { nextStep, verdictTitles } from './verdict.ts';

/** The run as GitHub-flavoured Markdown: verdict, a table of the operations, and each finding folded under its title. */
export function makeMarkdownReport(record: RunRecord, summary: RunSummary): string {
  const findings = bySeverity(record.findings);
  const parts = [
    `## ${verdictTitles[summary.verdict]}`,
    `${escapeMarkdown(summary.reason)} ${told(summary)}`,
    ...(record.run === undefined ? [] : [`Checked ${escapeMarkdown(record.run.target)} against ${escapeMarkdown(`${record.run.contract.title} ${record.run.contract.version}`)} (${record.run.mode}, seed ${escapeMarkdown(record.run.seed)}).`]),
    ...(summary.operations.length === 0 ? [] : [table(summary.operations, record)]),
    ...findings.filter(({ severity }) => severity !== 'note').map(foldedFinding),
    ...list('Notes', findings.filter(({ severity }) => severity === 'note').map(noteItem)),
    ...list('Gaps of the contract, and what was seen there', record.gaps.map(({ gap, observed }) => `${escapeMarkdown(gap.message)} Seen: ${escapeMarkdown(observed)}`)),
    ...list('Records left behind', record.left.map(({ record: name, operation, reason }) => `${escapeMarkdown(name)} of ${escapeMarkdown(operation)}: ${escapeMarkdown(reason)}`)),
    ...list('Faults of vouch itself', record.crashed.map(({ check, message }) => `The check ${escapeMarkdown(check)} crashed: ${escapeMarkdown(message)}`)),
    `**Next:** ${escapeMarkdown(nextStep(record, summary))}`,
  ];
  return disarmCommands(`${parts.join('\n\n')}\n`);
}

function told({ findings, requests, durationMs }: RunSummary): string {
  const counts = countsOf([[findings.error, 'error'], [findings.warning, 'warning'], [findings.note, 'note']]);
  return `Findings: ${counts}; ${countOf(requests, 'request')} in ${formatDuration(durationMs)}.`;
}

function table(operations: readonly OperationSummary[], { skipped }: RunRecord): string {
  const reasons = new Map(skipped.map(({ operation, reason }) => [operation.id, reason]));
  const rows = operations.map((operation) => {
    const { requests, errors, warnings, notes, statuses } = operation;
    const state = errors > 0 ? '❌' : requests === 0 ? '⚪' : '✅';
    const answers = requests === 0 ? `skipped: ${reasons.get(operation.id) ?? operation.skipped ?? 'nothing was sent to it'}` : Object.entries(statuses).map(([status, times]) => `${status} ×${String(times)}`).join(', ');
    const cells = [state, `${operation.method} ${operation.path}`, String(requests), answers, String(errors), String(warnings), String(notes)];
    return `| ${cells.map(escapeMarkdown).join(' | ')} |`;
  });
  return ['| | operation | requests | answers | errors | warnings | notes |', '|---|---|---:|---|---:|---:|---:|', ...rows].join('\n');
}

function foldedFinding(finding: Finding): string {
  const { severity, check, basis, operation, message, trying, expected, actual, place, frame, exchange, curl, count, evidence } = finding;
  return [
    `<details><summary>${severity === 'error' ? '❌' : '⚠️'} <b>${escapeMarkdown(check)}</b> ${escapeMarkdown(`${operation.method} ${operation.path}: ${message}`)}</summary>`,
    [`- tried: ${escapeMarkdown(trying)}`, `- expected: ${escapeMarkdown(expected)}`, `- actual: ${escapeMarkdown(actual)}`, `- seen: ${countOf(count, 'time')}; basis: ${basis}`, `- at: ${escapeMarkdown(formatPlace(place))}`].join('\n'),
    fence(cleanText(frame), ''),
    ...(exchange === undefined ? [] : [fence(exchangeLines(exchange).join('\n'), '')]),
    ...(curl.length === 0 ? [] : [fence(curl.map(cleanText).join('\n'), 'sh')]),
    `Why it is sure: ${escapeMarkdown(evidence)}`,
    '</details>',
  ].join('\n\n');
}

function noteItem({ operation, message, check, place, count }: Finding): string {
  const times = count > 1 ? ` (${countOf(count, 'time')})` : '';
  return escapeMarkdown(`${operation.method} ${operation.path}: ${message}${times} [${check}, ${formatPlace(place)}]`);
}

function list(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`### ${title}`, items.map((item) => `- ${item}`).join('\n')];
}

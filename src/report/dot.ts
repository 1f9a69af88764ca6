import type { Exchange } from '../check/model/exchange.ts';
import type { RunSummary } from '../check/model/run-summary.ts';
import { formatPlace } from '../errors.ts';
import { formatDuration, severityCounts } from '../text/counts.ts';
import { cleanLine, disarmCommands } from '../text/safe-text.ts';
import { makeTextStyle, type TextStyle } from '../text/text-style.ts';
import { wrapText } from '../text/wrap-text.ts';
import { titleOf } from './pretty/finding-block.ts';
import type { Reporter, ReporterOptions } from './reporter.ts';
import { atEnd, bySeverity, type RunRecord } from './run-record.ts';
import { headline, sentWords, verdictLine } from './verdict.ts';

/** For short logs: a dot for each response, then one line for each error and warning. */
export const dot = {
  id: 'dot',
  description: 'for short logs: a dot for each answer, a line for each error',
  live: true,
  begin: ({ color, width, terminal }: ReporterOptions) => {
    const style = makeTextStyle(color);
    let column = 0;
    const isLineFull = (): boolean => column % Math.max(width, 1) === 0;
    const end = atEnd(
      (record, summary) =>
        (isLineFull() ? '' : '\n') +
        disarmCommands(
          writeLines(endOf(record, summary, style), terminal === true ? width : undefined),
        ),
    );
    return (event) => {
      if (event.type !== 'exchange-recorded') return end(event);
      column += 1;
      return markOf(event.exchange, style) + (isLineFull() ? '\n' : '');
    };
  },
} as const satisfies Reporter;

/** A dot for a response, `5` for a server error, `x` without a response. */
function markOf({ response }: Exchange, style: TextStyle): string {
  if (response === undefined) return style.red('x');
  return response.status >= 500 ? style.red('5') : '.';
}

function endOf(record: RunRecord, summary: RunSummary, style: TextStyle): string[] {
  const { findings, crashed } = record;
  const { findings: counts, durationMs } = summary;
  const lines = bySeverity(findings)
    .filter(({ severity }) => severity !== 'note')
    .map(
      (finding) =>
        `${finding.severity === 'error' ? style.red('error') : style.yellow('warning')} ` +
        `${titleOf(finding)} (${cleanLine(finding.check)}, ` +
        `${cleanLine(formatPlace(finding.place))})`,
    );
  const crashes = crashed.map(
    ({ check, message }) =>
      `${style.red('internal error')} the check ${cleanLine(check)} crashed: ${cleanLine(message)}`,
  );
  const findingCounts = severityCounts(counts);
  const verdict = verdictLine(summary, record).replace(headline(summary), (words) =>
    style.bold(words),
  );
  const cost = `${sentWords(summary)} in ${formatDuration(durationMs)}`;
  const end = `${verdict} Findings: ${findingCounts}; ${cost}.`;
  return [...lines, ...crashes, end];
}

const indent = '  ';

/** Whole lines, for `grep`; in a terminal, long lines are broken between words. */
function writeLines(lines: readonly string[], width: number | undefined): string {
  const broken = (line: string, columns: number): string[] =>
    wrapText(line, columns - indent.length).map((part, index) =>
      index === 0 ? part : indent + part,
    );
  return lines
    .flatMap((line) => (width === undefined ? [line] : broken(line, width)))
    .map((line) => `${line}\n`)
    .join('');
}

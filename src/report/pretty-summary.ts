import type { RunSummary, Verdict } from '../check/event.ts';
import { countOf, countsOf, formatDuration } from '../text/counts.ts';
import type { Page } from './pretty-start.ts';
import type { RunRecord } from './run-record.ts';
import { cleanLine } from '../text/safe-text.ts';
import type { TextStyle } from '../text/text-style.ts';
import { nextStep, verdictTitles } from './verdict.ts';
import { hangText, wrapText } from '../text/wrap-text.ts';

/** The end of the page: verdict, counts, and what to do next. */
export function summaryLines(record: RunRecord, summary: RunSummary, { style, width }: Page): string[] {
  const color = verdictColor(summary.verdict, style);
  const asked = summary.operations.filter(({ requests }) => requests > 0).length;
  const { error, warning, note } = summary.findings;
  const rows: readonly (readonly [word: string, text: string])[] = [
    ['findings', countsOf([[error, 'error'], [warning, 'warning'], [note, 'note']])],
    ['requests', `${summary.requests.toLocaleString('en-US')} in ${formatDuration(summary.durationMs)}, to ${String(asked)} of ${countOf(summary.operations.length, 'operation')}`],
    ...(record.left.length === 0 ? [] : [['left', 'records that this run created and could not delete, named above'] as const]),
    ['next', nextStep(record, summary)],
  ];
  return [
    ...wrapText(`${color(style.bold(verdictTitles[summary.verdict]))} ${cleanLine(summary.reason)}`, width),
    '',
    ...rows.flatMap(([word, text]) => hangText(`  ${style.dim(word.padEnd(9))} `, text, width)),
    '',
  ];
}

function verdictColor(verdict: Verdict, style: TextStyle): (text: string) => string {
  if (verdict === 'kept') return style.green;
  return verdict === 'broken' || verdict === 'crashed' ? style.red : style.yellow;
}

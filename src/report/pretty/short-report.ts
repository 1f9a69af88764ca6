import type { Finding } from '../../check/model/finding.ts';
import type { RunSummary } from '../../check/model/run-summary.ts';
import { countOf, formatDuration, formatNumber } from '../../text/counts.ts';
import { cleanLine } from '../../text/safe-text.ts';
import { hangText } from '../../text/wrap-text.ts';
import { bySeverity, type RunRecord } from '../run-record.ts';
import { isWithoutResult, nextStep } from '../verdict.ts';
import { bugCard, bugLine } from './bug-card.ts';
import type { PrettyPage } from './pretty-start.ts';
import {
  acceptedRows,
  censusRows,
  type Row,
  skippedRows,
  unsentRows,
  untestedRows,
  verdictLines,
} from './pretty-summary.ts';

/** The lines of a report that is not verbose, without what the user asked for besides bugs. */
const mostLines = 35;
const mostCards = 5;
const mostClauses = 4;

/**
 * What a run found, on one screen: the verdict, the first bugs as cards, the others as lines, what
 * was tested and what is left, and the next step.
 */
export function shortReport(
  record: RunRecord,
  summary: RunSummary,
  page: PrettyPage,
  sections: readonly string[],
): string[] {
  const verdict = verdictLines(record, summary, page);
  const bugs = bySeverity(record.findings).filter(({ severity }) => severity !== 'note');
  const report = (rows: readonly Row[]): string[] => {
    const end = rows.flatMap(([word, text]) =>
      hangText(`  ${page.style.dim(word.padEnd(9))} `, text, page.width),
    );
    const room = mostLines - verdict.length - end.length - sections.length - 3;
    return ['', ...verdict, '', ...bugLines(bugs, room, page), ...sections, ...end, ''];
  };
  const rows = endRows(record, summary, page);
  const whole = report(rows.toSpliced(-1, 0, ...overlayRows(record)));
  return whole.length <= mostLines ? whole : report(rows);
}

/** How much of it a change of the document answers. */
function overlayRows({ findings, gaps }: RunRecord): Row[] {
  const counted = [
    [findings, 'finding'],
    [gaps, 'gap'],
  ] as const;
  const answered = counted
    .map(
      ([all, noun]) => [all.filter((one) => one.overlayAction !== undefined).length, noun] as const,
    )
    .filter(([count]) => count > 0)
    .map(([count, noun]) => countOf(count, noun));
  return answered.length === 0
    ? []
    : [['document', `an Overlay can answer ${answered.join(' and ')}: --write-overlay FILE`]];
}

/** As many cards as there is room for, at least one; then a line for each other bug. */
function bugLines(bugs: readonly Finding[], room: number, page: PrettyPage): string[] {
  const cards: string[][] = [];
  let taken = 0;
  for (const [index, bug] of bugs.slice(0, mostCards).entries()) {
    const card = numbered(index, bugCard(bug, layoutOf(index, page)));
    const others = Math.min(bugs.length - index - 1, mostOthers + 1);
    if (index > 0 && taken + card.length + 1 + others > room) break;
    cards.push([...card, '']);
    taken += card.length + 1;
  }
  const rest = bugs.slice(cards.length);
  const space = Math.max(Math.min(rest.length, mostOthers), room - taken - 2);
  const shown = rest.length <= space ? rest : rest.slice(0, Math.max(1, space - 1));
  const more = rest.length - shown.length;
  return [
    ...cards.flat(),
    ...shown.flatMap((bug, at) => {
      const index = cards.length + at;
      return numbered(index, [bugLine(bug, layoutOf(index, page))]);
    }),
    ...(more === 0
      ? []
      : [
          page.style.dim(`     and ${countOf(more, 'more bug')}: --verbose or -r html=report.html`),
        ]),
    ...(shown.length === 0 ? [] : ['']),
  ];
}

const mostOthers = 8;

function numbered(index: number, lines: readonly string[]): string[] {
  const number = `  ${String(index + 1)}) `;
  const indent = ' '.repeat(number.length);
  return lines.map((line, at) => (at === 0 ? number : indent) + line);
}

function layoutOf(index: number, page: PrettyPage): Parameters<typeof bugCard>[1] {
  const { style, width, terminal, program } = page;
  return { style, width: width - `  ${String(index + 1)}) `.length, terminal, program };
}

function endRows(record: RunRecord, summary: RunSummary, { program }: PrettyPage): Row[] {
  const isShort = isWithoutResult(summary);
  const { note } = summary.findings;
  const extra = [
    [note, 'note', 'notes'],
    [record.gaps.length, 'gap in the contract', 'gaps in the contract'],
  ] as const;
  return [
    ...(isShort ? [] : coveredRows(record, summary)),
    ...(isShort ? unsentRows(summary, mostClauses) : untestedRows(summary, mostClauses)),
    ...acceptedRows(record),
    ...skippedRows(summary),
    ...(extra.every(([count]) => count === 0)
      ? []
      : [
          [
            'also',
            `${extra
              .filter(([count]) => count > 0)
              .map(([count, one, many]) => countOf(count, one, many))
              .join(', ')}: --verbose`,
          ] as const,
        ]),
    ...(summary.identities === undefined
      ? []
      : [
          [
            'access',
            `${countOf(summary.identities.length, 'identity', 'identities')}: ` +
              '--verbose shows who could do what',
          ] as const,
        ]),
    ...leftRows(record),
    ...(isShort ? [] : censusRows(summary)),
    ['next', nextStep(record, summary, program)],
  ];
}

function coveredRows({ run }: RunRecord, summary: RunSummary): Row[] {
  const { operations, requests, cleanup, durationMs, reach, coverage } = summary;
  const asked = operations.filter((one) => one.requests > 0).length;
  const covered = reach?.reached ?? asked;
  const sent =
    run?.recorded === true
      ? countOf(requests, 'recorded exchange')
      : `${countOf(requests, 'request')}${
          cleanup === undefined ? '' : ` (including ${formatNumber(cleanup)} for cleanup)`
        } in ${formatDuration(durationMs)}`;
  const statuses =
    coverage === undefined || coverage.statuses.total === 0
      ? ''
      : `; ${String(coverage.statuses.reached)} of ` +
        countOf(coverage.statuses.total, 'documented status', 'documented statuses');
  return [
    [
      'covered',
      `${String(covered)} of ${countOf(operations.length, 'operation')} with ${sent}${statuses}`,
    ],
  ];
}

const mostLeft = 3;

/** What the run leaves behind, a line for each operation and reason. */
function leftRows({ left }: RunRecord): Row[] {
  const alike = [
    ...Map.groupBy(left, ({ operation, reason }) => `${operation}\n${reason}`).values(),
  ];
  const rows = alike.slice(0, mostLeft).flatMap((entries, index): Row[] => {
    const [first] = entries;
    if (first === undefined) return [];
    const count = entries.reduce((sum, entry) => sum + (entry.count ?? 1), 0);
    const what =
      count === 1
        ? cleanLine(first.record)
        : countOf(count, 'record or action', 'records or actions');
    const text = `${what} of ${cleanLine(first.operation)}: ${cleanLine(first.reason)}`;
    return [[index === 0 ? 'left over' : '', text]];
  });
  const more = alike.length - rows.length;
  return more <= 0 ? rows : [...rows, ['', `and of ${countOf(more, 'more operation')}: --verbose`]];
}

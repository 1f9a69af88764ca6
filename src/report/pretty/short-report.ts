import type { Finding } from '../../check/model/finding.ts';
import type { RunSummary } from '../../check/model/run-summary.ts';
import { formatPlace } from '../../errors.ts';
import { countOf, formatDuration, formatNumber, joinWords } from '../../text/counts.ts';
import { cleanLine, cleanText } from '../../text/safe-text.ts';
import { severityColor } from '../../text/text-style.ts';
import { breakCommand, columnsOf, fitText, hangText, wrapText } from '../../text/wrap-text.ts';
import { bodyFragment, bodyMatter } from '../body-text.ts';
import { basisWords } from '../basis-words.ts';
import { bySeverity, type RunRecord } from '../run-record.ts';
import { shownCommands, shownText } from '../shown-text.ts';
import { isWithoutResult, nextStep } from '../verdict.ts';
import { type BlockLayout, titleOf } from './finding-block.ts';
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

/** More commands than these are run by `vouch replay`. */
const mostCommands = 2;

/**
 * A bug in 5 to 8 lines: what the service does, what is expected, one exchange, the line of the
 * contract, how to reproduce it, and what else it explains.
 */
function bugCard(finding: Finding, layout: BlockLayout): string[] {
  const { style, width } = layout;
  const facts = [
    `${finding.check} (${basisWords[finding.basis]})`,
    ...(finding.blame === 'server' ? [] : [blameWords[finding.blame]]),
    finding.id,
    `seen ${finding.count === 1 ? 'once' : countOf(finding.count, 'time')}`,
  ];
  return [
    ...wrapText(titleOf(finding), width - columnsOf(finding.severity) - 1).map((line, index) =>
      index === 0
        ? `${severityColor(finding.severity, style)(finding.severity)} ${style.bold(line)}`
        : style.bold(line),
    ),
    ...row('expected', shownText(finding.expected), layout),
    ...answerLines(finding, layout),
    fitText(cleanLine(`${formatPlace(finding.place)}  ${contractLine(finding)}`), width),
    ...commandLines(finding, layout),
    ...alsoLines(finding, layout),
    style.dim(fitText(cleanLine(facts.join(' · ')), width)),
  ].map((line) => line.trimEnd());
}

const blameWords = {
  contract: 'fault of the contract',
  undecided: 'fault of server or contract',
} as const;

function bugLine(finding: Finding, { style, width }: BlockLayout): string {
  const rest = width - columnsOf(finding.severity) - 1;
  const color = severityColor(finding.severity, style);
  return `${color(finding.severity)} ${fitText(titleOf(finding), rest)}`;
}

const wordWidth = 9;

function row(word: string, text: string, { style, width }: BlockLayout): string[] {
  return hangText(`${style.dim(word.padEnd(wordWidth))} `, cleanLine(text), width);
}

/** The answer, in one line: its status and the part of its body that matters. */
function answerLines(finding: Finding, layout: BlockLayout): string[] {
  const { exchange } = finding;
  if (exchange === undefined) return row('actual', shownText(finding.actual), layout);
  const { request, response, fault } = exchange;
  const body =
    response === undefined
      ? (fault?.kind ?? 'no answer')
      : `${String(response.status)} ${bodyFragment(response.body, bodyMatter(finding)).join(' ')}`;
  const start = `${layout.style.dim('answer'.padEnd(wordWidth))} `;
  const text = cleanLine(`${request.method} ${shownText(request.target)} → ${body}`);
  return [start + fitText(text, layout.width - wordWidth - 1)];
}

/** The line of the contract that is marked in the frame. */
function contractLine({ frame }: Finding): string {
  const marked = cleanText(frame)
    .split('\n')
    .find((line) => /^ *> *\d+ \|/.test(line));
  return (marked ?? '').replace(/^ *> *\d+ \| */, '');
}

function commandLines(finding: Finding, layout: BlockLayout): string[] {
  const { style, width, terminal, program = 'vouch' } = layout;
  const commands = shownCommands(finding.curl).map((command) => cleanText(command));
  if (commands.length === 0) return [];
  if (commands.length > mostCommands && finding.replay !== undefined && /^\w+$/.test(finding.id))
    return [
      `${program} replay ${finding.id}` +
        style.dim(`  # sends its ${countOf(commands.length, 'request')} again`),
    ];
  return commands.flatMap((command) =>
    terminal === true ? breakCommand(command, width) : [command],
  );
}

/** What else the bug explains: how many symptoms, and of which checks. */
function alsoLines({ alsoSeenAs = [] }: Finding, layout: BlockLayout): string[] {
  if (alsoSeenAs.length === 0) return [];
  const checks = [...Map.groupBy(alsoSeenAs, ({ check }) => check)].map(([check, alike]) =>
    alike.length === 1 ? check : `${check} ×${String(alike.length)}`,
  );
  const operations = [...new Set(alsoSeenAs.flatMap((one) => one.operations))];
  const on =
    operations.length > 3 ? countOf(operations.length, 'operation') : joinWords(operations);
  return row('symptoms', `${joinWords(checks)}, in ${on}`, layout).slice(0, 2);
}

import type { Finding } from '../../check/model/finding.ts';
import { formatPlace } from '../../errors.ts';
import { countOf, joinWords } from '../../text/counts.ts';
import { cleanLine, cleanText } from '../../text/safe-text.ts';
import { severityColor } from '../../text/text-style.ts';
import { breakCommand, columnsOf, fitText, hangText, wrapText } from '../../text/wrap-text.ts';
import { basisWords } from '../basis-words.ts';
import { bodyFragment, bodyMatter } from '../body-text.ts';
import { shownCommands, shownText } from '../shown-text.ts';
import { type BlockLayout, titleOf } from './finding-block.ts';

/** More commands than these are run by `vouch replay`. */
const mostCommands = 2;

/**
 * A bug in 5 to 8 lines: what the service does, what is expected, one exchange, the line of the
 * contract, how to reproduce it, and what else it explains.
 */
export function bugCard(finding: Finding, layout: BlockLayout): string[] {
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

/** A bug in one line. */
export function bugLine(finding: Finding, { style, width }: BlockLayout): string {
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

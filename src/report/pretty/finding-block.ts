import type { Exchange } from '../../check/model/exchange.ts';
import type { Finding } from '../../check/model/finding.ts';
import { formatPlace } from '../../errors.ts';
import { countOf, joinWords } from '../../text/counts.ts';
import { cleanLine, cleanText } from '../../text/safe-text.ts';
import { severityColor, type TextStyle } from '../../text/text-style.ts';
import { breakBody, breakCommand, columnsOf, fitText, hangText } from '../../text/wrap-text.ts';
import { basisWords } from '../basis-words.ts';
import { bodyMatter, type BodyMatter, isMeantEverywhere, matterPattern } from '../body-text.ts';
import { exchangeLines } from '../exchange-text.ts';
import { whereOf } from '../finding-title.ts';
import { shownCommands, shownText } from '../shown-text.ts';
import { looksLike } from '../../words-in.ts';

/** The layout of a finding: colors, and the width of its prose. */
export interface BlockLayout {
  readonly style: TextStyle;
  readonly width: number;
  /** Whether frames, bodies and commands are wrapped too. */
  readonly terminal?: boolean;
  /** The command that starts vouch. */
  readonly program?: string;
}

/**
 * A finding for people, one string per line: what, where in the contract, the exchange, commands
 * that reproduce it, and how it was confirmed.
 */
export function findingBlock(finding: Finding, layout: BlockLayout): string[] {
  const { style } = layout;
  const curl = shownCommands(finding.curl)
    .map((command) => cleanText(command))
    .flatMap((command) =>
      layout.terminal === true ? breakCommand(command, layout.width) : [command],
    );
  return [
    ...titleLines(finding, layout),
    '',
    ...factLines(finding, layout),
    '',
    style.cyan(cleanLine(formatPlace(finding.place))),
    ...frameLines(finding, layout),
    '',
    ...(finding.exchange === undefined
      ? []
      : [...shownExchange(finding, finding.exchange, layout), '']),
    ...(curl.length === 0
      ? []
      : [style.dim('reproduce:'), ...curl, ...replayLine(finding, layout), '']),
    ...hangText('confirmed: ', cleanLine(finding.evidence), layout.width),
  ];
}

/** `GET /items and 3 more operations: what the server did`, in one line without a break. */
export function titleOf(finding: Finding): string {
  return `${cleanLine(whereOf(finding))}: ${cleanLine(shownText(finding.message))}`;
}

function titleLines(finding: Finding, { style, width }: BlockLayout): string[] {
  const color = severityColor(finding.severity, style);
  const head =
    `${color(finding.severity)} ${style.bold(cleanLine(finding.check))} ` +
    style.dim(`(${basisWords[finding.basis]}, id ${cleanLine(finding.id)})`);
  return [head, ...hangText('', titleOf(finding), width).map((line) => style.bold(line))];
}

function factLines(finding: Finding, { style, width }: BlockLayout): string[] {
  const others = finding.operations.filter((id) => id !== finding.operation.id);
  const seen = finding.count > 1 || others.length > 0;
  const on = others.length === 0 ? '' : `, on ${joinWords([finding.operation.id, ...others])}`;
  const facts: readonly (readonly [word: string, text: string | undefined])[] = [
    ['tried', finding.trying],
    ['expected', finding.expected],
    ['actual', finding.actual],
    ['seen', seen ? `${countOf(finding.count, 'time')}${on}` : undefined],
    [
      'blame',
      finding.blame === 'server'
        ? undefined
        : finding.blame === 'contract'
          ? 'the contract, not the server'
          : 'undecided: server or contract',
    ],
  ];
  return facts.flatMap(([word, text]) =>
    text === undefined || text === ''
      ? []
      : hangText(style.dim(word.padEnd(10)), cleanLine(shownText(text)), width),
  );
}

/**
 * An identifier is repeated only if a shell needs no quotes for it. The remark is omitted if the
 * terminal has no room.
 */
function replayLine(
  { id, replay }: Finding,
  { style, width, terminal, program = 'vouch' }: BlockLayout,
): string[] {
  if (replay === undefined || !/^\w+$/.test(id)) return [];
  const command = `${program} replay ${id}`;
  const remark = '  # after fixing it';
  return [
    terminal === true && columnsOf(command + remark) > width
      ? command
      : command + style.dim(remark),
  ];
}

/**
 * The lines of the contract. They are cut at the width of the terminal, except for the marked part.
 */
function frameLines({ frame }: Finding, { style, width, terminal }: BlockLayout): string[] {
  const lines = cleanText(frame)
    .split('\n')
    .map((line) => `  ${line}`);
  const isMarkSeen = lines.every((line) => !isMark(line) || columnsOf(line) < width);
  return lines.map((line) =>
    markFrameLine(terminal === true && isMarkSeen ? fitText(line, width) : line, style),
  );
}

function markFrameLine(line: string, style: TextStyle): string {
  if (/^ *>/.test(line)) return line;
  return isMark(line) ? style.red(line) : style.dim(line);
}

const isMark = looksLike(/^ *\| *\^$/);

/**
 * The exchange of a finding, one string a line: the body is dimmed except for the part that the
 * finding concerns.
 */
function shownExchange(
  finding: Finding,
  exchange: Exchange,
  { style, width }: BlockLayout,
): string[] {
  const about = bodyMatter(finding);
  const [request = '', answer = '', ...body] = exchangeLines(exchange, about);
  const lines = body.flatMap((line) => breakBody(line, width));
  const matter = about === undefined ? undefined : patternIn(lines, about);
  return [
    request,
    markStatus(answer, finding, style),
    ...lines.map((line) => markMatter(line, matter, style)),
  ];
}

/** Highlights the status if the finding concerns it. */
function markStatus(line: string, { actual }: Finding, style: TextStyle): string {
  return /^\d{3}$/.test(actual) && line.startsWith(`${actual} `)
    ? style.yellow(actual) + line.slice(actual.length)
    : line;
}

/** The pattern to highlight in each line of the body; undefined if it is ambiguous. */
function patternIn(lines: readonly string[], about: BodyMatter): RegExp | undefined {
  const pattern = new RegExp(matterPattern(about, cleanLine), 'g');
  const places = lines.reduce((count, line) => count + [...line.matchAll(pattern)].length, 0);
  return places === 1 || isMeantEverywhere(about) ? pattern : undefined;
}

function markMatter(line: string, matter: RegExp | undefined, style: TextStyle): string {
  if (matter === undefined) return style.dim(line);
  const parts: string[] = [];
  let end = 0;
  for (const { 0: found, index } of line.matchAll(matter)) {
    parts.push(style.dim(line.slice(end, index)), style.yellow(found));
    end = index + found.length;
  }
  return [...parts, style.dim(line.slice(end))].join('');
}

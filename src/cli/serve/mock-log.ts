import { relative } from 'node:path';
import type { CallbackReport, ReloadEvent } from '../../library/start-mock.ts';
import { cleanLine, cutText } from '../../text/safe-text.ts';
import { makeTextStyle, type TextStyle } from '../../text/text-style.ts';
import { columnsOf, wrapText } from '../../text/wrap-text.ts';
import { type Io, wantsColor } from '../io.ts';
import { printError } from '../print-error.ts';

/** An exchange, as far as its line tells of it. */
export interface ShownExchange {
  readonly method: string;
  readonly target: string;
  readonly status: number;
  readonly durationMs: number;
  readonly operation?: string;
  readonly fault?: string;
  readonly scenario?: string;
  readonly reason?: string;
}

/**
 * The line of one request: status, time, method and target, then the operation, the scenario and
 * the network fault, and why it was refused.
 */
export function requestLine(
  io: Io,
  { method, target, status, durationMs, operation, fault, scenario, reason }: ShownExchange,
): string {
  const style = makeTextStyle(wantsColor(io, 'err'));
  const flags = [
    operation,
    scenario === undefined ? undefined : `scenario ${scenario}`,
    fault,
  ].filter((word) => word !== undefined);
  const start =
    `${paintStatus(String(status), style)} ${timeOf(durationMs, style)}  ` +
    `${methodOf(method, style)} ${shorten(target)}`;
  return fitLine(io, start, [
    { text: flags.map(cleanLine).join(' · '), paint: style.dim },
    {
      text: reason === undefined ? '' : cleanLine(cutText(reason, longestReason)),
      paint: style.yellow,
    },
  ]);
}

/**
 * The line of one attempt to send a callback, or of one that is not sent; nothing where it was told
 * before.
 */
export function callbackLine(io: Io, report: CallbackReport): string {
  const {
    name,
    operation,
    method = '',
    url = '',
    outcome,
    attempt,
    status,
    reason = '',
    retryInMs,
    hint,
    repeated,
    durationMs,
  } = report;
  if (repeated === true) return '';
  const style = makeTextStyle(wantsColor(io, 'err'));
  const who = `${operation === undefined ? 'webhook' : 'callback'} ${shorten(name)}`;
  if (outcome === 'refused' || outcome === 'dropped')
    return (
      `${who}${url === '' ? '' : ` to ${shorten(url)}`} not sent: it ` +
      `${cleanLine(reason)}${hint === undefined ? '' : `. ${cleanLine(hint)}`}\n`
    );
  const again = [
    ...(outcome === 'failed' ? [`attempt ${String(attempt)}`] : []),
    ...(retryInMs === undefined ? [] : [`retry in ${String(retryInMs / 1_000)} s`]),
  ];
  const start =
    `${paintStatus(outcome === 'answered' ? String(status ?? '') : '---', style)} ` +
    `${timeOf(durationMs, style)}  ${methodOf(method, style)} ${shorten(url)}`;
  return fitLine(io, start, [
    { text: [who, ...again].join(' · '), paint: style.dim },
    { text: outcome === 'failed' ? cleanLine(reason) : '', paint: style.yellow },
  ]);
}

/** Where the target begins, and what has no room behind it. */
const targetColumn = 22;
const longestReason = 300;

interface Part {
  readonly text: string;
  readonly paint: (text: string) => string;
}

/**
 * In a log each request has one line; on a terminal, what has no room on it stands under the
 * target.
 */
function fitLine(io: Io, start: string, parts: readonly Part[]): string {
  const lines = [start];
  for (const { text, paint } of parts.filter((part) => part.text !== '')) {
    const last = lines.at(-1) ?? '';
    if (!io.isTTY.err || columnsOf(last) + 2 + columnsOf(text) <= io.width)
      lines.splice(-1, 1, `${last}  ${paint(text)}`);
    else
      lines.push(
        ...wrapText(text, Math.max(io.width - targetColumn, 24)).map(
          (line) => ' '.repeat(targetColumn) + paint(line),
        ),
      );
  }
  return `${lines.join('\n')}\n`;
}

/** `OPTIONS` is the longest of those that contracts have. */
function methodOf(method: string, style: TextStyle): string {
  return style.bold(cleanLine(method).padEnd(7));
}

function timeOf(durationMs: number, style: TextStyle): string {
  return style.dim(`${durationMs.toFixed(0)} ms`.padStart(8));
}

function paintStatus(status: string, style: TextStyle): string {
  const paint = /^[123]/.test(status)
    ? style.green
    : status.startsWith('4')
      ? style.yellow
      : style.red;
  return paint(status.padEnd(3));
}

const longest = 120;

function shorten(text: string): string {
  return cleanLine(text.length > longest ? `${text.slice(0, longest)}…` : text);
}

/**
 * Writes a line for each item, those of one turn of the event loop together: writing to a terminal
 * holds everything up, and under load there are many lines a turn. Lines are made when they are
 * written.
 */
export function batchLines<Item>(
  lineOf: (item: Item) => string,
  write: (text: string) => void,
): (item: Item) => void {
  let waiting: Item[] = [];
  const flush = (): void => {
    const items = waiting;
    waiting = [];
    write(items.map(lineOf).join(''));
  };
  return (item) => {
    if (waiting.length === 0) setImmediate(flush);
    waiting.push(item);
  };
}

/**
 * A fault that comes with every request is told once; no more of them are remembered than anybody
 * would read.
 */
const maxTold = 100;

/**
 * Tells a person of vouch's own faults while the mock serves: the client has learnt no more than
 * the status 500.
 */
export function logErrors(io: Io): (fault: unknown) => void {
  const told = new Set<string>();
  return (fault) => {
    const text = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
    if (told.has(text) || told.size >= maxTold) return;
    told.add(text);
    printError(fault, io);
  };
}

/**
 * Tells a person what came of an edit: a line where it was taken, the error with its place where it
 * was not.
 */
export function logReload(io: Io, event: ReloadEvent): void {
  if (event.type === 'failed') {
    printError(event.error, io);
    io.err('The mock keeps serving the previous version until this is fixed.\n');
    return;
  }
  const files = event.files.map((file) => cleanLine(relative(process.cwd(), file) || file));
  const named =
    files.length > 3
      ? `${files.slice(0, 3).join(', ')} and ${String(files.length - 3)} more`
      : files.join(', ');
  io.err(
    `reloaded ${named}${event.mended ? ', fixed' : ''}: ` +
      `${count(event.operations, 'operation')}${dropped(event.dropped)}\n`,
  );
}

function dropped(records: number): string {
  if (records === 0) return '';
  return (
    `, ${count(records, 'record')} dropped because ` +
    (records === 1 ? 'it no longer fits' : 'they no longer fit')
  );
}

function count(number: number, word: string): string {
  return `${String(number)} ${word}${number === 1 ? '' : 's'}`;
}

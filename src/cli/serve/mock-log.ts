import { relative } from 'node:path';
import type { CallbackReport, ReloadEvent } from '../../library/start-mock.ts';
import type { ExchangeRecord } from '../../server/journal/journal.ts';
import { countOf } from '../../text/counts.ts';
import { cleanLine, cutText } from '../../text/safe-text.ts';
import { makeTextStyle, type TextStyle } from '../../text/text-style.ts';
import { columnsOf, padText, wrapText } from '../../text/wrap-text.ts';
import { type Io, wantsColor } from '../io.ts';
import { placeInHandler } from '../../library/handlers/import-anew.ts';
import { printError } from '../print-error.ts';

/** The parts of an exchange that the log shows; status 0: there was no response. */
export type ShownExchange = Omit<ExchangeRecord, 'run'>;

/**
 * The log line of a request: time of day, status, duration, method, target, operation, scenario,
 * network fault and reason of a refusal. Below it, the lines of the contract that an answer of the
 * mock would break.
 */
export function requestLine(
  io: Io,
  { method, target, status, durationMs, operation, fault, scenario, ...why }: ShownExchange,
): string {
  const style = makeTextStyle(wantsColor(io, 'err'));
  const flags = [
    operation,
    scenario === undefined ? undefined : `scenario ${scenario}`,
    fault,
  ].filter((word) => word !== undefined);
  const start =
    `${momentOf(io, style)} ${paintStatus(status === 0 ? '---' : String(status), style)} ` +
    `${timeOf(durationMs, style)}  ${methodOf(method, style)} ${inColumn(io, shorten(target))}`;
  const line = fitLine(io, start, [
    { text: flags.map(cleanLine).join(' · '), paint: style.dim },
    {
      text: why.reason === undefined ? '' : cleanLine(cutText(why.reason, longestReason)),
      paint: style.yellow,
    },
  ]);
  return why.frame === undefined ? line : `${line}${frameLines(why.frame, io.width)}`;
}

function frameLines(frame: string, width: number): string {
  return frame
    .split('\n')
    .map((line) => `    ${cutText(cleanLine(line), Math.max(width - 4, 40))}\n`)
    .join('');
}

/** The log line of a callback attempt or a skipped callback; empty if it was logged before. */
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
    `${momentOf(io, style)} ` +
    `${paintStatus(outcome === 'answered' ? String(status ?? '') : '---', style)} ` +
    `${timeOf(durationMs, style)}  ${methodOf(method, style)} ${shorten(url)}`;
  return fitLine(io, start, [
    { text: [who, ...again].join(' · '), paint: style.dim },
    { text: outcome === 'failed' ? cleanLine(reason) : '', paint: style.yellow },
  ]);
}

/** The column of the target; the continuation lines start there too. */
const targetColumn = 31;
const longestReason = 300;

interface Part {
  readonly text: string;
  readonly paint: (text: string) => string;
}

/**
 * Fits a log line: one line per request in a file; on a terminal, overflow continues below the
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

/** The local time of day, which is that of the clocks around. */
export function momentOf({ clock }: Io, style: TextStyle): string {
  return style.dim(clock().toTimeString().slice(0, 8));
}

/** On a wide terminal, what follows the targets stands in a column. */
function inColumn({ isTTY, width }: Io, target: string): string {
  return isTTY.err && width >= 100 ? padText(target, 32) : target;
}

/** `OPTIONS` is the longest common method. */
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

/** Takes what is to be a line; `flush` writes at once what has not been written yet. */
export interface LineBatch<Item> {
  (item: Item): void;
  flush(): void;
}

/**
 * Batches the lines of one turn of the event loop into a single write, since writing to a terminal
 * blocks. Lines are formatted when they are written.
 */
export function batchLines<Item>(
  lineOf: (item: Item) => string,
  write: (text: string) => void,
): LineBatch<Item> {
  let waiting: Item[] = [];
  const flush = (): void => {
    const items = waiting;
    waiting = [];
    if (items.length > 0) write(items.map(lineOf).join(''));
  };
  const take = (item: Item): void => {
    if (waiting.length === 0) setImmediate(flush);
    waiting.push(item);
  };
  return Object.assign(take, { flush });
}

/** Repeated errors are printed once; at most this many are remembered. */
const maxPrinted = 100;

/** Prints internal errors while the mock serves; the client only gets status 500. */
export function logErrors(io: Io): (fault: unknown) => void {
  const printed = new Set<string>();
  return (fault) => {
    const text = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
    if (printed.has(text) || printed.size >= maxPrinted) return;
    printed.add(text);
    printError(fault, io);
  };
}

/** Prints an error of a handler that nothing waits for: the mock goes on. */
export function logStray(io: Io, error: Error): true {
  const place = placeInHandler(error);
  io.err(
    `A handler failed after its answer: ${cleanLine(`${error.name}: ${error.message}`)}` +
      `${place === undefined ? '' : ` (${cleanLine(place)})`}.\n`,
  );
  return true;
}

/** Prints the result of a reload: one line, or the error with its location. */
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
    `reloaded ${named}${event.isFixed ? ', fixed' : ''}: ` +
      `${countOf(event.operations, 'operation')}${dropped(event.dropped)}\n`,
  );
}

function dropped(records: number): string {
  if (records === 0) return '';
  return (
    `, ${countOf(records, 'record')} dropped because ` +
    (records === 1 ? 'it no longer fits' : 'they no longer fit')
  );
}

import type { CallbackReport } from '../../library/start-mock.ts';
import { cleanLine, cutText } from '../../text/safe-text.ts';
import { makeTextStyle, type TextStyle } from '../../text/text-style.ts';
import { columnsOf, wrapText } from '../../text/wrap-text.ts';
import { wantsColor, type Io } from '../io.ts';

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

/** The line of one request: status, time, method and target, then the operation, the scenario and the network fault, and why it was refused. */
export function requestLine(io: Io, { method, target, status, durationMs, operation, fault, scenario, reason }: ShownExchange): string {
  const style = makeTextStyle(wantsColor(io, 'err'));
  const words = [operation, scenario === undefined ? undefined : `scenario ${scenario}`, fault].filter((word) => word !== undefined);
  const head = `${paintStatus(String(status), style)} ${timeOf(durationMs, style)}  ${methodOf(method, style)} ${shorten(target)}${words.length === 0 ? '' : `  ${style.dim(words.map(cleanLine).join(' · '))}`}`;
  return withReason(io, head, reason === undefined ? '' : cleanLine(cutText(reason, longestReason)));
}

/** The line of one attempt to send a callback, or of one that is not sent; nothing where it was told before. */
export function callbackLine(io: Io, report: CallbackReport): string {
  const { name, operation, method = '', url = '', outcome, attempt, status, reason = '', retryInMs, hint, repeated, durationMs } = report;
  if (repeated === true) return '';
  const style = makeTextStyle(wantsColor(io, 'err'));
  const who = `${operation === undefined ? 'webhook' : 'callback'} ${shorten(name)}`;
  if (outcome === 'refused' || outcome === 'dropped') return `${who}${url === '' ? '' : ` to ${shorten(url)}`} is not sent: it ${cleanLine(reason)}${hint === undefined ? '' : `. ${cleanLine(hint)}`}\n`;
  const again = [...(outcome === 'failed' ? [`attempt ${String(attempt)}`] : []), ...(retryInMs === undefined ? [] : [`again in ${String(retryInMs / 1_000)} s`])];
  const head = `${paintStatus(outcome === 'answered' ? String(status ?? '') : '---', style)} ${timeOf(durationMs, style)}  ${methodOf(method, style)} ${shorten(url)}  ${style.dim([who, ...again].join(' · '))}`;
  return withReason(io, head, outcome === 'failed' ? cleanLine(reason) : '');
}

/** Where the reason stands when it has a line of its own: under the target. */
const reasonColumn = 22;
const longestReason = 300;

/** In a log each request has one line; on a terminal that is too narrow for it, the reason stands under the target. */
function withReason(io: Io, head: string, reason: string): string {
  if (reason === '') return `${head}\n`;
  const paint = makeTextStyle(wantsColor(io, 'err')).yellow;
  if (!io.isTTY.err || columnsOf(head) + 2 + columnsOf(reason) <= io.width) return `${head}  ${paint(reason)}\n`;
  const lines = wrapText(reason, Math.max(io.width - reasonColumn, 24));
  return [head, ...lines.map((line) => ' '.repeat(reasonColumn) + paint(line)), ''].join('\n');
}

/** `OPTIONS` is the longest of those that contracts have. */
function methodOf(method: string, style: TextStyle): string {
  return style.bold(cleanLine(method).padEnd(7));
}

function timeOf(durationMs: number, style: TextStyle): string {
  return style.dim(`${durationMs.toFixed(0)} ms`.padStart(8));
}

function paintStatus(status: string, style: TextStyle): string {
  const paint = /^[123]/.test(status) ? style.green : status.startsWith('4') ? style.yellow : style.red;
  return paint(status.padEnd(3));
}

const longest = 120;

function shorten(text: string): string {
  return cleanLine(text.length > longest ? `${text.slice(0, longest)}…` : text);
}

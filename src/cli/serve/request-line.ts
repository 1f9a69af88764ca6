import { styleText } from 'node:util';
import type { CallbackReport } from '../../library/start-mock.ts';
import { cleanLine } from '../../text/safe-text.ts';
import { wantsColor, type Io } from '../io.ts';

/** An exchange, as far as its line tells of it. */
export interface ShownExchange {
  readonly method: string;
  readonly target: string;
  readonly status: number;
  readonly durationMs: number;
  readonly operation?: string;
  readonly fault?: string;
}

/** The line of one request: status, method, target, operation, time. */
export function requestLine(io: Io, { method, target, status, durationMs, operation, fault }: ShownExchange): string {
  return `${paintStatus(io, status)} ${method} ${shorten(target)}${operation === undefined ? '' : ` ${operation}`} ${durationMs.toFixed(0)} ms${fault === undefined ? '' : `, ${fault}`}\n`;
}

/** The line of one attempt to send a callback, or of one that is not sent; nothing where it was told before. */
export function callbackLine(io: Io, report: CallbackReport): string {
  const { name, operation, method = '', url = '', outcome, attempt, status, reason = '', retryInMs, hint, repeated, durationMs } = report;
  if (repeated === true) return '';
  const who = `${operation === undefined ? 'webhook' : 'callback'} ${shorten(name)}`;
  const again = retryInMs === undefined ? '' : `, again in ${String(retryInMs / 1_000)} s`;
  if (outcome === 'answered' && status !== undefined) return `${paintStatus(io, status)} ${who} ${method} ${shorten(url)} ${durationMs.toFixed(0)} ms${again}\n`;
  if (outcome === 'failed') return `${who} ${method} ${shorten(url)} ${cleanLine(reason)}, attempt ${String(attempt)}${again}\n`;
  const to = url === '' ? '' : ` to ${shorten(url)}`;
  return `${who}${to} is not sent: it ${cleanLine(reason)}${hint === undefined ? '' : `. ${cleanLine(hint)}`}\n`;
}

function paintStatus(io: Io, status: number): string {
  const color = status < 400 ? 'green' : status < 500 ? 'yellow' : 'red';
  return wantsColor(io, 'err') ? styleText(color, String(status), { validateStream: false }) : String(status);
}

const longest = 120;

function shorten(text: string): string {
  return cleanLine(text.length > longest ? `${text.slice(0, longest)}…` : text);
}

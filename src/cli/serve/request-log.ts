import { remember } from '../../remember.ts';
import type { ExchangeRecord } from '../../server/journal/journal.ts';
import { countOf, formatDuration, formatNumber } from '../../text/counts.ts';
import { cleanLine, cutText } from '../../text/safe-text.ts';
import { makeTextStyle } from '../../text/text-style.ts';
import { fitText } from '../../text/wrap-text.ts';
import { type Io, wantsColor } from '../io.ts';
import { batchLines, momentOf, requestLine } from './mock-log.ts';

/** A run that sends nothing for this long is over. */
const silenceMs = 2_000;
/** The interval between two updates of the line on the terminal. */
const betweenMs = 100;

/** What a run of the check has sent so far. */
interface CheckTraffic {
  readonly run: string;
  readonly startedAt: number;
  lastAt: number;
  requests: number;
  /** By the first digit of the status; `0`: there was no response. */
  readonly byClass: Map<string, number>;
}

/**
 * The log of a mock: a line for each request, and one line for all requests of a run of the check,
 * which counts up on a terminal and is written at the end elsewhere.
 */
export class RequestLog {
  /** Writes other lines without breaking the one that counts up. */
  readonly io: Io;
  readonly #out: Io;
  readonly #runs = new Map<string, CheckTraffic>();
  readonly #printRequest: (exchange: ExchangeRecord) => void;
  #isCounting = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(io: Io) {
    this.#out = io;
    this.io = { ...io, err: (text) => this.#printAround(text) };
    this.#printRequest = batchLines(
      (exchange) => requestLine(io, exchange),
      (text) => this.#printAround(text),
    );
  }

  take(exchange: ExchangeRecord): void {
    const { run, status, frame } = exchange;
    // An answer of the mock that breaks the contract is worth a line in any case.
    if (run === undefined || frame !== undefined) return this.#printRequest(exchange);
    const now = this.#now();
    const traffic = remember(this.#runs, run, () => newTraffic(run, now));
    const type = String(Math.floor(status / 100));
    traffic.byClass.set(type, (traffic.byClass.get(type) ?? 0) + 1);
    traffic.requests += 1;
    traffic.lastAt = now;
    this.#timer ??= setTimeout(() => this.#update(), betweenMs).unref();
  }

  /** Writes the lines of runs that are not over. */
  end(): void {
    clearTimeout(this.#timer);
    this.#finish([...this.#runs.values()]);
  }

  #update(): void {
    const now = this.#now();
    this.#finish([...this.#runs.values()].filter(({ lastAt }) => now - lastAt >= silenceMs));
    this.#count();
    this.#timer =
      this.#runs.size === 0 ? undefined : setTimeout(() => this.#update(), betweenMs).unref();
  }

  #finish(traffics: readonly CheckTraffic[]): void {
    for (const { run } of traffics) this.#runs.delete(run);
    if (traffics.length > 0)
      this.#printAround(traffics.map((each) => this.#endLine(each)).join(''));
  }

  #endLine(traffic: CheckTraffic): string {
    const { startedAt, lastAt } = traffic;
    const moment = momentOf(this.#out, makeTextStyle(wantsColor(this.#out, 'err')));
    return `${moment} ${countsText(traffic)} in ${formatDuration(lastAt - startedAt)}\n`;
  }

  #printAround(text: string): void {
    this.#wipe();
    this.#out.err(text);
    if (text.endsWith('\n')) this.#count();
  }

  /** Shows the run that sent last. A line that is wider than the terminal could not be wiped. */
  #count(): void {
    const last = [...this.#runs.values()].toSorted((a, b) => a.lastAt - b.lastAt).at(-1);
    if (!this.#out.isTTY.err || last === undefined) return;
    const line = `${momentOf(this.#out, makeTextStyle(false))} ${countsText(last)}`;
    this.#out.err(`\r\u001b[2K${fitText(line, this.#out.width - 1)}`);
    this.#isCounting = true;
  }

  #wipe(): void {
    if (this.#isCounting) this.#out.err('\r\u001b[2K');
    this.#isCounting = false;
  }

  #now(): number {
    return this.#out.clock().getTime();
  }
}

/** `check vouch-7f3a9c: 272 requests (2xx 168, 4xx 104)`. */
function countsText({ run, requests, byClass }: CheckTraffic): string {
  const counts = [...byClass]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([type, count]) => `${type === '0' ? 'none' : `${type}xx`} ${formatNumber(count)}`);
  const name = cleanLine(cutText(run, 40));
  return `check ${name}: ${countOf(requests, 'request')} (${counts.join(', ')})`;
}

function newTraffic(run: string, now: number): CheckTraffic {
  return { run, startedAt: now, lastAt: now, requests: 0, byClass: new Map() };
}

import { asksToWait, isSuccess } from '../../http/message.ts';
import type { Exchange, TransportFault } from '../model/exchange.ts';

/** How many requests of a run may be in flight at a time: at first, and at most. */
export interface RequestLimitOptions {
  readonly start: number;
  readonly max: number;
}

/**
 * What is asked for, such as an operation: answers of one subject with one class of status take
 * about the same time.
 */
export type Subject = object;

/** A request in flight. */
export interface Flight {
  /** How many requests were in flight when it was sent, itself included. */
  readonly load: number;
  /** How often the limit had changed by then. */
  readonly epoch: number;
}

/** The usual time of answers of one kind, and the load at which it was measured. */
interface Usual {
  readonly load: number;
  /** The logarithm of milliseconds, averaged. */
  readonly log: number;
}

/** Answers since the limit changed, or since they were last weighed. */
interface Window {
  readonly count: number;
  /** Sums of logarithms: of the durations, and of their ratios to the usual ones. */
  readonly durations: number;
  readonly ratios: number;
  readonly load: number;
}

const empty: Window = { count: 0, durations: 0, ratios: 0, load: 0 };

/** Answers that take less, in ms, are no reason to change the limit. */
const longMs = 50;
/** Up to this ratio to the usual time, more requests in flight do no harm. */
const unharmed = 1.25;
/** From this ratio on, requests wait for each other inside the service. */
const delayed = 1.6;
/** The weight of a new answer in the usual time. */
const newest = 0.2;

/**
 * The limit of the requests in flight, adapted to what the service takes: multiplicative decrease
 * and additive increase as in RFC 5681, and by delay as in TCP Vegas. It rises by half each time as
 * many answers came as it allows, while answers take long (so that the run waits for the network)
 * and no longer than at a lower load. 429, 503, 504 and timeouts halve it, longer times take a
 * quarter; from then on it rises by one. Quick answers change nothing.
 */
export class RequestLimit {
  readonly #start: number;
  #max: number;
  readonly #usual = new Map<Subject, Map<string, Usual>>();
  /** Subjects that fail alone too: their failures say nothing of the load. */
  readonly #failing = new Set<Subject>();
  readonly #waiting: (() => void)[] = [];
  readonly #listeners = new Set<() => void>();
  #current: number;
  /** The limit at which the service had too much to do. */
  #ceiling = Infinity;
  #isCareful = false;
  #inFlight = 0;
  #epoch = 0;
  #window = empty;

  constructor({ start, max }: RequestLimitOptions) {
    this.#start = Math.min(start, max);
    this.#max = max;
    this.#current = this.#start;
  }

  /** How many requests may be in flight now; at least 1. */
  get current(): number {
    return this.#current;
  }

  /** Calls `listener` whenever the limit rises, until the returned function is called. */
  onRise(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** From now on, requests are sent one at a time. */
  single(): void {
    this.#max = 1;
    this.#set(1);
  }

  /** Waits until another request may be in flight; undefined if it may be at once. */
  turn(): Promise<void> | undefined {
    if (this.#inFlight < this.#current && this.#waiting.length === 0) {
      this.#inFlight += 1;
      return undefined;
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Notes that a request is sent, after its turn came. */
  depart(): Flight {
    return { load: this.#inFlight, epoch: this.#epoch };
  }

  /** Ends the turn of a request. */
  leave(): void {
    this.#inFlight -= 1;
    this.#admit();
  }

  /** Adds what came of a request whose turn is not ended yet. */
  note(sent: Flight, exchange: Exchange, subject: Subject): void {
    // Others that were sent soon after it were in flight with it.
    const flight = { ...sent, load: Math.max(sent.load, this.#inFlight) };
    const sign = signOf(exchange);
    if (sign === 'answer') this.#weigh(flight, exchange, subject);
    else if (sign !== 'nothing') this.#noteOverload(flight, sign, subject);
  }

  #noteOverload({ load, epoch }: Flight, sign: 'refused' | 'failed', subject: Subject): void {
    if (sign === 'failed' && this.#failing.has(subject)) return;
    // Requests that were sent before the limit fell say nothing of the new one.
    if (epoch !== this.#epoch) return;
    if (load > 1) {
      this.#ceiling = this.#current - 1;
      this.#isCareful = true;
      this.#set(Math.floor(Math.min(this.#current, load) / 2));
    } else if (sign === 'failed') {
      this.#failing.add(subject);
      this.#ceiling = Infinity;
    }
  }

  #weigh({ load, epoch }: Flight, { durationMs, response }: Exchange, subject: Subject): void {
    const log = Math.log(Math.max(1, durationMs));
    const before = this.#learn(subject, response?.status ?? 0, { load, log });
    if (before === undefined || epoch !== this.#epoch || load * 2 <= this.#current) return;
    // Above the first limit, only what is known from a lower load is a measure.
    if (this.#current > this.#start && before.load >= load) return;
    const { count, durations, ratios } = this.#window;
    this.#window = {
      count: count + 1,
      durations: durations + log,
      ratios: ratios + log - before.log,
      load: Math.max(load, this.#window.load),
    };
    if (this.#window.count >= this.#current) this.#decide();
  }

  /** The usual time of such answers so far; those at the lowest load are kept. */
  #learn(subject: Subject, status: number, { load, log }: Usual): Usual | undefined {
    const kind = isSuccess(status) ? 'success' : 'other';
    const known = this.#usual.get(subject) ?? new Map<string, Usual>();
    this.#usual.set(subject, known);
    const before = known.get(kind);
    if (before === undefined || load * 2 < before.load) known.set(kind, { load, log });
    else if (load <= before.load)
      known.set(kind, { load: before.load, log: before.log * (1 - newest) + log * newest });
    return before;
  }

  #decide(): void {
    const { count, durations, ratios, load } = this.#window;
    const isLong = Math.exp(durations / count) >= longMs;
    const ratio = Math.exp(ratios / count);
    this.#window = empty;
    if (isLong && ratio >= delayed) {
      this.#isCareful = true;
      this.#set(Math.floor(Math.min(this.#current, load) * 0.75));
    } else if (this.#current < this.#start || (isLong && ratio <= unharmed)) this.#rise();
  }

  #rise(): void {
    const step = this.#isCareful ? 1 : Math.ceil(this.#current / 2);
    const next = Math.min(this.#current + step, this.#max, this.#ceiling);
    if (next > this.#current) this.#set(next);
  }

  #set(limit: number): void {
    const before = this.#current;
    this.#current = Math.max(1, limit);
    this.#epoch += 1;
    this.#window = empty;
    this.#admit();
    if (this.#current > before) for (const listener of [...this.#listeners]) listener();
  }

  #admit(): void {
    while (this.#inFlight < this.#current) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#inFlight += 1;
      next();
    }
  }
}

/** Faults of a service that takes no more connections, or answers too late. */
const lost: readonly TransportFault[] = [
  'timeout',
  'connection.refused',
  'connection.reset',
  'connection.truncated',
];

/** `refused`: there were too many requests. `failed`: it may be the load or the request. */
type Sign = 'answer' | 'refused' | 'failed' | 'nothing';

function signOf(exchange: Exchange): Sign {
  const { response, fault } = exchange;
  if (response === undefined)
    return fault !== undefined && lost.includes(fault.kind) ? 'failed' : 'nothing';
  if (response.status === 429) return 'refused';
  const isLate = response.status === 504;
  return isLate || asksToWait(response) || isBusy(exchange) ? 'failed' : 'answer';
}

/**
 * Whether an answer says that the service has too much to do at once, and names no pause: 503, 423
 * (RFC 4918, section 11.3), or a failure of a store that another request has locked.
 */
export function isBusy({ response }: Exchange): boolean {
  // What names a pause gets it.
  if (response === undefined || response.status < 400 || asksToWait(response)) return false;
  if (response.status === 503 || response.status === 423) return true;
  const start = response.body.subarray(0, longestReason);
  return response.status >= 500 && Buffer.from(start).toString('latin1').includes('locked');
}

/** Where a failure says why, in bytes. */
const longestReason = 2_000;

import type { Socket } from 'node:net';
import { VouchError } from '../../../errors.ts';
import type { HttpRequest, HttpResponse } from '../../../http/message.ts';
import type { Exchange } from '../../model/exchange.ts';
import { type ResponseFault, judgeTrailing, notHttp } from './answer/breaches.ts';
import { brokenOff, outOfTime, type Reading, ResponseReader } from './answer/response-reader.ts';
import { addBreach, isRepeatable, type Job, type OpenExchange } from './job.ts';
import { connectFault, openSocket, refusedByProxy, type Route } from './socket/open-socket.ts';

const lingerMs = 1_000;
const soonMs = 1_000;
/** A stream that sends as fast as it can is left after so many bytes. */
const maxStreamBytes = 1024 * 1024;
const nothingBefore =
  'The server closed an idle connection just as the request left, and ' +
  'no byte of a response had arrived.';
const leftovers =
  'Bytes came on the connection that may have belonged to the answer ' +
  'before, so another one was taken.';

/**
 * One connection with its current request. The deadline covers each complete request, and the
 * connection setup.
 */
export class Connection {
  readonly #owner: ConnectionOwner;
  readonly #reader = new ResponseReader();
  readonly #deadline: Deadline;
  #socket: Socket | undefined;
  #cancel: (() => void) | undefined;
  #job: Job | undefined;
  #last: OpenExchange | undefined;
  #began = performance.now();
  #ended = 0;
  #idleSince = 0;
  #keepMs = 0;
  #over = false;
  /** Runs while a stream is listened to, which began at `#heard`. */
  #listening: NodeJS.Timeout | undefined;
  #heard = 0;
  /** The fault of bytes that were received instead of a response. */
  #unexpected: ResponseFault | undefined;

  constructor(owner: ConnectionOwner, job: Job) {
    this.#owner = owner;
    this.#job = job;
    job.holder = this;
    this.#deadline = new Deadline(owner.timeoutMs, () => this.#onDeadline());
    this.#reader.begin(job.request.method);
    this.#cancel = openSocket(
      owner.route,
      {
        ready: (socket) => this.#onReady(socket),
        failed: (error, stage) => this.#onFailed(error, connectFault(error, stage)),
      },
      (bytes) => this.#onBytes(bytes),
    );
  }

  get isOpen(): boolean {
    return !this.#over;
  }

  /** Whether a server that closes idle connections probably still has this one open. */
  isFresh(now: number): boolean {
    return !this.#over && now - this.#idleSince < this.#keepMs;
  }

  run(job: Job): void {
    this.#job = job;
    job.holder = this;
    this.#unexpected = undefined;
    this.#began = performance.now();
    this.#deadline.restart(this.#began);
    this.#reader.begin(job.request.method);
    this.#write(job);
  }

  /** Aborts at once. */
  drop(): void {
    this.#job = undefined;
    this.#close();
  }

  #onReady(socket: Socket): void {
    this.#cancel = undefined;
    this.#socket = socket;
    socket.on('error', (error) => this.#onGone(error));
    socket.on('end', () => this.#onEnd());
    socket.on('close', () => this.#onGone(undefined));
    this.#began = performance.now();
    if (this.#job !== undefined) this.#write(this.#job);
  }

  #write({ head, request: { body } }: Job): void {
    if (body.length === 0) {
      this.#socket?.write(head, 'latin1');
      return;
    }
    const bytes = Buffer.allocUnsafe(head.length + body.length);
    bytes.write(head, 0, 'latin1');
    bytes.set(body, head.length);
    this.#socket?.write(bytes);
  }

  #onBytes(bytes: Buffer): void {
    const job = this.#job;
    if (job === undefined) return this.#onTrailing(bytes);
    if (
      this.#reader.received === 0 &&
      this.#last !== undefined &&
      bytes[0] !== 72 &&
      bytes[0] !== 13 &&
      bytes[0] !== 10
    )
      return this.#onLeftovers(bytes, job, this.#last);
    this.#onReading(this.#reader.push(bytes), bytes);
  }

  #onReading(reading: Reading, bytes: Buffer): void {
    if (reading.kind === 'more') return this.#onMore();
    if (reading.kind === 'broken') return this.#fail(reading.fault);
    const refused = refusedByProxy(this.#owner.route, reading.response.status);
    if (refused !== undefined) return this.#fail(refused);
    this.#conclude(
      reading.response,
      reading.rest === bytes.length ? nothing : bytes.subarray(reading.rest),
    );
  }

  /** A stream may never end: it is read for some time, and then left. */
  #onMore(): void {
    if (!this.#reader.isStream) return;
    if (this.#reader.bodyReceived > maxStreamBytes) return this.#cut('open');
    if (this.#listening !== undefined || this.#job === undefined) return;
    this.#heard = performance.now();
    const ms = this.#owner.listenMs(this.#job.request);
    this.#listening = setTimeout(() => this.#cut('open'), ms);
  }

  /** Takes what there is of a stream. Its duration is the time until it began. */
  #cut(why: 'open' | 'broken off'): void {
    if (this.#job === undefined) return;
    this.#settle({ response: this.#reader.cut(why) }, this.#heard);
    this.#close();
  }

  /** Takes a complete response, and the bytes after it. */
  #conclude(response: HttpResponse, rest: Buffer): void {
    const job = this.#job;
    const last = this.#last;
    const trailing =
      rest.length === 0 || job === undefined
        ? undefined
        : judgeTrailing(rest, job.request.method, response);
    if (trailing !== undefined && last !== undefined && job !== undefined && this.#mayResend(job)) {
      // The bytes may be a late part of the previous response: another connection shows that.
      job.suspicion = {
        exchange: last,
        breach: judgeTrailing(rest, last.request.method, last.response) ?? trailing,
      };
      return this.#resend(job, leftovers);
    }
    const exchange = this.#settle({ response });
    if (trailing !== undefined) addBreach(exchange, trailing);
    else if (job?.suspicion !== undefined) addBreach(job.suspicion.exchange, job.suspicion.breach);
    if (trailing === undefined) this.#release();
    else this.#close();
  }

  /** Bytes that arrive while no request is in flight belong to the response before. */
  #onTrailing(bytes: Buffer): void {
    if (this.#last !== undefined) this.#noteTrailing(bytes, this.#last);
  }

  #noteTrailing(bytes: Buffer, exchange: OpenExchange): void {
    const breach = judgeTrailing(bytes, exchange.request.method, exchange.response);
    if (breach === undefined) return;
    addBreach(exchange, breach);
    this.#close();
  }

  /**
   * No response begins like this. The bytes may be a late part of the previous response: another
   * connection shows that.
   */
  #onLeftovers(bytes: Buffer, job: Job, last: OpenExchange): void {
    const breach = judgeTrailing(bytes, last.request.method, last.response);
    if (breach !== undefined) job.suspicion = { exchange: last, breach };
    if (this.#mayResend(job)) return this.#resend(job, leftovers);
    // A request that cannot be resent waits for its response after them.
    this.#unexpected ??= notHttp(bytes);
    const at = bytes.indexOf('HTTP/1.', 0, 'latin1');
    if (at !== -1) this.#onReading(this.#reader.push(bytes.subarray(at)), bytes.subarray(at));
  }

  #release(): void {
    const socket = this.#socket;
    if (this.#over || socket === undefined) return;
    // Unsent parts of the request would be mixed with the next one.
    if (socket.writableLength > 0 || !socket.writable || this.#reader.breaches.list !== undefined)
      return this.#close();
    if (!this.#reader.persistent) return this.#linger();
    this.#keepMs = this.#reader.keepAliveMs;
    this.#idleSince = this.#ended;
    this.#owner.freed(this);
  }

  /** The server announced that it closes; until then, further bytes are still checked. */
  #linger(): void {
    if (this.#reader.closesItself) return this.#close();
    this.#owner.retired(this);
    setTimeout(() => this.#close(), Math.min(lingerMs, this.#owner.timeoutMs)).unref();
  }

  #settle(outcome: Outcome, until = performance.now()): OpenExchange {
    const job = this.#job;
    clearTimeout(this.#listening);
    this.#listening = undefined;
    const { baseUrl, request } = job ?? noJob;
    this.#ended = until;
    const durationMs = this.#ended - this.#began;
    const exchange: OpenExchange =
      'response' in outcome
        ? { baseUrl, request, response: outcome.response, durationMs }
        : { baseUrl, request, fault: outcome.fault, durationMs };
    const { list } = this.#reader.breaches;
    if (list !== undefined) exchange.breaches = list;
    if (job?.resent !== undefined) exchange.resent = job.resent;
    this.#job = undefined;
    this.#last = exchange;
    job?.resolve(exchange);
    return exchange;
  }

  /** Neither the response nor the connection can be used. */
  #fail(fault: ResponseFault): void {
    this.#settle({ fault: this.#reader.received === 0 ? (this.#unexpected ?? fault) : fault });
    this.#close();
  }

  #onEnd(): void {
    if (this.#job === undefined) return this.#onIdleEnd();
    const reading = this.#reader.end();
    if (reading.kind === 'more') this.#onGone(undefined);
    else this.#onReading(reading, nothing);
  }

  #onIdleEnd(): void {
    if (this.#keepMs > 0 && performance.now() - this.#idleSince < Math.min(soonMs, this.#keepMs))
      this.#owner.closedEarly();
    this.#close();
  }

  #onGone(_error: Error | undefined): void {
    const job = this.#job;
    if (this.#over) return;
    if (job === undefined) return this.#onIdleEnd();
    if (this.#listening !== undefined) return this.#cut('broken off');
    const fault = brokenOff(this.#reader);
    // Only a connection that was used before may have been closed idle: if a new one breaks, this
    // request is the cause.
    if (fault.kind === 'connection.reset' && this.#last !== undefined)
      this.#onClosedIdle(job, fault);
    else this.#fail(fault);
  }

  #onClosedIdle(job: Job, fault: ResponseFault): void {
    if (this.#began - this.#idleSince < soonMs) this.#owner.closedEarly();
    if (this.#mayResend(job)) this.#resend(job, nothingBefore);
    else this.#fail(fault);
  }

  /** Called once for each resend: true takes the resend out of the budget. */
  #mayResend(job: Job): boolean {
    return isRepeatable(job) && this.#owner.spendResend();
  }

  #resend(job: Job, reason: string): void {
    this.#job = undefined;
    this.#close();
    job.resent = reason;
    this.#owner.again(job);
  }

  #onFailed(error: unknown, fault: ResponseFault): void {
    const job = this.#job;
    if (!(error instanceof VouchError)) return this.#fail(fault);
    this.#job = undefined;
    this.#close();
    job?.reject(error);
  }

  #onDeadline(): void {
    if (this.#listening !== undefined) this.#cut('open');
    else if (this.#job !== undefined) this.#fail(outOfTime(this.#reader, this.#owner.timeoutMs));
  }

  #close(): void {
    if (this.#over) return;
    this.#over = true;
    this.#deadline.cancel();
    clearTimeout(this.#listening);
    this.#cancel?.();
    this.#socket?.destroy();
    this.#owner.lost(this);
  }
}

const nothing = Buffer.alloc(0);
const noJob: Pick<Exchange, 'baseUrl' | 'request'> = {
  baseUrl: '',
  request: { method: 'GET', target: '/', headers: [], body: nothing },
};

type Outcome = { readonly response: HttpResponse } | { readonly fault: ResponseFault };

/** The events of a connection for its pool. */
export interface ConnectionOwner {
  readonly route: Route;
  readonly timeoutMs: number;
  /** How long a stream in answer to a request is listened to, in ms. */
  listenMs(request: HttpRequest): number;
  /** Takes one more request out of the budget; false if none may be sent. */
  spendResend(): boolean;
  /** The connection can take another job. */
  freed(connection: Connection): void;
  /** The server closed it soon after a response that left it open. */
  closedEarly(): void;
  /** It takes no more jobs, and will soon be closed. */
  retired(connection: Connection): void;
  /** It is closed. */
  lost(connection: Connection): void;
  /** A job must be resent on another connection. */
  again(job: Job): void;
}

/**
 * A time limit that can be set again for each request. Bytes that arrived while vouch itself was
 * busy are read before the limit counts.
 */
export class Deadline {
  readonly #limitMs: number;
  readonly #passed: () => void;
  /** Undefined if the time has passed and no new limit was set since. */
  #timer: NodeJS.Timeout | undefined;
  #begun = performance.now();

  constructor(limitMs: number, passed: () => void) {
    this.#limitMs = limitMs;
    this.#passed = passed;
    this.#timer = this.#wait(limitMs);
  }

  /**
   * Restarts the whole time limit from `now`. A running timer continues: when it fires, it waits
   * for the remaining time.
   */
  restart(now: number): void {
    this.#begun = now;
    this.#timer ??= this.#wait(this.#limitMs);
  }

  cancel(): void {
    clearTimeout(this.#timer);
  }

  /**
   * Unreferenced: an idle connection does not keep the process alive, and a busy one has a socket
   * that does.
   */
  #wait(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => this.#onTimer(), milliseconds).unref();
  }

  #onTimer(): void {
    const begun = this.#begun;
    const left = this.#limitMs - (performance.now() - begun);
    this.#timer = left > 1 ? this.#wait(left) : undefined;
    if (this.#timer === undefined) setImmediate(() => this.#begun === begun && this.#passed());
  }
}

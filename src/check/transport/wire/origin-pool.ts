import type { HttpRequest } from '../../../http/message.ts';
import { Connection, type ConnectionOwner } from './connection.ts';
import { isSafe, type Job } from './job.ts';
import type { Route } from './socket/open-socket.ts';

/**
 * A job that waits with its connection until it is known whether the connection is being closed.
 */
interface Held {
  readonly connection: Connection;
  readonly job: Job;
  isDropped: boolean;
}

/** How long a stream is listened to for the first time, and again: its events are alike. In ms. */
const [firstMs, againMs] = [3_000, 300];
/** So many streams of an origin are listened to for long. */
const maxHeard = 5;

/**
 * The limits of a pool: `timeoutMs` is the time limit of one complete request; `connections` the
 * maximum per origin.
 */
export interface PoolOptions {
  readonly timeoutMs: number;
  readonly connections: number;
  /**
   * Called before a request is resent because the connection was closed: false if the budget is
   * spent. Default: always allowed.
   */
  readonly spendResend?: () => boolean;
}

/**
 * The connections to one origin: a limited number, reused while they are fresh. Further jobs wait
 * in order.
 */
export class OriginPool implements ConnectionOwner {
  readonly route: Route;
  readonly timeoutMs: number;
  readonly spendResend: () => boolean;
  readonly #max: number;
  readonly #open = new Set<Connection>();
  readonly #retired = new Set<Connection>();
  readonly #idle: Connection[] = [];
  readonly #waiting: Job[] = [];
  #held: Held[] = [];
  /** The streams that were listened to, by method and path. */
  readonly #heard = new Set<string>();
  #closed = false;
  #closesEarly = false;

  constructor(route: Route, { timeoutMs, connections, spendResend = () => true }: PoolOptions) {
    this.route = route;
    this.timeoutMs = timeoutMs;
    this.spendResend = spendResend;
    this.#max = connections;
  }

  listenMs({ method, target }: HttpRequest): number {
    const stream = `${method} ${target.split('?', 1)[0] ?? ''}`;
    if (this.#heard.has(stream) || this.#heard.size >= maxHeard) return againMs;
    this.#heard.add(stream);
    return firstMs;
  }

  submit(job: Job): void {
    const connection = this.#takeIdle();
    if (connection !== undefined) this.#reuse(connection, job);
    else if (this.#open.size < this.#max) this.#open.add(new Connection(this, job));
    else this.#queue(job);
  }

  freed(connection: Connection): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#idle.push(connection);
    else this.#reuse(connection, next);
  }

  /** The server closed a connection soon after a response that left it open. */
  closedEarly(): void {
    this.#closesEarly = true;
  }

  retired(connection: Connection): void {
    this.lost(connection);
    this.#retired.add(connection);
  }

  lost(connection: Connection): void {
    if (this.#retired.delete(connection)) return;
    this.#open.delete(connection);
    const at = this.#idle.indexOf(connection);
    if (at !== -1) this.#idle.splice(at, 1);
    const next = this.#closed ? undefined : this.#waiting.shift();
    if (next !== undefined) this.submit(next);
  }

  again(job: Job): void {
    // A connection that was never used cannot have been closed idle.
    for (const connection of [...this.#idle]) connection.drop();
    this.submit(job);
  }

  close(): void {
    this.#closed = true;
    for (const connection of [...this.#open, ...this.#retired]) connection.drop();
  }

  /**
   * An unsafe request must not use a connection that is being closed, because it cannot be resent:
   * it waits until received data was read. If the server has closed early before, and for resent
   * requests, there is a new connection.
   */
  #reuse(connection: Connection, job: Job): void {
    if (isSafe(job) && job.resent === undefined) return connection.run(job);
    if (this.#closesEarly || job.resent !== undefined) {
      connection.drop();
      return this.submit(job);
    }
    const held: Held = { connection, job, isDropped: false };
    job.holder = { drop: () => void (held.isDropped = true) };
    this.#held.push(held);
    if (this.#held.length === 1) setImmediate(() => this.#release());
  }

  /**
   * Requests that were delayed in one turn of the event loop are sent together, after received data
   * of the next turn was read.
   */
  #release(): void {
    const all = this.#held;
    this.#held = [];
    setImmediate(() => {
      for (const { connection, job, isDropped } of all) {
        if (connection.isOpen && !isDropped) connection.run(job);
        else if (connection.isOpen) this.freed(connection);
        else if (!isDropped) this.submit(job);
      }
    });
  }

  #takeIdle(): Connection | undefined {
    const now = performance.now();
    for (
      let connection = this.#idle.pop();
      connection !== undefined;
      connection = this.#idle.pop()
    ) {
      if (connection.isFresh(now)) return connection;
      connection.drop();
    }
    return undefined;
  }

  #queue(job: Job): void {
    this.#waiting.push(job);
    job.holder = { drop: () => void this.#waiting.splice(this.#waiting.indexOf(job), 1) };
  }
}

import { usage } from '../../../errors.ts';
import { hostOf } from '../../../http/host.ts';
import type { HeaderList, HttpRequest } from '../../../http/message.ts';
import type { Exchange } from '../../model/exchange.ts';
import { type Send, type Transport, UnsendableRequest } from '../send.ts';
import { type Job, isSafe } from './job.ts';
import type { FindAddresses, ProxyAddress, Route } from './socket/open-socket.ts';
import { findSystemAddresses, readProxyAddress, refuseMetadata } from './socket/open-socket.ts';
import { Connection, type ConnectionOwner } from './connection.ts';

/** How requests are sent. */
export interface TransportOptions extends PoolOptions {
  /**
   * `http://user:password@host:port`. Only this one is used: a proxy from the environment's
   * HTTP_PROXY would mix its own responses with the server's.
   */
  readonly proxy?: string;
  /** How names are looked up. Default: by the system. */
  readonly findAddresses?: FindAddresses;
}

interface Origin {
  readonly pool: OriginPool;
  readonly destination: Destination;
}

/**
 * HTTP/1.1 over bare sockets, made for testing servers: redirects are not followed, bodies not
 * decompressed, header names and bytes stay as received, and violations of HTTP are recorded beside
 * the response. Bounded in time (a deadline for each request, slow responses included) and in
 * memory (64 KiB of header, 8 MiB of body).
 */
export function openTransport(options: TransportOptions): Transport {
  const proxy = proxyOf(options.proxy);
  const origins = new Map<string, Origin>();
  const cancels = new Cancels();
  const originOf = (baseUrl: string): Origin => {
    const known = origins.get(baseUrl);
    if (known !== undefined) return known;
    const made = makeOrigin(baseUrl, { options, proxy, others: origins });
    origins.set(baseUrl, made);
    return made;
  };
  const send: Send = (baseUrl, request, signal) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const { pool, destination } = originOf(baseUrl);
      const head = writeRequestHead(request, destination);
      const jobs = cancels.jobsOf(signal);
      const settle = (exchange: Exchange): void => {
        jobs.delete(job);
        resolve(exchange);
      };
      const job: Job = {
        baseUrl,
        request,
        head,
        resent: undefined,
        suspicion: undefined,
        holder: undefined,
        resolve: settle,
        reject,
      };
      jobs.add(job);
      pool.submit(job);
    });
  return {
    send,
    close: async () => {
      cancels.close();
      for (const { pool } of origins.values()) pool.close();
    },
  };
}

function proxyOf(text: string | undefined): ProxyAddress | undefined {
  if (text === undefined) return undefined;
  const address = readProxyAddress(text);
  if (address !== undefined) return address;
  throw usage('The proxy is no URL of an HTTP proxy.', {
    hint: 'Write it as http://proxy.example:3128.',
  });
}

interface OriginParts {
  readonly options: TransportOptions;
  readonly proxy: ProxyAddress | undefined;
  /** By base URL: two base URLs of one origin share its connections. */
  readonly others: ReadonlyMap<string, Origin>;
}

function makeOrigin(baseUrl: string, { options, proxy, others }: OriginParts): Origin {
  const url = new URL(baseUrl);
  const shared = [...others].find(([other]) => new URL(other).origin === url.origin);
  if (shared !== undefined) return shared[1];
  const host = hostOf(url);
  refuseMetadata(host);
  const secure = url.protocol === 'https:';
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port);
  const pool = new OriginPool(
    { host, port, secure, proxy, findAddresses: options.findAddresses ?? findSystemAddresses },
    options,
  );
  // For a proxy, the target is the whole URL (RFC 9112, section 3.2.2); through a tunnel or
  // directly, only its path.
  const forwarded = proxy !== undefined && !secure;
  return {
    pool,
    destination: {
      host: url.host,
      prefix: forwarded ? url.origin : '',
      proxyFields: forwarded ? proxy.authorization : '',
      fields: new FieldsCache(),
    },
  };
}

/** One listener per signal, for any number of requests. */
class Cancels {
  readonly #jobs = new Map<
    AbortSignal,
    { readonly jobs: Set<Job>; readonly listener: () => void }
  >();

  /** The set that contains a job until it is settled. */
  jobsOf(signal: AbortSignal): Set<Job> {
    return (this.#jobs.get(signal) ?? this.#listen(signal)).jobs;
  }

  #listen(signal: AbortSignal): { readonly jobs: Set<Job>; readonly listener: () => void } {
    const jobs = new Set<Job>();
    const listener = (): void => {
      for (const job of [...jobs]) {
        job.holder?.drop();
        job.reject(signal.reason);
      }
      jobs.clear();
    };
    const entry = { jobs, listener };
    this.#jobs.set(signal, entry);
    signal.addEventListener('abort', listener, { once: true });
    return entry;
  }

  close(): void {
    for (const [signal, { listener, jobs }] of this.#jobs) {
      signal.removeEventListener('abort', listener);
      for (const job of jobs) job.reject(new Error('the transport was closed'));
    }
    this.#jobs.clear();
  }
}

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const badValue = /[^\t\x20-\x7e\x80-\xff]/;
const targetForm = /^[\x21-\x7e\x80-\xff]+$/;
/** The header fields that the transport itself sends (RFC 9110, section 7.6.1). */
const own = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'expect',
  'te',
  'trailer',
]);
/** A request of these methods has a body even if it is empty (RFC 9110, section 8.6). */
const carrying = new Set(['POST', 'PUT', 'PATCH']);

/** Where requests go: `host` for the Host field; `prefix` comes before the target for a proxy. */
interface Destination {
  readonly host: string;
  readonly prefix: string;
  /** Fields only for the proxy, each with its CRLF. */
  readonly proxyFields: string;
  readonly fields?: FieldsCache;
}

/**
 * The request line, the header fields and the empty line; a character is a byte. Throws an
 * UnsendableRequest.
 */
export function writeRequestHead(
  { method, target: path, headers, body }: HttpRequest,
  { host, prefix, proxyFields, fields = new FieldsCache() }: Destination,
): string {
  if (!token.test(method))
    throw new UnsendableRequest(`the method ${JSON.stringify(method)} is no token`);
  if (!targetForm.test(path))
    throw new UnsendableRequest(
      `the target ${JSON.stringify(path)} has a character that a request line cannot contain`,
    );
  const { text, namesHost, lengths } = fields.of(headers);
  for (const length of lengths)
    if (length.trim() !== String(body.length))
      throw new UnsendableRequest(
        `Content-Length is ${length}, and the body has ${String(body.length)} bytes`,
      );
  const length =
    body.length > 0 || carrying.has(method) ? `Content-Length: ${String(body.length)}\r\n` : '';
  return (
    `${method} ${prefix}${path} HTTP/` +
    `1.1\r\n${namesHost ? '' : `Host: ${host}\r\n`}${text}${length}${proxyFields}\r\n`
  );
}

interface WrittenFields {
  readonly text: string;
  readonly namesHost: boolean;
  /** The list's body lengths: the transport writes the length itself. */
  readonly lengths: readonly string[];
}

/** The written fields of a destination: most requests of an operation share one list. */
class FieldsCache {
  readonly #known = new WeakMap<HeaderList, WrittenFields>();

  of(headers: HeaderList): WrittenFields {
    const before = this.#known.get(headers);
    if (before !== undefined) return before;
    const written = writeFields(headers);
    this.#known.set(headers, written);
    return written;
  }
}

function writeFields(headers: HeaderList): WrittenFields {
  let text = '';
  let namesHost = false;
  const lengths: string[] = [];
  for (const [name, value] of headers) {
    const special = name.toLowerCase();
    if (own.has(special))
      throw new UnsendableRequest(
        `the header ${special} belongs to the connection, and cannot be chosen`,
      );
    namesHost ||= special === 'host';
    if (!token.test(name))
      throw new UnsendableRequest(`${JSON.stringify(name)} is no name of a header field`);
    if (badValue.test(value))
      throw new UnsendableRequest(
        `the header ${name} has a character that a header cannot contain`,
      );
    if (special === 'content-length') lengths.push(value);
    else text += `${name}: ${value}\r\n`;
  }
  return { text, namesHost, lengths };
}

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
interface PoolOptions {
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
class OriginPool implements ConnectionOwner {
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

import { createServer, type Server } from 'node:net';
import { readBaseUrl } from '../check/model/base-url.ts';
import { type CheckOptions, reportOf } from '../check/engine/check-target.ts';
import type { RunEvent } from '../check/model/event.ts';
import type { Finding } from '../check/model/finding.ts';
import type { RunSummary } from '../check/model/run-summary.ts';
import { decodeContent } from '../check/reading/decode-content.ts';
import { resolveSettings } from '../check/engine/settings.ts';
import { judgeAnswer } from '../check/traffic/judge-answer.ts';
import type { FindOperation } from '../check/traffic/place-traffic.ts';
import { makeTrafficFinder, serverPaths } from '../check/traffic/place-traffic.ts';
import { TrafficJudge, type TrafficVerdict } from '../check/traffic/judge-traffic.ts';
import { maxBodyBytes } from '../check/transport/send.ts';
import type { Contract } from '../contract/model.ts';
import { headerValue, type HttpRequest, type HttpResponse } from '../http/message.ts';
import { splitTarget } from '../http/target.ts';
import type { Mock } from '../mock/mock.ts';
import type { AnsweredBy, ProxiedExchange } from '../proxy/proxied-exchange.ts';
import { requestOf, toTraffic } from '../proxy/proxied-exchange.ts';
import { Recording } from '../proxy/record-traffic.ts';
import { refuseUnjudged, whyUnjudgeable } from '../proxy/judged-request.ts';
import { PathSpellings } from '../proxy/path-spellings.ts';
import { RelayConnection } from '../proxy/relay-connection.ts';
import type { Gate, RelayRules } from '../proxy/relay-rules.ts';
import { hostFieldOf, routeOf, type ServiceOptions } from '../proxy/service-route.ts';
import { bindPort, type Listening, listeningUrl } from '../server/listen.ts';
import { type MaybePromise, whenReady } from '../store/store.ts';
import type { PreparedMock } from './build-mock.ts';
import { chooseContract, type ContractChoice } from './choose-contract.ts';
import { readVersion } from './package-files.ts';
import { prepareMock } from './prepare-mock.ts';

/** The options of a proxy. */
export interface StartProxyOptions extends ContractChoice, ServiceOptions {
  /** The base URL of the service; its path is the base path of the contract there. */
  readonly url: string;
  /** The first port to try. Default 0: any free port. */
  readonly port?: number;
  /** Throws `port-taken` if the port is taken, instead of trying the next ones. */
  readonly strictPort?: boolean | undefined;
  /** The address to listen on. Default `127.0.0.1`. */
  readonly host?: string;
  /** Adds the verdict to each response, as `Vouch-Request` and `Vouch-Response`. */
  readonly headers?: boolean | undefined;
  /** Answers a request that breaks the contract with its error; the service does not get it. */
  readonly enforce?: boolean | undefined;
  /** With `enforce`: requests that cannot be judged pass as they are. Default: they are refused. */
  readonly passUnjudged?: boolean | undefined;
  /** `mock`: the mock answers what the service does not have, or if it cannot be reached. */
  readonly fallback?: 'mock' | undefined;
  /** A folder that gets the traffic as HAR, fixtures and scenarios, without secrets. */
  readonly record?: string | undefined;
  /** A response that is not complete after this time is reported. Default: 10 s. */
  readonly timeoutMs?: number;
  /** The settings of the checks, as for `checkTarget`. */
  readonly check?: Partial<CheckOptions>;
  /** Called after each exchange. */
  readonly onExchange?: (exchange: ProxyExchange) => void;
  /** Called for what belongs to no complete exchange; a sentence. */
  readonly onNote?: (text: string) => void;
  /** Called for each event of the run: the exchanges as they come, the findings at the end. */
  readonly onEvent?: (event: RunEvent) => void;
}

/** An exchange and its verdict. Without secrets. */
export interface ProxyExchange extends Pick<TrafficVerdict, 'operation' | 'request' | 'response'> {
  readonly method: string;
  readonly target: string;
  /** 0 without a response. */
  readonly status: number;
  readonly durationMs: number;
  readonly answeredBy: AnsweredBy;
  /** Why it was not judged, as a clause; undefined if it was. */
  readonly unjudged?: string;
  /** Why there is no complete response, as a sentence. */
  readonly fault?: string | undefined;
}

/** The result of the exchanges so far. */
export interface ProxyReport {
  readonly summary: RunSummary;
  readonly findings: readonly Finding[];
}

/** A running proxy. */
export interface RunningProxy extends Listening {
  /** The base URL for clients, in place of the service's. */
  readonly url: string;
  /** Scheme, host and port. */
  readonly origin: string;
  readonly contract: Contract;
  /** The findings so far. */
  readonly findings: readonly Finding[];
  /** The findings so far, and their verdict. */
  report(): ProxyReport;
  /** Closes all connections, and writes the recording. */
  close(): Promise<void>;
}

/** The bytes of bodies that all connections may hold at a time. */
const heldBytes = 16 * maxBodyBytes;
const sweepMs = 250;
/** The most exchanges that wait for their judgement. */
const maxQueued = 100;
/** The most connections of clients at a time. */
const maxConnections = 2_000;
/** Header fields that steer the mock, and that mean nothing, or something else, to the service. */
const forMock = /^(?:prefer|vouch-.*|content-encoding)$/i;
/** What a service answers that does not have an operation. */
const missing: ReadonlySet<number> = new Set([404, 405, 501]);

/**
 * Starts a proxy between clients and a service, which judges each exchange by the contract. Throws
 * a VouchError for a URL or a contract that cannot be used, and if no port is free.
 */
export async function startProxy(options: StartProxyOptions): Promise<RunningProxy> {
  const url = readBaseUrl(options.url, 'The URL of the service');
  const needsMock = options.enforce === true || options.fallback !== undefined;
  const prepared =
    needsMock || options.record !== undefined
      ? await prepareMock({ ...options, authentication: 'any' })
      : undefined;
  const contract = prepared?.contract ?? (await chooseContract(options)).contract;
  const run = new ProxyRun(url, contract, options, prepared);
  const server = createServer({ allowHalfOpen: true, noDelay: true });
  server.maxConnections = maxConnections;
  server.on('connection', (client) => run.accept(client));
  const { host = '127.0.0.1', port: requestedPort = 0, strictPort = false } = options;
  try {
    const port = await bindPort(server, {
      port: requestedPort,
      host,
      portsToTry: strictPort ? 1 : 20,
    });
    run.begin();
    return describeProxy(run, server, {
      origin: listeningUrl('http', host, port),
      port,
      requestedPort,
    });
  } catch (error) {
    server.close();
    await prepared?.store.close();
    throw error;
  }
}

type Address = Pick<RunningProxy, 'origin' | 'port' | 'requestedPort'>;

function describeProxy(run: ProxyRun, server: Server, address: Address): RunningProxy {
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    const ended = new Promise<void>((done) => server.close(() => done()));
    run.end();
    await ended;
    await run.finish();
  };
  return {
    ...address,
    url: `${address.origin}${new URL(run.url).pathname.replace(/\/+$/, '')}`,
    contract: run.contract,
    get findings() {
      return run.report().findings;
    },
    report: () => run.report(),
    close: () => (closed ??= close()),
  };
}

/** What a proxy knows and does while it runs. */
class ProxyRun {
  readonly url: string;
  readonly contract: Contract;
  readonly #options: StartProxyOptions;
  readonly #prepared: PreparedMock | undefined;
  readonly #origin: string;
  readonly #find: FindOperation;
  readonly #spellings: PathSpellings;
  readonly #judge: TrafficJudge;
  readonly #recording: Recording | undefined;
  readonly #connections = new Set<RelayConnection>();
  readonly #rules: RelayRules;
  readonly #verdicts = new Map<ProxiedExchange, TrafficVerdict | string>();
  /** Operations that the service has, because it answered them. */
  readonly #present = new Set<string>();
  readonly #queue: ProxiedExchange[] = [];
  #timer: NodeJS.Timeout | undefined;
  #number = 0;

  constructor(
    url: string,
    contract: Contract,
    options: StartProxyOptions,
    prepared: PreparedMock | undefined,
  ) {
    this.url = url;
    this.contract = contract;
    this.#options = options;
    this.#prepared = prepared;
    this.#origin = new URL(url).origin;
    const hasPath = new URL(url).pathname.replace(/\/+$/, '') !== '';
    const bases = hasPath
      ? [url]
      : [...new Set([...serverPaths(contract.operations), ''])].map((path) => this.#origin + path);
    this.#find = makeTrafficFinder(contract, bases);
    this.#spellings = new PathSpellings(
      contract.operations,
      bases.map((base) => base.slice(this.#origin.length)),
    );
    this.#judge = new TrafficJudge({
      settings: resolveSettings({
        version: readVersion(),
        ...options.check,
        url,
        contract,
        mode: 'read-only',
      }),
      find: this.#find,
      source: `the traffic to ${url}`,
      isLive: true,
    });
    this.#recording =
      options.record === undefined || prepared === undefined
        ? undefined
        : new Recording(options.record, prepared.mock.options);
    this.#rules = this.#makeRules();
  }

  #makeRules(): RelayRules {
    const { enforce, fallback, headers, timeoutMs = 10_000 } = this.#options;
    const mock = this.#prepared?.mock;
    return {
      route: routeOf(this.url, this.#options),
      host: hostFieldOf(this.url, this.#options),
      budget: { each: maxBodyBytes, left: heldBytes },
      timeoutMs,
      nextNumber: () => (this.#number += 1),
      replaceable: missing,
      ...(enforce === true && mock !== undefined ? { gate: this.#makeGate(mock) } : {}),
      ...(fallback === 'mock' && mock !== undefined
        ? { replace: (exchange) => this.#replace(exchange, mock) }
        : {}),
      ...(headers === true ? { fields: (exchange) => this.#fieldsOf(exchange) } : {}),
      settled: (exchange) => this.#settle(exchange),
      slow: (exchange) => this.#note(exchange, 'is not complete', timeoutMs),
      note: (text) => this.#options.onNote?.(text),
      turnedAway: (why) => {
        this.#judge.skip('turned away');
        this.#options.onNote?.(why);
      },
    };
  }

  #makeGate(mock: Mock): Gate {
    const passesUnjudged = this.#options.passUnjudged === true;
    return {
      beforehand: (head) => whyUnjudgeable(head, this.contract),
      refuse: (exchange) => this.#refuse(exchange, mock),
      passesUnjudged,
    };
  }

  accept(client: ConstructorParameters<typeof RelayConnection>[0]): void {
    const connection = new RelayConnection(client, this.#rules, () => {
      this.#connections.delete(connection);
    });
    this.#connections.add(connection);
  }

  begin(): void {
    this.#emit(this.#judge.begin(`${this.url} (through the proxy)`));
    this.#timer = setInterval(() => {
      for (const connection of this.#connections) connection.sweep(performance.now());
    }, sweepMs).unref();
  }

  #note(exchange: ProxiedExchange, what: string, afterMs: number): void {
    const { method, target } = requestOf(exchange);
    const shown = this.#judge.redactor.target(target);
    const state = exchange.responseBegun ? 'the response' : 'no response yet; it';
    this.#options.onNote?.(
      `${method} ${shown}: ${state} ${what} after ${String(afterMs / 1_000)} s.`,
    );
  }

  #emit(event: RunEvent): void {
    this.#recording?.take(event);
    this.#options.onEvent?.(event);
  }

  /** The refusal of a gated request; of one outside the contract, if it is another spelling. */
  #refuse(exchange: ProxiedExchange, mock: Mock): MaybePromise<HttpResponse | undefined> {
    const request = this.#requestForMock(exchange);
    if (request === undefined) return this.#refuseSpelling(exchange);
    const content = decodeContent(request);
    if (!content.ok) {
      exchange.unjudged = `the body ${content.reason}`;
      return refuseUnjudged(400, 'The body is not in its Content-Encoding.');
    }
    const headers = request.headers.filter(([name]) => !forMock.test(name));
    const decoded = { ...request, headers, body: content.bytes };
    return whenReady(mock.inspect?.(decoded), (answer) => {
      exchange.unjudged = answer?.refusal?.message;
      return answer;
    });
  }

  #refuseSpelling(exchange: ProxiedExchange): HttpResponse | undefined {
    const { method, target } = exchange.head;
    const { path } = splitTarget(target);
    if (!this.#spellings.hasOther(method, path)) return undefined;
    exchange.unjudged = 'the path is another spelling of one in the contract';
    return refuseUnjudged(400, 'The method and path are another spelling of an operation.');
  }

  #replace(exchange: ProxiedExchange, mock: Mock): MaybePromise<HttpResponse | undefined> {
    const request = this.#requestForMock(exchange);
    if (request === undefined) return undefined;
    const { response } = exchange;
    if (response !== undefined && !this.#isMissing(exchange, response)) return undefined;
    exchange.unjudged =
      response === undefined
        ? (exchange.fault?.message ?? '')
        : `the service answered ${String(response.status)}`;
    return whenReady(mock.answer(request), (answer) => answer);
  }

  #requestForMock(exchange: ProxiedExchange): HttpRequest | undefined {
    if (exchange.body === undefined) return undefined;
    const sent = requestOf(exchange);
    const find: (request: HttpRequest) => ReturnType<FindOperation> = (request) =>
      this.#find({ baseUrl: this.#origin, request, durationMs: 0 });
    // A service answers HEAD as GET (RFC 9110, section 9.3.2).
    const isHead = sent.method === 'HEAD' && typeof find(sent) === 'string';
    const request = isHead ? { ...sent, method: 'GET' } : sent;
    const found = find(request);
    if (typeof found === 'string') return undefined;
    const base = found.baseUrl.slice(this.#origin.length);
    const own = found.operation.servers[0]?.basePath ?? '';
    return { ...request, target: own + request.target.slice(base.length) };
  }

  /**
   * Whether the service does not have the operation: a 404 that the contract documents, and that is
   * as it documents, is about a record.
   */
  #isMissing(exchange: ProxiedExchange, response: HttpResponse): boolean {
    const seen = { baseUrl: this.#origin, request: requestOf(exchange), response, durationMs: 0 };
    const found = this.#find(seen);
    if (typeof found === 'string' || this.#present.has(found.operation.id)) return false;
    if (response.status !== 404) return true;
    const { operation } = found;
    const isHtml = /^\s*text\/html/i.test(headerValue(response.headers, 'content-type') ?? '');
    const documented = operation.responses.find(({ status }) => status === '404');
    if (documented === undefined || isHtml) return true;
    return judgeAnswer(this.contract, operation, seen).some(({ severity }) => severity === 'error');
  }

  #fieldsOf(exchange: ProxiedExchange): string {
    const verdict = this.#verdictOf(exchange);
    this.#verdicts.set(exchange, verdict);
    const lines =
      typeof verdict === 'string' || verdict.kind !== 'placed'
        ? { 'Vouch-Request': `not judged; ${typeof verdict === 'string' ? verdict : verdict.kind}` }
        : {
            'Vouch-Request':
              verdict.request === undefined ? 'conforms' : `violates; ${verdict.request}`,
            'Vouch-Response':
              verdict.response.length === 0
                ? 'conforms'
                : `violates; ${verdict.response.map(({ check }) => check).join(', ')}`,
          };
    return Object.entries(lines)
      .map(([name, text]) => `${name}: ${text.replaceAll(/[^ -~]/g, '?').slice(0, 300)}\r\n`)
      .join('');
  }

  /** Judges an exchange after its bytes have left, so that no client waits for it. */
  #settle(exchange: ProxiedExchange): void {
    this.#queue.push(exchange);
    if (this.#queue.length === 1) setImmediate(() => this.#judgeNext());
    // Clients that are faster than the judge wait for it: else the queue would have no end.
    if (this.#queue.length > maxQueued) this.#judgeFirst();
  }

  #judgeNext(): void {
    this.#judgeFirst();
    if (this.#queue.length > 0) setImmediate(() => this.#judgeNext());
  }

  #judgeFirst(): void {
    const exchange = this.#queue.shift();
    if (exchange !== undefined) this.#judgeOne(exchange);
  }

  #verdictOf(exchange: ProxiedExchange): TrafficVerdict | string {
    const known = this.#verdicts.get(exchange);
    if (known !== undefined) return known;
    const traffic = toTraffic(exchange, this.#origin);
    return typeof traffic === 'string' ? traffic : this.#judge.add(traffic);
  }

  #judgeOne(exchange: ProxiedExchange): void {
    const verdict = this.#verdictOf(exchange);
    this.#verdicts.delete(exchange);
    this.#rules.budget.left += exchange.lent;
    const request = requestOf(exchange);
    if (typeof verdict === 'string') {
      this.#judge.learn([{ baseUrl: this.#origin, request, durationMs: 0 }]);
      this.#judge.skip(verdict);
    } else {
      for (const event of verdict.events) this.#emit(event);
      if (verdict.step !== undefined && exchange.bodyRecorded) this.#recording?.add(verdict.step);
      const status = exchange.response?.status ?? 404;
      const { step } = verdict;
      if (step !== undefined && !missing.has(status)) this.#present.add(step.case.operation.id);
    }
    this.#options.onExchange?.(this.#describe(exchange, verdict));
  }

  #describe(exchange: ProxiedExchange, verdict: TrafficVerdict | string): ProxyExchange {
    const { text, target: showTarget } = this.#judge.redactor;
    const { method, target } = requestOf(exchange);
    const { response, fault, durationMs, answeredBy, unjudged } = exchange;
    const judged = typeof verdict === 'string' ? undefined : verdict;
    const why =
      typeof verdict === 'string'
        ? [verdict, ...(answeredBy !== 'service' && unjudged !== undefined ? [unjudged] : [])].join(
            ': ',
          )
        : verdict.kind === 'placed'
          ? undefined
          : 'not in the contract';
    return {
      method,
      target: showTarget(target),
      status: response?.status ?? 0,
      durationMs,
      answeredBy,
      operation: judged?.operation,
      request: judged?.request,
      response: judged?.response ?? [],
      ...(why === undefined ? {} : { unjudged: text(why) }),
      fault: fault?.message,
    };
  }

  report(): ProxyReport {
    for (const exchange of this.#queue.splice(0)) this.#judgeOne(exchange);
    const { summary, findings } = reportOf([...this.#judge.finish()]);
    return { summary, findings };
  }

  /** Cuts off all connections. */
  end(): void {
    clearInterval(this.#timer);
    for (const connection of [...this.#connections]) connection.destroy();
  }

  async finish(): Promise<void> {
    for (const exchange of this.#queue.splice(0)) this.#judgeOne(exchange);
    for (const event of this.#judge.finish()) this.#emit(event);
    this.#recording?.finish(this.#judge.redactor);
    await this.#prepared?.store.close();
  }
}

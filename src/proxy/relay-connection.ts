import type { Socket } from 'node:net';
import { type Fault, judgeTrailing } from '../check/transport/wire/answer/breaches.ts';
import type { ByteBudget } from '../check/transport/wire/answer/byte-store.ts';
import {
  brokenOff,
  outOfTime,
  type Reading,
  ResponseReader,
} from '../check/transport/wire/answer/response-reader.ts';
import type { Route } from '../check/transport/wire/socket/open-socket.ts';
import { emptyBody, type HttpResponse } from '../http/message.ts';
import { problemResponse } from '../http/problem.ts';
import { type MaybePromise, whenReady } from '../store/store.ts';
import {
  type AnsweredBy,
  insertFields,
  isEventStream,
  openExchange,
  type ProxiedExchange,
  withHost,
  writeAnswer,
} from './proxied-exchange.ts';
import { RequestReader, type SentPart } from './request-reader.ts';
import { Upstream } from './upstream.ts';

/** How the connections of a proxy treat requests and responses. */
export interface RelayRules {
  readonly route: Route;
  /** Replaces the host that the client names; undefined: it stays. */
  readonly host: string | undefined;
  readonly budget: ByteBudget;
  /** After this time without a complete response, `slow` is called. */
  readonly timeoutMs: number;
  /** The number of the next exchange. */
  readonly nextNumber: () => number;
  /** The refusal of a request that must not reach the service. Requests then wait for it. */
  readonly refuse?: (exchange: ProxiedExchange) => MaybePromise<HttpResponse | undefined>;
  /** Statuses of the service that `replace` may replace; such responses wait until complete. */
  readonly replaceable: ReadonlySet<number>;
  /** The response in place of the service's, or of a service that cannot be reached. */
  readonly replace?: (exchange: ProxiedExchange) => MaybePromise<HttpResponse | undefined>;
  /** Header fields with the verdict, complete lines. All responses then wait until complete. */
  readonly fields?: (exchange: ProxiedExchange) => string;
  readonly settled: (exchange: ProxiedExchange) => void;
  readonly slow: (exchange: ProxiedExchange) => void;
  /** Something happened that belongs to no exchange, as a sentence. */
  readonly note: (text: string) => void;
}

/** A response that waits is passed on after this time, without a verdict. */
const longestHoldMs = 2_000;
/** Bytes of further requests that wait before the client is paused. */
const mostWaiting = 64 * 1024;
const waitingForBody = 'HTTP/1.1 100 Continue\r\n\r\n';

/**
 * Connects one client with the service: every byte passes as it is, in both directions, while the
 * exchanges are observed. Each connection of a client has its own to the service, so fields about
 * the connection (RFC 9110, section 7.6.1) mean the same on both, and pass too. Bytes that are not
 * HTTP/1.1 pass without being judged.
 */
export class RelayConnection {
  readonly #client: Socket;
  readonly #rules: RelayRules;
  readonly #requests: RequestReader;
  readonly #responses: ResponseReader;
  readonly #gone: () => void;
  /** In the order of the requests. */
  readonly #open: ProxiedExchange[] = [];
  #sending: ProxiedExchange | undefined;
  #waiting: Buffer[] = [];
  #up: Upstream | undefined;
  #isBlind = false;
  #isOver = false;
  #hasClientEnded = false;
  /** How the client's side is closed after the exchanges in progress. */
  #closing: 'end' | 'reset' | undefined;

  /** `gone` is called when both sides are closed. */
  constructor(client: Socket, rules: RelayRules, gone: () => void) {
    this.#client = client;
    this.#rules = rules;
    this.#gone = gone;
    this.#requests = new RequestReader(rules.budget);
    this.#responses = new ResponseReader(rules.budget);
    client.on('data', (bytes: Buffer) => this.#take(bytes));
    client.on('end', () => this.#onClientEnd());
    client.on('drain', () => this.#up?.resume());
    client.on('error', () => this.#end(true));
    client.on('close', () => this.#end(false));
  }

  /** Closes both sides at once. */
  destroy(): void {
    this.#client.destroy();
    this.#end(false);
  }

  /** Whether an exchange is in progress. */
  get isBusy(): boolean {
    return this.#open.length > 0;
  }

  /** Names what takes long, and stops holding it back. Call it from time to time. */
  sweep(now: number): void {
    const exchange = this.#answering;
    if (exchange === undefined) return;
    const waited = now - exchange.began;
    if (waited > this.#rules.timeoutMs && !exchange.isSlow) {
      exchange.isSlow = true;
      this.#rules.slow(exchange);
    }
    if (waited > longestHoldMs && this.#responses.head !== undefined)
      this.#release(exchange, notJudged('it takes long'));
  }

  /** Whether requests or responses wait for a judgement: then one exchange follows the other. */
  get #isControlled(): boolean {
    const { refuse, replace, fields } = this.#rules;
    return refuse !== undefined || replace !== undefined || fields !== undefined;
  }

  get #answering(): ProxiedExchange | undefined {
    return this.#open.find(({ responseWhole }) => !responseWhole);
  }

  /** The client sends nothing more; its last response may still come. */
  #onClientEnd(): void {
    this.#hasClientEnded = true;
    if (this.#up !== undefined) this.#up.end();
    else if (this.#open.length === 0) this.#client.end();
  }

  #take(bytes: Buffer): void {
    if (this.#isOver || this.#closing !== undefined) return;
    let at = 0;
    while (at < bytes.length) {
      if (this.#isBlind) return this.#forward(bytes.subarray(at));
      if (this.#isControlled && this.#sending === undefined && this.#open.length > 0)
        return this.#wait(bytes.subarray(at));
      const part = this.#requests.read(bytes, at);
      if (part.kind === 'more') return;
      if (part.kind === 'unreadable') return this.#onUnreadable(part.bytes);
      const from = at;
      at = part.rest;
      if (part.kind === 'head') this.#onHead(part);
      else this.#onBody(bytes.subarray(from, at), part.isLast);
    }
  }

  /** Keeps the bytes of the next requests until the current exchange is over. */
  #wait(bytes: Buffer): void {
    this.#waiting.push(bytes);
    if (this.#waiting.reduce((sum, { length }) => sum + length, 0) > mostWaiting)
      this.#client.pause();
  }

  #onUnreadable(bytes: Buffer): void {
    if (this.#rules.refuse !== undefined) {
      const refusal = problemResponse(400, 'The request is not HTTP/1.1 that vouch can read.');
      this.#client.end(writeAnswer(refusal, 'GET', [['Connection', 'close']]));
      return;
    }
    this.#goBlind('a request that is not HTTP/1.1 passed; this connection is not judged any more.');
    this.#forward(bytes);
  }

  #onHead({ head, bytes }: SentPart & { readonly kind: 'head' }): void {
    const { host, refuse, replace, fields, nextNumber } = this.#rules;
    const exchange = openExchange(nextNumber(), head);
    this.#open.push(exchange);
    this.#sending = exchange;
    if (refuse !== undefined) exchange.heldRequest = [];
    if (replace !== undefined || fields !== undefined) exchange.heldResponse = [];
    if (refuse !== undefined && head.waits) this.#client.write(waitingForBody);
    this.#send(exchange, host === undefined ? bytes : withHost(bytes, host));
    if (!this.#requests.hasBody) this.#onRequestWhole(exchange);
  }

  #onBody(bytes: Buffer, isLast: boolean): void {
    const exchange = this.#sending;
    if (exchange === undefined) return;
    this.#send(exchange, bytes);
    if (this.#requests.bodyDropped) this.#sendHeld(exchange);
    if (isLast) this.#onRequestWhole(exchange);
  }

  #send(exchange: ProxiedExchange, bytes: Buffer): void {
    if (exchange.heldRequest === undefined) this.#forward(bytes);
    else exchange.heldRequest.push(bytes);
  }

  #sendHeld(exchange: ProxiedExchange): void {
    const held = exchange.heldRequest;
    exchange.heldRequest = undefined;
    for (const bytes of held ?? []) this.#forward(bytes);
  }

  #onRequestWhole(exchange: ProxiedExchange): void {
    this.#sending = undefined;
    exchange.requestWhole = true;
    exchange.body = this.#requests.bodyDropped ? undefined : this.#requests.takeBody();
    const { refuse } = this.#rules;
    if (refuse === undefined || exchange.heldRequest === undefined)
      return this.#afterRequest(exchange);
    void whenReady(refuse(exchange), (refusal) => {
      if (refusal !== undefined) return this.#answer(exchange, refusal, 'refusal');
      this.#sendHeld(exchange);
      this.#afterRequest(exchange);
    });
  }

  #afterRequest(exchange: ProxiedExchange): void {
    if (exchange.fault !== undefined && exchange.answeredBy === 'unreachable')
      this.#answerUnreachable(exchange);
    else if (exchange.responseWhole) this.#settle(exchange);
  }

  /** Sends bytes to the service, and opens the connection to it for the first ones. */
  #forward(bytes: Buffer): void {
    this.#up ??= new Upstream(this.#rules.route, {
      bytes: (received) => this.#onServiceBytes(received),
      drained: () => this.#client.resume(),
      failed: (fault) => this.#onUnreachable(fault),
      ended: (isReset) => this.#onServiceEnd(isReset),
    });
    if (!this.#up.write(bytes)) this.#client.pause();
  }

  #onServiceBytes(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length) {
      const exchange = this.#answering;
      if (this.#isBlind || exchange === undefined) {
        if (!this.#isBlind) this.#rules.note('the service sent bytes that answer no request.');
        return this.#deliver(bytes.subarray(at));
      }
      if (!exchange.responseBegun) this.#responses.begin(exchange.head.method);
      exchange.responseBegun = true;
      const rest = bytes.subarray(at);
      const reading = this.#responses.push(rest);
      const end = reading.kind === 'whole' ? reading.rest : rest.length;
      this.#pass(exchange, rest.subarray(0, end));
      at += end;
      this.#onReading(exchange, reading, bytes.subarray(at));
    }
  }

  #onReading(exchange: ProxiedExchange, reading: Reading, trailing: Buffer): void {
    if (reading.kind === 'more') return this.#passInTime(exchange);
    if (reading.kind === 'broken') return this.#onBroken(exchange, reading.fault);
    exchange.response = reading.response;
    exchange.bodyRecorded = !this.#responses.bodyDropped;
    const { method } = exchange.head;
    const isNext = this.#open.length > 1;
    const breach =
      trailing.length === 0 || isNext
        ? undefined
        : judgeTrailing(trailing, method, exchange.response);
    exchange.breaches = [
      ...(this.#responses.breaches.list ?? []),
      ...(breach === undefined ? [] : [breach]),
    ];
    this.#conclude(exchange);
  }

  /** Where the response ends is unknown, or it ends HTTP: from now on, bytes only pass. */
  #onBroken(exchange: ProxiedExchange, fault: Fault): void {
    if (fault.kind === 'protocol.unsolicited-upgrade' && exchange.head.upgrades) {
      exchange.unjudged = 'upgraded to another protocol';
      this.#goBlind(undefined);
    } else {
      exchange.fault = fault;
      exchange.breaches = this.#responses.breaches.list ?? [];
      this.#goBlind('this connection is not judged any more.');
    }
    this.#release(exchange, '');
    this.#conclude(exchange);
  }

  #goBlind(text: string | undefined): void {
    this.#isBlind = true;
    if (text !== undefined) this.#rules.note(text);
    const waiting = this.#waiting.splice(0);
    for (const bytes of waiting) this.#forward(bytes);
  }

  #pass(exchange: ProxiedExchange, bytes: Buffer): void {
    if (exchange.heldResponse === undefined) this.#deliver(bytes);
    else exchange.heldResponse.push(bytes);
  }

  /** Passes on what need not, or must not, wait for the end of the response. */
  #passInTime(exchange: ProxiedExchange): void {
    const { heldResponse: held } = exchange;
    if (held === undefined) return;
    const { head, isBetweenHeads, bodyDropped } = this.#responses;
    if (head === undefined) {
      // An interim response, such as 100 (Continue), for which the client waits.
      if (isBetweenHeads) for (const bytes of held.splice(0)) this.#deliver(bytes);
    } else if (isEventStream(head.headers)) this.#release(exchange, notJudged('it is a stream'));
    else if (bodyDropped) this.#release(exchange, notJudged('it is larger than vouch reads'));
    else if (this.#rules.fields === undefined && !this.#rules.replaceable.has(head.status))
      this.#release(exchange, '');
  }

  /** Passes on a response that waits; with the verdict if all responses have one. */
  #release(exchange: ProxiedExchange, fields: string): void {
    const held = exchange.heldResponse;
    exchange.heldResponse = undefined;
    if (held === undefined || held.length === 0) return;
    const bytes = Buffer.concat(held);
    this.#deliver(
      fields === '' || this.#rules.fields === undefined ? bytes : insertFields(bytes, fields),
    );
  }

  #deliver(bytes: Buffer): void {
    if (this.#client.writable && !this.#client.write(bytes)) this.#up?.pause();
  }

  /** The response is complete, or will never be. */
  #conclude(exchange: ProxiedExchange): void {
    exchange.responseWhole = true;
    exchange.durationMs = performance.now() - exchange.began;
    const { replace, fields } = this.#rules;
    if (exchange.heldResponse === undefined || !exchange.requestWhole) {
      this.#release(exchange, '');
      if (exchange.requestWhole) this.#settle(exchange);
      return;
    }
    const mayReplace = this.#rules.replaceable.has(exchange.response?.status ?? 0);
    void whenReady(mayReplace ? replace?.(exchange) : undefined, (local) => {
      if (local !== undefined) return this.#answer(exchange, local, 'mock');
      const verdict = exchange.heldResponse === undefined ? '' : (fields?.(exchange) ?? '');
      this.#release(exchange, verdict);
      this.#settle(exchange);
    });
  }

  /** Answers in place of the service. */
  #answer(exchange: ProxiedExchange, response: HttpResponse, by: AnsweredBy): void {
    exchange.answeredBy = by;
    exchange.heldResponse = undefined;
    exchange.heldRequest = undefined;
    exchange.response = response;
    exchange.responseWhole = true;
    exchange.durationMs = performance.now() - exchange.began;
    const isLast = !exchange.requestWhole || by === 'unreachable';
    const fields: [string, string][] = [
      ['Vouch-Proxy', by],
      ...(isLast ? ([['Connection', 'close']] as [string, string][]) : []),
    ];
    this.#deliver(writeAnswer(response, exchange.head.method, fields));
    if (isLast) this.#closing ??= 'end';
    this.#settle(exchange);
  }

  #onUnreachable(fault: Fault): void {
    this.#up = undefined;
    if (this.#isBlind) return void this.#client.end();
    for (const exchange of [...this.#open]) {
      exchange.fault = fault;
      exchange.answeredBy = 'unreachable';
      const { waits } = exchange.head;
      const mayReplace = this.#rules.replace !== undefined;
      if (mayReplace && waits && !exchange.requestWhole) this.#client.write(waitingForBody);
      if (exchange.requestWhole || !mayReplace) this.#answerUnreachable(exchange);
    }
  }

  #answerUnreachable(exchange: ProxiedExchange): void {
    const { replace } = this.#rules;
    const why = exchange.fault?.message ?? '';
    void whenReady(exchange.requestWhole ? replace?.(exchange) : undefined, (local) => {
      if (local !== undefined) return this.#answer(exchange, local, 'mock');
      const failed = problemResponse(502, `The service behind the proxy gave no answer: ${why}`);
      this.#answer(exchange, failed, 'unreachable');
    });
  }

  /** The service closed its side: the client sees the same. */
  #onServiceEnd(isReset: boolean): void {
    this.#up = undefined;
    this.#closing = isReset ? 'reset' : 'end';
    this.#waiting = [];
    const exchange = this.#answering;
    if (exchange !== undefined && !this.#isBlind) this.#onCutOff(exchange);
    this.#closeClient();
  }

  /** A response that the mock gives in place of the service's may still be on its way. */
  #closeClient(): void {
    if (this.#open.some(({ requestWhole }) => requestWhole)) return;
    if (this.#closing === 'reset') this.#client.write('', () => this.#client.resetAndDestroy());
    else this.#client.end();
  }

  #onCutOff(exchange: ProxiedExchange): void {
    if (!exchange.responseBegun) this.#responses.begin(exchange.head.method);
    const reading = this.#responses.end();
    if (reading.kind === 'whole') {
      this.#onReading(exchange, reading, emptyBytes);
      return;
    }
    for (const open of this.#open.filter(({ responseWhole }) => !responseWhole)) {
      // After the end of the client, the service may end the response too: that is no fault of it.
      if (this.#hasClientEnded) this.#leaveOff(open);
      else if (open === exchange)
        open.fault = reading.kind === 'broken' ? reading.fault : brokenOff(this.#responses);
      open.responseWhole = true;
      open.durationMs = performance.now() - open.began;
      this.#release(open, '');
      this.#settle(open);
    }
  }

  #settle(exchange: ProxiedExchange): void {
    const at = this.#open.indexOf(exchange);
    if (at === -1) return;
    this.#open.splice(at, 1);
    if (this.#sending === exchange) this.#sending = undefined;
    this.#rules.settled(exchange);
    if (this.#closing === undefined) this.#takeWaiting();
    else this.#closeClient();
  }

  #takeWaiting(): void {
    if (this.#isOver || this.#waiting.length === 0) return;
    const waiting = Buffer.concat(this.#waiting.splice(0));
    this.#client.resume();
    this.#take(waiting);
  }

  /** The client is gone: the service sees the same. */
  #end(isReset: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#up?.close(isReset);
    for (const exchange of this.#open.splice(0)) {
      if (!exchange.responseWhole) this.#leaveOff(exchange);
      this.#rules.settled(exchange);
    }
    this.#requests.clear();
    this.#responses.begin('GET');
    this.#gone();
  }

  /** What is known of an exchange that the client, or the end of the proxy, cut off. */
  #leaveOff(exchange: ProxiedExchange): void {
    exchange.durationMs = performance.now() - exchange.began;
    const { head } = this.#responses;
    const isStream = head !== undefined && isEventStream(head.headers);
    if (exchange.isSlow && !isStream && exchange.responseBegun) {
      exchange.fault = outOfTime(this.#responses, Math.round(exchange.durationMs));
    } else if (exchange.isSlow && !exchange.responseBegun) {
      this.#responses.begin(exchange.head.method);
      exchange.fault = outOfTime(this.#responses, Math.round(exchange.durationMs));
    } else if (head !== undefined && exchange.responseBegun && exchange.requestWhole) {
      exchange.response = { status: head.status, headers: head.headers, body: emptyBody };
      exchange.bodyRecorded = false;
    }
  }
}

const emptyBytes = Buffer.alloc(0);

function notJudged(why: string): string {
  return `Vouch-Response: not judged; ${why}\r\n`;
}

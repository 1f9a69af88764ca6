import type { Socket } from 'node:net';
import { type ResponseFault, judgeTrailing } from '../check/transport/wire/answer/breaches.ts';
import type { Reading } from '../check/transport/wire/answer/response-reader.ts';
import { brokenOff, ResponseReader } from '../check/transport/wire/answer/response-reader.ts';
import type { HttpResponse } from '../http/message.ts';
import { problemResponse } from '../http/problem.ts';
import { whenReady } from '../store/store.ts';
import { ClientSocket } from './client-socket.ts';
import { busy, canonicalHead, tooLargeToJudge, writeRequest } from './judged-request.ts';
import type { AnsweredBy, ProxiedExchange } from './proxied-exchange.ts';
import { openExchange, upgrades, waitsForBody, withHost, writeAnswer } from './proxied-exchange.ts';
import type { RelayRules } from './relay-rules.ts';
import { RequestReader, type SentPart } from './request-reader.ts';
import { howItWaits, leaveOff, notJudged, takeHeld } from './response-progress.ts';
import { Upstream } from './upstream.ts';

/** A response that waits is passed on after this time, without a verdict. */
const longestHoldMs = 2_000;
/** Bytes of further requests that wait before the client is paused. */
const maxWaiting = 64 * 1024;
/** The most requests of one connection without a response; further ones wait. */
const maxAhead = 100;
const waitingForBody = 'HTTP/1.1 100 Continue\r\n\r\n';

/**
 * Connects one client with the service. Each connection of a client has its own to the service.
 * Without a gate, every byte passes as it is, in both directions, while the exchanges are observed:
 * fields about the connection (RFC 9110, section 7.6.1) mean the same on both sides, and bytes that
 * are not HTTP/1 pass without being judged. With a gate, the service gets what was judged, and
 * nothing else: no byte of a client passes, but the request written anew. A request that two
 * readers may understand differently never passes.
 */
export class RelayConnection {
  readonly #client: ClientSocket;
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
  /** A refusal that follows the last response. */
  #lastWord: Buffer | undefined;

  /** `gone` is called when both sides are closed. */
  constructor(client: Socket, rules: RelayRules, gone: () => void) {
    this.#client = new ClientSocket(client);
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
    this.#sweepRequest(now);
    const exchange = this.#answering;
    if (exchange === undefined) return;
    const waited = now - exchange.began;
    if (waited > this.#rules.timeoutMs && !exchange.isSlow) {
      exchange.isSlow = true;
      this.#rules.slow(exchange);
    }
    if (waited > longestHoldMs && this.#responses.head !== undefined)
      this.#deliverHeld(exchange, notJudged('it takes long'));
  }

  /** A client that sends too slowly loses its place and its share of the budget. */
  #sweepRequest(now: number): void {
    if (this.#closing !== undefined || !this.#client.isLate(now)) return;
    const late = problemResponse(408, 'The request did not arrive in time.');
    const exchange = this.#sending;
    if (exchange === undefined) this.#sayLast(late);
    else if (exchange.isGated) this.#answer(exchange, late, 'refusal');
  }

  /** Whether requests or responses wait for a judgement: then one exchange follows the other. */
  get #isControlled(): boolean {
    const { gate, replace, fields } = this.#rules;
    return gate !== undefined || replace !== undefined || fields !== undefined;
  }

  get #answering(): ProxiedExchange | undefined {
    return this.#open.find(({ responseWhole }) => !responseWhole);
  }

  get #isPartial(): boolean {
    return this.#sending !== undefined || !this.#requests.isIdle;
  }

  /** The client sends nothing more; its last response may still come. */
  #onClientEnd(): void {
    this.#hasClientEnded = true;
    if (this.#waiting.length === 0) this.#afterLastBytes();
  }

  /** A request that will never be whole is let go at once, with all that it holds. */
  #afterLastBytes(): void {
    if (this.#isPartial && !this.#isBlind) return this.destroy();
    if (this.#open.length > 0 && this.#rules.gate !== undefined) return;
    this.#up?.end();
    if (this.#open.length === 0 && !this.#isBlind) this.#client.hangUp(emptyBytes);
  }

  #take(bytes: Buffer): void {
    if (this.#isOver || this.#closing !== undefined) return;
    if (this.#waiting.length > 0) return this.#wait(bytes);
    this.#read(bytes);
    this.#client.heard(this.#isPartial && !this.#isBlind);
  }

  #read(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length && this.#closing === undefined && !this.#isOver) {
      if (this.#isBlind) return this.#forward(bytes.subarray(at));
      const max = this.#isControlled ? 1 : maxAhead;
      if (this.#sending === undefined && this.#open.length >= max)
        return this.#wait(bytes.subarray(at));
      const part = this.#requests.read(bytes, at);
      if (part.kind === 'more') return;
      if (part.kind === 'unreadable') return this.#onUnreadable(part.bytes);
      if (part.kind === 'faulty') return this.#onFaulty(part.detail);
      const from = at;
      at = part.rest;
      if (part.kind === 'head') this.#onHead(part);
      else this.#onBody(bytes.subarray(from, at), part.isLast);
    }
  }

  /** Keeps the bytes of the next requests until the current exchange is over. */
  #wait(bytes: Buffer): void {
    this.#waiting.push(Buffer.from(bytes));
    if (this.#waiting.reduce((sum, { length }) => sum + length, 0) > maxWaiting)
      this.#client.pause();
  }

  #onUnreadable(bytes: Buffer): void {
    if (this.#rules.gate?.passesUnjudged === false) {
      this.#rules.turnedAway('a request that is not HTTP/1.1 was turned away.');
      return this.#sayLast(problemResponse(400, 'The request is not HTTP/1.1.'));
    }
    this.#goBlind('a request that is not HTTP/1.1 passed; this connection is not judged any more.');
    this.#forward(bytes);
  }

  /** Where such a request ends, or what it says, depends on who reads it: it must not pass. */
  #onFaulty(detail: string): void {
    const refusal = problemResponse(400, `${detail} Recipients read that differently (RFC 9112).`);
    const exchange = this.#sending;
    if (exchange === undefined) {
      this.#rules.turnedAway(`a request was turned away: ${detail}`);
      return this.#sayLast(refusal);
    }
    this.#up?.close(true);
    this.#up = undefined;
    exchange.unjudged = detail;
    // Other responses come before its own, and can come no more.
    if (exchange.responseBegun || this.#open[0] !== exchange) return this.destroy();
    this.#answer(exchange, refusal, 'refusal');
  }

  #onHead({ head, bytes }: SentPart & { readonly kind: 'head' }): void {
    const { host, gate, replace, fields, nextNumber } = this.#rules;
    const refusal = gate?.beforehand(head);
    const isGated = gate !== undefined && (refusal === undefined || !gate.passesUnjudged);
    const exchange = openExchange(nextNumber(), isGated ? canonicalHead(head) : head, head);
    exchange.isGated = isGated;
    this.#open.push(exchange);
    this.#sending = exchange;
    if (replace !== undefined || fields !== undefined) exchange.heldResponse = [];
    if (isGated && refusal !== undefined) return this.#turnAway(exchange, refusal);
    if (isGated && gate.passesUnjudged) exchange.heldRequest = [];
    if (isGated && waitsForBody(exchange)) this.#client.write(waitingForBody);
    this.#send(exchange, host === undefined ? bytes : withHost(bytes, host));
    if (!this.#requests.hasBody) this.#onRequestWhole(exchange);
  }

  #onBody(bytes: Buffer, isLast: boolean): void {
    const exchange = this.#sending;
    if (exchange === undefined) return;
    this.#send(exchange, bytes);
    if (exchange.isGated && this.#requests.bodyDropped) {
      if (this.#rules.gate?.passesUnjudged !== true) {
        const isLarge = this.#requests.bodyLength > this.#rules.budget.each;
        return this.#turnAway(exchange, isLarge ? tooLargeToJudge : busy);
      }
      exchange.isGated = false;
      for (const held of exchange.heldRequest?.splice(0) ?? []) this.#forward(held);
    }
    if (isLast) this.#onRequestWhole(exchange);
  }

  #turnAway(exchange: ProxiedExchange, refusal: HttpResponse): void {
    exchange.unjudged = 'it cannot be judged';
    this.#answer(exchange, refusal, 'refusal');
  }

  #send(exchange: ProxiedExchange, bytes: Buffer): void {
    if (!exchange.isGated) this.#forward(bytes);
    else exchange.heldRequest?.push(Buffer.from(bytes));
  }

  #onRequestWhole(exchange: ProxiedExchange): void {
    this.#sending = undefined;
    exchange.requestWhole = true;
    exchange.body = this.#requests.bodyDropped ? undefined : this.#requests.takeBody();
    exchange.lent += exchange.body?.length ?? 0;
    exchange.heldRequest = undefined;
    const { gate } = this.#rules;
    if (gate === undefined || !exchange.isGated) return this.#afterRequest(exchange);
    void whenReady(gate.refuse(exchange), (refusal) => {
      if (this.#isOver) return;
      if (refusal !== undefined) return this.#answer(exchange, refusal, 'refusal');
      const { head, body, sent } = exchange;
      if (body === undefined) return this.destroy();
      this.#forward(writeRequest(head, body, { sent, host: this.#rules.host }));
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
    exchange.lent += exchange.response.body.length;
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
  #onBroken(exchange: ProxiedExchange, fault: ResponseFault): void {
    const isUpgrade = fault.kind === 'protocol.unsolicited-upgrade' && upgrades(exchange);
    if (isUpgrade) exchange.unjudged = 'upgraded to another protocol';
    else {
      exchange.fault = fault;
      exchange.breaches = this.#responses.breaches.list ?? [];
    }
    this.#deliverHeld(exchange, '');
    if (this.#rules.gate?.passesUnjudged === false) {
      // Whatever the client sends next could not be judged.
      this.#up?.close(false);
      this.#up = undefined;
      this.#closing = 'end';
    } else this.#goBlind(isUpgrade ? undefined : 'this connection is not judged any more.');
    this.#conclude(exchange);
  }

  #goBlind(text: string | undefined): void {
    this.#isBlind = true;
    if (text !== undefined) this.#rules.note(text);
    const waiting = this.#waiting.splice(0);
    for (const bytes of waiting) this.#forward(bytes);
    if (waiting.length > 0 && this.#hasClientEnded) this.#afterLastBytes();
  }

  #pass(exchange: ProxiedExchange, bytes: Buffer): void {
    if (exchange.heldResponse === undefined) this.#deliver(bytes);
    else exchange.heldResponse.push(bytes);
  }

  /** Passes on what need not, or must not, wait for the end of the response. */
  #passInTime(exchange: ProxiedExchange): void {
    if (exchange.heldResponse === undefined) return;
    const { fields, replaceable } = this.#rules;
    const state = howItWaits(this.#responses, { hasFields: fields !== undefined, replaceable });
    if (state.kind === 'passes') this.#deliverHeld(exchange, state.fields);
    else if (state.kind === 'interim')
      for (const bytes of exchange.heldResponse.splice(0)) this.#deliver(bytes);
  }

  /** Passes on a response that waits; with the verdict if all responses have one. */
  #deliverHeld(exchange: ProxiedExchange, fields: string): void {
    const bytes = takeHeld(exchange, this.#rules.fields === undefined ? '' : fields);
    if (bytes !== undefined) this.#deliver(bytes);
  }

  #deliver(bytes: Buffer): void {
    if (!this.#client.write(bytes)) this.#up?.pause();
  }

  /** The response is complete, or will never be. */
  #conclude(exchange: ProxiedExchange): void {
    exchange.responseWhole = true;
    exchange.durationMs = performance.now() - exchange.began;
    const { replace, fields } = this.#rules;
    if (exchange.heldResponse === undefined || !exchange.requestWhole) {
      this.#deliverHeld(exchange, '');
      if (exchange.requestWhole) this.#settle(exchange);
      return;
    }
    const mayReplace = this.#rules.replaceable.has(exchange.response?.status ?? 0);
    void whenReady(mayReplace ? replace?.(exchange) : undefined, (local) => {
      if (local !== undefined) return this.#answer(exchange, local, 'mock');
      const verdict = exchange.heldResponse === undefined ? '' : (fields?.(exchange) ?? '');
      this.#deliverHeld(exchange, verdict);
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
    if (!exchange.requestWhole) this.#requests.clear();
    this.#settle(exchange);
  }

  #onUnreachable(fault: ResponseFault): void {
    this.#up = undefined;
    if (this.#isBlind) return this.#client.hangUp(emptyBytes);
    for (const exchange of [...this.#open]) {
      exchange.fault = fault;
      exchange.answeredBy = 'unreachable';
      const mayReplace = this.#rules.replace !== undefined;
      if (mayReplace && waitsForBody(exchange) && !exchange.requestWhole)
        this.#client.write(waitingForBody);
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
    if (this.#closing === 'reset') this.#client.reset();
    else this.#client.hangUp(this.#lastWord ?? emptyBytes);
  }

  /** Refuses what the client sends, after the responses that it still waits for, and closes. */
  #sayLast(response: HttpResponse): void {
    const fields = [['Vouch-Proxy', 'refusal'] as const, ['Connection', 'close'] as const];
    this.#lastWord = writeAnswer(response, 'GET', fields);
    this.#requests.clear();
    this.#closing ??= 'end';
    if (this.#open.length === 0) this.#closeClient();
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
      if (this.#hasClientEnded) leaveOff(open, this.#responses);
      else if (open === exchange)
        open.fault = reading.kind === 'broken' ? reading.fault : brokenOff(this.#responses);
      open.responseWhole = true;
      open.durationMs = performance.now() - open.began;
      this.#deliverHeld(open, '');
      this.#settle(open);
    }
  }

  #settle(exchange: ProxiedExchange): void {
    const at = this.#open.indexOf(exchange);
    if (at === -1) return;
    this.#open.splice(at, 1);
    if (this.#sending === exchange) this.#sending = undefined;
    this.#rules.settled(exchange);
    if (this.#closing !== undefined) return this.#closeClient();
    this.#takeWaiting();
    if (this.#hasClientEnded && this.#waiting.length === 0 && !this.#isOver) this.#afterLastBytes();
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
      if (!exchange.responseWhole) leaveOff(exchange, this.#responses);
      this.#rules.settled(exchange);
    }
    this.#requests.clear();
    this.#responses.begin('GET');
    this.#gone();
  }
}

const emptyBytes = Buffer.alloc(0);

import type { ResponseFault } from '../check/transport/wire/answer/breaches.ts';
import { findHeadEnd } from '../check/transport/wire/answer/read-head.ts';
import type { WireBreach } from '../check/model/exchange.ts';
import type { RecordedTraffic } from '../check/traffic/read-har.ts';
import { emptyBody, headerValue, type HttpRequest, type HttpResponse } from '../http/message.ts';
import { statusTitle } from '../http/problem.ts';
import type { RequestHead } from '../server/guard/guard.ts';

/** Who answered: the service, the mock in its place, or the proxy itself. */
export type AnsweredBy = 'service' | 'mock' | 'refusal' | 'unreachable';

/** One request of a client through the proxy, and its response as far as it came. */
export interface ProxiedExchange {
  /** Counts from 1. */
  readonly number: number;
  /** As it is judged. */
  readonly head: RequestHead;
  /** As the client sent it. */
  readonly sent: RequestHead;
  /** By `performance.now()`. */
  readonly began: number;
  /** Whether the service gets it only after its judgement, in the canonical form. */
  isGated: boolean;
  /** Undefined until the request is complete, and if it is larger than what vouch reads. */
  body: Uint8Array | undefined;
  requestWhole: boolean;
  /** Undefined until it is complete; without a body if that is larger than what vouch reads. */
  response: HttpResponse | undefined;
  responseBegun: boolean;
  responseWhole: boolean;
  bodyRecorded: boolean;
  fault: ResponseFault | undefined;
  breaches: readonly WireBreach[];
  durationMs: number;
  answeredBy: AnsweredBy;
  /** Why it is not judged, as a clause; or why the service did not answer. */
  unjudged: string | undefined;
  /** Whether a line already says that it takes long. */
  isSlow: boolean;
  /** The bytes of a gated request, in case that it passes without a judgement; else undefined. */
  heldRequest: Buffer[] | undefined;
  /** The bytes of the response that wait for its judgement; undefined if they pass. */
  heldResponse: Buffer[] | undefined;
  /** The bytes of its bodies that the budget lends it until it is judged. */
  lent: number;
}

/** The start of an exchange; `head` is judged, the client sent `sent`. */
export function openExchange(
  number: number,
  head: RequestHead,
  sent: RequestHead = head,
): ProxiedExchange {
  return {
    number,
    head,
    sent,
    began: performance.now(),
    isGated: false,
    body: undefined,
    requestWhole: false,
    response: undefined,
    responseBegun: false,
    responseWhole: false,
    bodyRecorded: true,
    fault: undefined,
    breaches: [],
    durationMs: 0,
    answeredBy: 'service',
    unjudged: undefined,
    isSlow: false,
    heldRequest: undefined,
    heldResponse: undefined,
    lent: 0,
  };
}

/** Whether the client waits for 100 (Continue) before it sends the body. */
export function waitsForBody({ sent }: ProxiedExchange): boolean {
  return /^100-continue$/i.test(headerValue(sent.headers, 'expect') ?? '');
}

/** Whether the client requests another protocol, or a tunnel (RFC 9110, sections 7.8, 9.3.6). */
export function upgrades({ sent }: ProxiedExchange): boolean {
  return sent.method === 'CONNECT' || headerValue(sent.headers, 'upgrade') !== undefined;
}

/** The request as plain data; an absolute target loses its origin (RFC 9112, section 3.2.2). */
export function requestOf({ head, body }: ProxiedExchange): HttpRequest {
  const { method, headers } = head;
  const target = head.target.replace(/^https?:\/\/[^/?]*/i, '');
  return {
    method,
    target: target.startsWith('/') || target === '*' ? target : `/${target}`,
    headers,
    body: body ?? emptyBody,
  };
}

/** The exchange as the judge takes it, or why it cannot be judged, as a clause. */
export function toTraffic(exchange: ProxiedExchange, origin: string): RecordedTraffic | string {
  const { answeredBy, unjudged, requestWhole, body, response, fault, breaches } = exchange;
  if (answeredBy === 'mock') return 'answered by the mock';
  if (answeredBy === 'refusal') return 'turned away';
  if (answeredBy === 'unreachable') return `without a service: ${fault?.message ?? ''}`;
  if (unjudged !== undefined) return unjudged;
  if (requestWhole && body === undefined) return 'with a request larger than vouch reads';
  if (response === undefined && fault === undefined) return 'that the client ended';
  return {
    label: `exchange ${String(exchange.number)}`,
    exchange: {
      baseUrl: origin,
      request: requestOf(exchange),
      durationMs: exchange.durationMs,
      response,
      ...(fault === undefined || response !== undefined ? {} : { fault }),
      ...(breaches.length === 0 ? {} : { breaches }),
    },
    bodyRecorded: exchange.bodyRecorded,
    isExact: true,
  };
}

/** A response of vouch itself as bytes; the body of a response to HEAD is left out. */
export function writeAnswer(
  { status, headers, body }: HttpResponse,
  method: string,
  fields: readonly (readonly [name: string, value: string])[],
): Buffer {
  const own = headers.filter(([name]) => !/^(content-length|connection|transfer-)/i.test(name));
  const length: [string, string][] =
    status === 204 || status === 304 ? [] : [['Content-Length', String(body.length)]];
  const lines = [...own, ...fields, ...length].map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${String(status)} ${statusTitle(status)}\r\n${lines.join('')}\r\n`;
  const isBare = method === 'HEAD' || status === 204 || status === 304;
  return Buffer.concat([Buffer.from(head, 'latin1'), isBare ? emptyBody : body]);
}

/** Adds header fields to the final response in the bytes; the rest stays byte for byte. */
export function insertFields(bytes: Buffer, fields: string): Buffer {
  let at = 0;
  for (;;) {
    const end = findHeadEnd(bytes, at, at);
    if (end === undefined) return bytes;
    if (!/^\s*HTTP\/\d\.\d 1\d\d/.test(end.text)) {
      const gap = bytes.toString('latin1', at, end.rest).endsWith('\r\n') ? 2 : 1;
      const place = end.rest - gap;
      return Buffer.concat([
        bytes.subarray(0, place),
        Buffer.from(fields, 'latin1'),
        bytes.subarray(place),
      ]);
    }
    at = end.rest;
  }
}

/** The header with another host in its first `Host` field; every other byte stays. */
export function withHost(head: Buffer, host: string): Buffer {
  const text = head.toString('latin1');
  return Buffer.from(text.replace(/^(host:[ \t]*)[^\r\n]*/im, `$1${host}`), 'latin1');
}

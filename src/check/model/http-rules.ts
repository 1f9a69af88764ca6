import type { BreachKind } from './exchange.ts';
import type { Severity } from './finding.ts';

/** The faults of a response: violations of HTTP, excessive size, and JSON with repeated names. */
export type UnsoundKind =
  BreachKind | 'body.too-large' | 'headers.too-large' | 'body.repeated-name' | 'charset.unknown';

/** The violated rule. `severity` is omitted for an error. */
export interface HttpRule {
  /** `RFC 9112, section 6.3`. */
  readonly source: string;
  /** What a valid response has instead. */
  readonly expected: string;
  /** The severity of a rule that is not a MUST: a limit of vouch, or advice of the RFC. */
  readonly severity?: Severity;
}

/** The rule for each kind of invalid response. */
export const httpRules: Readonly<Record<UnsoundKind, HttpRule>> = {
  'framing.extra-bytes': {
    source: 'RFC 9112, section 6.3',
    expected: 'nothing after the last byte that the header announces',
  },
  'framing.second-response': {
    source: 'RFC 9112, section 9.2',
    expected: 'one answer for one request',
  },
  'framing.body-not-allowed': {
    source: 'RFC 9112, section 6.3',
    expected: 'no body after a response to HEAD, a 204 or a 304',
  },
  'framing.length-not-allowed': {
    source: 'RFC 9110, section 8.6; RFC 9112, section 6.1',
    expected: 'neither Content-Length nor Transfer-Encoding in a 204',
  },
  'framing.length-repeated': { source: 'RFC 9110, section 8.6', expected: 'Content-Length once' },
  'framing.length-conflict': {
    source: 'RFC 9112, section 6.3',
    expected: 'one Content-Length with one value',
  },
  'framing.length-invalid': {
    source: 'RFC 9110, section 8.6',
    expected: 'a Content-Length in decimal digits',
  },
  'framing.length-and-coding': {
    source: 'RFC 9112, section 6.2',
    expected: 'Content-Length or Transfer-Encoding, and not both',
  },
  'framing.transfer-encoding': {
    source: 'RFC 9112, section 6.1',
    expected: 'no Transfer-Encoding but chunked, and that in HTTP/1.1 only',
  },
  'framing.chunk-size': {
    source: 'RFC 9112, section 7.1',
    expected: 'the size of a chunk in hexadecimal digits',
  },
  'framing.chunk-end': {
    source: 'RFC 9112, section 7.1',
    expected: 'CRLF after the bytes of a chunk',
  },
  'framing.bare-lf': { source: 'RFC 9112, section 2.2', expected: 'CRLF at the end of each line' },
  'framing.header-line': {
    source: 'RFC 9112, section 5',
    expected: 'lines of a name, a colon and a value',
  },
  'framing.header-value': {
    source: 'RFC 9110, section 5.5',
    expected: 'neither NUL nor CR within a header field',
  },
  'framing.header-fold': {
    source: 'RFC 9112, section 5.2',
    expected: 'each header field on one line',
  },
  'protocol.not-http': {
    source: 'RFC 9112, section 4',
    expected: 'a status line such as HTTP/1.1 200 OK',
  },
  'protocol.http2': {
    source: 'RFC 9113, section 3',
    expected: 'HTTP/1.1 to a client that did not agree on HTTP/2',
  },
  'protocol.version': {
    source: 'RFC 9110, section 2.5',
    expected: 'a version of the major version 1',
  },
  'protocol.unsolicited-upgrade': {
    source: 'RFC 9110, section 7.8',
    expected: 'no 101 where the request has no Upgrade',
  },
  'protocol.interim-flood': {
    source: 'RFC 9110, section 15.2',
    expected: 'a final answer after the interim ones',
  },
  'status.invalid': {
    source: 'RFC 9110, section 15',
    expected: 'a status of three digits from 100 to 599',
  },
  'encoding.unknown': {
    source: 'RFC 9110, section 12.5.3',
    expected: 'a content coding that Accept-Encoding names',
  },
  'encoding.mismatch': {
    source: 'RFC 9110, section 8.4',
    expected: 'a body in the coding that Content-Encoding names',
  },
  'encoding.chain': {
    source: 'RFC 9110, section 8.4',
    expected: 'three content codings at most',
    severity: 'warning',
  },
  'body.too-large': {
    source: 'RFC 9110, section 17.5',
    expected: 'a body of at most 8 MiB',
    severity: 'warning',
  },
  'headers.too-large': { source: 'RFC 9110, section 5.4', expected: 'a header of at most 64 KiB' },
  'charset.unknown': {
    source: 'RFC 9110, section 8.3.2',
    expected: 'a charset that is registered and that clients know, such as utf-8',
    severity: 'warning',
  },
  'body.repeated-name': {
    source: 'RFC 8259, section 4',
    expected: 'each name once in an object',
    severity: 'warning',
  },
};

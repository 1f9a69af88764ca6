import type { HttpResponse } from '../../../../http/message.ts';
import type { BreachKind, TransportFault, WireBreach } from '../../../model/exchange.ts';

/** A fault of a response, before the exchange is complete. */
export interface ResponseFault {
  readonly kind: TransportFault;
  readonly message: string;
}

/** Collects the violations of HTTP in a response, each kind once: the first one. */
export class Breaches {
  #list: WireBreach[] | undefined;

  add(kind: BreachKind, message: string): void {
    const list = (this.#list ??= []);
    if (!list.some((known) => known.kind === kind)) list.push({ kind, message });
  }

  /** Undefined if there are none, which is almost always the case. */
  get list(): readonly WireBreach[] | undefined {
    return this.#list;
  }

  clear(): void {
    this.#list = undefined;
  }
}

const longest = 60;

/**
 * The first received bytes for a sentence: printable ASCII unchanged, all else escaped, at most 60
 * bytes.
 */
export function showBytes(bytes: Uint8Array): string {
  const shown = Array.from(bytes.subarray(0, longest), showByte).join('');
  return bytes.length > longest ? `"${shown}…" (${String(bytes.length)} bytes)` : `"${shown}"`;
}

/** The same for text in which each character is a byte. */
export function showLatin1(text: string): string {
  return showBytes(Buffer.from(text, 'latin1'));
}

const named: Readonly<Record<number, string>> = {
  9: '\\t',
  10: '\\n',
  13: '\\r',
  34: '\\"',
  92: '\\\\',
};

function showByte(byte: number): string {
  const known = named[byte];
  if (known !== undefined) return known;
  return byte >= 32 && byte < 127
    ? String.fromCharCode(byte)
    : `\\x${byte.toString(16).padStart(2, '0')}`;
}

/**
 * The fault of a response that does not begin with a status line of HTTP/1: another protocol, or a
 * newer version.
 */
export function notHttp(bytes: Uint8Array): ResponseFault {
  // A frame of HTTP/2 begins with its length; the first one that a server sends is SETTINGS, of
  // type 4 on stream 0 (RFC 9113, section 3.4).
  const frame =
    bytes.length >= 9 &&
    bytes[0] === 0 &&
    bytes[3] === 4 &&
    bytes[5] === 0 &&
    bytes[6] === 0 &&
    bytes[7] === 0 &&
    bytes[8] === 0;
  const preface = Buffer.from(bytes.subarray(0, 16)).toString('latin1').startsWith('PRI * HTTP/2');
  if (frame || preface)
    return {
      kind: 'protocol.http2',
      message:
        'the response is HTTP/2, but the request was HTTP/1.1: it begins with ' +
        `${showBytes(bytes)}.`,
    };
  return {
    kind: 'protocol.not-http',
    message: `the response is not HTTP/1.1: it begins with ${showBytes(bytes)}.`,
  };
}

/**
 * The violation of bytes after a response; undefined for line ends alone, which may be ignored (RFC
 * 9112, section 9.2).
 */
export function judgeTrailing(
  bytes: Buffer,
  method: string,
  response: HttpResponse | undefined,
): WireBreach | undefined {
  if (bytes.every((byte) => byte === 13 || byte === 10)) return undefined;
  const shown = showBytes(bytes);
  const said = (kind: BreachKind, message: string): WireBreach => ({ kind, message });
  if (bytes.subarray(0, 7).toString('latin1') === 'HTTP/1.')
    return said(
      'framing.second-response',
      `a second answer came for one request, and begins with ${shown}`,
    );
  if (method === 'HEAD')
    return said(
      'framing.body-not-allowed',
      `a response to HEAD has a body, which begins with ${shown}`,
    );
  if (response?.status === 204 || response?.status === 304)
    return said(
      'framing.body-not-allowed',
      `a ${String(response.status)} answer has a body, which begins with ${shown}`,
    );
  return said(
    'framing.extra-bytes',
    `there are bytes after the response, which begin with ${shown}`,
  );
}

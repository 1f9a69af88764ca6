import { showLatin1 } from '../check/transport/wire/answer/breaches.ts';
import { type HeaderList, headerValue, headerValues } from '../http/message.ts';
import { parseAuthority, type RequestHead } from '../server/guard/guard.ts';

/** The header of a request; `length`: how its body ends, in bytes or by chunks. */
export type RequestHeadReading =
  | { readonly kind: 'head'; readonly head: RequestHead; readonly length: number | 'chunked' }
  /** Two readers may understand it differently; `detail`: why, as a sentence. */
  | { readonly kind: 'faulty'; readonly detail: string }
  /** Not HTTP/1.0 or HTTP/1.1. */
  | { readonly kind: 'other' };

const ofHttp1 = /\sHTTP\/1\.\d\s*$/;
const requestLine = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+) ([\x21-\x7e\x80-\xff]+) HTTP\/(1\.[01])$/;
const field = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):([\t\x20-\x7e\x80-\xff]*)$/;

/**
 * Reads the header of a request without its empty line, in which one character is one byte. Takes
 * only what every reader understands alike (RFC 9112, sections 2.2, 3.2, 5.1, 5.2, 6.1 and 6.3):
 * what recipients must or may refuse is faulty.
 */
export function readRequestHead(text: string): RequestHeadReading {
  const [first = '', ...lines] = text.split('\r\n');
  if (!ofHttp1.test(/^[^\r\n]*/.exec(first)?.[0] ?? '')) return { kind: 'other' };
  const [, method = '', target = '', version = ''] = requestLine.exec(first) ?? [];
  if (method === '') return faulty(`The request line is ${showLatin1(first)}.`);
  const odd = lines.find((line) => !field.test(line));
  if (odd !== undefined) return faulty(`A line of the header is no field: ${showLatin1(odd)}.`);
  const headers = lines.map(readField);
  const head = { method, target, version, headers };
  const detail = hostFault(head) ?? codingFault(head) ?? lengthFault(head);
  return detail === undefined ? { kind: 'head', head, length: lengthOf(headers) } : faulty(detail);
}

function readField(line: string): readonly [name: string, value: string] {
  const [, name = '', value = ''] = field.exec(line) ?? [];
  return [name, value.replaceAll(/^[\t ]+|[\t ]+$/g, '')];
}

function faulty(detail: string): RequestHeadReading {
  return { kind: 'faulty', detail };
}

/** One `Host`, which HTTP/1.0 may leave out (RFC 9112, section 3.2). */
function hostFault({ version, headers }: RequestHead): string | undefined {
  const hosts = headerValues(headers, 'host');
  const [host] = hosts;
  if (hosts.length > 1) return 'The request has more than one Host.';
  if (host === undefined) return version === '1.0' ? undefined : 'The request has no Host.';
  return parseAuthority(host) === undefined ? `The Host is ${showLatin1(host)}.` : undefined;
}

/** `chunked` comes last and once, never with a length, and never in HTTP/1.0 (section 6.1). */
function codingFault({ version, headers }: RequestHead): string | undefined {
  const written = headerValues(headers, 'transfer-encoding');
  if (written.length === 0) return undefined;
  if (version === '1.0') return 'HTTP/1.0 has no Transfer-Encoding.';
  if (headerValue(headers, 'content-length') !== undefined)
    return 'The request has both Content-Length and Transfer-Encoding.';
  const codings = written.flatMap((value) => value.split(',')).map((coding) => coding.trim());
  const at = codings.findIndex((coding) => coding.toLowerCase() === 'chunked');
  return at !== -1 && at === codings.length - 1 && !codings.includes('')
    ? undefined
    : `The Transfer-Encoding is ${showLatin1(written.join(', '))}.`;
}

/** One `Content-Length` of digits (section 6.3). */
function lengthFault({ headers }: RequestHead): string | undefined {
  const lengths = headerValues(headers, 'content-length');
  return lengths.length === 0 || (lengths.length === 1 && /^\d{1,15}$/.test(lengths[0] ?? ''))
    ? undefined
    : `The Content-Length is ${showLatin1(lengths.join(' and '))}.`;
}

function lengthOf(headers: HeaderList): number | 'chunked' {
  return headerValue(headers, 'transfer-encoding') === undefined
    ? Number(headerValue(headers, 'content-length') ?? 0)
    : 'chunked';
}

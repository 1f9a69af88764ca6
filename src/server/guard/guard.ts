import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { type Contract, methods } from '../../contract/model.ts';
import type { HeaderList, HttpRequest, HttpResponse } from '../../http/message.ts';
import { emptyBody, headerValue, headerValues } from '../../http/message.ts';
import { problemResponse } from '../../http/problem.ts';
import { whenReady } from '../../store/store.ts';
import { isClosing, isTlsSocket } from '../connection/connections.ts';
import {
  acceptedCodings,
  type ReceivedBody,
  decodeBody,
  forgoBody,
  readBody,
  readCodings,
} from '../connection/read-body.ts';
import { headerBlockLimit, headerCountLimit, targetLimit } from '../limits.ts';

/**
 * A rule: returns the refusal of a head that violates it, otherwise undefined. The contract may add
 * methods. Pure.
 */
type GuardRule = (
  head: RequestHead,
  contract?: Pick<Contract, 'operations'>,
) => HttpResponse | undefined;

/** Every rule for the head of a request, in order. */
export const guardRules: readonly GuardRule[] = [
  knownVersion,
  knownMethod,
  boundedTarget,
  readableTarget,
  boundedHeaders,
  soundHost,
  singleFields,
  knownTransferCoding,
  knownCoding,
  knownExpectation,
];

/** The refusal of the first violated rule, or undefined if the head is accepted. */
export function inspectHead(
  head: RequestHead,
  contract?: Pick<Contract, 'operations'>,
): HttpResponse | undefined {
  for (const rule of guardRules) {
    const refusal = rule(head, contract);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/**
 * `chunked` is the only transfer coding, and only HTTP/1.1 has it: a proxy could parse another
 * request from HTTP/1.0 (RFC 9112, section 6.1). Node's parser refuses most malformed values, but
 * before Node 24 not an empty list.
 */
function knownTransferCoding({ version, headers }: RequestHead): HttpResponse | undefined {
  const codings = headerValues(headers, 'Transfer-Encoding').flatMap((value) => value.split(','));
  if (codings.length === 0) return undefined;
  if (version !== '1.1') return problemResponse(400, `HTTP/${version} has no Transfer-Encoding.`);
  if (codings.every((coding) => coding.trim() === ''))
    return problemResponse(400, 'The header Transfer-Encoding is empty.');
  if (codings.every((coding) => coding.trim().toLowerCase() === 'chunked')) return undefined;
  return problemResponse(501, 'The only transfer coding that is understood is chunked.');
}

/** One supported content coding, or none (RFC 9110, sections 12.5.3 and 15.5.16). */
function knownCoding({ headers }: RequestHead): HttpResponse | undefined {
  if (readCodings(headers) !== undefined) return undefined;
  return problemResponse(
    415,
    `The Content-Encoding is not understood. Send one of ${acceptedCodings}, or none.`,
    { headers: [['Accept-Encoding', acceptedCodings]] },
  );
}

/** `100-continue` is the only expectation (RFC 9110, section 10.1.1). */
function knownExpectation({ headers }: RequestHead): HttpResponse | undefined {
  const expectations = headerValues(headers, 'Expect');
  if (expectations.every((value) => value.trim().toLowerCase() === '100-continue'))
    return undefined;
  return problemResponse(417, 'The only expectation that can be met is 100-continue.');
}

/** Limits the number and total size of header fields (RFC 6585, section 5). */
function boundedHeaders({ headers }: RequestHead): HttpResponse | undefined {
  if (headers.length > headerCountLimit) {
    return problemResponse(431, `The request has more than ${headerCountLimit} header fields.`);
  }
  if (blockSize(headers) <= headerBlockLimit) return undefined;
  return problemResponse(
    431,
    `The header fields have more than ${headerBlockLimit} bytes together.`,
  );
}

function blockSize(headers: HeaderList): number {
  return headers.reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
}

/** One `Host` with a valid host; HTTP/1.0 may omit it (RFC 9112, section 3.2). */
function soundHost({ version, headers }: RequestHead): HttpResponse | undefined {
  const hosts = headerValues(headers, 'Host');
  if (hosts.length > 1) return problemResponse(400, 'The request has two Host headers. Send one.');
  const [host] = hosts;
  if (host === undefined)
    return version === '1.0' ? undefined : problemResponse(400, 'The request has no Host header.');
  if (parseAuthority(host) !== undefined) return undefined;
  return problemResponse(400, 'The Host header does not name a host, with or without a port.');
}

const single = ['Authorization', 'Content-Type'] as const;

/**
 * Fields that must not be repeated, because two parsers could use different values (RFC 9110,
 * section 5.3).
 */
function singleFields({ headers }: RequestHead): HttpResponse | undefined {
  const doubled = single.find((name) => headerValues(headers, name).length > 1);
  return doubled === undefined
    ? undefined
    : problemResponse(400, `The request has two ${doubled} headers. Send one.`);
}

const known: ReadonlySet<string> = new Set(methods);

/** Only HTTP/1.0 and HTTP/1.1: Node's parser also accepts 0.9 and 2.0. */
function knownVersion({ version }: RequestHead): HttpResponse | undefined {
  if (version === '1.1' || version === '1.0') return undefined;
  return problemResponse(400, `The request says HTTP/${version}. This server supports HTTP/1.1.`);
}

/**
 * Only methods of OpenAPI path items and of this contract; others get 501 (RFC 9110, section
 * 15.6.2).
 */
function knownMethod(
  { method }: RequestHead,
  contract?: Pick<Contract, 'operations'>,
): HttpResponse | undefined {
  if (
    known.has(method) ||
    contract?.operations.some((operation) => operation.method === method) === true
  )
    return undefined;
  return problemResponse(501, `No operation has the method ${method}.`);
}

/** Limits the length of the target (RFC 9110, section 15.5.15). */
function boundedTarget({ target }: RequestHead): HttpResponse | undefined {
  if (target.length <= targetLimit) return undefined;
  return problemResponse(
    414,
    `The request target has ${target.length} bytes. At most ${targetLimit} are taken.`,
  );
}

/**
 * A path, an absolute URL, or `*` with OPTIONS (RFC 9112, section 3.2). The mock validates the
 * path.
 */
function readableTarget({ method, target }: RequestHead): HttpResponse | undefined {
  const path = originForm(target);
  if (path === undefined)
    return problemResponse(
      400,
      'The request target must be a path that starts with "/", without a fragment.',
    );
  if (path === '*' && method !== 'OPTIONS')
    return problemResponse(400, 'The request target "*" goes with OPTIONS only.');
  return undefined;
}

const absolute = /^https?:\/\/([^/?]*)(.*)$/i;

/**
 * A request target as path and query on the wire (RFC 9112, section 3.2). The absolute form loses
 * its scheme and authority; `*` is unchanged. Undefined for another form, or with a fragment.
 */
export function originForm(target: string): string | undefined {
  if (target.includes('#')) return undefined;
  if (target.startsWith('/') || target === '*') return target;
  const [, authority, rest] = absolute.exec(target) ?? [];
  if (authority === undefined || rest === undefined || parseAuthority(authority) === undefined)
    return undefined;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** The host and port of a `Host` header. */
interface Authority {
  /** In lower case; an IPv6 address keeps its brackets. */
  readonly host: string;
  /** As written; undefined without a port. */
  readonly port: string | undefined;
}

const registeredName = "(?:[A-Za-z0-9\\-._~!$&'()*+,;=]|%[0-9A-Fa-f]{2})+";

const shape = new RegExp(`^(${registeredName}|\\[[^\\]]*\\])(?::([0-9]*))?$`);

/**
 * Parses a `Host` header (RFC 9110, section 7.2); undefined if it is invalid. Refuses user names.
 */
export function parseAuthority(text: string): Authority | undefined {
  const [, host, port] = shape.exec(text) ?? [];
  if (host === undefined || Number(port ?? 0) > 65_535) return undefined;
  if (host.startsWith('[') && !isIPv6(host.slice(1, -1))) return undefined;
  return { host: host.toLowerCase(), port: port === '' ? undefined : port };
}

/** The parts of a request before its body is read. */
export interface RequestHead extends Pick<HttpRequest, 'method' | 'headers'> {
  /** The request target on the wire, in any form. */
  readonly target: string;
  /** The HTTP version: `1.1`. */
  readonly version: string;
}

/**
 * The head of a request as plain data. In a mounted application, the target is the part after the
 * mount path.
 */
export function readHead(request: IncomingMessage): RequestHead {
  return {
    method: request.method ?? '',
    target: request.url ?? '',
    version: request.httpVersion,
    headers: pairHeaders(request.rawHeaders),
  };
}

function pairHeaders(flat: readonly string[]): HeaderList {
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < flat.length; index += 2)
    pairs.push([flat[index] ?? '', flat[index + 1] ?? '']);
  return pairs;
}

/**
 * An accepted request with its decoded body; the response to a refused one; or a client that has
 * disconnected.
 */
export type Taking =
  | { readonly kind: 'taken'; readonly request: HttpRequest }
  | { readonly kind: 'refused'; readonly refusal: HttpResponse }
  | { readonly kind: 'gone' };

/**
 * A request after its head, the body limit, and the methods of the contract besides the usual ones.
 */
interface Entering {
  readonly incoming: IncomingMessage;
  readonly head: RequestHead;
  readonly bodyLimit: number;
  readonly contract?: Pick<Contract, 'operations'>;
}

/** Continues with the result. Its exceptions are the caller's to catch. */
type Go = (taking: Taking) => void;

/**
 * Reads a request into plain data after all rules of the guard, and passes it on: synchronously if
 * it has no body. Calls `go` once. Never throws, and does not catch exceptions of `go`.
 */
export function takeRequest({ incoming, head, bodyLimit, contract }: Entering, go: Go): void {
  const refusal = inspectHead(head, contract);
  if (refusal !== undefined) return go({ kind: 'refused', refusal });
  if (announcesBody(head)) {
    // A body that announces too much is not read.
    if (Number(headerValue(head.headers, 'Content-Length') ?? 0) > bodyLimit)
      return go(tooLarge(bodyLimit));
    return readBody(
      incoming,
      bodyLimit,
      (sent) => void whenReady(takeSent(sent, incoming, { head, bodyLimit }), go),
    );
  }
  forgoBody(incoming);
  go(taken(incoming, head, emptyBody));
}

/** RFC 9112, section 6: a body requires one of these fields. */
function announcesBody({ headers }: RequestHead): boolean {
  return (
    headerValue(headers, 'Content-Length') !== undefined ||
    headerValue(headers, 'Transfer-Encoding') !== undefined
  );
}

function takeSent(
  sent: ReceivedBody,
  incoming: IncomingMessage,
  { head, bodyLimit }: { readonly head: RequestHead; readonly bodyLimit: number },
): Promise<Taking> | Taking {
  // The request may have been refused while its body arrived, for example with 408.
  if (sent.kind === 'gone' || isClosing(incoming)) return { kind: 'gone' };
  if (sent.kind === 'too-large') return tooLarge(bodyLimit);
  const coding = sent.kind === 'parsed' ? 'identity' : (readCodings(head.headers) ?? 'identity');
  if (coding === 'identity') return taken(incoming, head, sent.body);
  return decodeBody(sent.body, coding, bodyLimit).then((decoding) => {
    if (decoding.kind === 'too-large') return tooLarge(bodyLimit);
    if (decoding.kind === 'malformed')
      return {
        kind: 'refused',
        refusal: problemResponse(400, 'The body is not in its Content-Encoding.'),
      };
    return taken(incoming, head, decoding.body);
  });
}

function taken(
  { socket }: IncomingMessage,
  { method, target, headers }: RequestHead,
  body: Uint8Array,
): Taking {
  const request = { method, target: originForm(target) ?? target, headers, body };
  return {
    kind: 'taken',
    request: isTlsSocket(socket) ? { ...request, scheme: 'https' } : request,
  };
}

function tooLarge(limit: number): Taking {
  return {
    kind: 'refused',
    refusal: problemResponse(413, `The body has more than ${limit} bytes.`),
  };
}

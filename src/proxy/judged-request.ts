import { connectionFields } from '../http/connection-fields.ts';
import { maxBodyBytes, sizeWords } from '../check/transport/send.ts';
import type { Contract } from '../contract/model.ts';
import type { HeaderList, HttpResponse } from '../http/message.ts';
import { emptyBody, headerValue, headerValues } from '../http/message.ts';
import { problemResponse } from '../http/problem.ts';
import { parseTarget } from '../http/target.ts';
import { inspectHead, type RequestHead } from '../server/guard/guard.ts';

/** What a client can do about a request that the proxy refuses because it cannot judge it. */
const wayOut = 'vouch proxy passes it with --pass-unjudged.';

/** A refusal of the proxy itself, with the way out. */
export function refuseUnjudged(status: number, why: string): HttpResponse {
  return problemResponse(status, `${why} It cannot be judged, and does not pass. ${wayOut}`);
}

/** The refusal of a body that is larger than vouch reads. */
export const tooLargeToJudge = refuseUnjudged(
  413,
  `The body is larger than ${sizeWords(maxBodyBytes)}.`,
);

/** The refusal of a body for which other connections leave no room. */
export const busy = problemResponse(503, 'Too many bodies wait to be judged. Try again later.', {
  headers: [['Retry-After', '1']],
});

/**
 * The refusal of a request that cannot be judged, as far as its header shows it; undefined if it
 * can. Such requests lead past the contract: to another protocol, another host, or a target that
 * services read in different ways.
 */
export function whyUnjudgeable(
  head: RequestHead,
  contract: Pick<Contract, 'operations'>,
): HttpResponse | undefined {
  const { method, target, headers } = head;
  if (method === 'CONNECT') return refuseUnjudged(501, 'The request asks for a tunnel.');
  if (headerValue(headers, 'upgrade') !== undefined)
    return refuseUnjudged(501, 'The request asks for another protocol.');
  if (!target.startsWith('/') || !parseTarget(target).ok)
    return refuseUnjudged(400, 'The request target is not a path with a query (RFC 9112, 3.2.1).');
  if (Number(headerValue(headers, 'content-length') ?? 0) > maxBodyBytes) return tooLargeToJudge;
  const refusal = inspectHead(head, contract);
  return refusal && refuseUnjudged(refusal.status, 'The header is not one that vouch takes.');
}

/**
 * Fields about one connection, and those that the canonical form writes itself (RFC 9110, sections
 * 7.6.1, 7.8, 8.6 and 10.1.1).
 */
const ofConnection: ReadonlySet<string> = new Set([
  ...connectionFields,
  'expect',
  'http2-settings',
]);

/**
 * The header that is judged and sent in place of the client's. It loses the fields about the
 * connection and those that `Connection` names, which a service may not see either.
 */
export function canonicalHead(head: RequestHead): RequestHead {
  const named = headerValues(head.headers, 'connection').flatMap((value) => value.split(','));
  const dropped = new Set([...ofConnection, ...named.map((name) => name.trim().toLowerCase())]);
  dropped.delete('host');
  const headers = head.headers.filter(([name]) => !dropped.has(name.toLowerCase()));
  return { ...head, headers };
}

/** How the canonical form of a request is written. */
interface Writing {
  /** The header as the client sent it: whether the connection stays open, and has a body. */
  readonly sent: RequestHead;
  /** Replaces the host; undefined: it stays. */
  readonly host: string | undefined;
}

/** The bytes of a judged request: one meaning for every reader, with one length. */
export function writeRequest(
  { method, target, version, headers }: RequestHead,
  body: Uint8Array,
  { sent, host }: Writing,
): Buffer {
  const own: (readonly [string, string])[] = headers.map(([name, value]) =>
    host !== undefined && name.toLowerCase() === 'host' ? [name, host] : [name, value],
  );
  const hasBody = headerValue(sent.headers, 'content-length') ?? headerValue(sent.headers, coded);
  if (hasBody !== undefined) own.push(['Content-Length', String(body.length)]);
  own.push(...ownConnectionFields(sent.headers));
  const lines = own.map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `${method} ${target} HTTP/${version}\r\n${lines.join('')}\r\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), hasBody === undefined ? emptyBody : body]);
}

const coded = 'transfer-encoding';

/** Whether the connection stays open is the same on both sides (RFC 9112, section 9.3). */
function ownConnectionFields(headers: HeaderList): HeaderList {
  const options = headerValues(headers, 'connection').flatMap((value) => value.split(','));
  const kept = options.map((option) => option.trim().toLowerCase());
  return ['close', 'keep-alive'].flatMap((option): HeaderList =>
    kept.includes(option) ? [['Connection', option]] : [],
  );
}

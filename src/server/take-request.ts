import type { IncomingMessage } from 'node:http';
import type { Contract } from '../contract/model.ts';
import { emptyBody, headerValue, type HttpRequest, type HttpResponse } from '../http/message.ts';
import { problemResponse } from '../http/problem.ts';
import { whenReady } from '../store/store.ts';
import { isClosing } from './connection/connections.ts';
import { type BodyReading, forgoBody, readBody } from './connection/read-body.ts';
import { decodeBody, readCodings } from './guard/content-coding.ts';
import { inspectHead, originForm } from './guard/guard.ts';
import type { RequestHead } from './request-head.ts';
import { isTlsSocket } from './tls/client-certificate.ts';

/**
 * A request that was let in, with its body decoded; the answer to one that was not; or a client
 * that has left.
 */
export type Taking =
  | { readonly kind: 'taken'; readonly request: HttpRequest }
  | { readonly kind: 'refused'; readonly refusal: HttpResponse }
  | { readonly kind: 'gone' };

/**
 * A request whose head has come in, how many bytes its body may have, and whose methods count
 * beside the usual ones.
 */
export interface Entering {
  readonly incoming: IncomingMessage;
  readonly head: RequestHead;
  readonly bodyLimit: number;
  readonly contract?: Pick<Contract, 'operations'>;
}

/** Goes on with what was taken. What it throws is its caller's to catch. */
export type Go = (taking: Taking) => void;

/**
 * Brings a request from the connection into plain data, past every rule of the guard, and goes on
 * with it: at once, where it has no body. Tells `go` once. Never throws, nor catches what `go`
 * throws.
 */
export function takeRequest({ incoming, head, bodyLimit, contract }: Entering, go: Go): void {
  const refusal = inspectHead(head, contract);
  if (refusal !== undefined) return go({ kind: 'refused', refusal });
  if (announcesBody(head)) {
    // Nothing is read of a body that announces too much.
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

/** RFC 9112, section 6: without one of these there is no body. */
function announcesBody({ headers }: RequestHead): boolean {
  return (
    headerValue(headers, 'Content-Length') !== undefined ||
    headerValue(headers, 'Transfer-Encoding') !== undefined
  );
}

function takeSent(
  sent: BodyReading,
  incoming: IncomingMessage,
  { head, bodyLimit }: { readonly head: RequestHead; readonly bodyLimit: number },
): Promise<Taking> | Taking {
  // The request may have been given up while its body came in: answered with 408, say.
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

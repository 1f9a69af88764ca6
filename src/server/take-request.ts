import type { IncomingMessage } from 'node:http';
import type { Contract } from '../contract/model.ts';
import { emptyBody, headerValue, type HttpRequest, type HttpResponse } from '../http/message.ts';
import { problemResponse } from '../http/problem.ts';
import { whenReady } from '../store/store.ts';
import { isClosing, isTlsSocket } from './connection/connections.ts';
import {
  type BodyReading,
  decodeBody,
  forgoBody,
  readBody,
  readCodings,
} from './connection/read-body.ts';
import { inspectHead, originForm, type RequestHead } from './guard/guard.ts';

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
export interface Entering {
  readonly incoming: IncomingMessage;
  readonly head: RequestHead;
  readonly bodyLimit: number;
  readonly contract?: Pick<Contract, 'operations'>;
}

/** Continues with the result. Its exceptions are the caller's to catch. */
export type Go = (taking: Taking) => void;

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
  sent: BodyReading,
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

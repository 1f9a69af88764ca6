import type { IncomingMessage } from 'node:http';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import { problemResponse } from '../http/problem.ts';
import { decodeBody, readCodings } from './content-coding.ts';
import { isCondemned } from './condemned.ts';
import { inspectHead } from './guard.ts';
import { originForm } from './origin-form.ts';
import { readBody } from './read-body.ts';
import type { RequestHead } from './request-head.ts';

/** A request that was let in, with its body decoded; the answer to one that was not; or a client that has left. */
export type Taking =
  | { readonly kind: 'taken'; readonly request: HttpRequest }
  | { readonly kind: 'refused'; readonly refusal: HttpResponse }
  | { readonly kind: 'gone' };

/** Brings a request from the connection into plain data, past every rule of the guard. Never throws. */
export async function takeRequest(incoming: IncomingMessage, head: RequestHead, bodyLimit: number): Promise<Taking> {
  const refusal = inspectHead(head);
  if (refusal !== undefined) return { kind: 'refused', refusal };
  const sent = await readBody(incoming, bodyLimit);
  // The request may have been given up while its body came in: answered with 408, say.
  if (sent.kind === 'gone' || isCondemned(incoming)) return { kind: 'gone' };
  if (sent.kind === 'too-large') return tooLarge(bodyLimit);
  const decoding = await decodeBody(sent.body, readCodings(head.headers) ?? 'identity', bodyLimit);
  if (decoding.kind === 'too-large') return tooLarge(bodyLimit);
  if (decoding.kind === 'malformed') return { kind: 'refused', refusal: problemResponse(400, 'The body is not in its Content-Encoding.') };
  const { method, target, headers } = head;
  return { kind: 'taken', request: { method, target: originForm(target) ?? target, headers, body: decoding.body } };
}

function tooLarge(limit: number): Taking {
  return { kind: 'refused', refusal: problemResponse(413, `The body has more than ${limit} bytes.`) };
}

import type { IncomingMessage } from 'node:http';

const deferred = new WeakMap<IncomingMessage, () => void>();

/**
 * Keeps back the `100 Continue` of a request that expects one, until its body is wanted (RFC 9110,
 * section 10.1.1).
 */
export function deferContinue(request: IncomingMessage, send: () => void): void {
  deferred.set(request, send);
}

/** Sends the `100 Continue` that was kept back; does nothing where there is none. */
export function sendContinue(request: IncomingMessage): void {
  const send = deferred.get(request);
  deferred.delete(request);
  send?.();
}

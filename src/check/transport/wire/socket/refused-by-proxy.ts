import type { Fault } from '../answer/breaches.ts';
import type { Route } from './open-socket.ts';

/**
 * What a proxy says for itself: of requests that it passes on in the clear, 407 is its own answer
 * (RFC 9110, section 15.5.8).
 */
export function refusedByProxy({ proxy, secure }: Route, status: number): Fault | undefined {
  return proxy === undefined || secure || status !== 407
    ? undefined
    : { kind: 'proxy.failed', message: 'the proxy asks for a credential (407).' };
}

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

const condemned = new WeakSet<Socket | IncomingMessage>();

/**
 * Gives up a connection after a request that was refused, or a single request that never came in
 * whole: no more is read of it.
 */
export function markClosing(given: Socket | IncomingMessage): void {
  condemned.add(given);
}

/** Whether a connection, or a request, was given up. */
export function isClosing(given: Socket | IncomingMessage): boolean {
  return condemned.has(given);
}

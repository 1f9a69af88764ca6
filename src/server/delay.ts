import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const longestTimer = 2 ** 31 - 1;

/**
 * Waits so many milliseconds, or until the signal; true where the time has passed. The timer alone
 * keeps no process alive. Anything that is no positive number is no wait.
 */
export function delay(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  if (!(milliseconds > 0)) return Promise.resolve(true);
  return new Promise((resolve) => {
    const stop = (): void => {
      clearTimeout(timer);
      resolve(false);
    };
    const pass = (): void => {
      signal.removeEventListener('abort', stop);
      resolve(true);
    };
    const timer = setTimeout(pass, Math.min(milliseconds, longestTimer)).unref();
    signal.addEventListener('abort', stop, { once: true });
  });
}

/** A signal that comes when a response is over, or can no longer be sent. */
export function closing(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (response.closed || response.req.socket.destroyed) controller.abort();
  else response.once('close', () => controller.abort());
  return controller.signal;
}

/**
 * A signal that comes when the client leaves a connection: also when it only says that it will send
 * no more.
 */
export function leaving(socket: Socket): AbortSignal {
  const controller = new AbortController();
  const leave = (): void => controller.abort();
  if (socket.destroyed) leave();
  else socket.once('end', leave).once('close', leave);
  return controller.signal;
}

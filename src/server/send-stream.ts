import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpResponse } from '../http/message.ts';
import { endToEndHeaders } from './send-response.ts';

/** Where the pieces of a body go. */
export interface Outlet {
  /** Comes when the client has left, or the server ends. */
  readonly ended: AbortSignal;
  /** Resolves when the client can take more; at once where it can already. */
  write(text: string): Promise<void>;
}

/** Writes a body for as long as there is something to tell; it is over when the promise is. */
export type Follow = (out: Outlet) => Promise<void>;

/**
 * Sends an answer whose body is told as it happens. Ends when all is told, when the client leaves,
 * or with the signal.
 */
export async function sendStream(
  response: ServerResponse,
  message: HttpResponse & { readonly follow: Follow },
  ending: AbortSignal,
): Promise<void> {
  const ended = AbortSignal.any([closing(response), ending]);
  // Without a length, since nobody knows it: Node sends what is written in chunks.
  response.writeHead(message.status, endToEndHeaders(message).flat());
  response.flushHeaders();
  try {
    await message.follow({ ended, write: (text) => write(response, text, ended) });
  } finally {
    response.end();
  }
}

function write(response: ServerResponse, text: string, ended: AbortSignal): Promise<void> {
  if (ended.aborted || response.write(text)) return Promise.resolve();
  return new Promise((resolve) => {
    response.once('drain', resolve);
    ended.addEventListener('abort', () => resolve(), { once: true });
  });
}

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

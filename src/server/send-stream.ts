import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpResponse } from '../http/message.ts';
import { endToEndHeaders } from './send-response.ts';

/** The destination of a streamed body. */
export interface Outlet {
  /** Aborted when the client disconnects, or the server closes. */
  readonly ended: AbortSignal;
  /** Resolves when the client can receive more. */
  write(text: string): Promise<void>;
}

/** Writes a streamed body; the body ends when the promise resolves. */
export type Follow = (out: Outlet) => Promise<void>;

/**
 * Sends a response with a streamed body. Resolves at the end of the body, when the client
 * disconnects, or at the signal.
 */
export async function sendStream(
  response: ServerResponse,
  message: HttpResponse & { readonly follow: Follow },
  ending: AbortSignal,
): Promise<void> {
  const ended = AbortSignal.any([closing(response), ending]);
  // Without a length, which is unknown: Node uses chunked encoding.
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
 * Waits for a number of milliseconds, or until the signal; returns true if the time has passed. The
 * timer does not keep the process alive. Returns at once for a number that is not positive.
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

/** A signal that aborts when a response is finished, or can no longer be sent. */
export function closing(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (response.closed || response.req.socket.destroyed) controller.abort();
  else response.once('close', () => controller.abort());
  return controller.signal;
}

/** A signal that aborts when the client closes a connection, or its sending side. */
export function leaving(socket: Socket): AbortSignal {
  const controller = new AbortController();
  const leave = (): void => controller.abort();
  if (socket.destroyed) leave();
  else socket.once('end', leave).once('close', leave);
  return controller.signal;
}

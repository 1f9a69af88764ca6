import type { ServerResponse } from 'node:http';
import type { HttpResponse } from '../http/message.ts';
import { closing } from './delay.ts';
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

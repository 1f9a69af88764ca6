import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

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

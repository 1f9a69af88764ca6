import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpResponse } from '../../http/message.ts';
import { condemn } from './condemned.ts';
import { lingerMs } from '../limits.ts';
import { sendLastResponse } from '../send-response.ts';

/**
 * Answers a request that is not let in, and closes its connection: what follows on it is not to be
 * trusted. What the client is still sending is thrown away for a moment first, because a connection
 * that closes on unread bytes is reset, and a reset can overtake the answer (RFC 9112, section
 * 9.6).
 */
export async function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  refusal: HttpResponse,
): Promise<void> {
  condemn(request.socket);
  sendLastResponse(response, refusal);
  await discardRest(request);
  response.end();
}

function discardRest(request: IncomingMessage): Promise<void> {
  if (request.readableEnded || request.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, lingerMs).unref();
    const finish = (): void => {
      clearTimeout(timer);
      resolve();
    };
    request.once('end', finish).once('close', finish).once('error', finish).resume();
  });
}

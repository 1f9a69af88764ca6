import type { IncomingMessage } from 'node:http';
import { emptyBody } from '../../http/message.ts';
import { sendContinue } from './deferred-continue.ts';

/** The bytes of a body as they were sent; more than allowed; or a client that left before the end. */
export type BodyReading =
  | { readonly kind: 'read'; readonly body: Uint8Array }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'gone' };

/**
 * Reads the body of a request, and stops at the first byte beyond `limit`: the rest stays unread. A body that announces too
 * much is not read at all. Never throws; holds at most `limit` bytes and one chunk.
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<BodyReading> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return { kind: 'too-large' };
  sendContinue(request);
  return collect(request, limit);
}

function collect(request: IncomingMessage, limit: number): Promise<BodyReading> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  return new Promise((resolve) => {
    const settle = (reading: BodyReading): void => {
      request.off('data', take).off('end', finish).off('close', leave).off('error', leave);
      resolve(reading);
    };
    const take = (chunk: Uint8Array): void => {
      size += chunk.length;
      if (size <= limit) return void chunks.push(chunk);
      request.pause();
      settle({ kind: 'too-large' });
    };
    const finish = (): void => settle({ kind: 'read', body: join(chunks) });
    const leave = (): void => settle({ kind: 'gone' });
    if (request.destroyed && !request.readableEnded) return leave();
    request.on('data', take).once('end', finish).once('close', leave).once('error', leave);
  });
}

function join(chunks: readonly Uint8Array[]): Uint8Array {
  return chunks.length > 1 ? Buffer.concat(chunks) : (chunks[0] ?? emptyBody);
}

import type { ServerResponse } from 'node:http';
import type { HttpResponse } from '../http/message.ts';
import { closing } from './closing.ts';
import { delay } from './delay.ts';
import { sendResponse, startResponse, wireBody } from './send-response.ts';

/** How slowly a body is to go out. */
export interface Pace {
  readonly bytes: number;
  readonly everyMs: number;
}

/**
 * The longest that a body may take, in milliseconds: one that would take longer goes out in larger
 * pieces.
 */
const longestMs = 600_000;

/**
 * Sends an answer whose body goes out piece by piece. Ends when all of it is out, or the client has
 * left.
 */
export async function sendSlowly(
  response: ServerResponse,
  message: HttpResponse,
  { bytes, everyMs }: Pace,
): Promise<void> {
  const body = wireBody(response.req.method, message);
  if (body === undefined) return sendResponse(response, message);
  const size = Math.max(bytes, Math.ceil((body.length * everyMs) / longestMs));
  const gone = closing(response);
  startResponse(response, message);
  for (let offset = 0; offset < body.length; offset += size) {
    response.write(body.subarray(offset, offset + size));
    if (offset + size < body.length && !(await delay(everyMs, gone))) return;
  }
  response.end();
}

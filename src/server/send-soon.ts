import type { ServerResponse } from 'node:http';
import type { HttpResponse } from '../http/message.ts';
import { sendResponse } from './send-response.ts';

interface Ready {
  readonly response: ServerResponse;
  readonly message: HttpResponse;
  readonly failed: (fault: unknown) => void;
}

let ready: Ready[] = [];

/**
 * Sends an answer at the end of this turn of the event loop, together with all others that are ready by then. Under load many
 * requests are read in one turn; writing between them would wake their clients one by one, and waking costs more than answering.
 * Where an answer cannot be sent, its connection is closed and `failed` is told.
 */
export function sendSoon(response: ServerResponse, message: HttpResponse, failed: (fault: unknown) => void): void {
  if (ready.length === 0) setImmediate(sendReady);
  ready.push({ response, message, failed });
}

function sendReady(): void {
  const answers = ready;
  ready = [];
  for (const { response, message, failed } of answers) {
    try {
      sendResponse(response, message);
    } catch (fault) {
      response.destroy();
      failed(fault);
    }
  }
}

import type { ServerResponse } from 'node:http';
import type { HttpResponse } from '../http/message.ts';
import { sendResponse } from './send-response.ts';

interface Ready {
  readonly response: ServerResponse;
  readonly message: HttpResponse;
  readonly failed: (fault: unknown) => void;
}

let ready: Ready[] = [];
/** Whether somebody makes answers now who has them sent when all of them are made. */
let isGathering = false;

/**
 * Sends an answer at the end of this turn of the event loop, together with all others that are
 * ready by then. Under load many requests are read in one turn; writing between them would wake
 * their clients one by one, and waking costs more than answering. A large one goes at once: it
 * gains nothing by waiting, and whoever answers next on its connection is to see whether it is out.
 * Where an answer cannot be sent, its connection is closed and `failed` is told.
 */
export function sendSoon(
  response: ServerResponse,
  message: HttpResponse,
  failed: (fault: unknown) => void,
): void {
  if (message.body.length > largest) return send({ response, message, failed });
  if (ready.length === 0 && !isGathering) setImmediate(sendReady);
  ready.push({ response, message, failed });
}

const largest = 64 * 1024;

/**
 * Does work of which answers come, at the end of a turn, and sends those that are ready with it,
 * together, without another turn: asking the system for what has come meanwhile costs as much as a
 * write.
 */
export function sendTogether(work: () => void): void {
  isGathering = true;
  try {
    work();
  } finally {
    isGathering = false;
    sendReady();
  }
}

function sendReady(): void {
  const answers = ready;
  ready = [];
  for (const answer of answers) send(answer);
}

function send({ response, message, failed }: Ready): void {
  try {
    sendResponse(response, message);
  } catch (fault) {
    response.destroy();
    failed(fault);
  }
}

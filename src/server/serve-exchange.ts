import type { IncomingMessage, ServerResponse } from 'node:http';
import { VouchError } from '../errors.ts';
import { methods } from '../contract/model.ts';
import { emptyBody, type HttpRequest, type HttpResponse } from '../http/message.ts';
import { problemResponse } from '../http/problem.ts';
import type { Answer, Mock } from '../mock/mock.ts';
import type { CompleteAppOptions } from './app-options.ts';
import { isControlTarget, type Control } from './control.ts';
import { delay } from './delay.ts';
import type { Journal } from './journal.ts';
import { refuse } from './refuse.ts';
import { readHead, type RequestHead } from './request-head.ts';
import { isFinalStatus, sendResponse } from './send-response.ts';
import { takeRequest } from './take-request.ts';

/** Everything that an exchange needs. */
export interface ServingParts {
  readonly mock: Mock;
  readonly control: Control;
  readonly journal: Journal;
  readonly options: CompleteAppOptions;
}

/** Answers one request, whatever it holds and whatever goes wrong; a fault of our own is a 500 that tells nothing. */
export async function serveExchange(parts: ServingParts, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    await exchange(parts, incoming, response);
  } catch (fault) {
    if (response.headersSent) response.destroy();
    else sendResponse(response, faultResponse());
    report(parts, fault);
  }
}

/** What a client learns of a fault of our own. */
export function faultResponse(): HttpResponse {
  return problemResponse(500, 'vouch failed to answer. This is a fault of its own, not of the request.');
}

async function exchange(parts: ServingParts, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const started = performance.now();
  const head = readHead(incoming);
  const taking = await takeRequest(incoming, head, parts.options.bodyLimit);
  if (taking.kind === 'gone') return;
  if (taking.kind === 'refused') {
    const refused = refuse(incoming, response, taking.refusal);
    record(parts, head, { ...taking.refusal, delayMs: 0 }, started);
    return refused;
  }
  const answer = await answerAnyway(parts, taking.request);
  if (!(answer.delayMs > 0) || (await delay(answer.delayMs, closing(response)))) sendResponse(response, answer);
  record(parts, taking.request, answer, started);
}

async function answerAnyway(parts: ServingParts, request: HttpRequest): Promise<Answer> {
  try {
    return checkAnswer(await answerRequest(parts, request));
  } catch (fault) {
    report(parts, fault);
    return { ...faultResponse(), delayMs: 0 };
  }
}

async function answerRequest({ mock, control }: ServingParts, request: HttpRequest): Promise<Answer> {
  if (request.target === '*') return { status: 204, headers: [['Allow', methods.join(', ')]], body: emptyBody, delayMs: 0 };
  if (isControlTarget(request.target)) return { ...(await control(request)), delayMs: 0 };
  return mock.answer(request);
}

function checkAnswer(answer: Answer): Answer {
  if (isFinalStatus(answer.status)) return answer;
  throw new VouchError('internal', `The mock answered with the status ${answer.status}, which ends no exchange.`);
}

function closing(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => controller.abort());
  return controller.signal;
}

function record(parts: ServingParts, { method, target }: Pick<RequestHead, 'method' | 'target'>, answer: Answer, started: number): void {
  if (isControlTarget(target)) return;
  const operation = answer.operation === undefined ? {} : { operation: answer.operation };
  const entry = { method, target, status: answer.status, ...operation, durationMs: performance.now() - started };
  parts.journal.add(entry);
  try {
    parts.options.onExchange(entry);
  } catch (fault) {
    report(parts, fault);
  }
}

function report({ options }: ServingParts, fault: unknown): void {
  try {
    options.onFault(fault);
  } catch {
    // Who cannot be told of a fault cannot be told of this one either.
  }
}

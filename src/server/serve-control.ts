import { emptyBody, type HttpRequest } from '../http/message.ts';
import { problemResponse } from '../http/problem.ts';
import { refuse } from './connection/refuse.ts';
import { controlPrefix } from './control/control-parts.ts';
import { isControlTarget } from './control/control-access.ts';
import type { ControlReply } from './control/control-response.ts';
import { readHead } from './request-head.ts';
import { sendResponse } from './send-response.ts';
import { sendStream } from './send-stream.ts';
import { faultResponse, type Arriving } from './serve-exchange.ts';
import type { ServingParts } from './serving-parts.ts';
import { takeRequest, type Taking } from './take-request.ts';

/** Answers one request on a port that has the control API and nothing else. */
export function serveControl(parts: ServingParts, { incoming, response, turn }: Arriving): void {
  takeRequest(
    { incoming, head: readHead(incoming), bodyLimit: parts.options.bodyLimit },
    (taking) => turn.end(() => serveTaken(parts, taking, { incoming, response })),
  );
}

async function serveTaken(
  parts: ServingParts,
  taking: Taking,
  { incoming, response }: Omit<Arriving, 'turn'>,
): Promise<void> {
  if (taking.kind === 'gone') return;
  if (taking.kind === 'refused') return refuse(incoming, response, taking.refusal);
  const reply = forMethod(taking.request.method, await answer(parts, taking.request));
  const { follow } = reply;
  if (follow === undefined) return sendResponse(response, reply);
  await sendStream(response, { ...reply, follow }, parts.ending.signal);
}

async function answer(
  { control, options }: ServingParts,
  request: HttpRequest,
): Promise<ControlReply> {
  if (!isControlTarget(request.target))
    return problemResponse(
      404,
      `This port has the control API, under ${controlPrefix}/, and nothing else.`,
    );
  try {
    return await control(request);
  } catch (fault) {
    options.onFault(fault);
    return faultResponse();
  }
}

function forMethod(method: string, { follow, ...response }: ControlReply): ControlReply {
  if (method !== 'HEAD') return follow === undefined ? response : { ...response, follow };
  return {
    ...response,
    body: emptyBody,
    headers: [...response.headers, ['Content-Length', String(response.body.length)]],
  };
}

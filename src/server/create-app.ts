import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { emptyBody, type HttpRequest } from '../http/message.ts';
import { problemResponse } from '../http/problem.ts';
import type { Mock } from '../mock/mock.ts';
import { inTurn } from './connection/in-turn.ts';
import { refuse } from './connection/refuse.ts';
import { ignoreErrors } from './connection/served-messages.ts';
import { isControlTarget } from './control/control-access.ts';
import { controlPrefix } from './control/control-parts.ts';
import type { ControlReply } from './control/control-response.ts';
import { readHead } from './request-head.ts';
import { sendResponse } from './send-response.ts';
import { sendStream } from './send-stream.ts';
import { type Arriving, faultResponse, serveExchange } from './serve-exchange.ts';
import { type AppOptions, assembleParts, type ServingParts } from './serving-parts.ts';
import { takeRequest, type Taking } from './take-request.ts';

/**
 * The mock and its control API as an Express application: for `listen`, for supertest, or to mount
 * in another one. Routes and middleware that its user adds, before or after the first request, run
 * before the mock, which answers what is left. Throws `config-invalid` for options that cannot be
 * used.
 */
export function createApp(mock: Mock, options: AppOptions): Express {
  return createAppOf(assembleParts(mock, options));
}

/** The same from parts that are put together already. */
export function createAppOf(parts: ServingParts): Express {
  return appOf((arriving) => serveExchange(parts, arriving));
}

/** The control API alone, for a port of its own. */
export function createControlApp(parts: ServingParts): Express {
  return appOf((arriving) => serveControl(parts, arriving));
}

type Serve = (arriving: Arriving) => void;

/** The function through which every Express application is called; it is not in its types. */
interface Entrance {
  handle(request: IncomingMessage, response: ServerResponse, next?: NextFunction): void;
}

function appOf(serve: Serve): Express {
  const app = express();
  // An answer has the fields that the contract documents, and no others.
  app.disable('x-powered-by');
  const serveRequest = (request: IncomingMessage, response: ServerResponse): void => {
    ignoreErrors(response);
    inTurn(response, (turn) => serve({ incoming: request, response, turn }));
  };
  // Its types lack the function through which every Express application is called.
  const entrance = app as unknown as Entrance;
  const handle = entrance.handle.bind(app);
  entrance.handle = (request, response, next) => {
    // Express would read the path, and give request and response other prototypes, to come to the
    // same answer in a fifth more time.
    if (app.router.stack.length === 0) return serveRequest(request, response);
    putLast(app, serveRequest);
    handle(request, response, next);
  };
  return app;
}

/**
 * Makes the mock the last layer of the router, behind whatever was added meanwhile. As a layer, and
 * not as what follows the router, it leaves errors to Express.
 */
function putLast(app: Express, mock: (request: Request, response: Response) => void): void {
  const { stack } = app.router;
  if (stack.at(-1)?.handle === mock) return;
  const before = stack.findIndex(({ handle }) => handle === mock);
  if (before !== -1) stack.splice(before, 1);
  app.use(mock);
}

/** Answers one request on a port that has the control API and nothing else. */
function serveControl(parts: ServingParts, { incoming, response, turn }: Arriving): void {
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

import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { emptyBody, type HttpRequest } from '../http/message.ts';
import { problemResponse } from '../http/problem.ts';
import type { Mock } from '../mock/mock.ts';
import { Turns } from './connection/connections.ts';
import { refuse } from './connection/refuse.ts';
import { ignoreErrors } from './connection/served-messages.ts';
import { controlPrefix } from './control/control-prefix.ts';
import type { ControlReply } from './control/fields.ts';
import { readHead, takeRequest, type Taking } from './guard/guard.ts';
import { sendResponse } from './send-response.ts';
import { sendStream } from './send-stream.ts';
import { type Arriving, faultResponse, isControlTarget, serveExchange } from './serve-exchange.ts';
import { type AppOptions, assembleParts, type ServingParts } from './serving-parts.ts';

/**
 * Makes an Express application of the mock and its control API: for `listen`, for supertest, or to
 * mount in another application. Routes and middleware that the user adds, before or after the first
 * request, run before the mock, which answers all other requests. Throws `config-invalid` for
 * invalid options.
 */
export function createApp(mock: Mock, options: AppOptions): Express {
  return createAppOf(assembleParts(mock, options));
}

/** Like `createApp`, from assembled parts. */
export function createAppOf(parts: ServingParts): Express {
  return appOf((arriving) => serveExchange(parts, arriving));
}

/** The control API alone, for its own port. */
export function createControlApp(parts: ServingParts): Express {
  return appOf((arriving) => serveControl(parts, arriving));
}

/** An application with the function that Express calls for every request; its types lack it. */
interface Entrance extends Express {
  handle(request: IncomingMessage, response: ServerResponse, next?: NextFunction): void;
}

function isEntrance(app: Express): app is Entrance {
  return 'handle' in app && typeof app.handle === 'function';
}

function appOf(serve: (arriving: Arriving) => void): Express {
  const app = express();
  // Responses have only the header fields that the contract documents.
  app.disable('x-powered-by');
  const turns = new Turns();
  const serveRequest = (request: IncomingMessage, response: ServerResponse): void => {
    ignoreErrors(response);
    turns.take(response, (turn) => serve({ incoming: request, response, turn }));
  };
  if (!isEntrance(app)) throw new TypeError('Express has no function `handle`.');
  const handle = app.handle.bind(app);
  app.handle = (request, response, next) => {
    // Skips the router if the user added nothing: Express would parse the path and replace
    // prototypes with the same result, a fifth slower.
    if (app.router.stack.length === 0) return serveRequest(request, response);
    putLast(app, serveRequest);
    handle(request, response, next);
  };
  return app;
}

/**
 * Makes the mock the last layer of the router, after added middleware. As a layer, it leaves errors
 * to Express.
 */
function putLast(app: Express, mock: (request: Request, response: Response) => void): void {
  const { stack } = app.router;
  if (stack.at(-1)?.handle === mock) return;
  const before = stack.findIndex(({ handle }) => handle === mock);
  if (before !== -1) stack.splice(before, 1);
  app.use(mock);
}

/** Answers a request on the port of the control API. */
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

import express, { type Express } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Mock } from '../mock/mock.ts';
import type { AppOptions } from './app-options.ts';
import { inTurn } from './connection/in-turn.ts';
import { bearErrors } from './connection/served-response.ts';
import { serveControl } from './serve-control.ts';
import { serveExchange, type Arriving } from './serve-exchange.ts';
import { assembleParts, type ServingParts } from './serving-parts.ts';

/**
 * The mock and its control API as an Express application: for `listen`, for supertest, or to mount
 * in another one. It takes every request itself, so that no path of a contract is ever read by
 * Express. Throws `config-invalid` for options that cannot be used.
 */
export function createApp(mock: Mock, options: AppOptions): Express {
  return createAppOf(assembleParts(mock, options));
}

/** The same from parts that somebody else has put together. */
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
  handle(request: IncomingMessage, response: ServerResponse): void;
}

function appOf(serve: Serve): Express {
  const app = express();
  // Every request is answered here. Express's own way would first read the path, answer in HTML
  // what it cannot read, and give request and response other prototypes: a fifth of the time that a
  // whole answer takes.
  (app as unknown as Entrance).handle = (request, response) => {
    bearErrors(response);
    inTurn(response, (turn) => serve({ incoming: request, response, turn }));
  };
  return app;
}

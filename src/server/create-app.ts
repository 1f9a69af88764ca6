import express, { type Express } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpResponse } from '../http/message.ts';
import { problemResponse } from '../http/problem.ts';
import type { Mock } from '../mock/mock.ts';
import { completeAppOptions, type AppOptions } from './app-options.ts';
import { makeControl } from './control.ts';
import { inTurn } from './in-turn.ts';
import { makeJournal } from './journal.ts';
import { journalLimit } from './limits.ts';
import { refuse } from './refuse.ts';
import { faultResponse, serveExchange, type ServingParts } from './serve-exchange.ts';

/**
 * The mock and its control API as an Express application: for `listen`, for supertest, or to mount in another one. A single
 * middleware takes every request, so that no path of a contract is ever read by Express. Throws `config-invalid` for options
 * that cannot be used.
 */
export function createApp(mock: Mock, options: AppOptions): Express {
  const parts = assemble(mock, options);
  const app = express();
  app.disable('x-powered-by').disable('etag').disable('query parser');
  app.enable('case sensitive routing').enable('strict routing');
  app.use((request, response) => inTurn(request, () => serveExchange(parts, request, response)));
  answerTheRest(app);
  return app;
}

function assemble(mock: Mock, given: AppOptions): ServingParts {
  const options = completeAppOptions(given);
  const { controlToken: token, host, version, scenario } = options;
  const journal = makeJournal(journalLimit);
  return { mock, journal, options, control: makeControl({ mock, journal, token, host, version, scenario }) };
}

type Next = (fault?: unknown) => void;
interface Entrance {
  handle(request: IncomingMessage, response: ServerResponse, next?: Next): void;
}

/**
 * Express reads the path before any middleware, and what it cannot read it answers itself, in HTML. Here it is a problem like
 * any other.
 */
function answerTheRest(app: Express): void {
  // The function through which every Express application is called is not in its types.
  const entrance = app as unknown as Entrance;
  const handle = entrance.handle.bind(app);
  entrance.handle = (request, response, next) => {
    // An error without a listener would end the process when a client resets its connection.
    response.on('error', () => undefined);
    handle(request, response, next ?? ((fault) => inTurn(request, () => refuse(request, response, restResponse(fault)))));
  };
}

function restResponse(fault: unknown): HttpResponse {
  return fault === undefined || fault === null ? problemResponse(400, 'The request target cannot be read.') : faultResponse();
}

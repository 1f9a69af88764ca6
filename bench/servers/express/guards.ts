import type { ErrorRequestHandler, NextFunction, Request, RequestHandler, Response } from 'express';
import { parseExactly, writeExactly } from '../exact-json.ts';
import type { IsPlanted } from '../defects.ts';
import { key } from '../server-under-test.ts';
import { InvalidInput } from './book-form.ts';

/** An error that has a status of its own. */
export class HttpError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Lets a request on that shows the key. */
export function requireKey(has: IsPlanted): RequestHandler {
  return (request, response, next) => {
    if (has('list-without-token') && request.method === 'GET' && request.path === '/books')
      return next();
    if (has('delete-without-token') && request.method === 'DELETE') return next();
    const header = request.get('authorization');
    if (header === undefined && has('no-token-is-403'))
      throw new HttpError(403, 'forbidden', 'This needs a key.');
    if (header !== undefined && isAllowed(header.trim().split(/ +/), has)) return next();
    response.set('WWW-Authenticate', 'Bearer realm="books"');
    throw new HttpError(401, 'unauthorized', 'This needs a key that is known here.');
  };
}

function isAllowed([scheme = '', token = '', ...more]: string[], has: IsPlanted): boolean {
  if (more.length > 0 || token === '' || (!/^bearer$/i.test(scheme) && !has('scheme-not-checked')))
    return false;
  if (has('any-token-accepted')) return true;
  if (has('token-prefix-accepted')) return key.startsWith(token);
  return has('token-in-any-case') ? token.toLowerCase() === key.toLowerCase() : token === key;
}

/** Puts the JSON of the body, which was read as bytes, into its place. */
export function parseBody(has: IsPlanted): RequestHandler {
  return (request, _response, next) => {
    const bytes: unknown = request.body;
    if (!Buffer.isBuffer(bytes) || bytes.length === 0)
      throw new InvalidInput('The request needs a body.');
    const isJson =
      has('media-type-not-checked') || request.is('application/json') === 'application/json';
    if (!isJson || request.get('content-encoding') !== undefined)
      throw new HttpError(415, 'not-json', 'Only application/json is read here.');
    request.body = parse(bytes, has);
    next();
  };
}

function parse(bytes: Buffer, has: IsPlanted): unknown {
  try {
    return parseExactly(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (error) {
    if (has('broken-json-is-500')) throw error;
    throw new InvalidInput('The body is not JSON.');
  }
}

/** Says which methods a path has. */
export function onlyMethods(...methods: string[]): RequestHandler {
  return (request, response) => {
    response.set('Allow', [...methods, 'OPTIONS'].join(', '));
    if (request.method === 'OPTIONS') return void response.status(204).end();
    throw new HttpError(405, 'method-not-allowed', `${request.method} is not allowed here.`);
  };
}

/** The one place where errors become answers. */
export function answerErrors(has: IsPlanted): ErrorRequestHandler {
  return (error: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) return next(error);
    const { status, code } = statusOf(error);
    const message = error instanceof Error ? error.message : 'Something went wrong.';
    if (error instanceof InvalidInput && has('refusal-answers-422'))
      return sendJson(response, 422, { status: 422, code: 'unprocessable', message });
    if (error instanceof InvalidInput && has('refusal-answers-200'))
      return sendJson(response, 200, { status, code, message });
    if (status === 404 && has('problem-misshapen'))
      return sendJson(response, 404, { error: message });
    if (status === 404 && has('problem-status-wrong'))
      return sendJson(response, 404, { status: 400, code, message });
    sendJson(response, status, { status, code, message });
  };
}

function statusOf(error: unknown): { status: number; code: string } {
  if (error instanceof InvalidInput) return { status: 400, code: 'invalid' };
  if (error instanceof HttpError) return error;
  const status =
    typeof error === 'object' && error !== null && 'status' in error ? Number(error.status) : 500;
  // Express has its own errors for what cannot be decoded: a path that is no path names nothing.
  if (error instanceof URIError) return { status: 404, code: 'not-found' };
  return { status, code: status < 500 ? 'refused' : 'internal' };
}

/** Writes a value with its exact whole numbers. */
export function sendJson(
  response: Response,
  status: number,
  value: unknown,
  type = 'application/json; charset=utf-8',
): void {
  response
    .status(status)
    .set('Content-Type', type)
    .send(Buffer.from(writeExactly(value)));
}

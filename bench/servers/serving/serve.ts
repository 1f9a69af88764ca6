import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { parseExactly } from '../exact-json.ts';
import type { ServerUnderTest } from '../server-under-test.ts';
import { writeJson, type IsWritten } from './manners.ts';

/** A request, read to its end. */
export interface ServiceRequest {
  readonly method: string;
  readonly path: string;
  /** The values of the placeholders in the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** A response before it is written: `json`, or `bytes` with a Content-Type, or no body. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly bytes?: Buffer | string;
  /** The connection breaks in the middle of the body. */
  readonly cut?: boolean;
}

export type Handler = (incoming: ServiceRequest) => Answer | Promise<Answer>;

/** Path template, then method. */
export type Routes = Readonly<Record<string, Readonly<Record<string, Handler>>>>;

/** Thrown with the response that a request gets. */
export class Refused extends Error {
  readonly answer: Answer;
  constructor(answer: Answer) {
    super('refused');
    this.answer = answer;
  }
}

/** An error response as RFC 9457 describes it. */
export function problem(status: number, detail: string, more: Partial<Answer> = {}): Answer {
  return {
    status,
    json: { type: 'about:blank', title: titles[status] ?? 'Error', status, detail },
    ...more,
    headers: { 'Content-Type': 'application/problem+json', ...more.headers },
  };
}

export function refuse(status: number, detail: string, more: Partial<Answer> = {}): never {
  throw new Refused(problem(status, detail, more));
}

const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
};

/** The JSON value of the body; refuses another media type with 415, invalid JSON with 400. */
export function readJson(
  incoming: ServiceRequest,
  types: readonly string[] = ['application/json'],
): unknown {
  if (incoming.bytes.length === 0) return refuse(400, 'A body is required.');
  if (!types.includes(mediaType(incoming)))
    return refuse(415, `The body must be ${types.join(' or ')}.`);
  try {
    return parseExactly(new TextDecoder('utf-8', { fatal: true }).decode(incoming.bytes));
  } catch {
    return refuse(400, 'The body is not valid JSON.');
  }
}

/** The media type of the body, in lower case and without parameters. */
export function mediaType(incoming: ServiceRequest): string {
  return (incoming.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Where a service listens, and how it writes. */
export interface Listening {
  readonly port: number | undefined;
  readonly isWritten: IsWritten;
}

/** Serves the routes on loopback. */
export async function listen(routes: Routes, listening: Listening): Promise<ServerUnderTest> {
  const templates = Object.keys(routes).sort(
    (a, b) => places(a) - places(b) || verbs(b) - verbs(a),
  );
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    void serve(request, { routes, templates }).then((answer) =>
      write(request, response, { answer, isWritten: listening.isWritten }),
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(listening.port ?? 0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    requests: () => requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const places = (template: string): number => template.split('{').length;
const verbs = (template: string): number => template.split('}:').length;

interface Table {
  readonly routes: Routes;
  readonly templates: readonly string[];
}

async function serve(request: IncomingMessage, table: Table): Promise<Answer> {
  try {
    const bytes = await readBytes(request);
    const url = new URL(request.url ?? '/', 'http://localhost');
    const method = request.method ?? 'GET';
    for (const template of table.templates) {
      const params = match(template, url.pathname);
      const methods = table.routes[template];
      if (params === undefined || methods === undefined) continue;
      const handler = methods[method] ?? (method === 'HEAD' ? methods['GET'] : undefined);
      if (handler === undefined) return refuseMethod(method, Object.keys(methods));
      const { searchParams: query } = url;
      const incoming = {
        method,
        path: url.pathname,
        params,
        query,
        headers: request.headers,
        bytes,
      };
      return await handler(incoming);
    }
    return problem(404, 'There is no such path.');
  } catch (error) {
    if (error instanceof Refused) return error.answer;
    return problem(500, error instanceof Error ? error.message : 'An internal error.');
  }
}

function refuseMethod(method: string, methods: readonly string[]): Answer {
  const heads = methods.includes('GET') && !methods.includes('HEAD') ? ['HEAD'] : [];
  const all = new Set([...methods, ...heads, 'OPTIONS']);
  const headers = { Allow: [...all].join(', ') };
  if (method === 'OPTIONS') return { status: 204, headers };
  return problem(405, 'The path does not have this method.', { headers });
}

/** The values of the placeholders; undefined if the path does not fit. */
function match(template: string, path: string): Record<string, string> | undefined {
  const wanted = template.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const text = unescape(given[index] ?? '');
    const [, head = '', name, verb = ''] = /^([^{]*)\{(\w+)\}(.*)$/.exec(part) ?? [];
    if (name === undefined) {
      if (part !== text) return undefined;
      continue;
    }
    const isFit = text.startsWith(head) && text.endsWith(verb);
    if (!isFit || text.length <= head.length + verb.length) return undefined;
    params[name] = decode(text.slice(head.length, text.length - verb.length));
  }
  return params;
}

/** Parentheses, quotes, commas and $, which some clients escape in paths. */
const unescape = (text: string): string =>
  text.replaceAll(/%(?:2[478C9])/gi, (code) => decode(code));

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const longest = 1_048_576;

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > longest)
      refuse(413, 'The body exceeds one MiB.', { headers: { Connection: 'close' } });
    parts.push(part);
  }
  return Buffer.concat(parts);
}

interface Written {
  readonly answer: Answer;
  readonly isWritten: IsWritten;
}

async function write(
  request: IncomingMessage,
  response: ServerResponse,
  { answer, isWritten }: Written,
): Promise<void> {
  if (isWritten('slow')) await new Promise((resolve) => setTimeout(resolve, 50));
  if (isWritten('early-hints')) response.writeEarlyHints({ link: '</style.css>; rel=preload' });
  const headers: Record<string, string> = { ...answer.headers };
  // An address is written in ASCII (RFC 3986, section 2).
  const { Location: address } = headers;
  if (address !== undefined)
    headers['Location'] = address.toWellFormed().replaceAll(/[^\x21-\x7e]/gu, encodeURIComponent);
  if (isWritten('extra-headers')) {
    headers['X-Request-Id'] = 'req-7f3a';
    headers['Server-Timing'] = 'db;dur=3.2';
    headers['Strict-Transport-Security'] = 'max-age=63072000';
    headers['Set-Cookie'] = 'lb=a1; Path=/; HttpOnly';
  }
  if (isWritten('closes-connections')) headers['Connection'] = 'close';
  let body = bodyOf(answer, headers, isWritten);
  if (body !== undefined && isWritten('gzip')) {
    headers['Vary'] = 'Accept-Encoding';
    if (/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) {
      body = gzipSync(body);
      headers['Content-Encoding'] = 'gzip';
    }
  }
  if (body !== undefined && !isWritten('chunked')) headers['Content-Length'] = String(body.length);
  response.writeHead(answer.status, inCase(headers, isWritten));
  if (body === undefined || request.method === 'HEAD') response.end();
  else if (answer.cut === true)
    response.write(body.subarray(0, body.length / 2), () => response.destroy());
  else if (isWritten('chunked')) {
    response.write(body.subarray(0, body.length / 3));
    response.end(body.subarray(body.length / 3));
  } else response.end(body);
}

function bodyOf(
  { json, bytes }: Answer,
  headers: Record<string, string>,
  isWritten: IsWritten,
): Buffer | undefined {
  if (bytes !== undefined) return Buffer.from(bytes as string);
  if (json === undefined) {
    delete headers['Content-Type'];
    return undefined;
  }
  const type = headers['Content-Type'] ?? 'application/json';
  headers['Content-Type'] = isWritten('charset')
    ? `${type};Charset="utf-8"`
    : isWritten('type-in-capitals')
      ? type.replace('json', 'JSON').replace('application', 'Application')
      : type;
  return Buffer.from(writeJson(json, isWritten));
}

function inCase(headers: Record<string, string>, isWritten: IsWritten): Record<string, string> {
  const lower = isWritten('header-names-lower');
  if (!lower && !isWritten('header-names-upper')) return headers;
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      lower ? name.toLowerCase() : name.toUpperCase(),
      value,
    ]),
  );
}

import { pathToFileURL } from 'node:url';
import { isJsonMediaType, parseMediaType } from '../http/media-type.ts';
import type { HeaderList, HttpRequest, HttpResponse } from '../http/message.ts';
import { headerValue } from '../http/message.ts';
import { problemResponse } from '../http/problem.ts';
import { parseJson } from '../json/parse-json.ts';
import type { PrismProgram } from './child-messages.ts';
import { type PrismHttp, writeAnswer, writeError } from './write-answer.ts';

type Instance = ReturnType<PrismHttp['createInstance']>;
type Request = Parameters<Instance['request']>[0];
type Config = NonNullable<Parameters<Instance['request']>[2]>;
type Operations = Awaited<ReturnType<PrismHttp['getHttpOperationsFromSpec']>>;

/**
 * Answers one request like Prism. Never rejects: exceptions of Prism become responses, of status
 * 500 unless Prism sets another.
 */
export type PrismResponder = (request: HttpRequest) => Promise<HttpResponse>;

/** Loads Prism's core and the document. Rejects if Prism cannot read the document. */
export async function loadPrism({
  packages,
  document,
  dynamic,
}: PrismProgram): Promise<PrismResponder> {
  const http = await importDefault<PrismHttp>(packages.http);
  const core = await importDefault<typeof import('@stoplight/prism-core')>(packages.core);
  const operations = await loadOperations(http, document);
  const instance = http.createInstance(configure({ dynamic }), {
    logger: core.createLogger('PRISM', { level: 'silent' }),
  });
  return async (request) => {
    try {
      return await ask({ http, instance, operations, dynamic }, request);
    } catch (error) {
      return writeError(http, error);
    }
  };
}

/** Prism is CommonJS: its exports are the default export, with the type of the resolved package. */
async function importDefault<Package>(file: string): Promise<Package> {
  const module = (await import(pathToFileURL(file).href)) as { readonly default: Package };
  return module.default;
}

async function loadOperations(http: PrismHttp, document: string): Promise<Operations> {
  const operations = await http.getHttpOperationsFromSpec(JSON.parse(document) as object);
  // Removes callbacks, because Prism would send them to any address that a request names.
  return operations.map(({ callbacks: _, ...operation }) => operation);
}

/** The defaults of `prism mock`. A new object each time, because Prism modifies `mock`. */
function configure({ dynamic = false, ...preferences }: Preferences): Config {
  return {
    isProxy: false,
    checkSecurity: true,
    validateRequest: true,
    validateResponse: true,
    errors: false,
    upstreamProxy: undefined,
    mock: { dynamic, ...preferences },
  };
}

interface Loaded {
  readonly http: PrismHttp;
  readonly instance: Instance;
  readonly operations: Operations;
  readonly dynamic: boolean;
}

async function ask(
  { http, instance, operations, dynamic }: Loaded,
  request: HttpRequest,
): Promise<HttpResponse> {
  const input = readInput(request);
  if ('status' in input) return input;
  const query = new URLSearchParams(request.target.split('?').slice(1).join('?'));
  const preferences = readPreferences(input.headers['prefer'], query);
  if ('unreadable' in preferences) {
    return writeError(
      http,
      http.ProblemJsonError.fromTemplate(http.UNPROCESSABLE_ENTITY, preferences.unreadable),
    );
  }
  // Prism's type lists known methods, but it accepts any method and answers 405.
  const result = await instance.request(
    input as Request,
    operations,
    configure({ dynamic, ...preferences }),
  )();
  return result._tag === 'Right' ? writeAnswer(result.right) : writeError(http, result.left);
}

/** The preferences of a client for one response. */
interface Preferences {
  readonly code?: number;
  readonly exampleKey?: string;
  readonly dynamic?: boolean;
  readonly seed?: string;
}

const preference =
  /\s*([^\s=;,"]+)\s*(?:=\s*(?:"([^"]*)"|([^;,"]*)))?[^,"]*(?:"[^"]*"[^,"]*)*(?:,|$)/y;

/**
 * Reads `Prefer: code=404, example=none, dynamic=true, seed=1` (RFC 7240), or without that header
 * the query parameters `__code`, `__example`, `__dynamic` and `__seed`, like Prism: the first of
 * two values applies, unknown ones are ignored.
 */
export function readPreferences(
  prefer: string | undefined,
  query: URLSearchParams,
): Preferences | { readonly unreadable: string } {
  const words = prefer === undefined ? wordsOfQuery(query) : wordsOfHeader(prefer);
  const code = words.get('code');
  const dynamic = words.get('dynamic');
  const exampleKey = words.get('example');
  const seed = words.get('seed');
  if (code !== undefined && !/^\d{3}$/.test(code))
    return { unreadable: `code must be a status such as 404, not "${code}"` };
  if (dynamic !== undefined && !/^(true|false)$/.test(dynamic))
    return { unreadable: `dynamic must be true or false, not "${dynamic}"` };
  return {
    ...(code !== undefined && { code: Number(code) }),
    ...(dynamic !== undefined && { dynamic: dynamic === 'true' }),
    ...(exampleKey !== undefined && { exampleKey }),
    ...(seed !== undefined && { seed }),
  };
}

function wordsOfHeader(prefer: string): Map<string, string> {
  const words = new Map<string, string>();
  preference.lastIndex = 0;
  for (let match = preference.exec(prefer); match !== null; match = preference.exec(prefer)) {
    const name = (match[1] ?? '').toLowerCase();
    if (!words.has(name)) words.set(name, match[2] ?? match[3]?.trim() ?? '');
  }
  return words;
}

function wordsOfQuery(query: URLSearchParams): Map<string, string> {
  const names = ['code', 'example', 'dynamic', 'seed'];
  return new Map(
    names.flatMap((name) => {
      const value = query.get(`__${name}`);
      return value === null ? [] : [[name, value] as const];
    }),
  );
}

/** A request in the form of Prism's core, except for the type of its method. */
interface PrismInput {
  readonly method: string;
  readonly url: {
    readonly path: string;
    readonly query: Record<string, string | string[]>;
    readonly baseUrl?: string;
  };
  readonly headers: Record<string, string>;
  readonly body: unknown;
}

/**
 * Converts a request for Prism, or returns why its body cannot be read. The target starts with a
 * slash.
 */
function readInput(request: HttpRequest): PrismInput | HttpResponse {
  const { pathname, searchParams } = new URL(`http://prism.invalid${request.target}`);
  const body = readBody(request);
  if ('refusal' in body) return body.refusal;
  const baseUrl = searchParams.get('__server');
  return {
    method: request.method.toLowerCase(),
    url: { path: pathname, query: readQuery(searchParams), ...(baseUrl !== null && { baseUrl }) },
    headers: readHeaders(request.headers),
    body: body.value,
  };
}

/** A repeated parameter becomes an array, as in Prism's own server. */
function readQuery(query: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      const values = query.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
}

function readHeaders(headers: HeaderList): Record<string, string> {
  const joined = new Map<string, string>();
  for (const [name, value] of headers) {
    const earlier = joined.get(name.toLowerCase());
    joined.set(name.toLowerCase(), earlier === undefined ? value : `${earlier}, ${value}`);
  }
  return Object.fromEntries(joined);
}

type ReadBody = { readonly value: unknown } | { readonly refusal: HttpResponse };

function readBody({ headers, body }: HttpRequest): ReadBody {
  const mediaType = headerValue(headers, 'content-type');
  const encoding = headerValue(headers, 'content-encoding') ?? 'identity';
  if (body.length === 0) return { value: null };
  if (encoding.toLowerCase() !== 'identity') {
    return refuse(415, `This server reads bodies as they are, not as ${encoding}.`);
  }
  if (mediaType !== undefined && parseMediaType(mediaType) === undefined) {
    return refuse(415, `The Content-Type "${mediaType}" is not a media type.`);
  }
  return mediaType !== undefined && isJsonMediaType(mediaType)
    ? readJson(body)
    : { value: new TextDecoder().decode(body) };
}

/**
 * Refuses the same bodies as the mock: duplicate names, deep nesting (which overflows Prism's
 * stack), invalid UTF-8.
 */
function readJson(body: Uint8Array): ReadBody {
  const reading = parseJson(body);
  if (!reading.ok)
    return refuse(400, `The body is not JSON that can be read: ${reading.problem.message}.`);
  // Parsed again with JSON.parse, because Prism does not support bigints.
  const value: unknown = JSON.parse(new TextDecoder().decode(body));
  return { value };
}

function refuse(status: number, detail: string): ReadBody {
  return { refusal: problemResponse(status, detail) };
}

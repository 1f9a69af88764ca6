import { usage } from '../../errors.ts';
import { emptyBody, type HeaderList, withoutHeader } from '../../http/message.ts';
import { type JsonValue, stringifyJson } from '../../json/value.ts';
import { joinPointer } from '../../json/pointer.ts';

/** A response in a test, from any client. */
export interface TestAnswer {
  readonly status: number;
  readonly headers: HeaderList;
  /** The unparsed body after content decoding. */
  readonly body: Uint8Array;
  /** Undefined if the client does not provide it. */
  readonly method?: string | undefined;
  /** The absolute URL; undefined if the client does not provide it. */
  readonly url?: string;
}

/** How to recognize and read the responses of one HTTP client. */
export interface AnswerKind {
  readonly name: string;
  /**
   * Undefined if the value is not a response of this client. Throws a VouchError if its original
   * body is lost.
   */
  read(value: object): TestAnswer | Promise<TestAnswer> | undefined;
}

/** A member of an unknown value. */
function memberOf(value: unknown, name: string): unknown {
  // Any member of an object or function can be read.
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/** Whether a value has all of these methods. */
function hasMethods(value: object, ...names: readonly string[]): boolean {
  return names.every((name) => typeof memberOf(value, name) === 'function');
}

/**
 * Converts header fields to a list; a list value gives one entry each. Values that are not text are
 * left out.
 */
function toHeaderList(fields: unknown): HeaderList {
  if (typeof fields !== 'object' || fields === null) return [];
  const pairs: (readonly [string, unknown])[] =
    Symbol.iterator in fields
      ? [...(fields as Iterable<readonly [string, unknown]>)]
      : Object.entries(fields);
  return pairs.flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((each): (readonly [string, string])[] =>
      typeof each === 'string' || typeof each === 'number' ? [[name, String(each)]] : [],
    ),
  );
}

/**
 * Converts a body to bytes, from text, bytes or a parsed value; some clients use an empty object
 * for no body. Throws a VouchError ('usage') for a parsed value with an integer beyond 2^53, whose
 * digits are lost.
 */
function bytesOf(body: unknown, { empty }: { readonly empty?: 'object' } = {}): Uint8Array {
  if (body === undefined || body === null || body === '') return emptyBody;
  if (typeof body === 'string') return Buffer.from(body, 'utf8');
  if (body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (empty === 'object' && typeof body === 'object' && Object.keys(body).length === 0)
    return emptyBody;
  const lost = findLostInteger(body, '');
  if (lost !== undefined)
    throw usage(
      'This body was parsed before vouch saw it, and the integer at ' +
        `${lost === '' ? 'its root' : lost} is larger than JSON.parse can hold: ` +
        'its digits are lost.',
      {
        hint:
          'Have the client keep the text: with axios, axios.create({ ' +
          'transformResponse: keepText }), where keepText is exported beside this ' +
          'matcher.',
      },
    );
  // A parsed body of a response is always JSON.
  return Buffer.from(stringifyJson(body as JsonValue), 'utf8');
}

function findLostInteger(value: unknown, at: string): string | undefined {
  if (typeof value === 'number')
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? at : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const found = findLostInteger(member, joinPointer(at, key));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The common members of Playwright's `APIResponse` and a page's `Response`. */
interface PlaywrightResponse {
  status(): number;
  url(): string;
  headersArray(): readonly Field[] | Promise<readonly Field[]>;
  body(): Promise<Uint8Array>;
}

interface Field {
  readonly name: string;
  readonly value: string;
}

/** Responses of Playwright, from `request` and from pages. */
const playwrightAnswer: AnswerKind = {
  name: 'Playwright',
  read(value) {
    // Recognized by its methods, because Playwright exports no class to compare with.
    return hasMethods(value, 'status', 'headersArray', 'body', 'url')
      ? readPlaywrightResponse(value as PlaywrightResponse, value)
      : undefined;
  },
};

async function readPlaywrightResponse(
  response: PlaywrightResponse,
  value: object,
): Promise<TestAnswer> {
  const fields = await response.headersArray();
  const body = await response.body();
  const method = methodOf(value);
  return {
    status: response.status(),
    headers: toHeaderList(fields.map((field) => [field.name, field.value])),
    body,
    url: response.url(),
    method,
  };
}

/** Only a page's response has its request. */
function methodOf(value: object): string | undefined {
  if (!hasMethods(value, 'request')) return undefined;
  const request: unknown = (value as { request(): unknown }).request();
  const method =
    typeof request === 'object' && request !== null && hasMethods(request, 'method')
      ? (request as { method(): unknown }).method()
      : undefined;
  return typeof method === 'string' ? method : undefined;
}

/** By the parsed value: it is the user's, and must not have a member that the response lacks. */
const texts = new WeakMap<object, string>();

/**
 * For axios: `axios.create({ transformResponse: keepText })`. Parses JSON as axios does and stores
 * the original text, so that integers beyond 2^53 are compared exactly. Text that is not JSON is
 * returned unchanged.
 */
export function keepText(text: unknown): unknown {
  if (typeof text !== 'string' || text === '') return text;
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null) texts.set(parsed, text);
    return parsed;
  } catch {
    return text;
  }
}

/** Responses of axios; exact if the client uses `keepText`. */
const axiosAnswer: AnswerKind = {
  name: 'axios',
  read(value) {
    const [status, config, data] = [
      memberOf(value, 'status'),
      memberOf(value, 'config'),
      memberOf(value, 'data'),
    ];
    if (
      typeof status !== 'number' ||
      typeof config !== 'object' ||
      config === null ||
      !('data' in value)
    )
      return undefined;
    const [method, url, base] = [
      memberOf(config, 'method'),
      memberOf(config, 'url'),
      memberOf(config, 'baseURL'),
    ];
    return {
      status,
      headers: toHeaderList(memberOf(value, 'headers')),
      body: bytesOf(typeof data === 'object' && data !== null ? (texts.get(data) ?? data) : data),
      ...(typeof method === 'string' ? { method: method.toUpperCase() } : {}),
      ...(typeof url === 'string' ? { url: wholeUrl(url, base) } : {}),
    };
  },
};

/** Combines URLs as axios does: the base URL need not end with a slash. */
function wholeUrl(url: string, base: unknown): string {
  return typeof base !== 'string' || /^[a-z][a-z\d+.-]*:\/\//i.test(url)
    ? url
    : `${base.replace(/\/+$/, '')}/${url.replace(/^\/+/, '')}`;
}

/**
 * Responses of supertest and superagent. `text` is the original; `body` has lost digits of large
 * integers.
 */
const supertestAnswer: AnswerKind = {
  name: 'supertest',
  read(value) {
    const status = memberOf(value, 'status');
    const request = memberOf(value, 'req') ?? memberOf(value, 'request');
    if (typeof status !== 'number' || request === undefined || !('redirects' in value))
      return undefined;
    const text = memberOf(value, 'text');
    const [method, url] = [
      memberOf(request, 'method'),
      memberOf(memberOf(value, 'request'), 'url'),
    ];
    return {
      status,
      headers: toHeaderList(memberOf(value, 'headers')),
      // Binary bodies arrive as bytes; an empty object means no body.
      body: bytesOf(typeof text === 'string' ? text : memberOf(value, 'body'), { empty: 'object' }),
      ...(typeof method === 'string' ? { method } : {}),
      ...(typeof url === 'string' ? { url } : {}),
    };
  },
};

/** What a `Response` of a session does not say itself. */
interface KnownResponse {
  readonly method: string;
  /** The body, also after a client has read it; undefined for a stream without an end. */
  readonly body: Promise<Uint8Array | undefined>;
}

/** By the response, which is an object of the platform. */
const knownResponses = new WeakMap<Response, KnownResponse>();

/**
 * Stores the method and the body of a response: generated clients read the body before a test has
 * the response.
 */
export function rememberResponse(response: Response, method: string): Response {
  const isStream = /^text\/event-stream/i.test(response.headers.get('content-type') ?? '');
  const copy = isStream ? undefined : response.clone().arrayBuffer();
  const body = copy?.then(
    (bytes) => new Uint8Array(bytes),
    () => undefined,
  );
  knownResponses.set(response, {
    method: method.toUpperCase(),
    body: body ?? Promise.resolve(undefined),
  });
  return response;
}

/**
 * A `Response` of the Fetch standard: of Node, undici or a browser. It is cloned, so that the test
 * can still read it.
 */
const fetchAnswer: AnswerKind = {
  name: 'fetch',
  read(value) {
    if (!hasMethods(value, 'clone', 'arrayBuffer', 'text')) return undefined;
    // Recognized by its methods, because a `Response` of another realm is not an instance of this
    // one's class.
    return readResponse(value as Response);
  },
};

async function readResponse(response: Response): Promise<TestAnswer> {
  const { status, headers, url } = response;
  const known = knownResponses.get(response);
  const body = response.bodyUsed
    ? await known?.body
    : new Uint8Array(await response.clone().arrayBuffer());
  if (body === undefined)
    throw usage('The body of this response was already read, so it cannot be validated.', {
      hint: 'Match it before you read it, match response.clone(), or send it by session.fetch.',
    });
  const method = known?.method;
  return { status, headers: toHeaderList(headers), body, ...(url === '' ? {} : { url }), method };
}

/**
 * Any object with a status: `{ status, headers, body }`, and the results of `inject` in Fastify and
 * Hapi.
 */
const plainAnswer: AnswerKind = {
  name: 'an object',
  read(value) {
    const status = memberOf(value, 'status') ?? memberOf(value, 'statusCode');
    if (typeof status !== 'number') return undefined;
    const [method, url] = [memberOf(value, 'method'), memberOf(value, 'url')];
    return {
      status,
      headers: toHeaderList(memberOf(value, 'headers')),
      body: bytesOf(
        memberOf(value, 'rawPayload') ?? memberOf(value, 'payload') ?? memberOf(value, 'body'),
      ),
      ...(typeof method === 'string' ? { method: method.toUpperCase() } : {}),
      ...(typeof url === 'string' ? { url } : {}),
    };
  },
};

/** All supported clients, most specific first. */
const answerKinds: readonly AnswerKind[] = [
  fetchAnswer,
  playwrightAnswer,
  supertestAnswer,
  axiosAnswer,
  plainAnswer,
];

/**
 * Reads the response object of an HTTP client. Throws a VouchError ('usage') if the value is not a
 * response, or if its original body is lost.
 */
export async function readTestAnswer(value: unknown): Promise<TestAnswer> {
  if (value instanceof Promise)
    throw usage('This is a promise of a response, not a response.', {
      hint: 'Await it first: expect(await …).',
    });
  for (const kind of typeof value === 'object' && value !== null ? answerKinds : []) {
    const answer = await kind.read(value as object);
    // Every client decodes the content, but some keep the header Content-Encoding.
    if (answer !== undefined)
      return { ...answer, headers: withoutHeader(answer.headers, 'content-encoding') };
  }
  const names = answerKinds.slice(0, -1).map(({ name }) => name);
  throw usage(`This is no answer that vouch can read: ${value === null ? 'null' : typeof value}.`, {
    hint: `It reads responses of ${names.join(', ')}, and any object { status, headers, body }.`,
  });
}

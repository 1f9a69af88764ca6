import { VouchError } from '../../errors.ts';
import { withoutHeader } from '../../http/message.ts';
import { defined } from '../../json/defined.ts';
import {
  type AnswerKind,
  bytesOf,
  hasMethods,
  memberOf,
  type TestAnswer,
  toHeaderList,
} from './test-answer.ts';

/** What Playwright's `APIResponse` and a page's `Response` have in common. */
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

/** Playwright's answers: of `request`, and those that a page saw. */
const playwrightAnswer: AnswerKind = {
  name: 'Playwright',
  read(value) {
    // The methods say that it is one; Playwright has no class of its own to compare with.
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
    ...defined({ method }),
  };
}

/** Only what a page saw knows its request. */
function methodOf(value: object): string | undefined {
  if (!hasMethods(value, 'request')) return undefined;
  const request: unknown = (value as { request(): unknown }).request();
  const method =
    typeof request === 'object' && request !== null && hasMethods(request, 'method')
      ? (request as { method(): unknown }).method()
      : undefined;
  return typeof method === 'string' ? method : undefined;
}

const texts = new WeakMap<object, string>();

/**
 * For axios: `axios.create({ transformResponse: keepText })`. It parses JSON as axios does, and
 * remembers the text that came, so that integers beyond 2^53 are judged by their own digits. A text
 * that is no JSON is handed on as it is.
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

/** axios' answers: those of a client that was told to keep the text are judged exactly. */
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

/** As axios puts them together: a base does not end where its last slash stands. */
function wholeUrl(url: string, base: unknown): string {
  return typeof base !== 'string' || /^[a-z][a-z\d+.-]*:\/\//i.test(url)
    ? url
    : `${base.replace(/\/+$/, '')}/${url.replace(/^\/+/, '')}`;
}

/**
 * supertest's and superagent's answers. Their `text` is what came; their `body` has lost the digits
 * of large integers.
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
      // What is no text is handed over as bytes; an empty object stands for nothing at all.
      body: bytesOf(typeof text === 'string' ? text : memberOf(value, 'body'), { empty: 'object' }),
      ...(typeof method === 'string' ? { method } : {}),
      ...(typeof url === 'string' ? { url } : {}),
    };
  },
};

const methods = new WeakMap<Response, string>();

/** A `Response` does not say by which method it was asked for; who sent the request knows. */
export function rememberMethod(response: Response, method: string): Response {
  methods.set(response, method.toUpperCase());
  return response;
}

/**
 * `Response` of the Fetch standard: Node's own, undici's, a browser's. It is cloned, so that the
 * test can still read it.
 */
const fetchAnswer: AnswerKind = {
  name: 'fetch',
  read(value) {
    if (!hasMethods(value, 'clone', 'arrayBuffer', 'text')) return undefined;
    // The methods say that it is one; another realm's `Response` is no instance of this one's.
    return readResponse(value as Response);
  },
};

async function readResponse(response: Response): Promise<TestAnswer> {
  if (response.bodyUsed)
    throw new VouchError(
      'usage',
      'The body of this response was read already, so nobody can hold it against the contract.',
      { hint: 'Match it before you read it, or match response.clone().' },
    );
  const { status, headers, url } = response;
  const body = new Uint8Array(await response.clone().arrayBuffer());
  const method = methods.get(response);
  return {
    status,
    headers: toHeaderList(headers),
    body,
    ...(url === '' ? {} : { url }),
    ...defined({ method }),
  };
}

/**
 * Any object with a status: `{ status, headers, body }`, and what `inject` of Fastify and Hapi
 * answers.
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

/** Every client whose answers are known, the most particular first. */
const answerKinds: readonly AnswerKind[] = [
  fetchAnswer,
  playwrightAnswer,
  supertestAnswer,
  axiosAnswer,
  plainAnswer,
];

/**
 * An answer out of what a client handed to a test. Throws a VouchError ('usage') for what is none,
 * or whose body is lost.
 */
export async function readTestAnswer(value: unknown): Promise<TestAnswer> {
  if (value instanceof Promise)
    throw new VouchError('usage', 'This is the promise of an answer, not an answer.', {
      hint: 'Await it first: expect(await …).',
    });
  for (const kind of typeof value === 'object' && value !== null ? answerKinds : []) {
    const answer = await kind.read(value as object);
    // Every client undoes content codings, and some leave the header that names them.
    if (answer !== undefined)
      return { ...answer, headers: withoutHeader(answer.headers, 'content-encoding') };
  }
  const names = answerKinds.slice(0, -1).map(({ name }) => name);
  throw new VouchError(
    'usage',
    `This is no answer that vouch can read: ${value === null ? 'null' : typeof value}.`,
    { hint: `It reads answers of ${names.join(', ')}, and any object { status, headers, body }.` },
  );
}

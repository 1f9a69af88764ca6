import { createHash } from 'node:crypto';
import type { SecurityScheme } from '../contract/model.ts';
import { headerValue, type HeaderList, type HttpRequest, withHeader } from '../http/message.ts';
import { defined } from '../json/value.ts';
import type { Answer, Mock } from '../mock/mock.ts';
import { type MaybePromise, whenReady } from '../store/store.ts';
import { sessionOf } from './journal/journal-entry.ts';

/** What the mock does otherwise for one browser; `usual`: nothing, on records of its own. */
export const browserModes = ['usual', 'slow', 'empty', 'error', 'out'] as const;
export type BrowserMode = (typeof browserModes)[number];

/** A browser with a session of its own. */
interface Browser {
  readonly session: string;
  readonly mode: BrowserMode;
}

const slowMs = 2_000;
const maxBrowsers = 100;

/**
 * The browsers that chose on the start page how the mock treats them. A browser is known by its
 * `User-Agent`: its pages send that from every origin and through proxies, without cookies, and no
 * other client does. Requests that name a session themselves are left alone.
 */
export class Browsers {
  readonly #browsers = new Map<string, Browser>();

  /** The browser of a request; undefined for one that shares the records of all. */
  of({ headers }: Pick<HttpRequest, 'headers'>): Browser | undefined {
    if (this.#browsers.size === 0) return undefined;
    return this.#browsers.get(headerValue(headers, 'User-Agent') ?? '');
  }

  /** The session whose records the browser of a request sees; undefined without one of its own. */
  sessionOf(request: Pick<HttpRequest, 'headers'>): string | undefined {
    const browser = this.of(request);
    return browser && sessionIn(browser);
  }

  /**
   * Treats the browser of a request in a mode from now on. At first its session has the records
   * that all share, so that nothing on its pages changes but what it asked for.
   */
  async choose(mock: Mock, request: HttpRequest, mode: BrowserMode): Promise<void> {
    const agent = headerValue(request.headers, 'User-Agent') ?? '';
    const known = this.of(request);
    const session =
      known?.session ?? `browser-${createHash('sha256').update(agent).digest('hex').slice(0, 8)}`;
    if (known === undefined) await mock.restore(await mock.snapshot('default'), session);
    if (mode === 'empty') await empty(mock, emptySession(session));
    this.#browsers.delete(agent);
    this.#browsers.set(agent, { session, mode });
    const [oldest = ''] = this.#browsers.keys();
    if (this.#browsers.size > maxBrowsers) this.#browsers.delete(oldest);
  }

  /** Back to the first records, and to the usual answers: for this browser alone. */
  async reset(mock: Mock, request: HttpRequest): Promise<void> {
    await this.choose(mock, request, 'usual');
    await mock.reset(this.of(request)?.session ?? '');
  }

  /** Lets the browser share the records of all again, and forgets its own. */
  async leave(mock: Mock, request: HttpRequest): Promise<void> {
    const known = this.of(request);
    if (known === undefined) return;
    this.#browsers.delete(headerValue(request.headers, 'User-Agent') ?? '');
    await Promise.all([mock.reset(known.session), mock.reset(emptySession(known.session))]);
  }

  /** The request as the mock takes it: in the session of its browser. */
  place(request: HttpRequest): HttpRequest {
    const browser = this.of(request);
    if (browser === undefined || headerValue(request.headers, 'Vouch-Session') !== undefined)
      return request;
    const session = sessionIn(browser);
    return { ...request, headers: withHeader(request.headers, 'Vouch-Session', session) };
  }

  /** The answer to a placed request. */
  answer(request: HttpRequest, mock: Mock): MaybePromise<Answer> {
    const browser = this.of(request);
    if (browser === undefined || sessionOf(request) !== sessionIn(browser))
      return mock.answer(request);
    if (browser.mode === 'error') return failed(request, mock);
    if (browser.mode === 'out') return loggedOut(request, mock);
    const answered = mock.answer(request);
    if (browser.mode !== 'slow') return answered;
    return whenReady(answered, (answer) => ({
      ...answer,
      delayMs: answer.delayMs + slowMs,
      forced: `The start page makes each answer to this browser two seconds later. ${undo('Slow')}`,
    }));
  }
}

function sessionIn({ session, mode }: Browser): string {
  return mode === 'empty' ? emptySession(session) : session;
}

function emptySession(session: string): string {
  return `${session}-empty`;
}

/** Leaves a session without records in any collection; nested ones go with their parents. */
async function empty(mock: Mock, session: string): Promise<void> {
  const collections = mock.records.kinds
    .filter(({ kind, name, collection }) => kind === 'collection' && name === collection)
    .filter(({ parents }) => parents.length === 0)
    .map(({ name }) => [name, { records: [], greatest: '0' }] as const);
  const dump = { collections: Object.fromEntries(collections) };
  await mock.restore({ version: 1, sessions: { [session]: dump } }, session);
}

function undo(button: string): string {
  return `To undo it, press ${button} there again.`;
}

/** The 500 that the contract documents, or one in its error schema. The request has no effect. */
function failed(request: HttpRequest, mock: Mock): MaybePromise<Answer> {
  const forced =
    'The start page makes each answer to this browser a 500, and nothing is done. ' +
    undo('Error 500');
  const asked = { ...request, headers: withHeader(request.headers, 'Prefer', 'code=500') };
  return whenReady(mock.answer(asked), (answer) => {
    if (answer.status === 500 && answer.failure === undefined) return { ...answer, forced };
    const { operation, refusal, violation } = answer;
    return {
      ...mock.writeError(request, { status: 500, message: forced }),
      delayMs: 0,
      forced,
      // That there is no such status to prefer says nothing of the request.
      ...defined({
        operation,
        refusal: refusal?.cause === 'preference' ? undefined : refusal,
        violation,
      }),
    };
  });
}

/** The answer without the credentials of a request; an error says that they were taken away. */
function loggedOut(request: HttpRequest, mock: Mock): MaybePromise<Answer> {
  const asked = withoutCredentials(request, mock);
  return whenReady(mock.answer(asked), (answer) => {
    const { refusal, status } = answer;
    const isTaken =
      asked.target !== request.target || fieldsIn(asked.headers) !== fieldsIn(request.headers);
    if (!isTaken || refusal === undefined || !refusal.cause.startsWith('credential')) return answer;
    const forced =
      'The start page logged this browser out, so its credentials are ignored. ' +
      undo('Logged out');
    const { headers, body } = mock.writeError(request, { status, message: forced });
    const type = headerValue(headers, 'Content-Type');
    return {
      ...answer,
      headers:
        type === undefined ? answer.headers : withHeader(answer.headers, 'Content-Type', type),
      body,
      // Its credentials were not judged.
      refusal: { cause: 'preference', message: forced },
      forced,
    };
  });
}

function fieldsIn(headers: HeaderList): string {
  return headers.flat().join('\n');
}

/** A request without the credentials that the contract knows. */
function withoutCredentials(request: HttpRequest, mock: Mock): HttpRequest {
  const schemes = [...mock.options.contract.securitySchemes.values()];
  const keys = schemes.flatMap((scheme) => (scheme.kind === 'apiKey' ? [scheme] : []));
  const named = (place: string): readonly string[] =>
    keys.filter((key) => key.in === place).map(({ key }) => key);
  return {
    ...request,
    target: withoutParameters(request.target, named('query')),
    headers: withoutHeaders(request.headers, named('header'), named('cookie')),
  };
}

function withoutHeaders(
  headers: HeaderList,
  names: readonly string[],
  cookies: readonly string[],
): HeaderList {
  const dropped = new Set(['authorization', ...names.map((name) => name.toLowerCase())]);
  return headers
    .filter(([name]) => !dropped.has(name.toLowerCase()))
    .map(([name, value]) => [
      name,
      name.toLowerCase() === 'cookie' ? withoutCookies(value, cookies) : value,
    ]);
}

function withoutCookies(field: string, names: readonly string[]): string {
  return field
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => !names.includes(pair.split('=', 1)[0] ?? ''))
    .join('; ');
}

function withoutParameters(target: string, names: readonly string[]): string {
  const at = target.indexOf('?');
  if (at === -1 || names.length === 0) return target;
  const pairs = target
    .slice(at + 1)
    .split('&')
    .filter((pair) => !names.includes(new URLSearchParams(pair).keys().next().value ?? ''));
  return target.slice(0, at) + (pairs.length === 0 ? '' : `?${pairs.join('&')}`);
}

/** Whether a contract asks for credentials that `out` can take away. */
export function hasLogin({ contract, authentication }: Mock['options']): boolean {
  const kinds: readonly SecurityScheme['kind'][] = ['apiKey', 'bearer', 'basic', 'http'];
  return (
    authentication !== 'off' &&
    contract.operations.some(({ security }) =>
      security.some((requirement) => requirement.some(({ scheme }) => kinds.includes(scheme.kind))),
    )
  );
}

import type { Problem, TrafficEntry, TrafficNews } from '../../src/server/console/console-api.ts';
import { keepKey, keyHeader } from '../shared/console-key.ts';
import { readJson } from '../shared/text.ts';

/** The URL of the control API: the folder of the page. */
export const prefix: string = new URL('.', location.href).pathname.replace(/\/$/, '');

/** The mock does not know this browser. */
export class TokenRefused extends Error {
  /** `isWrong`: a token was given. */
  constructor(isWrong: boolean) {
    super(
      isWrong
        ? 'This is not the token of the mock that runs now. Each start has a new one.'
        : 'The console can send your credentials to other servers. The mock lets a browser in ' +
            'that opens a link from its terminal, until it stops.',
    );
  }
}

/** Thrown if the control API refuses a request; the message is that of the response. */
export class Refusal extends Error {
  readonly status: number;
  readonly problem: Problem;

  constructor(status: number, problem: Problem) {
    super(problem.detail ?? `The mock answered ${String(status)}.`);
    this.status = status;
    this.problem = problem;
  }
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The options of a request. A text body is sent unchanged. */
export interface Sending {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Sends a request to the control API. Throws `TokenRefused` or `Refusal` unless it succeeds. */
export async function send(method: Method, path: string, given: Sending = {}): Promise<Response> {
  const response = await reach(method, path, given);
  if (response.status === 401)
    throw new TokenRefused(given.headers?.['Authorization'] !== undefined);
  if (!response.ok) throw new Refusal(response.status, readProblem(await response.text()));
  return response;
}

async function reach(
  method: Method,
  path: string,
  { body, headers = {}, signal }: Sending,
): Promise<Response> {
  const hasBody = body !== undefined;
  try {
    return await fetch(prefix + path, {
      method,
      headers: {
        ...keyHeader(),
        Accept: 'application/json',
        ...(hasBody ? { 'Content-Type': 'application/json' } : {}),
        ...headers,
      },
      body: hasBody ? (typeof body === 'string' ? body : JSON.stringify(body)) : null,
      signal: signal ?? null,
      cache: 'no-store',
      credentials: 'same-origin',
      referrerPolicy: 'no-referrer',
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new Error('The mock does not answer. Is it still running?', { cause: error });
  }
}

function readProblem(text: string): Problem {
  try {
    // A problem document, or the response of a proxy: all members are optional.
    return (JSON.parse(text) ?? {}) as Problem;
  } catch {
    return {};
  }
}

/** Lets this browser in by the control token; the page never keeps it. */
export async function enterWith(token: string): Promise<void> {
  const headers = { Authorization: `Bearer ${token}` };
  const { key } = await call<{ readonly key: string }>('POST', '/login', { headers });
  keepKey(key);
}

/** Sends a request and returns the text of the response. */
export async function callText(method: Method, path: string, given?: Sending): Promise<string> {
  return (await send(method, path, given)).text();
}

/** Sends a request and returns the JSON of the response. */
export async function call<Reply>(method: Method, path: string, given?: Sending): Promise<Reply> {
  return readJson(await callText(method, path, given)) as Reply;
}

/** Reads a body as it arrives, and passes on each part that ends with the separator. */
export async function readParts(
  response: Response,
  separator: string,
  take: (part: string) => void,
): Promise<void> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done = true, value = '' } = (await reader?.read()) ?? {};
    if (done) return;
    const parts = (rest + value).split(separator);
    rest = parts.pop() ?? '';
    parts.forEach(take);
  }
}

/**
 * `added`: `fresh` exchanges arrived; `replaced`: any may have changed; `live`: only the connection
 * changed.
 */
type FeedChange =
  | { readonly kind: 'added'; readonly fresh: readonly TrafficEntry[] }
  | { readonly kind: 'replaced' }
  | { readonly kind: 'live' };

const keptAtFirst = 1000;
const shownAtFirst = 200;
const pauseMs = 1000;

/** The newest; of a run of a check, which the journal drops first, only what has room. */
function trim(entries: readonly TrafficEntry[], max: number): readonly TrafficEntry[] {
  const excess = entries.length - max;
  if (excess <= 0) return entries;
  const dropped = new Set(entries.filter(({ run }) => run !== null).slice(-excess));
  return entries.filter((entry) => !dropped.has(entry)).slice(0, max);
}

/** The journal of the mock as it grows, newest exchange first. */
export class Feed {
  #entries: readonly TrafficEntry[] = [];
  #total = 0;
  #forgotten = 0;
  #clearings: number | undefined;
  #last = 0;
  /** The number of exchanges to keep; it grows when older ones are loaded. */
  #max = keptAtFirst;
  #live: 'connecting' | 'live' | 'lost' = 'connecting';
  readonly #listeners = new Set<(change: FeedChange) => void>();

  get entries(): readonly TrafficEntry[] {
    return this.#entries;
  }

  /** The number of exchanges in the journal, of which the older ones may not be loaded. */
  get total(): number {
    return Math.max(this.#total, this.#entries.length);
  }

  /** The number of older exchanges that the journal has dropped for lack of room. */
  get forgotten(): number {
    return this.#forgotten;
  }

  get live(): 'connecting' | 'live' | 'lost' {
    return this.#live;
  }

  /** Calls the listener for each change; the returned function removes it. */
  listen(listener: (change: FeedChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Loads the exchanges before the oldest one that is known. */
  async loadOlder(): Promise<void> {
    const oldest = this.#entries.at(-1);
    if (oldest === undefined) return;
    const path = `/traffic?before=${String(oldest.id)}`;
    const { total, exchanges } = await call<TrafficNews>('GET', path);
    this.#total = total;
    this.#max += exchanges.length;
    this.#entries = [...this.#entries, ...exchanges.toReversed()];
    this.#tell({ kind: 'replaced' });
  }

  /** Reloads the last exchanges. */
  async reload(): Promise<void> {
    const news = await call<TrafficNews>('GET', '/traffic');
    const { clearings, forgotten, total, exchanges } = news;
    this.#clearings = clearings;
    this.#forgotten = forgotten;
    this.#total = total;
    this.#entries = exchanges.toReversed();
    this.#last = exchanges.at(-1)?.id ?? this.#last;
    this.#tell({ kind: 'replaced' });
    await this.#loadBehindRun();
  }

  /** Loads what was sent before and between the requests of a check, which are one row. */
  async #loadBehindRun(): Promise<void> {
    for (;;) {
      const before = this.#entries.length;
      const others = this.#entries.filter(({ run }) => run === null).length;
      if (before >= this.#total || others === before || others >= shownAtFirst) return;
      await this.loadOlder();
      if (this.#entries.length === before) return;
    }
  }

  /**
   * Follows the journal by server-sent events, or by polling if they do not work. Rejects with
   * `TokenRefused` if the mock refuses the token.
   */
  async follow(): Promise<never> {
    for (let failures = 0; ;) {
      const polls = failures % 3 === 2;
      try {
        await (polls ? this.#poll() : this.#stream());
        if (!polls) failures = 0;
      } catch (error) {
        if (error instanceof TokenRefused) throw error;
        failures += 1;
        this.#setLive('lost');
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  async #stream(): Promise<void> {
    const response = await send('GET', `/traffic/stream?after=${String(this.#last)}`);
    if (!(response.headers.get('content-type') ?? '').startsWith('text/event-stream'))
      throw new Error('The mock sends no events.');
    this.#setLive('live');
    await readParts(response, '\n\n', (event) => {
      if (event.startsWith('data: ')) void this.#take(readJson(event.slice(6)) as TrafficNews);
    });
  }

  async #poll(): Promise<void> {
    await this.#take(await call<TrafficNews>('GET', `/traffic?after=${String(this.#last)}`));
    this.#setLive('live');
  }

  /** Removes exchanges that the mock has discarded; a restarted mock numbers them from 1 again. */
  async #take({ clearings, forgotten, total, exchanges }: TrafficNews): Promise<void> {
    const wasCleared = this.#clearings !== undefined && clearings !== this.#clearings;
    const newest = exchanges.at(-1);
    this.#clearings = clearings;
    this.#forgotten = forgotten;
    this.#total = total;
    if (newest !== undefined && newest.id < this.#last) this.#entries = [];
    if (wasCleared) return this.reload();
    if (newest === undefined) return;
    this.#last = newest.id;
    const fresh = exchanges.toReversed();
    this.#entries = trim([...fresh, ...this.#entries], Math.min(this.#max, total));
    this.#tell({ kind: 'added', fresh });
  }

  #setLive(state: Feed['live']): void {
    if (this.#live === state) return;
    this.#live = state;
    this.#tell({ kind: 'live' });
  }

  #tell(change: FeedChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}

import { wordsIn } from '../../../words-in.ts';
import { usage } from '../../../errors.ts';
import { emptyBody, type HttpRequest, withoutHeader } from '../../../http/message.ts';
import { runOf } from '../../../http/run-header.ts';
import { problemResponse } from '../../../http/problem.ts';
import { type JsonObject, stringifyJson } from '../../../json/value.ts';
import type { Mock, MockOptions } from '../../../mock/mock.ts';
import type { FaultCause, Refusal } from '../../../mock/model/reply.ts';
import { keyText } from '../../../mock/security/credentials.ts';
import type { ControlCall, ControlParts, ControlRoute } from '../../control/control-parts.ts';
import { type ControlReply, json } from '../../control/fields.ts';
import {
  count,
  entryShort,
  entryWhole,
  exactly,
  list,
  orNull,
  shows,
  text,
} from '../../control/control-schemas.ts';
import { type JournalEntry, sessionOf } from '../../journal/journal-entry.ts';
import { type Redact, redactFor } from '../../journal/redact.ts';
import { showEntry, showShortly } from '../../journal/show-entry.ts';
import type { Outlet } from '../../send-stream.ts';
import type { ExchangeDetail, Judgement, TrafficEntry, TrafficNews } from '../console-api.ts';
import { scenarioOfExchange } from '../exchange-scenario.ts';
import { writeCurl } from '../write-curl.ts';
import { ownOrigin } from './operations.ts';

/** The maximum number of exchanges in a message; of more, only the last are sent. */
const maxSent = 200;
/** The pause between two events, so that a mock under load is not slowed down. */
const pauseMs = 100;
/** The interval of comments on an idle stream, so that pages notice a lost connection. */
const heartbeatMs = 15_000;

const judgements: readonly string[] = [
  'valid',
  'invalid',
  'refused',
  'unknown',
] satisfies readonly Judgement[];

const short = entryShort.properties as JsonObject;
const trafficView = exactly({
  ...short,
  run: orNull(text),
  scenario: orNull(text),
  judgement: { enum: [...judgements] },
  reason: orNull(text),
  cause: orNull(text),
  near: orNull(exactly({ kind: { enum: ['operation', 'scenario'] }, name: text, message: text })),
});
const exchangeView = exactly({
  ...(entryWhole.properties as JsonObject),
  ...(trafficView.properties as JsonObject),
  curl: text,
});

/** The journal as it grows, each exchange with its judgement. */
export const trafficRoutes: readonly ControlRoute[] = [
  {
    id: 'getTraffic',
    method: 'GET',
    path: '/traffic',
    summary:
      'The last exchanges in short, the oldest first, with what the contract says of each ' +
      'request, and what it nearly was: `near` goes by the contract and the scenarios as they ' +
      'are now',
    query: {
      after: 'Only those after this one, by its id',
      before: 'Only those before this one, by its id',
      limit: `How many at most, the last ones; default and maximum: ${String(maxSent)}`,
      search:
        'Words that must all occur in the method, target, status, operation, session, scenario, ' +
        'fault or reason, in any case',
      method: 'Only this method',
      status: 'Only this status, or a class: 404, 4XX',
      operation: 'Only this operationId',
      session: 'Only this session',
      judgement: 'Only valid, invalid, refused or unknown',
      check: 'With true, only those that a check has sent; with false, only the others',
      near: 'With true, only those that nearly matched an operation or a scenario',
    },
    answers: {
      200: {
        description:
          'The exchanges, how often the journal was cleared, how many older ones it has dropped ' +
          'for lack of room (`forgotten`), how many it has (`total`), and how many of those ' +
          'match all filters except after and before (`matching`)',
        schema: exactly({
          clearings: count,
          forgotten: count,
          total: count,
          matching: count,
          exchanges: list(trafficView),
        }),
      },
    },
    answer: async ({ parts, query }) => json(findTraffic(readTrafficQuery(query), parts)),
  },
  {
    id: 'followTraffic',
    method: 'GET',
    path: '/traffic/stream',
    summary: 'The same as server-sent events: each has the response of getTraffic',
    query: { after: 'Only those after this one, by its id' },
    answers: {
      200: {
        description: 'Events without end',
        schema: { type: 'string' },
        mediaType: 'text/event-stream',
      },
    },
    answer: async (call) => stream(call),
  },
  {
    id: 'getExchange',
    method: 'GET',
    path: '/traffic/{id}',
    summary:
      'One exchange whole, without its secrets, and a curl command that sends its request again: ' +
      'the keys of the mock stay in it, and $VOUCH_TOKEN replaces other credentials',
    query: { origin: 'The origin of the mock in the curl command; default: that of this request' },
    answers: {
      200: { description: 'The exchange', schema: exchangeView },
      404: 'The journal does not have it, or not any more',
    },
    answer: async ({ parts, path, query, request }) => {
      const origin = readOrigin(query) ?? ownOrigin(parts, request) ?? '';
      const keys = parts.mock.options.keys.map(keyText);
      return withEntry(parts, path, (entry, redact): ExchangeDetail => ({
        ...showEntry(entry, redact),
        ...showTraffic(entry, redact, parts.mock),
        curl: writeCurl(asSent(entry), { origin, redact, keys, names: entry.forced !== undefined }),
      }));
    },
  },
  {
    id: 'getScenarioOfExchange',
    method: 'GET',
    path: '/traffic/{id}/scenario',
    summary: 'One exchange as a scenario that repeats its response',
    answers: {
      200: shows('The scenario, as a file of the scenarios folder', { name: text, yaml: text }),
      404: 'The journal does not have it, or it is of no operation',
    },
    answer: async ({ parts, path }) =>
      withEntry(parts, path, (entry, redact) =>
        scenarioOfExchange(entry, parts.mock, redact.within(entry.request)),
      ),
  },
];

/** The request as it has the same answer again: what the start page chose is for its browser. */
function asSent({ request, forced }: JournalEntry): HttpRequest {
  return forced === undefined
    ? request
    : { ...request, headers: withoutHeader(request.headers, 'Vouch-Session') };
}

function newsAfter(after: number, { journal, mock }: ControlParts): TrafficNews {
  const redact = redactFor(mock.options);
  return {
    clearings: journal.clearings,
    forgotten: journal.forgotten(),
    total: journal.size,
    matching: journal.size,
    exchanges: journal.after(after, maxSent).map((entry) => showTraffic(entry, redact, mock)),
  };
}

/** A page of the journal: which exchanges, and how many of them. */
interface TrafficQuery {
  readonly after: number;
  readonly before: number;
  readonly limit: number;
  /** In lower case. */
  readonly words: readonly string[];
  readonly filters: Readonly<Record<string, string>>;
}

function readTrafficQuery(query: ControlCall['query']): TrafficQuery {
  const { after: _after, before, limit, search = '', ...filters } = query;
  const { status, judgement, near, check } = filters;
  if (status !== undefined && !/^[1-9](\d\d|xx)$/i.test(status))
    throw usage('status must be a status or a class of them: 404, 4XX.');
  if (judgement !== undefined && !judgements.includes(judgement))
    throw usage(`judgement must be one of ${judgements.join(', ')}.`);
  if (check !== undefined && !/^(?:true|false)$/.test(check))
    throw usage('check must be true or false.');
  if (near !== undefined && near !== 'true') throw usage('near must be true.');
  return {
    after: readAfter(query),
    before: before === undefined ? Infinity : readId('before', before),
    limit: limit === undefined ? maxSent : Math.min(maxSent, readId('limit', limit)),
    words: search
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== ''),
    filters,
  };
}

function readAfter({ after = '0' }: ControlCall['query']): number {
  return readId('after', after);
}

function readId(name: string, written: string): number {
  if (/^\d{1,15}$/.test(written)) return Number(written);
  throw usage(`${name} must be a whole number from 0.`);
}

function findTraffic(query: TrafficQuery, parts: ControlParts): TrafficNews {
  const { after, before, limit, words, filters } = query;
  if (before === Infinity && words.length === 0 && Object.keys(filters).length === 0) {
    const { exchanges, ...news } = newsAfter(after, parts);
    return { ...news, exchanges: limit === 0 ? [] : exchanges.slice(-limit) };
  }
  const { journal, mock } = parts;
  const redact = redactFor(mock.options);
  const exchanges: TrafficEntry[] = [];
  let matching = 0;
  for (const entry of journal.list().toReversed()) {
    if (!matchesHead(entry, filters)) continue;
    const shown = showTraffic(entry, redact, mock);
    if (!matchesShown(shown, query)) continue;
    matching += 1;
    if (entry.id > after && entry.id < before && exchanges.length < limit) exchanges.push(shown);
  }
  return {
    clearings: journal.clearings,
    forgotten: journal.forgotten(),
    total: journal.size,
    matching,
    exchanges: exchanges.reverse(),
  };
}

/** What is compared before an exchange is shown, which costs more. */
function matchesHead(
  { request, answer }: JournalEntry,
  { method, status, operation, session, check }: TrafficQuery['filters'],
): boolean {
  const statusClass = status?.toLowerCase().replace(/xx$/, '');
  return (
    (method === undefined || request.method === method) &&
    (statusClass === undefined || String(answer.status).startsWith(statusClass)) &&
    (operation === undefined || answer.operation === operation) &&
    (session === undefined || sessionOf(request) === session) &&
    (check === undefined || (runOf(request.headers) !== undefined) === (check === 'true'))
  );
}

function matchesShown(
  entry: TrafficEntry,
  { words, filters: { judgement, near } }: TrafficQuery,
): boolean {
  if (judgement !== undefined && entry.judgement !== judgement) return false;
  if (near === 'true' && entry.near === null) return false;
  if (words.length === 0) return true;
  const { method, target, status, operation, session, scenario, fault, reason } = entry;
  const searched = [method, target, status, operation, session, scenario, fault, reason];
  const all = [...searched, entry.near?.name].join(' ').toLowerCase();
  return words.every((word) => all.includes(word));
}

/** Throws `usage` unless it is an origin (RFC 6454). */
function readOrigin({ origin }: ControlCall['query']): string | undefined {
  if (origin === undefined) return undefined;
  if (/^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin)
    return origin;
  throw usage('origin must be such as http://127.0.0.1:4010.');
}

function withEntry(
  { journal, mock }: ControlParts,
  path: ControlCall['path'],
  show: (entry: JournalEntry, redact: Redact) => JsonObject | undefined,
): ControlReply {
  const id = Number(path['id']);
  const entry = Number.isSafeInteger(id)
    ? journal.after(id - 1, Number.MAX_SAFE_INTEGER)[0]
    : undefined;
  if (entry?.id !== id)
    return problemResponse(404, 'The journal does not have this exchange, or not any more.');
  const shown = show(entry, redactFor(mock.options));
  return shown === undefined
    ? problemResponse(404, 'No operation handled this exchange, but a scenario needs one.')
    : json(shown);
}

function stream({ parts, query }: ControlCall): ControlReply {
  let after = readAfter(query);
  return {
    status: 200,
    headers: [
      ['Content-Type', 'text/event-stream'],
      ['X-Accel-Buffering', 'no'],
    ],
    body: emptyBody,
    follow: async (out) => {
      const timer = new StreamTimer(parts.journal.follow(() => timer.ring()));
      try {
        while (!out.ended.aborted) {
          const news = newsAfter(after, parts);
          after = news.exchanges.at(-1)?.id ?? after;
          await out.write(`data: ${stringifyJson(news)}\n\n`);
          await timer.next(out);
        }
      } finally {
        timer.stop();
      }
    },
  };
}

/** Wakes a stream when an exchange is added, after a minimum pause, and for heartbeats. */
class StreamTimer {
  readonly #unfollow: () => void;
  #rung = false;
  #wake: (() => void) | undefined;

  constructor(unfollow: () => void) {
    this.#unfollow = unfollow;
  }

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  async next({ ended, write }: Outlet): Promise<void> {
    await this.#sleep(pauseMs, ended, false);
    while (!this.#rung && !ended.aborted) {
      if (!(await this.#sleep(heartbeatMs, ended, true))) await write(': still here\n\n');
    }
    this.#rung = false;
  }

  stop(): void {
    this.#unfollow();
  }

  /** Resolves to true if it was woken before the timeout. */
  #sleep(milliseconds: number, ended: AbortSignal, wakeable: boolean): Promise<boolean> {
    return new Promise((resolve) => {
      const finish = (woken: boolean) => (): void => {
        clearTimeout(timer);
        ended.removeEventListener('abort', stop);
        this.#wake = undefined;
        resolve(woken);
      };
      const stop = finish(true);
      const timer = setTimeout(finish(false), milliseconds).unref();
      ended.addEventListener('abort', stop, { once: true });
      if (wakeable) this.#wake = stop;
      if (ended.aborted) stop();
    });
  }
}

/** Causes in the records or the clock; all others are in the request. */
const causesOfState: ReadonlySet<FaultCause> = new Set<FaultCause>(
  wordsIn('not-found conflict gone reference impossible internal'),
);

/**
 * Longer bodies are not compared with conditions of scenarios, because 200 are compared at once.
 */
const longestCompared = 16 * 1024;

/** A short form of an exchange with its scenario, judgement and nearest operation or scenario. */
function showTraffic(
  entry: JournalEntry,
  common: Redact,
  mock: Pick<Mock, 'nearMiss' | 'options'>,
): TrafficEntry {
  const redact = common.within(entry.request);
  const { scenario, refusal, violation, forced } = entry;
  const reasons = new Set([forced, refusal?.message ?? violation].flatMap((each) => each ?? []));
  const isWhole =
    entry.requestSize === entry.request.body.length && entry.requestSize <= longestCompared;
  const run = runOf(entry.request.headers);
  const near = mock.nearMiss({ request: entry.request, isWhole, refusal, scenario });
  return {
    ...showShortly(entry, redact),
    run: run === undefined ? null : redact.text(run),
    scenario: scenario ?? null,
    judgement: judge(entry, mock.options),
    reason: reasons.size === 0 ? null : redact.text([...reasons].join(' ')),
    cause: refusal?.cause ?? null,
    near:
      near === undefined
        ? null
        : { kind: near.kind, name: near.name, message: redact.text(near.message) },
  };
}

function judge(
  { refusal, violation, scenario, answer: { operation, status } }: JournalEntry,
  { validate }: MockOptions,
): Judgement {
  if (refusal !== undefined) return judgeRefusal(refusal);
  if (violation !== undefined) return 'invalid';
  // A mock that does not validate knows of no violation.
  if (validate === 'off') return 'unknown';
  if (operation === undefined || (scenario !== undefined && status >= 400)) return 'unknown';
  return 'valid';
}

function judgeRefusal({ cause }: Refusal): Judgement {
  // `Prefer` concerns the mock, not the contract.
  if (cause === 'preference') return 'unknown';
  return causesOfState.has(cause) ? 'refused' : 'invalid';
}

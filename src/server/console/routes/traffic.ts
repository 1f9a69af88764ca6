import { VouchError } from '../../../errors.ts';
import { emptyBody } from '../../../http/message.ts';
import { problemResponse } from '../../../http/problem.ts';
import { type JsonObject, stringifyJson } from '../../../json/value.ts';
import type { Mock } from '../../../mock/mock.ts';
import type { FaultCause, Refusal } from '../../../mock/model/fault.ts';
import type { ControlCall, ControlParts, ControlRoute } from '../../control/control-parts.ts';
import { type ControlReply, json } from '../../control/control-response.ts';
import {
  count,
  entryShort,
  entryWhole,
  exactly,
  list,
  orNull,
  text,
} from '../../control/control-schemas.ts';
import type { JournalEntry } from '../../journal/journal-entry.ts';
import { type Redact, redactFor } from '../../journal/redact.ts';
import { showEntry, showShortly } from '../../journal/show-entry.ts';
import type { Outlet } from '../../send-stream.ts';
import type { ExchangeDetail, Judgement, TrafficEntry, TrafficNews } from '../console-api.ts';
import { scenarioOfExchange } from '../exchange-scenario.ts';

/** The maximum number of exchanges in a message; of more, only the last are sent. */
const maxSent = 200;
/** The pause between two events, so that a mock under load is not slowed down. */
const pauseMs = 100;
/** The interval of comments on an idle stream, so that pages notice a lost connection. */
const heartbeatMs = 15_000;

const short = entryShort.properties as JsonObject;
const trafficView = exactly({
  ...short,
  scenario: orNull(text),
  judgement: { enum: ['valid', 'invalid', 'refused', 'unknown'] },
  reason: orNull(text),
  cause: orNull(text),
  near: orNull(exactly({ kind: { enum: ['operation', 'scenario'] }, name: text, message: text })),
});
const exchangeView = exactly({
  ...(entryWhole.properties as JsonObject),
  ...(trafficView.properties as JsonObject),
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
    query: { after: 'Only those after this one, by its id' },
    answers: {
      200: {
        description: 'The exchanges, and how often the journal was cleared',
        schema: exactly({ clearings: count, exchanges: list(trafficView) }),
      },
    },
    answer: async ({ parts, query }) => json(newsAfter(readAfter(query), parts)),
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
    summary: 'One exchange whole, without its secrets',
    answers: {
      200: { description: 'The exchange', schema: exchangeView },
      404: { description: 'The journal does not have it, or not any more' },
    },
    answer: async ({ parts, path }) =>
      withEntry(parts, path, (entry, redact): ExchangeDetail => ({
        ...showEntry(entry, redact),
        ...showTraffic(entry, redact, parts.mock),
      })),
  },
  {
    id: 'getScenarioOfExchange',
    method: 'GET',
    path: '/traffic/{id}/scenario',
    summary: 'One exchange as a scenario that repeats its response',
    answers: {
      200: {
        description: 'The scenario, as a file of the scenarios folder',
        schema: exactly({ name: text, yaml: text }),
      },
      404: { description: 'The journal does not have it, or it is of no operation' },
    },
    answer: async ({ parts, path }) =>
      withEntry(parts, path, (entry, redact) =>
        scenarioOfExchange(entry, parts.mock, redact.within(entry.request)),
      ),
  },
];

function readAfter({ after = '0' }: Readonly<Record<string, string>>): number {
  if (/^\d{1,15}$/.test(after)) return Number(after);
  throw new VouchError('usage', 'after must be the id of an exchange: a whole number from 0.');
}

function newsAfter(after: number, { journal, mock }: ControlParts): TrafficNews {
  const redact = redactFor(mock.options);
  return {
    clearings: journal.clearings,
    exchanges: journal.after(after, maxSent).map((entry) => showTraffic(entry, redact, mock)),
  };
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
const causesOfState: ReadonlySet<FaultCause> = new Set<FaultCause>([
  'not-found',
  'conflict',
  'gone',
  'reference',
  'impossible',
  'internal',
]);

/**
 * Longer bodies are not compared with conditions of scenarios, because 200 are compared at once.
 */
const longestCompared = 16 * 1024;

/** A short form of an exchange with its scenario, judgement and nearest operation or scenario. */
function showTraffic(
  entry: JournalEntry,
  common: Redact,
  mock: Pick<Mock, 'nearMiss'>,
): TrafficEntry {
  const redact = common.within(entry.request);
  const { scenario, refusal } = entry;
  const isWhole =
    entry.requestSize === entry.request.body.length && entry.requestSize <= longestCompared;
  const near = mock.nearMiss({ request: entry.request, isWhole, refusal, scenario });
  return {
    ...showShortly(entry, redact),
    scenario: scenario ?? null,
    judgement: judge(entry),
    reason: refusal === undefined ? null : redact.text(refusal.message),
    cause: refusal?.cause ?? null,
    near:
      near === undefined
        ? null
        : { kind: near.kind, name: near.name, message: redact.text(near.message) },
  };
}

function judge({ refusal, scenario, answer: { operation, status } }: JournalEntry): Judgement {
  if (refusal !== undefined) return judgeRefusal(refusal);
  if (operation === undefined || (scenario !== undefined && status >= 400)) return 'unknown';
  return 'valid';
}

function judgeRefusal({ cause }: Refusal): Judgement {
  // `Prefer` concerns the mock, not the contract.
  if (cause === 'preference') return 'unknown';
  return causesOfState.has(cause) ? 'refused' : 'invalid';
}

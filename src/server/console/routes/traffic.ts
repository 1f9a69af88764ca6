import { VouchError } from '../../../errors.ts';
import { stringifyJson } from '../../../json/stringify-json.ts';
import type { JsonObject } from '../../../json/value.ts';
import type { ControlCall, ControlParts, ControlRoute } from '../../control/control-parts.ts';
import { json, type ControlReply } from '../../control/control-response.ts';
import {
  count,
  entryShort,
  entryWhole,
  exactly,
  list,
  orNull,
  text,
} from '../../control/control-schemas.ts';
import { emptyBody } from '../../../http/message.ts';
import { problemResponse } from '../../../http/problem.ts';
import type { JournalEntry } from '../../journal/journal.ts';
import { redactFor, type Redact } from '../../journal/redact.ts';
import { showEntry } from '../../journal/show-entry.ts';
import type { Outlet } from '../../send-stream.ts';
import { scenarioOfExchange, type WrittenScenario } from '../scenario-of-exchange.ts';
import { showTraffic } from '../show-traffic.ts';

/** As many exchanges are told at once; of more, only the last are. */
const mostTold = 200;
/** Between two tellings: a person sees no more, and a mock under load has better things to do. */
const pauseMs = 100;
/** A sign of life, so that a page notices when the mock is gone. */
const beatMs = 15_000;

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

/** The journal as it grows, each exchange with what the contract says of it. */
export const trafficRoutes: readonly ControlRoute[] = [
  {
    id: 'getTraffic',
    method: 'GET',
    path: '/traffic',
    summary:
      'The last exchanges in short, the oldest first, with what the contract says of each request, and what it nearly was: `near` goes by the contract and the scenarios as they are now',
    query: { after: 'Only those after this one, by its id' },
    answers: {
      200: {
        description: 'The exchanges, and how often the journal was cleared',
        schema: exactly({ clearings: count, exchanges: list(trafficView) }),
      },
    },
    answer: async ({ parts, query }) => json(tell(parts, readAfter(query))),
  },
  {
    id: 'followTraffic',
    method: 'GET',
    path: '/traffic/stream',
    summary: 'The same as it happens, as server-sent events: each has what getTraffic answers',
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
      withEntry(parts, path, (entry, redact) => ({
        ...showEntry(entry, redact),
        ...showTraffic(entry, redact, parts.mock),
      })),
  },
  {
    id: 'getScenarioOfExchange',
    method: 'GET',
    path: '/traffic/{id}/scenario',
    summary: 'One exchange as a scenario that answers the same again',
    answers: {
      200: {
        description: 'The scenario, as a file of the scenarios folder',
        schema: exactly({ name: text, yaml: text }),
      },
      404: { description: 'The journal does not have it, or it is of no operation' },
    },
    answer: async ({ parts, path }) =>
      withEntry(parts, path, (entry, redact) =>
        asMembers(scenarioOfExchange(entry, parts.mock, redact.within(entry.request))),
      ),
  },
];

function readAfter({ after = '0' }: Readonly<Record<string, string>>): number {
  if (/^\d{1,15}$/.test(after)) return Number(after);
  throw new VouchError('usage', 'after must be the id of an exchange: a whole number from 0.');
}

function tell(
  { journal, mock }: ControlParts,
  after: number,
): JsonObject & { readonly exchanges: readonly JsonObject[] } {
  const redact = redactFor(mock.options);
  return {
    clearings: journal.clearings,
    exchanges: journal.after(after, mostTold).map((entry) => showTraffic(entry, redact, mock)),
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
    ? problemResponse(
        404,
        'No operation answered this exchange, and a scenario is about operations.',
      )
    : json(shown);
}

function asMembers(written: WrittenScenario | undefined): JsonObject | undefined {
  return written && { name: written.name, yaml: written.yaml };
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
      const bell = new Bell(parts.journal.follow(() => bell.ring()));
      try {
        while (!out.ended.aborted) {
          const told = tell(parts, after);
          after = Number(told.exchanges.at(-1)?.['id'] ?? after);
          await out.write(`data: ${stringifyJson(told)}\n\n`);
          await bell.next(out);
        }
      } finally {
        bell.stop();
      }
    },
  };
}

/**
 * Wakes up a stream when something has happened: no sooner than a pause after the last time, and
 * with a sign of life in between.
 */
class Bell {
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
      if (!(await this.#sleep(beatMs, ended, true))) await write(': still here\n\n');
    }
    this.#rung = false;
  }

  stop(): void {
    this.#unfollow();
  }

  /** True where it was woken before the time was over. */
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

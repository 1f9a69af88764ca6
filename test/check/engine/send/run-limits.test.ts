import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { checkTarget, runCheck } from '../../../../src/check/engine/check-target.ts';
import type { RunEvent } from '../../../../src/check/model/event.ts';
import { RunLimits } from '../../../../src/check/engine/send/run-limits.ts';
import type { Send } from '../../../../src/check/transport/send.ts';
import { libraryContract } from '../../fixture/library-contract.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
});

function limitsOf(maxTimeMs: number, spentMs = 0): RunLimits {
  return new RunLimits({ maxRequests: 100, maxTimeMs, spentMs, clock: () => new Date(0) });
}

describe('the maximum time of a run', () => {
  test('ends sending first, then the requests in flight, then cleanup', () => {
    const limits = limitsOf(10_000);
    const state = (): unknown[] => [
      limits.stop?.code,
      limits.signals.cut.aborted,
      limits.deadline.aborted,
    ];
    vi.advanceTimersByTime(8_999);
    expect(state()).toEqual([undefined, false, false]);
    vi.advanceTimersByTime(1);
    expect(state()).toEqual(['time-spent', false, false]);
    vi.advanceTimersByTime(500);
    expect(state()).toEqual(['time-spent', true, false]);
    vi.advanceTimersByTime(500);
    expect(state()).toEqual(['time-spent', true, true]);
  });

  test('leaves cleanup no more than 10 s', () => {
    const limits = limitsOf(600_000);
    vi.advanceTimersByTime(589_999);
    expect(limits.stop).toBeUndefined();
    vi.advanceTimersByTime(1);
    expect(limits.stop).toEqual({ code: 'time-spent', limitMs: 600_000 });
  });

  test('includes planning', () => {
    const late = limitsOf(10_000, 9_200);
    expect(late.stop).toEqual({ code: 'time-spent', limitMs: 10_000 });
    expect(late.deadline.aborted).toBe(false);
    vi.advanceTimersByTime(800);
    expect(late.deadline.aborted).toBe(true);
    expect(limitsOf(10_000, Infinity).deadline.aborted).toBe(true);
  });

  test('leaves no timer behind', () => {
    const limits = limitsOf(10_000);
    limits.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});

/** A library in which the first deletion takes a time; the following ones succeed, or hang. */
function slowLibrary(firstMs: number, { hangs }: { readonly hangs: boolean }): Send {
  const books = new Map<number, unknown>();
  let deletions = 0;
  return async (baseUrl, request, signal) => {
    const { method, target } = request;
    const answer = (status: number, body?: unknown): Awaited<ReturnType<Send>> => ({
      baseUrl,
      request,
      durationMs: 1,
      response: {
        status,
        headers: body === undefined ? [] : [['Content-Type', 'application/json']],
        body: new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body)),
      },
    });
    const id = Number(/^\/books\/(\d+)$/.exec(target)?.[1] ?? 0);
    if (method === 'POST' && target === '/books') {
      const book = { title: 'Dune', shelfId: 4, id: books.size + 100 };
      books.set(book.id, book);
      return answer(201, book);
    }
    if (method === 'GET') return answer(books.has(id) ? 200 : 404, books.get(id) ?? {});
    if (method !== 'DELETE' || !books.has(id)) return answer(404, {});
    deletions += 1;
    if (deletions === 1) vi.advanceTimersByTime(firstMs);
    else if (hangs && !signal.aborted) {
      const aborted = new Promise((resolve) => {
        signal.addEventListener('abort', resolve, { once: true });
      });
      vi.advanceTimersByTime(60_000);
      await aborted;
    }
    if (signal.aborted)
      return {
        baseUrl,
        request,
        durationMs: 1,
        fault: { kind: 'timeout', message: 'the run is over' },
      };
    books.delete(id);
    return answer(204);
  };
}

async function eventsOf(send: Send): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  const contract = libraryContract();
  const only = ['answers-in-time'];
  const options = { url: 'http://127.0.0.1:1', contract, token: 'key', seed: 'time', send, only };
  for await (const event of runCheck({ ...options, maxTimeMs: 60_000, concurrency: 1 }))
    events.push(event);
  return events;
}

describe('a run whose time is over', () => {
  test('deletes the records that it created, and says what it left out', async () => {
    const events = await eventsOf(slowLibrary(54_000, { hangs: false }));
    const last = events.at(-1);
    expect(last?.type === 'run-finished' && last.summary).toMatchObject({
      verdict: 'inconclusive',
      stop: { code: 'time-spent', limitMs: 60_000 },
      reason: expect.stringMatching(
        /^The time of 60 s was spent before the plan was done\. It left out \d+ of \d+ planned requests \(.*\)\.$/,
      ),
    });
    expect(events.filter(({ type }) => type === 'record-left')).toEqual([]);
  });

  test('ends although the service does not delete, and lists what is left', async () => {
    const events = await eventsOf(slowLibrary(54_000, { hangs: true }));
    expect(events.at(-1)?.type).toBe('run-finished');
    const left = events.filter((event) => event.type === 'record-left');
    expect(left.length).toBeGreaterThan(0);
    expect(left.at(-1)?.reason).toBe('the time budget is spent');
  });
});

describe('a rate limit', () => {
  /** The stop of a run, and its requests: from the fourth on, those that are limited get 429. */
  async function run(
    isLimited: (target: string) => boolean,
  ): Promise<[string | undefined, number, number]> {
    vi.useRealTimers();
    let sent = 0;
    let refused = 0;
    const send: Send = async (baseUrl, request) => {
      sent += 1;
      const isOver = sent > 3 && isLimited(`${request.method} ${request.target}`);
      refused += Number(isOver);
      const headers = [isOver ? ['Retry-After', '3600'] : ['Content-Type', 'application/json']];
      const body = new TextEncoder().encode('[]');
      const response = { status: isOver ? 429 : 200, headers: headers as [string, string][], body };
      return { baseUrl, request, response, durationMs: 1 };
    };
    const { summary } = await checkTarget({
      url: 'http://127.0.0.1:1',
      contract: libraryContract(),
      seed: 'limits',
      concurrency: 1,
      send,
    });
    return [summary.stop?.code, summary.requests, refused];
  }

  test('of one operation ends no run', async () => {
    const [stop, requests, refused] = await run((asked) => asked === 'POST /books');
    expect(stop).toBeUndefined();
    expect(requests).toBeGreaterThan(100);
    expect(refused).toBe(1);
  });

  test('of all operations does', async () => {
    const [stop, requests] = await run(() => true);
    expect(stop).toBe('rate-limited');
    expect(requests).toBeLessThan(8);
  });
});

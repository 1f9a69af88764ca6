import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { checkTarget, type CheckOptions } from '../../src/check/engine/check-target.ts';
import type { Send } from '../../src/check/transport/send.ts';
import { libraryContract } from './fixture/library-contract.ts';
import { type Library, openLibrary } from './fixture/library-server.ts';

let library: Library | undefined;
afterEach(() => library?.close());

/** A service that takes its time, and what happened at it. */
interface Busy {
  readonly send: Send;
  readonly seen: { most: number; asked: number; refused: number };
}

/** The library, whose answers take `ms`; above `capacity` requests at a time it refuses. */
function busy(send: Send, ms: number, { capacity = Infinity, status = 429 } = {}): Busy {
  const seen = { most: 0, asked: 0, refused: 0 };
  let inFlight = 0;
  return {
    seen,
    send: async (baseUrl, request, signal) => {
      const began = performance.now();
      inFlight += 1;
      seen.asked += 1;
      seen.most = Math.max(seen.most, inFlight);
      const isFull = inFlight > capacity;
      if (isFull) seen.refused += 1;
      await sleep(ms);
      const answer = isFull ? undefined : await send(baseUrl, request, signal);
      inFlight -= 1;
      const durationMs = performance.now() - began;
      const response = { status, headers: [], body: new Uint8Array() };
      return answer === undefined
        ? { baseUrl, request, response, durationMs }
        : { ...answer, durationMs };
    },
  };
}

const never: Send = () => Promise.reject(new Error('The library has no way to send.'));

async function run(service: (send: Send) => Busy, options: Partial<CheckOptions> = {}) {
  library = await openLibrary();
  const { send = never, ...target } = library.target;
  const { seen, send: slow } = service(send);
  const given = { ...target, send: slow, contract: libraryContract(), seed: 'busy', ...options };
  const { summary, findings } = await checkTarget({ ...given, wait: async () => {} });
  return { summary, findings, seen };
}

describe('a run against a service that refuses more than four requests at a time', () => {
  test.each([429, 503])('with %i goes to its end, and asks for less', async (status) => {
    const { summary, findings, seen } = await run((send) => busy(send, 2, { capacity: 4, status }));
    expect(summary.stop).toBeUndefined();
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(seen.refused).toBeLessThan(seen.asked / 20);
  });
});

describe('a run against a service whose answers take long', () => {
  test('has more requests in flight, with the findings of a quick one', async () => {
    const quick = await run((send) => busy(send, 0));
    await library?.close();
    const slow = await run((send) => busy(send, 60));
    expect(quick.seen.most).toBeLessThanOrEqual(8);
    expect(slow.seen.most).toBeGreaterThan(16);
    const named = ({ findings }: typeof slow): string[] =>
      findings.map(({ check, operation }) => `${check} ${operation.id}`).toSorted();
    expect(named(slow)).toEqual(named(quick));
  });

  test('has never more than a stated number', async () => {
    const { seen } = await run((send) => busy(send, 60), {
      concurrency: 6,
      maxRequests: 200,
    });
    expect(seen.most).toBe(6);
  });
});

import { describe, expect, test } from 'vitest';
import type { HttpResponse } from '../../../src/http/message.ts';
import type { Exchange } from '../../../src/check/model/exchange.ts';
import { RequestLimit } from '../../../src/check/transport/request-limit.ts';

const request = { method: 'GET', target: '/things', headers: [], body: new Uint8Array() };
const things = {};
const exchangeOf = (durationMs: number, came: Partial<Exchange>): Exchange => ({
  baseUrl: 'http://host',
  request,
  durationMs,
  ...came,
});

function answer(durationMs: number, status = 200): Exchange {
  const response: HttpResponse = { status, headers: [], body: new Uint8Array() };
  return exchangeOf(durationMs, { response });
}

/** What a service answers where so many requests are in flight. */
type Service = (load: number) => Exchange;

/** Rounds of as many requests at once as the limit allows, or fewer; answers the last limit. */
function serve(limit: RequestLimit, service: Service, { rounds = 100, most = Infinity } = {}) {
  for (let round = 0; round < rounds; round += 1) {
    const count = Math.min(limit.current, most);
    const flights = Array.from({ length: count }, () => {
      expect(limit.turn()).toBeUndefined();
      return limit.depart();
    });
    for (const flight of flights) {
      limit.note(flight, service(count), things);
      limit.leave();
    }
  }
  return limit.current;
}

const open = (max = 64): RequestLimit => new RequestLimit({ start: 8, max });

describe('the limit of requests in flight', () => {
  test('stays where it starts while answers are quick', () => {
    expect(serve(open(), () => answer(5))).toBe(8);
  });

  test('rises to the maximum where answers take long, but as long as at a lower load', () => {
    expect(serve(open(), () => answer(300))).toBe(64);
  });

  test('needs few rounds for that', () => {
    expect(serve(open(), () => answer(300), { rounds: 8 })).toBe(64);
  });

  test('never rises above a stated number', () => {
    expect(serve(open(8), () => answer(300))).toBe(8);
  });

  test('does not rise where the run sends fewer requests at a time than it may', () => {
    expect(serve(open(), () => answer(300), { most: 4 })).toBe(8);
  });

  test('stays near what a service works on at a time, where others have to wait', () => {
    const service: Service = (load) => answer(Math.max(300, (300 * load) / 16));
    const limit = open();
    const seen = Array.from({ length: 60 }, () => serve(limit, service, { rounds: 1 }));
    expect(Math.max(...seen)).toBeLessThan(32);
    expect(Math.min(...seen.slice(20))).toBeGreaterThan(12);
  });

  test('falls below its start for a service that works on one request at a time', () => {
    const limit = open();
    serve(limit, () => answer(100), { rounds: 5, most: 1 });
    expect(serve(limit, (load) => answer(100 * load))).toBeLessThan(3);
  });

  test('rises again when the service has recovered', () => {
    const limit = open();
    serve(limit, () => answer(100), { rounds: 5, most: 1 });
    serve(limit, (load) => answer(100 * load), { rounds: 30 });
    expect(serve(limit, () => answer(100), { rounds: 100 })).toBeGreaterThan(32);
  });

  test.each([429, 503, 504])(
    'falls to half after %i, once for the requests of one round',
    (status) => {
      const limit = open();
      serve(limit, () => answer(300), { rounds: 8 });
      expect(serve(limit, () => answer(300, status), { rounds: 1 })).toBe(32);
    },
  );

  test('falls after a timeout', () => {
    const limit = open();
    serve(limit, () => answer(300));
    const fault = { kind: 'timeout', message: 'nothing came' } as const;
    expect(serve(limit, () => exchangeOf(10_000, { fault }), { rounds: 1 })).toBe(32);
  });

  test('settles below a number of requests at which a service answers 429', () => {
    const limit = open();
    let refusals = 0;
    const service: Service = (load) => {
      if (load > 12) refusals += 1;
      return answer(300, load > 12 ? 429 : 200);
    };
    serve(limit, service, { rounds: 200 });
    const before = refusals;
    expect(serve(limit, service, { rounds: 200 })).toBe(12);
    expect(refusals).toBe(before);
  });

  test('is what it was after one operation that always answers 503', () => {
    const limit = open();
    const failing = {};
    for (let round = 0; round < 40; round += 1) {
      serve(limit, () => answer(5), { rounds: 1 });
      const flights = Array.from({ length: limit.current }, () => (limit.turn(), limit.depart()));
      for (const flight of flights) {
        limit.note(flight, answer(5, 503), failing);
        limit.leave();
      }
    }
    expect(limit.current).toBe(8);
  });
});

describe('a request above the limit', () => {
  test('waits until another one has ended, in the order of the requests', async () => {
    const limit = new RequestLimit({ start: 1, max: 1 });
    const told: string[] = [];
    expect(limit.turn()).toBeUndefined();
    const [second, third] = ['second', 'third'].map(async (name) => {
      await limit.turn();
      told.push(name);
    });
    expect(told).toEqual([]);
    limit.leave();
    await second;
    expect(told).toEqual(['second']);
    limit.leave();
    await third;
    expect(told).toEqual(['second', 'third']);
  });

  test('starts when the limit rises', async () => {
    const limit = open();
    const rises: number[] = [];
    const close = limit.onRise(() => rises.push(limit.current));
    serve(limit, () => answer(300), { rounds: 4 });
    close();
    serve(limit, () => answer(300), { rounds: 9 });
    expect(rises).toEqual([12, 18]);
  });
});

import { describe, expect, test } from 'vitest';
import { Memory } from '../../../../src/check/engine/memory/memory.ts';
import type { Exchange } from '../../../../src/check/model/exchange.ts';
import type { LeftRecords } from '../../../../src/check/model/record.ts';
import { cleanUp } from '../../../../src/check/engine/run/cleanup.ts';
import type { Sender } from '../../../../src/check/engine/send/execute-sequence.ts';
import { defined } from '../../../../src/json/value.ts';
import { makeSecrets } from '../../../../src/check/secrets/secrets.ts';
import { booksAndShelves as contract } from '../../fixture/books-and-shelves.ts';
import { talk } from '../../fixture/talk.ts';
import { fixedLanes } from '../../../../src/check/engine/send/side-by-side.ts';

/** What a server that is asked to delete books did, and what was left in the end. */
interface Cleaned {
  readonly asked: readonly string[];
  readonly max: number;
  readonly left: readonly LeftRecords[];
}

interface Holding {
  readonly concurrency?: number;
  /** A record is held as long as one that names it is there. */
  readonly holders?: Readonly<Record<string, string>>;
}

/** Cleans up records that a run created one after the other: `/books/1`. */
async function clean(
  records: readonly string[],
  { concurrency = 8, holders = {} }: Holding,
): Promise<Cleaned> {
  const memory = new Memory(contract);
  for (const record of records) {
    const [, collection = '', id] = record.split('/');
    const { earlier: _earlier, ...step } = talk(contract, [
      {
        ask: `POST /${collection}`,
        body: { name: 'Dune' },
        status: 201,
        answer: { id: Number(id), name: 'Dune' },
      },
    ]);
    memory.learn(step);
  }
  const there = new Set(records);
  const asked: string[] = [];
  let underWay = 0;
  let max = 0;
  const { signal } = new AbortController();
  const sender: Sender = {
    send: async (baseUrl, request) => {
      const { method, target } = request;
      asked.push(`${method} ${target}`);
      underWay += 1;
      max = Math.max(max, underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
      const isHeld = there.has(holders[target] ?? '');
      if (!isHeld) there.delete(target);
      const exchange: Exchange = {
        baseUrl,
        request,
        durationMs: 1,
        response: { status: isHeld ? 409 : 204, headers: [], body: new Uint8Array() },
      };
      return [exchange];
    },
    secrets: makeSecrets({}, 'seed'),
    memory,
    userAgent: 'test',
    signals: { stop: signal, cut: signal },
    baseUrl: () => 'http://host',
    spend: () => undefined,
    isPointless: () => undefined,
  };
  const { left } = await cleanUp({
    contract,
    seed: 'seed',
    sender,
    lanes: fixedLanes(concurrency),
    mayDelete: () => true,
  });
  return { asked, max, left };
}

/** The same for books, named by their numbers. */
async function cleanBooks(
  books: readonly number[],
  { concurrency, holders = {} }: Omit<Holding, 'holders'> & { holders?: Record<number, number> },
): Promise<Cleaned> {
  const named = Object.entries(holders).map(([id, by]) => [`/books/${id}`, `/books/${String(by)}`]);
  const holding = { holders: Object.fromEntries(named), ...defined({ concurrency }) };
  const cleaned = await clean(
    books.map((id) => `/books/${String(id)}`),
    holding,
  );
  return { ...cleaned, asked: cleaned.asked.map((one) => one.replace('/books/', '')) };
}

describe('records of one resource are deleted in parallel', () => {
  test('up to the concurrency limit, the newest first', async () => {
    expect(await cleanBooks([1, 2, 3, 4, 5, 6], { concurrency: 3 })).toEqual({
      asked: [6, 5, 4, 3, 2, 1].map((id) => `DELETE ${String(id)}`),
      max: 3,
      left: [],
    });
  });

  test('a refused deletion is retried after another record is deleted', async () => {
    const { asked, left } = await cleanBooks([1, 2, 3], { holders: { 1: 3 } });
    expect(asked).toEqual(['DELETE 3', 'DELETE 2', 'DELETE 1']);
    expect(left).toEqual([]);
    const chain = await cleanBooks([1, 2, 3], { holders: { 3: 1, 1: 2 } });
    expect(chain.asked).toEqual(['DELETE 3', 'DELETE 2', 'DELETE 1', 'DELETE 3']);
    expect(chain.left).toEqual([]);
  });

  test('undeletable records are left, in the order of the deletions', async () => {
    const { asked, left } = await cleanBooks([1, 2, 3, 4], { holders: { 2: 2, 4: 4 } });
    expect(asked).toEqual(['DELETE 4', 'DELETE 3', 'DELETE 2', 'DELETE 1', 'DELETE 4', 'DELETE 2']);
    expect(left).toEqual(
      [4, 2].map((id) => ({
        operation: 'add_books',
        record: `id ${String(id)}`,
        reason: 'its deletion returned 409',
        code: 'delete-failed',
        count: 1,
      })),
    );
  });

  test('nothing is asked twice where nothing was gone in the meantime', async () => {
    const { asked } = await cleanBooks([1, 2], { holders: { 1: 1, 2: 2 } });
    expect(asked).toEqual(['DELETE 2', 'DELETE 1']);
  });

  test('one at a time, a record is retried after the one that held it is deleted', async () => {
    const { asked, left } = await cleanBooks([1, 2], { concurrency: 1, holders: { 2: 1 } });
    expect(asked).toEqual(['DELETE 2', 'DELETE 1', 'DELETE 2']);
    expect(left).toEqual([]);
  });
});

test('a record that one of another kind holds is deleted after that one', async () => {
  const { asked, left } = await clean(['/books/1', '/shelves/2'], {
    holders: { '/shelves/2': '/books/1' },
  });
  expect(asked).toEqual(['DELETE /shelves/2', 'DELETE /books/1', 'DELETE /shelves/2']);
  expect(left).toEqual([]);
});

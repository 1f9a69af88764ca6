import { describe, expect, test } from 'vitest';
import { Memory } from '../../../../src/check/engine/memory/memory.ts';
import type { Exchange } from '../../../../src/check/model/exchange.ts';
import type { LeftRecords } from '../../../../src/check/model/record.ts';
import { cleanUp } from '../../../../src/check/engine/run/cleanup.ts';
import type { Sender } from '../../../../src/check/engine/send/execute-sequence.ts';
import { makeSecrets } from '../../../../src/check/secrets/secrets.ts';
import { libraryContract } from '../../fixture/library-contract.ts';
import { talk } from '../../fixture/talk.ts';
import { fixedLanes } from '../../../../src/check/engine/send/side-by-side.ts';

const contract = libraryContract();

/** What a server that is asked to delete books did, and what was left in the end. */
interface Cleaned {
  readonly asked: readonly string[];
  readonly max: number;
  readonly left: readonly LeftRecords[];
}

/**
 * Cleans up books that a run created one after the other. A book is held as long as one that names
 * it is there: `holders`.
 */
async function cleanBooks(
  books: readonly number[],
  {
    concurrency = 8,
    holders = {},
  }: { readonly concurrency?: number; readonly holders?: Readonly<Record<number, number>> },
): Promise<Cleaned> {
  const memory = new Memory(contract);
  for (const id of books) {
    const { earlier: _earlier, ...step } = talk(contract, [
      {
        ask: 'POST /books',
        body: { title: 'Dune', shelfId: 4 },
        status: 201,
        answer: { id, title: 'Dune', shelfId: 4 },
      },
    ]);
    memory.learn(step);
  }
  const there = new Set(books);
  const asked: string[] = [];
  let underWay = 0;
  let max = 0;
  const { signal } = new AbortController();
  const sender: Sender = {
    send: async (baseUrl, request) => {
      const id = Number(request.target.split('/').at(-1));
      asked.push(`${request.method} ${String(id)}`);
      underWay += 1;
      max = Math.max(max, underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
      const isHeld = there.has(holders[id] ?? Number.NaN);
      if (!isHeld) there.delete(id);
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
  const left = await cleanUp({
    contract,
    seed: 'seed',
    sender,
    lanes: fixedLanes(concurrency),
    mayDelete: () => true,
  });
  return { asked, max, left };
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
        operation: 'createBook',
        record: `id ${String(id)}`,
        reason: 'its deletion returned 409',
        code: 'delete-failed',
        count: 1,
      })),
    );
  });

  test(
    'nothing is asked twice where nothing was gone in the meantime, or one ' +
      'at a time was asked',
    async () => {
      expect((await cleanBooks([1, 2], { holders: { 1: 1, 2: 2 } })).asked).toEqual([
        'DELETE 2',
        'DELETE 1',
      ]);
      expect((await cleanBooks([1, 2], { concurrency: 1, holders: { 2: 2 } })).asked).toEqual([
        'DELETE 2',
        'DELETE 1',
      ]);
    },
  );
});

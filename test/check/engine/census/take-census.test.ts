import { expect, test } from 'vitest';
import { takeCensus } from '../../../../src/check/engine/census/take-census.ts';
import { Memory } from '../../../../src/check/engine/memory/memory.ts';
import type { Sender } from '../../../../src/check/engine/send/execute-sequence.ts';
import { makeSecrets } from '../../../../src/check/secrets/secrets.ts';
import { stringifyJson } from '../../../../src/json/value.ts';
import { booksAndShelves as contract } from '../../fixture/books-and-shelves.ts';

test('lists of one depth are read together, and judged in the order of the contract', async () => {
  const { signal } = new AbortController();
  const [asked, judged]: [string[], string[]] = [[], []];
  const { promise: bothAsked, resolve } = Promise.withResolvers<void>();
  const sender: Sender = {
    send: async (baseUrl, request) => {
      asked.push(request.target);
      if (asked.length === 2) resolve();
      await bothAsked;
      // The first list arrives last.
      if (request.target === '/books') await new Promise((arrive) => setTimeout(arrive, 5));
      const body = new TextEncoder().encode(stringifyJson([{ id: 1, name: 'Dune' }]));
      const headers = [['Content-Type', 'application/json']] as const;
      return [{ baseUrl, request, durationMs: 1, response: { status: 200, headers, body } }];
    },
    secrets: makeSecrets({}, 'seed'),
    memory: new Memory(contract),
    userAgent: 'test',
    signals: { stop: signal, cut: signal },
    baseUrl: () => 'http://host',
    spend: () => undefined,
    isPointless: () => undefined,
  };
  const { lists } = await takeCensus(
    {
      contract,
      seed: 'seed',
      sender,
      maySend: () => true,
      judge: ({ cases }) => judged.push(...cases.map(({ operation }) => operation.id)),
    },
    'probe',
  );
  expect(judged).toEqual(['list_books', 'list_shelves']);
  expect(lists.map(({ key, records }) => [key, records.size])).toEqual([
    ['list_books', 1],
    ['list_shelves', 1],
  ]);
});

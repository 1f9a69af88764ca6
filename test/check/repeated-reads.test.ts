import { describe, expect, test } from 'vitest';
import { prioritizePlan } from '../../src/check/engine/choose/prioritize.ts';
import { makePlan } from '../../src/check/engine/plan/plan-run.ts';
import type { Case, Plan } from '../../src/check/model/case.ts';
import type { Contract } from '../../src/contract/model.ts';
import type { JsonObject } from '../../src/json/value.ts';
import { jsonContent, makeContract } from '../contract/make-contract.ts';
import { alarms, findingsOf, type Answered } from './fixture/inline-service.ts';
import { alarmsOf } from './fixture/odd-contract.ts';
import { shelf } from './fixture/shelf.ts';

const planOf = (contract: Contract): Plan =>
  makePlan({
    contract,
    mode: 'read-write',
    seed: 'a',
    runId: 'run-a',
    today: '2026-01-02',
    missingServer: () => undefined,
  });

const casesOf = ({ stages }: Plan): Case[] =>
  stages.flatMap(({ sequences }) => sequences.flatMap(({ cases }) => cases));

/** A contract with so many reads that show a text. */
const readsOf = (count: number): Contract =>
  makeContract({
    paths: Object.fromEntries(
      Array.from({ length: count }, (_one, index): [string, JsonObject] => [
        `/words${String(index)}`,
        {
          get: {
            operationId: `read${String(index)}`,
            responses: { 200: { description: 'ok', ...jsonContent({ type: 'object' }) } },
          },
        },
      ]),
    ),
  });

describe('the plain request of a read', () => {
  test('is sent eight times in a small contract', () => {
    const cases = casesOf(planOf(readsOf(3)));
    const plain = cases.filter(
      ({ operation, intent }) => operation.id === 'read2' && intent.kind === 'valid',
    );
    expect(plain).toHaveLength(8);
  });

  test('is repeated for a few reads alone in a large one', () => {
    const cases = casesOf(planOf(readsOf(300)));
    const repeated = cases.filter(
      ({ isRepeat, operation }) => isRepeat === true && operation.id !== 'read0',
    );
    expect(repeated.length).toBeGreaterThan(16);
    expect(repeated.length).toBeLessThan(cases.length * 0.04);
  });

  test('is repeated last of all where there is little time', () => {
    const { stages, worths } = prioritizePlan(planOf(readsOf(2)));
    const repeated = casesOf({ stages, skipped: [] }).filter(({ isRepeat }) => isRepeat === true);
    expect(new Set(repeated.map(({ id }) => worths?.get(id)))).toEqual(new Set([3]));
  });
});

describe('a read that is answered otherwise now and then is reported:', () => {
  /** The alarms where every so many plain requests for tags are answered otherwise. */
  async function alarmsWith(every: number, odd: (answered: Answered) => Answered) {
    const { contract, service } = shelf();
    let asked = 0;
    const findings = await findingsOf(contract, async (request) => {
      const answered = await service(request);
      if (!request.target.endsWith('tags') || answered.status !== 200) return answered;
      asked += 1;
      return asked % every === 0 ? odd(answered) : answered;
    });
    return alarms(findings);
  }

  test('it lacks a member', async () => {
    const found = await alarmsWith(4, () => ({ status: 200, json: { next_cursor: '' } }));
    expect(found).toContainEqual(
      expect.stringMatching(/^warning stable-under-repeat listTags: .*now with \/tags array/),
    );
  });

  test('but not where it shows something else each time', async () => {
    let count = 0;
    const found = await alarmsWith(2, () => {
      count += 1;
      return { status: 200, json: { tags: [`other ${String(count)}`] } };
    });
    expect(found.filter((line) => line.includes('stable-under-repeat'))).toEqual([]);
  });

  test('it is slow one time in four, and the one that is repeated may be another', async () => {
    let asked = 0;
    const found = await alarmsOf(shelf().contract, (respond) => async (request) => {
      const reply = await respond(request);
      const isRead = request.method === 'GET' && /^\/books\/[^/?]+$/.test(request.target);
      if (!isRead || reply.response?.status !== 200) return reply;
      asked += 1;
      return asked % 4 === 0 ? { ...reply, delayMs: 4_000 } : reply;
    });
    expect(found.alarms).toEqual([
      expect.stringMatching(/^answers-in-time: GET \/books\/\{id\} is slow/),
    ]);
  });
});

test('a list that lacks a member of its records on two of many requests is a warning', async () => {
  const { contract, service } = shelf();
  let asked = 0;
  const findings = await findingsOf(contract, async (request) => {
    if (request.target !== '/books' || request.method !== 'GET') return service(request);
    asked += 1;
    const { json } = await service(request);
    return { status: 200, json: { ...(json as object), ...(asked % 11 === 2 ? {} : { of: 12 }) } };
  });
  expect(alarms(findings)).toContainEqual(
    expect.stringMatching(/^warning stable-under-repeat listBooks: .*now with \/of number/),
  );
});

test('a list of two that is empty in between is an error where nothing changes it', async () => {
  const { contract, service } = shelf();
  let asked = 0;
  const findings = await findingsOf(contract, async (request) => {
    if (request.target !== '/books' || request.method !== 'GET') return service(request);
    asked += 1;
    const { json } = await service({ ...request, query: new URLSearchParams('limit=2') });
    const page = json as { readonly books: readonly unknown[] };
    const books = asked === 18 ? [] : page.books;
    return { status: 200, json: { books, has_more: false, next_cursor: '' } };
  });
  expect(alarms(findings)).toContainEqual(
    expect.stringMatching(/^error stable-under-repeat listBooks: .*an empty one/),
  );
});

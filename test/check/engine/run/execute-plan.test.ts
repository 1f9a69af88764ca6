import { describe, expect, test } from 'vitest';
import { Memory } from '../../../../src/check/engine/memory/memory.ts';
import { type Case, makeCase, makeSequence, type Stage } from '../../../../src/check/model/case.ts';
import type { Exchange } from '../../../../src/check/model/exchange.ts';
import { wholePlan } from '../../../../src/check/engine/plan/plan-run.ts';
import { PlanQueue } from '../../../../src/check/engine/plan/plan-queue.ts';
import { executePlan } from '../../../../src/check/engine/run/execute-plan.ts';
import type {
  RecordedExchange,
  Sender,
} from '../../../../src/check/engine/send/execute-sequence.ts';
import { RunLimits } from '../../../../src/check/engine/send/run-limits.ts';
import { RunLog } from '../../../../src/check/engine/send/run-log.ts';
import { makeSecrets } from '../../../../src/check/secrets/secrets.ts';
import { libraryContract } from '../../fixture/library-contract.ts';
import { fixedLanes } from '../../../../src/check/engine/send/side-by-side.ts';

const contract = libraryContract();

function caseOf(id: string, title: string): Case {
  const operation = contract.operations.find((one) => one.id === id);
  if (operation === undefined) throw new Error('the contract has no such operation');
  return makeCase({
    title,
    phase: 'read',
    operation,
    intent: { kind: 'valid', rigour: 'plain', at: '' },
    request: { arguments: [], credential: 'given' },
  });
}

/** What a target does with the requests that it gets, the first of them being number 1. */
type Target = (number: number) => Partial<Exchange>;

const ok: Partial<Exchange> = {
  response: {
    status: 200,
    headers: [['Content-Type', 'application/json']],
    body: new TextEncoder().encode('[]'),
  },
};
const broken: Partial<Exchange> = {
  fault: { kind: 'connection.reset', message: 'the connection broke' },
};

async function execute(
  cases: readonly Case[],
  target: Target,
): Promise<{
  readonly limits: RunLimits;
  readonly told: readonly RecordedExchange[];
  readonly max: number;
}> {
  const limits = new RunLimits({ maxRequests: 1_000, clock: () => new Date(0) });
  const told: RecordedExchange[] = [];
  let [sent, open, max] = [0, 0, 0];
  const sender: Sender = {
    send: async (baseUrl, request) => {
      const number = (sent += 1);
      max = Math.max(max, (open += 1));
      await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
      return [{ baseUrl, request, durationMs: 1, ...target(number) }];
    },
    secrets: makeSecrets({ token: 'token', tokenFor: ['bearer'] }, 'seed'),
    memory: new Memory(contract),
    userAgent: 'test',
    signals: limits.signals,
    baseUrl: () => 'http://host',
    spend: (baseUrl) => limits.spend(baseUrl),
    isPointless: () => undefined,
    report: (recorded) => void told.push(recorded),
  };
  const stages: Stage[] = [{ phase: 'read', sequences: cases.map((tried) => makeSequence(tried)) }];
  const queue = new PlanQueue(wholePlan({ stages, skipped: [] }));
  await executePlan({
    queue,
    sender,
    limits,
    log: new RunLog((_sequence, steps) => [...steps]),
    lanes: fixedLanes(3),
    url: 'http://host',
  });
  limits.close();
  return { limits, told, max };
}

const askable = contract.operations
  .filter(({ method, path }) => (method === 'GET' || method === 'POST') && !path.includes('{'))
  .map(({ id }) => id);

function many(count: number): Case[] {
  return Array.from({ length: count }, (_, index) =>
    caseOf(askable[index % askable.length] ?? 'listBooks', `request ${String(index)}`),
  );
}

describe('an unreachable target', () => {
  test('is reported even if there were few requests', async () => {
    const { limits, told } = await execute([caseOf('listBooks', 'the only one')], () => broken);
    expect(limits.stop).toEqual({
      code: 'unreachable',
      baseUrl: 'http://host',
      answeredBefore: false,
      fault: broken.fault,
    });
    expect(told).toHaveLength(1);
  });

  test('gets one request while all others wait, and none afterwards', async () => {
    const { limits, told } = await execute(many(40), (number) => (number <= 10 ? ok : broken));
    expect(limits.stop).toEqual({
      code: 'unreachable',
      baseUrl: 'http://host',
      answeredBefore: true,
      fault: broken.fault,
    });
    expect(
      told.filter(({ case: { title } }) => title.endsWith('(is the target reachable?)')),
    ).toHaveLength(1);
    expect(told.length).toBeLessThan(20);
  });
});

describe('a reachable target', () => {
  test('gets the whole plan, up to the concurrency limit', async () => {
    const { limits, told, max } = await execute(many(40), () => ok);
    expect([limits.stop, told.length, max]).toEqual([undefined, 40, 3]);
  });

  test('that fails temporarily gets a retry, then the rest of the plan', async () => {
    const { limits, told } = await execute(many(40), (number) =>
      number > 10 && number <= 10 + askable.length ? broken : ok,
    );
    expect(limits.stop).toBeUndefined();
    expect(told.filter(({ phase }) => phase === 'confirm')).toHaveLength(1);
    expect(told).toHaveLength(41);
  });
});

import { expect, test } from 'vitest';
import { planInTurns, planOf } from '../../../src/check/engine/plan/plan-run.ts';
import { resolveSettings } from '../../../src/check/engine/settings.ts';
import { parseContract } from '../../../src/contract/load.ts';
import { largeContractText } from '../fixture/large-contract.ts';
import { libraryContract } from '../fixture/library-contract.ts';

const open = (): AbortSignal => new AbortController().signal;

test('a plan made in turns is the plan made at once', async () => {
  const settings = resolveSettings({
    url: 'http://127.0.0.1:1',
    contract: libraryContract(),
    seed: 'turns',
    token: 'key',
  });
  const left = new Set(['operation', 'parameter', 'media', 'schema']);
  const written = (plan: unknown): string =>
    JSON.stringify(plan, (key, value: unknown) =>
      left.has(key) ? undefined : typeof value === 'bigint' ? String(value) : value,
    );
  expect(written(await planInTurns(settings, open()))).toBe(written(planOf(settings)));
});

test('timers run while a large plan is made', async () => {
  const contract = parseContract(largeContractText(40), 'large.json');
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), 1);
  await planInTurns(
    resolveSettings({ url: 'http://127.0.0.1:1', contract, seed: 'turns' }),
    open(),
  );
  clearInterval(timer);
  expect(ticks).toBeGreaterThan(3);
});

test('two plans that are made at the same time do not change each other', async () => {
  const settings = resolveSettings({
    url: 'http://127.0.0.1:1',
    contract: parseContract(largeContractText(12), 'large.json'),
    seed: 'turns',
  });
  const ids = (plan: Awaited<ReturnType<typeof planInTurns>>): string[] =>
    plan?.stages.flatMap(({ sequences }) => sequences.map(({ id }) => id)) ?? [];
  const both = await Promise.all([planInTurns(settings, open()), planInTurns(settings, open())]);
  expect(ids(both[0])).toEqual(ids(planOf(settings)));
  expect(ids(both[1])).toEqual(ids(both[0]));
});

test('an aborted signal ends planning without a plan', async () => {
  const settings = resolveSettings({
    url: 'http://127.0.0.1:1',
    contract: libraryContract(),
    seed: 'turns',
  });
  expect(await planInTurns(settings, AbortSignal.abort())).toBeUndefined();
});

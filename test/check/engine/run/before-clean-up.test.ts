import { expect, test } from 'vitest';
import { checkTarget } from '../../../../src/check/engine/check-target.ts';
import { crud, text } from '../../fixture/crud/crud.ts';
import { targetOf } from '../../fixture/inline-service.ts';

test.each([
  ['read-write', 'creates nothing', 1],
  ['read-only', 'may change nothing', 0],
] as const)('a %s run that %s has %d reports before its clean-up', async (mode, _, reports) => {
  const { contract, service } = crud({ Raft: { fields: { name: text } } }, () => ({
    refuse: { rafts: () => 422 },
  }));
  let secured = 0;
  const beforeCleanUp = (): void => void (secured += 1);
  await checkTarget({ contract, mode, seed: 'rafts', beforeCleanUp, ...targetOf(service) });
  expect(secured).toBe(reports);
});

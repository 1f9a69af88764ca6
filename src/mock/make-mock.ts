import { checkAssumptions } from './plan/check-assumptions.ts';
import { checkScenarios } from './scenarios/judge/check-scenarios.ts';
import { ContractMock } from './contract-mock.ts';
import type { Mock, MockOptions } from './mock.ts';
import { SeededStore } from './records/seed/seeded-store.ts';
import { SeedRecords } from './records/seed/seed-records.ts';

/**
 * Brings a contract to life and fills the store with the fixtures. Throws a VouchError where a
 * scenario ('scenario-invalid') or an assumption ('config-invalid') does not fit the contract.
 */
export async function makeMock(options: MockOptions): Promise<Mock> {
  checkAssumptions(options.assumptions, options.contract);
  checkScenarios(options);
  await options.store.seed(options.fixtures);
  const seeds = new SeedRecords({
    contract: options.contract,
    fixtures: options.fixtures,
    count: options.seedRecords ?? 0,
    seed: options.seed,
  });
  return new ContractMock({ ...options, store: new SeededStore(options.store, seeds) });
}

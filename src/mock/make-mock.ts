import { checkAssumptions } from './check-assumptions.ts';
import { checkScenarios } from './check-scenarios.ts';
import { ContractMock } from './contract-mock.ts';
import type { Mock, MockOptions } from './mock.ts';

/**
 * Brings a contract to life and fills the store with the fixtures. Throws a VouchError where a scenario ('scenario-invalid')
 * or an assumption ('config-invalid') does not fit the contract.
 */
export async function makeMock(options: MockOptions): Promise<Mock> {
  checkAssumptions(options.assumptions, options.contract);
  checkScenarios(options.scenarios, options.scenario, options.contract);
  await options.store.seed(options.fixtures);
  return new ContractMock(options);
}

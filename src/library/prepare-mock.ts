import { randomUUID } from 'node:crypto';
import { loadFixtures } from '../config/load-fixtures.ts';
import { loadScenarios } from '../config/load-scenarios.ts';
import type { Config } from '../config/config.ts';
import type { Contract } from '../contract/model.ts';
import { makeMock } from '../mock/make-mock.ts';
import type { Assumption, AuthenticationMode, Mock } from '../mock/mock.ts';
import type { Scenario } from '../mock/scenario.ts';
import { makeMemoryStore } from '../store/memory-store.ts';
import type { Fixtures } from '../store/store.ts';
import { chooseContract, type ContractChoice } from './choose-contract.ts';

/** How the mock is to behave. Everything left out comes from the configuration, or from what suits most. */
export interface MockChoice extends ContractChoice {
  /** The folder with the records that every session starts with, or the records themselves; `false` starts empty. */
  readonly fixtures?: string | Fixtures | false;
  /** The folder with the scripted answers, or the scenarios themselves. */
  readonly scenarios?: string | readonly Scenario[];
  /** The name of a scenario that is on for every request. */
  readonly scenario?: string;
  /** The credentials that the mock knows. Default `demo-key`. */
  readonly keys?: readonly string[];
  /** Default `known`: only a known key is let in. */
  readonly authentication?: AuthenticationMode;
  readonly assume?: readonly Assumption[];
  /** A fixed present (`2030-12-06`, or a date), or a clock of your own. */
  readonly clock?: string | Date | (() => Date);
  /** The same seed makes the same generated answers. */
  readonly seed?: string;
}

/** A mock that is ready to answer, with what it was made from. */
export interface PreparedMock {
  readonly mock: Mock;
  readonly contract: Contract;
  readonly config: Config;
  readonly keys: readonly string[];
  readonly scenarios: readonly Scenario[];
  readonly fixtures: Fixtures;
}

/** Gathers contract, records and scenarios, and brings the mock to life; nothing listens yet. */
export async function prepareMock(choice: MockChoice = {}): Promise<PreparedMock> {
  const { contract, config } = await chooseContract(choice);
  const keys = choice.keys ?? config.mock.keys ?? ['demo-key'];
  const fixtures = await gatherFixtures(choice.fixtures ?? config.mock.fixtures, contract);
  const scenarios = await gatherScenarios(choice.scenarios ?? config.mock.scenarios);
  const mock = await makeMock({
    contract,
    store: makeMemoryStore(),
    fixtures,
    scenarios,
    assumptions: choice.assume ?? config.mock.assume ?? [],
    keys,
    authentication: choice.authentication ?? 'known',
    clock: makeClock(choice.clock),
    seed: choice.seed ?? config.mock.seed ?? 'vouch',
    makeId: randomUUID,
    ...(choice.scenario === undefined ? {} : { scenario: choice.scenario }),
  });
  return { mock, contract, config, keys, scenarios, fixtures };
}

async function gatherFixtures(fixtures: string | Fixtures | false | undefined, contract: Contract): Promise<Fixtures> {
  if (fixtures === undefined || fixtures === false) return new Map();
  return typeof fixtures === 'string' ? loadFixtures(fixtures, contract) : fixtures;
}

async function gatherScenarios(scenarios: string | readonly Scenario[] | undefined): Promise<readonly Scenario[]> {
  return typeof scenarios === 'string' ? loadScenarios(scenarios) : (scenarios ?? []);
}

function makeClock(clock: string | Date | (() => Date) | undefined): () => Date {
  if (clock === undefined) return () => new Date();
  if (typeof clock === 'function') return clock;
  const fixed = new Date(clock);
  return () => new Date(fixed);
}

import { randomBytes, randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { type Config, emptyConfig } from '../config/config.ts';
import type { Contract } from '../contract/model.ts';
import { VouchError } from '../errors.ts';
import { defined, type JsonObject } from '../json/value.ts';
import { makeMock } from '../mock/contract-mock.ts';
import { joinMocks } from '../mock/join/join-mocks.ts';
import type { Mock, MockOptions } from '../mock/mock.ts';
import type { Assumption, AuthenticationMode } from '../mock/model/reply.ts';
import { parseScenario } from '../mock/scenarios/parse/parse-scenario.ts';
import { suggestScenario } from '../mock/scenarios/scenario-fault.ts';
import type { Scenario } from '../mock/scenarios/scenario.ts';
import { keyText, type MockKey } from '../mock/security/credentials.ts';
import { TokenMemory } from '../mock/tokens/token-memory.ts';
import type { TokenSettings } from '../mock/tokens/token-options.ts';
import type { Fixtures, Store } from '../store/store.ts';
import { chooseDocuments, type DocumentsChoice } from './choose-documents.ts';
import { loadFixturesOnce, loadScenariosOnce } from './load-once.ts';
import { openStore, type StoreChoice } from './open-store.ts';

/**
 * The behavior of the mock. Options that are left out come from the configuration or have defaults.
 */
export interface MockChoice extends DocumentsChoice, StoreChoice {
  /**
   * The name of a scenario that is active for every request; or several, in order of precedence.
   */
  readonly scenario?: string | readonly string[];
  /**
   * The credentials that the mock accepts, with their scopes. Default: `demo-key`, with all scopes.
   */
  readonly keys?: readonly MockKey[];
  /** The settings of the token endpoint; `false` disables it. */
  readonly tokens?: TokenSettings | false;
  /** The accepted credentials. Default `known`: only known keys. */
  readonly authentication?: AuthenticationMode;
  /** A fixed date (`2030-12-06` or a Date), or a function that returns the current date. */
  readonly clock?: string | Date | (() => Date);
  /** The same seed generates the same responses. */
  readonly seed?: string;
  /**
   * The number of initial records of a collection without fixtures and examples. Default 3; 0
   * starts empty.
   */
  readonly seedRecords?: number;
}

/** A contract to serve, with its data. */
export interface PreparedDocument {
  /** The name of the document if there are several. */
  readonly name: string;
  /** The base path that replaces the contract's. */
  readonly base?: string;
  readonly contract: Contract;
  readonly config: Config;
  readonly scenarios: readonly Scenario[];
  readonly fixtures: Fixtures;
  readonly assumptions: readonly Assumption[];
  /** The folders of the fixtures and scenarios: absolute paths. */
  readonly folders: readonly string[];
}

/** A mock that is ready to answer requests, with its sources. */
export interface PreparedMock {
  readonly mock: Mock;
  readonly store: Store;
  /** The location of the store without secrets; undefined for memory. */
  readonly storePlace?: string | undefined;
  /** One document, or several on one port. */
  readonly documents: readonly PreparedDocument[];
  /** The contract of the first document. */
  readonly contract: Contract;
  readonly config: Config;
  readonly keys: readonly string[];
  readonly scenarios: readonly Scenario[];
  readonly fixtures: Fixtures;
}

/** Reads contracts, records and scenarios, and makes the mock. Does not listen. */
export async function prepareMock(choice: MockChoice = {}): Promise<PreparedMock> {
  const documents = await gatherDocuments(choice);
  const { store, place } = await openStore(
    choice,
    documents[0]?.config ?? emptyConfig,
    realmOf(documents),
  );
  try {
    return { ...(await buildMock(documents, choice, store)), storePlace: place };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Mocks of the same contracts share records if they share a store. */
function realmOf(documents: readonly PreparedDocument[]): string {
  return JSON.stringify(
    documents.map(({ name, contract }) => [
      ...(documents.length === 1 ? [] : [name]),
      contract.title,
      contract.version,
    ]),
  );
}

/** Reads all sources of the mock. Throws a VouchError for a source that cannot be used. */
export async function gatherDocuments(choice: MockChoice): Promise<readonly PreparedDocument[]> {
  const chosen = await chooseDocuments(choice);
  return Promise.all(
    chosen.map(async ({ name, base, contract, config, fixtures, scenarios, assume }) => ({
      name,
      ...defined({ base }),
      contract,
      config,
      scenarios: await gatherScenarios(scenarios),
      fixtures: await gatherFixtures(fixtures, contract),
      assumptions: assume ?? [],
      folders: [fixtures, scenarios].flatMap((folder) =>
        typeof folder === 'string' ? [resolve(folder)] : [],
      ),
    })),
  );
}

/** Makes the mock, fills the store with the fixtures and applies the stored changes. */
export async function buildMock(
  documents: readonly PreparedDocument[],
  choice: MockChoice,
  store: Store,
): Promise<PreparedMock> {
  const [first] = documents;
  if (first === undefined) throw new VouchError('internal', 'There is no contract to serve.');
  const { contract, config } = first;
  const keys = choice.keys ?? config.mock.keys ?? ['demo-key'];
  const common = {
    keys,
    ...tokenOptions(choice, config, store),
    authentication: choice.authentication ?? 'known',
    clock: makeClock(choice.clock),
    seed: choice.seed ?? config.mock.seed ?? 'vouch',
    seedRecords:
      choice.fixtures === false ? 0 : (choice.seedRecords ?? config.mock.seedRecords ?? 3),
    makeId: randomUUID,
  };
  const mock =
    documents.length === 1
      ? await makeMock(soleOptions(first, { ...common, store, ...scenarioOf(choice.scenario) }))
      : await joinMocks(
          shareScenarios(documents, choice.scenario).map((document) => ({
            ...document,
            options: { ...common, ...document.options },
          })),
          { store, clock: common.clock },
        );
  const { scenarios, fixtures } = mock.options;
  return { mock, store, documents, contract, config, keys: keyTexts(keys), scenarios, fixtures };
}

function soleOptions(
  { base, contract, fixtures, scenarios, assumptions }: PreparedDocument,
  common: Omit<MockOptions, 'contract' | 'fixtures' | 'scenarios' | 'assumptions'>,
): MockOptions {
  return {
    ...common,
    contract,
    fixtures,
    scenarios,
    assumptions,
    ...(base === undefined ? {} : { mounting: { base } }),
  };
}

/**
 * The memory of tokens belongs to the store, because both outlive reloads. A store may be that of
 * the user, who implements only `Store`: it cannot hold the memory itself.
 */
const tokenMemories = new WeakMap<Store, TokenMemory>();

/**
 * Contracts on one port share a signing key and a token memory, so that tokens are valid for all of
 * them and after a reload.
 */
function tokenOptions(
  { tokens }: MockChoice,
  config: Config,
  store: Store,
): Pick<MockOptions, 'tokens'> {
  if (tokens === false) return {};
  const memory = tokenMemories.get(store) ?? new TokenMemory(randomBytes);
  tokenMemories.set(store, memory);
  return { tokens: { settings: tokens ?? config.mock.tokens ?? {}, random: randomBytes, memory } };
}

type Shared = Pick<PreparedDocument, 'name' | 'contract' | 'base'> & {
  readonly options: Pick<MockOptions, 'fixtures' | 'scenarios' | 'assumptions' | 'scenario'>;
};

/** Passes each contract the active scenarios that it has. */
function shareScenarios(
  documents: readonly PreparedDocument[],
  scenario: MockChoice['scenario'],
): Shared[] {
  const wanted = typeof scenario === 'string' ? [scenario] : (scenario ?? []);
  const known = new Set(documents.flatMap(({ scenarios }) => scenarios.map(({ name }) => name)));
  const unknown = wanted.find((name) => !known.has(name));
  if (unknown !== undefined)
    throw new VouchError('usage', `There is no scenario ${unknown}.`, {
      hint: suggestScenario(unknown, [...known]),
    });
  return documents.map(({ name, base, contract, fixtures, scenarios, assumptions }) => {
    const own = wanted.filter((each) => scenarios.some((offered) => offered.name === each));
    return {
      name,
      contract,
      ...defined({ base }),
      options: {
        fixtures,
        scenarios,
        assumptions,
        ...scenarioOf(own.length === 0 ? undefined : own),
      },
    };
  });
}

function scenarioOf(scenario: MockChoice['scenario']): Pick<MockOptions, 'scenario'> {
  return scenario === undefined ? {} : { scenario };
}

/** Unrestricted keys first: the banner shows the first key, and the self-check uses it. */
function keyTexts(keys: readonly MockKey[]): string[] {
  return [...keys]
    .sort((left, right) => Number(isLimited(left)) - Number(isLimited(right)))
    .map(keyText);
}

function isLimited(key: MockKey): boolean {
  return typeof key !== 'string' && key.scopes !== undefined;
}

async function gatherFixtures(
  fixtures: string | Fixtures | false | undefined,
  contract: Contract,
): Promise<Fixtures> {
  if (fixtures === undefined || fixtures === false) return new Map();
  return typeof fixtures === 'string' ? loadFixturesOnce(fixtures, contract) : fixtures;
}

async function gatherScenarios(
  scenarios: MockChoice['scenarios'] = [],
): Promise<readonly Scenario[]> {
  if (typeof scenarios === 'string') return loadScenariosOnce(scenarios);
  return isList(scenarios)
    ? scenarios
    : Object.entries(scenarios).map(([name, value]) => parseScenario(name, value));
}

/** Unlike `Array.isArray`, narrows to a readonly list. */
function isList(
  scenarios: readonly Scenario[] | Readonly<Record<string, JsonObject>>,
): scenarios is readonly Scenario[] {
  return Array.isArray(scenarios);
}

function makeClock(clock: string | Date | (() => Date) | undefined): () => Date {
  if (clock === undefined) return () => new Date();
  if (typeof clock === 'function') return clock;
  const fixed = new Date(clock);
  return () => new Date(fixed);
}

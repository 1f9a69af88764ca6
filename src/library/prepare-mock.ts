import { randomBytes, randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { type Config, emptyConfig } from '../config/config.ts';
import type { Contract } from '../contract/model.ts';
import { VouchError } from '../errors.ts';
import { defined } from '../json/defined.ts';
import type { JsonObject } from '../json/value.ts';
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
 * How the mock is to behave. Everything left out comes from the configuration, or from what suits
 * most.
 */
export interface MockChoice extends DocumentsChoice, StoreChoice {
  /**
   * The name of a scenario that is on for every request; or of several, in the order in which they
   * are asked.
   */
  readonly scenario?: string | readonly string[];
  /**
   * The credentials that the mock knows, with the scopes that each has. Default `demo-key`, with
   * all.
   */
  readonly keys?: readonly MockKey[];
  /** How the token endpoint makes tokens; `false` makes none. */
  readonly tokens?: TokenSettings | false;
  /** Default `known`: only a known key is let in. */
  readonly authentication?: AuthenticationMode;
  /** A fixed present (`2030-12-06`, or a date), or a clock of your own. */
  readonly clock?: string | Date | (() => Date);
  /** The same seed makes the same generated answers. */
  readonly seed?: string;
  /**
   * How many records a collection starts with that has neither fixtures nor examples in the
   * contract. Default 3; 0 starts empty.
   */
  readonly seedRecords?: number;
}

/** A contract that is served, with what belongs to it. */
export interface PreparedDocument {
  /** The word for it where there are several. */
  readonly name: string;
  /** The base path in the place of the contract's own. */
  readonly base?: string;
  readonly contract: Contract;
  readonly config: Config;
  readonly scenarios: readonly Scenario[];
  readonly fixtures: Fixtures;
  readonly assumptions: readonly Assumption[];
  /** The folders that fixtures and scenarios were read from: absolute paths. */
  readonly folders: readonly string[];
}

/** A mock that is ready to answer, with what it was made from. */
export interface PreparedMock {
  readonly mock: Mock;
  readonly store: Store;
  /** Where records are kept, fit to be shown; undefined where that is memory. */
  readonly storePlace?: string | undefined;
  /** One, or several on one port. */
  readonly documents: readonly PreparedDocument[];
  /** The first document's. */
  readonly contract: Contract;
  readonly config: Config;
  readonly keys: readonly string[];
  readonly scenarios: readonly Scenario[];
  readonly fixtures: Fixtures;
}

/** Gathers contracts, records and scenarios, and brings the mock to life; nothing listens yet. */
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

/** Mocks of the same contracts share records, where they share a store. */
function realmOf(documents: readonly PreparedDocument[]): string {
  return JSON.stringify(
    documents.map(({ name, contract }) => [
      ...(documents.length === 1 ? [] : [name]),
      contract.title,
      contract.version,
    ]),
  );
}

/** Reads everything that the mock is made from. Throws a VouchError for what cannot be used. */
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

/**
 * Makes the mock and fills the store with the fixtures; what the store holds already is laid over
 * them.
 */
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

/** Beside each store, which outlives every reload, what is remembered of tokens. */
const tokenMemories = new WeakMap<Store, TokenMemory>();

/**
 * Tokens that one contract gives out are good for the others on the port, and after a reload: they
 * share a key and a memory.
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

/** Each contract is told of those scenarios that it has. */
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

/**
 * Those that open everything come first: the first one is shown to people, and checks the mock
 * itself.
 */
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

/** Unlike `Array.isArray` it narrows to a readonly list. */
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

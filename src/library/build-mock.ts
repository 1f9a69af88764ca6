import type { Config } from '../config/config.ts';
import { parseGivenFixtures } from '../config/parse-fixtures.ts';
import type { Contract } from '../contract/model.ts';
import { usage, VouchError } from '../errors.ts';
import { defined, type JsonObject, type JsonValue, pick } from '../json/value.ts';
import { wordsIn } from '../words-in.ts';
import { makeMock } from '../mock/contract-mock.ts';
import type { NamedContract } from '../mock/join/join-contracts.ts';
import { joinMocks } from '../mock/join/join-mocks.ts';
import type { Mock, MockOptions } from '../mock/mock.ts';
import type { AuthenticationMode, ValidationMode } from '../mock/model/reply.ts';
import { parseScenario } from '../mock/scenarios/parse/parse-scenario.ts';
import { unknownScenario } from '../mock/scenarios/scenario-fault.ts';
import type { Scenario } from '../mock/scenarios/scenario.ts';
import { demoKey, keyText, type MockKey } from '../mock/security/credentials.ts';
import { TokenMemory } from '../mock/tokens/token-memory.ts';
import type { TokenSettings } from '../mock/tokens/token-options.ts';
import { remember } from '../remember.ts';
import type { Fixtures, Store } from '../store/store.ts';
import type { DocumentRecords } from './choose-documents.ts';

/** How the mock behaves. What is left out comes from the configuration or has a default. */
export interface MockSettings {
  /**
   * The name of a scenario that is active for every request; or several, in order of precedence.
   */
  readonly scenario?: string | readonly string[] | undefined;
  /**
   * The credentials that the mock accepts, with their scopes. Default: `demo-key`, with all scopes.
   */
  readonly keys?: readonly MockKey[];
  /** The settings of the token endpoint; `false` disables it. */
  readonly tokens?: TokenSettings | false;
  /** The accepted credentials. Default `known`: only known keys. */
  readonly authentication?: AuthenticationMode | undefined;
  /** A fixed date (`2030-12-06` or a Date), or a function that returns the current date. */
  readonly clock?: string | Date | (() => Date) | undefined;
  /** The same seed generates the same responses. */
  readonly seed?: string | undefined;
  /**
   * The number of initial records of a collection without fixtures and examples. Default 3; 0
   * starts empty.
   */
  readonly records?: number | undefined;
  /** The old name of `records`. */
  readonly seedRecords?: number | undefined;
  /**
   * Answers every request with newly generated values instead of examples and records; no record
   * changes. Responses differ from request to request, unless there is a `seed`. Default false.
   */
  readonly dynamic?: boolean | undefined;
  /**
   * What happens to requests that violate the contract. `on` refuses them. `warn` answers them, and
   * says what is wrong in the log and in the header `Vouch-Invalid-Request`. `off` answers them.
   * Default `on`.
   */
  readonly validate?: ValidationMode | undefined;
}

/** A contract to serve, with its data. */
export interface PreparedDocument
  extends NamedContract, Pick<MockOptions, 'scenarios' | 'fixtures' | 'handlers' | 'assumptions'> {
  readonly config: Config;
  /** The folders of the fixtures, scenarios and handlers: absolute paths. */
  readonly folders: readonly string[];
  /** The folder of the user's scenarios: an absolute path. */
  readonly scenarioFolder?: string | undefined;
}

/** A mock that is ready to answer requests, with its sources. */
export interface PreparedMock extends Pick<MockOptions, 'store' | 'scenarios' | 'fixtures'> {
  readonly mock: Mock;
  /** The location of the store without secrets; undefined for memory. */
  readonly storePlace?: string | undefined;
  /** One document, or several on one port. */
  readonly documents: readonly PreparedDocument[];
  /** The contract of the first document. */
  readonly contract: Contract;
  readonly config: Config;
  readonly keys: readonly string[];
}

/** Records of a program: parsed, or as written in a file. Throws a VouchError for a wrong one. */
export function readFixtures(
  fixtures: Exclude<DocumentRecords['fixtures'], string | undefined>,
  contract: Contract,
): Fixtures {
  if (fixtures === false) return new Map();
  return isMap(fixtures) ? fixtures : parseGivenFixtures(fixtures, contract);
}

/** Unlike `instanceof Map`, narrows a readonly map. */
function isMap(fixtures: Fixtures | Readonly<Record<string, JsonValue>>): fixtures is Fixtures {
  return fixtures instanceof Map;
}

/** Scenarios of a program: parsed, or as written in their files, by name. */
export function parseScenarios(
  scenarios: Exclude<DocumentRecords['scenarios'], string | undefined>,
): readonly Scenario[] {
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

/** The most records that a collection may start with. */
const mostRecords = 1_000;

/** How many records are generated. Throws `usage` if that is no such number. */
function countOfRecords({ records, seedRecords }: MockSettings, { mock }: Config): number {
  const count = records ?? seedRecords ?? mock.records ?? 3;
  if (Number.isInteger(count) && count >= 0 && count <= mostRecords) return count;
  throw usage(`${String(count)} is not a number of records to start with.`, {
    hint: `Give an integer from 0 to ${String(mostRecords)}.`,
  });
}

/** Makes the mock, fills the store with the fixtures and applies the stored changes. */
export async function buildMock(
  documents: readonly PreparedDocument[],
  choice: MockSettings & Pick<DocumentRecords, 'fixtures'>,
  store: Store,
): Promise<PreparedMock> {
  const [first] = documents;
  if (first === undefined) throw new VouchError('internal', 'There is no contract to serve.');
  const { contract, config } = first;
  const keys = choice.keys ?? config.mock.keys ?? [demoKey];
  const common = {
    keys,
    ...tokenOptions(choice, config, store),
    authentication: choice.authentication ?? 'known',
    clock: makeClock(choice.clock),
    seed: choice.seed ?? config.mock.seed ?? 'vouch',
    seedRecords: choice.fixtures === false ? 0 : countOfRecords(choice, config),
    makeId: () => crypto.randomUUID(),
    ...defined({ validate: choice.validate ?? config.mock.validate }),
    ...((choice.dynamic ?? config.mock.dynamic) === true
      ? { dynamic: { repeats: (choice.seed ?? config.mock.seed) !== undefined } }
      : {}),
  };
  const mock =
    documents.length === 1
      ? await makeMock({
          ...common,
          store,
          ...scenarioOf(choice.scenario),
          ...pick(first, wordsIn('contract fixtures scenarios handlers assumptions')),
          ...(first.base === undefined ? {} : { mounting: { base: first.base } }),
        })
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
  { tokens }: MockSettings,
  config: Config,
  store: Store,
): Pick<MockOptions, 'tokens'> {
  if (tokens === false) return {};
  const memory = remember(tokenMemories, store, () => new TokenMemory(randomBytes));
  return { tokens: { settings: tokens ?? config.mock.tokens ?? {}, random: randomBytes, memory } };
}

type Shared = Pick<PreparedDocument, 'name' | 'contract' | 'base'> & {
  readonly options: Pick<
    MockOptions,
    'fixtures' | 'scenarios' | 'handlers' | 'assumptions' | 'scenario'
  >;
};

/** Passes each contract the active scenarios that it has. */
function shareScenarios(
  documents: readonly PreparedDocument[],
  scenario: MockSettings['scenario'],
): Shared[] {
  const wanted = typeof scenario === 'string' ? [scenario] : (scenario ?? []);
  const known = new Set(documents.flatMap(({ scenarios }) => scenarios.map(({ name }) => name)));
  const unknown = wanted.find((name) => !known.has(name));
  if (unknown !== undefined) throw unknownScenario(unknown, [...known]);
  return documents.map(({ name, base, contract, fixtures, scenarios, handlers, assumptions }) => {
    const own = wanted.filter((each) => scenarios.some((offered) => offered.name === each));
    return {
      name,
      contract,
      ...defined({ base }),
      options: {
        fixtures,
        scenarios,
        assumptions,
        ...defined({ handlers }),
        ...scenarioOf(own.length === 0 ? undefined : own),
      },
    };
  });
}

function scenarioOf(scenario: MockSettings['scenario']): Pick<MockOptions, 'scenario'> {
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

function makeClock(clock: string | Date | (() => Date) | undefined): () => Date {
  if (clock === undefined) return () => new Date();
  if (typeof clock === 'function') return clock;
  const fixed = new Date(clock);
  return () => new Date(fixed);
}

function randomBytes(length: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(length));
}

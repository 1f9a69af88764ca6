import { resolve } from 'node:path';
import { emptyConfig } from '../config/config.ts';
import { fillOpenAnswers } from '../contract/infer/open-answers.ts';
import type { Contract } from '../contract/model.ts';
import { defined } from '../json/value.ts';
import type { Handlers } from '../mock/handlers/handler.ts';
import type { Scenario } from '../mock/scenarios/scenario.ts';
import type { Fixtures } from '../store/store.ts';
import type { MockSettings, PreparedDocument, PreparedMock } from './build-mock.ts';
import { buildMock, parseScenarios, readFixtures } from './build-mock.ts';
import { chooseDocuments, type DocumentsChoice } from './choose-documents.ts';
import { loadHandlers } from './handlers/load-handlers.ts';
import { loadFixturesOnce, loadScenariosOnce } from './load-once.ts';
import { openStore, type StoreChoice } from './open-store.ts';

/**
 * The behavior of the mock. Options that are left out come from the configuration or have defaults.
 */
export interface MockChoice extends DocumentsChoice, StoreChoice, MockSettings {}

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
    chosen.map(async ({ name, base, config, fixtures, scenarios, ...more }) => {
      const contract = fillOpenAnswers(more.contract);
      return {
        name,
        ...defined({ base, handlers: await gatherHandlers(more.handlers) }),
        contract,
        config,
        scenarios: await gatherScenarios(scenarios),
        fixtures: await gatherFixtures(fixtures, contract),
        assumptions: more.assume ?? [],
        // The folder of the bundled contract is in the package, which is not the user's.
        ...(typeof scenarios === 'string' && choice.demo !== true
          ? { scenarioFolder: resolve(scenarios) }
          : {}),
        folders: [fixtures, scenarios, more.handlers].flatMap((folder) =>
          typeof folder === 'string' ? [resolve(folder)] : [],
        ),
      };
    }),
  );
}

async function gatherFixtures(
  fixtures: MockChoice['fixtures'],
  contract: Contract,
): Promise<Fixtures> {
  return typeof fixtures === 'string'
    ? loadFixturesOnce(fixtures, contract)
    : readFixtures(fixtures ?? false, contract);
}

async function gatherScenarios(
  scenarios: MockChoice['scenarios'] = [],
): Promise<readonly Scenario[]> {
  return typeof scenarios === 'string' ? loadScenariosOnce(scenarios) : parseScenarios(scenarios);
}

async function gatherHandlers(handlers: MockChoice['handlers']): Promise<Handlers | undefined> {
  return typeof handlers === 'string' ? loadHandlers(handlers) : handlers;
}

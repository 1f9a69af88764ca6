import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { loadFixtures } from '../config/load-fixtures.ts';
import { loadScenarios } from '../config/load-scenarios.ts';
import { configFileNames, readConfig } from '../config/read-config.ts';
import { loadContract, type LoadOptions } from '../contract/load.ts';
import type { Contract, ResourceOverrides } from '../contract/model.ts';
import { overrideResources } from '../contract/infer/override-resources.ts';
import type { Scenario } from '../mock/scenarios/scenario.ts';
import type { Fixtures } from '../store/store.ts';
import { FileMemory, type MadeFromFiles } from './remember.ts';

const configs = new FileMemory<Config>(8);
const contracts = new FileMemory<Contract>(8);
const overridden = new WeakMap<Contract, WeakMap<ResourceOverrides, Contract>>();
const scenarios = new FileMemory<readonly Scenario[]>(8);
/** Fixtures are held against a contract, so they are remembered with it. */
const fixtures = new WeakMap<Contract, FileMemory<Fixtures>>();

/** `loadContract` for a file, read again only when it, or a file that it refers to, has changed. */
export function loadContractOnce(file: string, options: LoadOptions = {}): Promise<Contract> {
  return contracts.recall(
    `${resolve(file)} ${process.cwd()} ${(options.allowRefHosts ?? []).join(' ')}`,
    async () => {
      const value = await loadContract(file, options);
      return { value, files: value.files };
    },
  );
}

/** `readConfig`, likewise; a file that comes into being is seen too. */
export function readConfigOnce(folder: string, named?: string): Promise<Config> {
  return configs.recall(`${folder} ${named ?? ''}`, async () => {
    const value = await readConfig(folder, named);
    const names = named === undefined ? configFileNames : [named];
    return { value, files: names.map((name) => resolve(folder, name)) };
  });
}

/**
 * `overrideResources`, once for a contract and the overrides that are remembered with its
 * configuration.
 */
export function overrideOnce(contract: Contract, overrides: ResourceOverrides): Contract {
  const known = overridden.get(contract) ?? new WeakMap<ResourceOverrides, Contract>();
  const made = known.get(overrides) ?? overrideResources(contract, overrides);
  overridden.set(contract, known.set(overrides, made));
  return made;
}

/** `loadScenarios`, likewise. */
export function loadScenariosOnce(folder: string): Promise<readonly Scenario[]> {
  return scenarios.recall(resolve(folder), () => fromFolder(folder, loadScenarios(folder)));
}

/** `loadFixtures`, likewise. */
export function loadFixturesOnce(folder: string, contract: Contract): Promise<Fixtures> {
  const memory = fixtures.get(contract) ?? new FileMemory<Fixtures>(4);
  fixtures.set(contract, memory);
  return memory.recall(resolve(folder), () => fromFolder(folder, loadFixtures(folder, contract)));
}

async function fromFolder<Made>(folder: string, made: Promise<Made>): Promise<MadeFromFiles<Made>> {
  const value = await made;
  return { value, files: await filesOf(folder) };
}

/** A folder of data files, and the files in it. */
export async function filesOf(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return [
    folder,
    ...names.filter((name) => /\.(ya?ml|json)$/i.test(name)).map((name) => join(folder, name)),
  ];
}

import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Config, configFileNames, readConfig } from '../config/config.ts';
import { loadFixtures } from '../config/load-fixtures.ts';
import { loadScenarios } from '../config/read-data.ts';
import { overrideResources } from '../contract/infer/override-resources.ts';
import { loadContract, type LoadOptions } from '../contract/load.ts';
import type { Contract, ResourceOverrides } from '../contract/model.ts';
import type { Scenario } from '../mock/scenarios/scenario.ts';
import { RecentMap } from '../store/recent-map.ts';
import type { Fixtures } from '../store/store.ts';

/**
 * What was made from files, and which files these were: absolute paths, folders among them where
 * their entries count.
 */
interface CachedFromFiles<Made> {
  readonly value: Made;
  readonly files: readonly string[];
}

interface Remembered<Made> extends CachedFromFiles<Made> {
  readonly stamp: string;
}

/**
 * Remembers what was made from files for as long as these are as they were: by time of change, size
 * and inode. Tests start many mocks of the same contract in one process, and only the first has to
 * read it.
 */
class FileMemory<Made> {
  readonly #known: RecentMap<string, Remembered<Made>>;

  constructor(capacity: number) {
    this.#known = new RecentMap(capacity);
  }

  async recall(key: string, make: () => Promise<CachedFromFiles<Made>>): Promise<Made> {
    const known = this.#known.get(key);
    if (known !== undefined && known.stamp === (await stampOf(known.files)).stamp)
      return known.value;
    const began = Date.now();
    const made = await make();
    const { stamp, newest } = await stampOf(made.files);
    // What changed while it was read, or in the same tick of the file system's clock before, may
    // have been read half.
    if (newest < began - tickMs) this.#known.set(key, { ...made, stamp });
    else this.#known.delete(key);
    return made.value;
  }
}

const tickMs = 20;

/**
 * How files stand: two stamps are the same where nothing was changed between them. A file that is
 * not there has a stamp too.
 */
export async function stampOf(
  files: readonly string[],
): Promise<{ readonly stamp: string; readonly newest: number }> {
  const stats = await Promise.all(files.map(async (file) => stat(file).catch(() => undefined)));
  const stamp = stats
    .map((each) =>
      each === undefined ? '-' : `${String(each.mtimeMs)} ${String(each.size)} ${String(each.ino)}`,
    )
    .join('\n');
  return { stamp, newest: Math.max(0, ...stats.map((each) => each?.mtimeMs ?? 0)) };
}

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

async function fromFolder<Made>(
  folder: string,
  made: Promise<Made>,
): Promise<CachedFromFiles<Made>> {
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

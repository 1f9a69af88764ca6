import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Config, configFileNames, readConfig } from '../config/config.ts';
import { loadFixtures, loadScenarios } from '../config/read-data.ts';
import { withResources } from '../contract/infer/open-answers.ts';
import { withRules } from '../contract/infer/override-resources.ts';
import { loadContract, type LoadOptions } from '../contract/load.ts';
import { absoluteSource, isAddress } from '../contract/load/source.ts';
import type { ConfiguredRules, Contract, ResourceOverrides } from '../contract/model.ts';
import { VouchError } from '../errors.ts';
import type { Scenario } from '../mock/scenarios/scenario.ts';
import { remember } from '../remember.ts';
import { RecentMap } from '../store/recent-map.ts';
import type { Fixtures } from '../store/store.ts';

/**
 * A value made from files, with the absolute paths of these files, and of folders whose entries
 * matter.
 */
interface CachedFromFiles<Made> {
  readonly value: Made;
  readonly files: readonly string[];
}

interface Remembered<Made> extends CachedFromFiles<Made> {
  readonly stamp: string;
}

/**
 * Caches values made from files until one of the files changes its modification time, size or
 * inode. Tests start many mocks of the same contract in one process; only the first one reads it.
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
    // A file that changed during the read, or just before it within the resolution of the file
    // system's clock, may have been read incompletely, so its value is not cached.
    if (newest < began - tickMs) this.#known.set(key, { ...made, stamp });
    else this.#known.delete(key);
    return made.value;
  }
}

const tickMs = 20;

/**
 * A stamp of the state of files: two stamps are equal if nothing changed in between. A missing file
 * has a stamp too.
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
/**
 * By contract and configuration. The memories of this module belong to the process, and a contract
 * may be one that the user loaded: nothing else lives as long.
 */
const overridden = new WeakMap<Contract, WeakMap<object, Contract>>();
const scenarios = new FileMemory<readonly Scenario[]>(8);
/**
 * Fixtures are validated against a contract, so they are cached per contract, for the same reason.
 */
const fixtures = new WeakMap<Contract, FileMemory<Fixtures>>();

/**
 * `loadContract` for a file, cached until the file or a referenced file changes. A URL is read each
 * time: nothing says when its document changes.
 */
export function loadContractOnce(file: string, options: LoadOptions = {}): Promise<Contract> {
  if (isAddress(file)) return loadContract(file, options);
  return contracts.recall(
    [
      absoluteSource(file),
      process.cwd(),
      ...(options.overlays ?? []),
      ...(options.allowRefHosts ?? []),
    ]
      .concat(options.root ?? '', JSON.stringify(options.facts?.statements ?? {}))
      .join(' '),
    async () => {
      const value = await loadContract(file, options);
      return { value, files: value.files };
    },
  );
}

/** `readConfig`, cached; a new configuration file invalidates the entry. */
export function readConfigOnce(folder: string, named?: string): Promise<Config> {
  return configs.recall(`${folder} ${named ?? ''}`, async () => {
    const value = await readConfig(folder, named);
    const names = named === undefined ? configFileNames : [named];
    return { value, files: names.map((name) => resolve(folder, name)) };
  });
}

/** What people say of a contract beside the document. */
export interface ContractOverrides {
  readonly resources?: ResourceOverrides | undefined;
  /** The configuration whose rules count too. */
  readonly rulesOf?: Config;
}

/**
 * The contract with the resources and rules of a configuration. Made once for the objects that are
 * remembered with the configuration. Throws a VouchError for a rule that cannot be read, also for
 * one in the document.
 */
export function overrideOnce(
  contract: Contract,
  { resources, rulesOf }: ContractOverrides,
): Contract {
  const known = remember(overridden, contract, () => new WeakMap<object, Contract>());
  const recall = (key: object | undefined, from: Contract, make: () => Contract): Contract => {
    if (key === undefined) return from;
    return remember(known, key, make);
  };
  const placed = recall(resources, contract, () => withResources(contract, resources ?? {}));
  const { rules: statements } = rulesOf ?? {};
  const fault = rulesOf?.fault ?? configFault;
  const ruled = recall(statements, placed, () =>
    withRules(placed, { statements: statements ?? {}, fault: inRules(fault) }),
  );
  // A rule that cannot be read is reported when a contract is chosen, not in the middle of a run.
  void ruled.rules;
  return ruled;
}

function inRules(fault: NonNullable<Config['fault']>): ConfiguredRules['fault'] {
  return (pointer, message, hint) => fault(`/rules${pointer}`, message, hint);
}

export function configFault(_at: string, message: string, hint?: string): VouchError {
  return new VouchError('config-invalid', message, hint === undefined ? {} : { hint });
}

/** `loadScenarios`, cached. */
export function loadScenariosOnce(folder: string): Promise<readonly Scenario[]> {
  return scenarios.recall(resolve(folder), () => fromFolder(folder, loadScenarios(folder)));
}

/** `loadFixtures`, cached. */
export function loadFixturesOnce(folder: string, contract: Contract): Promise<Fixtures> {
  const memory = remember(fixtures, contract, () => new FileMemory<Fixtures>(4));
  return memory.recall(resolve(folder), () => fromFolder(folder, loadFixtures(folder, contract)));
}

async function fromFolder<Made>(
  folder: string,
  made: Promise<Made>,
): Promise<CachedFromFiles<Made>> {
  const value = await made;
  return { value, files: await filesOf(folder) };
}

/** A folder of data files or modules, and the files in it. */
export async function filesOf(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return [
    folder,
    ...names
      .filter((name) => /\.(ya?ml|json|[cm]?[jt]s)$/i.test(name))
      .map((name) => join(folder, name)),
  ];
}

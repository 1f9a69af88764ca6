import { resolve } from 'node:path';
import { emptyConfig, type Config } from '../config/config.ts';
import { readConfig } from '../config/read-config.ts';
import { loadContract } from '../contract/load.ts';
import type { Contract } from '../contract/model.ts';
import { VouchError } from '../errors.ts';
import type { JsonObject } from '../json/value.ts';
import { packageFolder } from './bundled.ts';

/** What decides which contract is meant. */
export interface ContractChoice {
  /** A path, a document already parsed, or a contract already loaded. */
  readonly contract?: string | JsonObject | Contract;
  /** The configuration's path; `false` reads none. Left out: `vouch.config.yaml` in the current folder, where there is one. */
  readonly config?: string | false;
}

/** A contract with the configuration that belongs to it. */
export interface ChosenContract {
  readonly contract: Contract;
  readonly config: Config;
}

/**
 * The contract that is meant, in this order: the one named, the configuration's, the bundled one. Fixtures, scenarios and
 * assumptions count only for the contract that the configuration names, since they speak of its records.
 */
export async function chooseContract(choice: ContractChoice = {}): Promise<ChosenContract> {
  const found = choice.config === false ? emptyConfig : await readConfig(process.cwd(), choice.config);
  if (choice.contract === undefined) {
    const config = found.contract === undefined ? withSettings(await readConfig(packageFolder), found) : found;
    if (config.contract === undefined) throw new VouchError('config-invalid', 'No contract is named.', { hint: 'Name an OpenAPI document.' });
    return { contract: await loadContract(config.contract), config };
  }
  const contract = typeof choice.contract === 'string' || !isLoaded(choice.contract) ? await loadContract(choice.contract) : choice.contract;
  const same = found.contract !== undefined && typeof choice.contract === 'string' && resolve(choice.contract) === found.contract;
  return { contract, config: same ? found : withoutRecords(found) };
}

/** The bundled configuration, with what the user's own settles. */
function withSettings(bundled: Config, own: Config): Config {
  return { ...bundled, ...own, mock: { ...bundled.mock, ...own.mock }, targets: own.targets };
}

function withoutRecords(config: Config): Config {
  const { fixtures: _fixtures, scenarios: _scenarios, assume: _assume, ...mock } = config.mock;
  return { ...config, mock };
}

function isLoaded(contract: JsonObject | Contract): contract is Contract {
  return 'locate' in contract && typeof contract.locate === 'function';
}

import { relative, resolve } from 'node:path';
import { emptyConfig, type Config, type DocumentConfig } from '../config/config.ts';
import { loadContract, type LoadOptions } from '../contract/load.ts';
import type { Contract } from '../contract/model.ts';
import { VouchError } from '../errors.ts';
import type { JsonObject } from '../json/value.ts';
import { packageFolder } from './package-files.ts';
import {
  type ContractOverrides,
  loadContractOnce,
  overrideOnce,
  readConfigOnce,
} from './load-once.ts';
import { defined } from '../json/defined.ts';

/** The options that select a contract. */
export interface ContractChoice {
  /** A path, a document already parsed, or a contract already loaded. */
  readonly contract?: string | JsonObject | Contract;
  /**
   * The path of the configuration; `false` reads none. Default: `vouch.config.yaml` in the current
   * folder, if it exists.
   */
  readonly config?: string | false;
  /** Hosts from which `$ref` may fetch documents. Default: none. */
  readonly allowRefHosts?: readonly string[];
  /**
   * A folder whose files the contract may refer to. The repository that it lies in, unless told.
   */
  readonly root?: string;
}

/** A contract with its configuration. */
export interface ChosenContract {
  readonly contract: Contract;
  readonly config: Config;
}

/**
 * Selects the contract: the given one, otherwise the configuration's, otherwise the bundled one.
 * Fixtures, scenarios and assumptions of the configuration apply only to the contract that it
 * names.
 */
export async function chooseContract(choice: ContractChoice = {}): Promise<ChosenContract> {
  const found =
    choice.config === false ? emptyConfig : await readConfigOnce(process.cwd(), choice.config);
  if (choice.contract === undefined) {
    if (found.contract === undefined && found.documents !== undefined && found.documents.length > 0)
      throw manyDocuments(found.documents);
    const config =
      found.contract === undefined
        ? withSettings(await readConfigOnce(packageFolder), found)
        : found;
    if (config.contract === undefined)
      throw new VouchError('config-invalid', 'No contract is named.', {
        hint: 'Name an OpenAPI document.',
      });
    return {
      contract: overrideOnce(
        await loadContractOnce(config.contract, refOptions(choice)),
        overridesOf(config),
      ),
      config,
    };
  }
  const contract = await loadChosen(choice.contract, choice);
  const same =
    found.contract !== undefined &&
    typeof choice.contract === 'string' &&
    resolve(choice.contract) === found.contract;
  return same
    ? { contract: overrideOnce(contract, overridesOf(found)), config: found }
    : { contract: overrideOnce(contract, {}), config: withoutRecords(found) };
}

function overridesOf(config: Config): ContractOverrides {
  return { resources: config.mock.resources, rulesOf: config };
}

async function loadChosen(
  contract: string | JsonObject | Contract,
  choice: ContractChoice,
): Promise<Contract> {
  if (typeof contract === 'string') return loadContractOnce(contract, refOptions(choice));
  return isLoaded(contract) ? contract : loadContract(contract, refOptions(choice));
}

function refOptions({ allowRefHosts, root }: ContractChoice): LoadOptions {
  return defined({ allowRefHosts, root });
}

function manyDocuments(documents: readonly DocumentConfig[]): VouchError {
  return new VouchError(
    'config-invalid',
    'The configuration names several documents, and this takes one.',
    {
      hint:
        'Name the one that is meant: ' +
        `${documents.map(({ contract }) => relative(process.cwd(), contract)).join(', ')}.`,
    },
  );
}

/** The bundled configuration with the settings of the user's configuration. */
function withSettings(bundled: Config, own: Config): Config {
  return {
    ...bundled,
    ...own,
    mock: { ...bundled.mock, ...own.mock },
    targets: own.targets,
    ...defined({ fault: own.fault }),
  };
}

function withoutRecords(config: Config): Config {
  const {
    fixtures: _fixtures,
    scenarios: _scenarios,
    assume: _assume,
    resources: _resources,
    ...mock
  } = config.mock;
  return { ...config, mock };
}

function isLoaded(contract: JsonObject | Contract): contract is Contract {
  return 'locate' in contract && typeof contract.locate === 'function';
}

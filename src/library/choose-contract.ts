import { wordsIn } from '../words-in.ts';
import { relative, resolve } from 'node:path';
import { type Config, type DocumentConfig, emptyConfig } from '../config/config.ts';
import { loadContract, type LoadOptions } from '../contract/load.ts';
import { absoluteSource } from '../contract/load/source.ts';
import type { Contract } from '../contract/model.ts';
import { usage, VouchError } from '../errors.ts';
import { defined, type JsonObject, pick } from '../json/value.ts';
import { findOnlyDocument } from './find-documents.ts';
import { packageFolder } from './package-files.ts';
import type { ContractOverrides } from './load-once.ts';
import { loadContractOnce, configFault, overrideOnce, readConfigOnce } from './load-once.ts';

/** The options that select a contract. */
export interface ContractChoice {
  /** A path, a URL, a document already parsed, or a contract already loaded. */
  readonly contract?: string | JsonObject | Contract | undefined;
  /** Uses the bundled contract with its fixtures and scenarios. Default: false. */
  readonly demo?: boolean | undefined;
  /**
   * The path of the configuration; `false` reads none. Default: `vouch.config.yaml` in the current
   * folder, if it exists.
   */
  readonly config?: string | false | undefined;
  /** Hosts from which `$ref` may fetch documents. Default: none. */
  readonly allowRefHosts?: readonly string[] | undefined;
  /** Header fields for the request of a contract that is named by its URL. Never shown. */
  readonly documentHeaders?: Readonly<Record<string, string>> | undefined;
  /**
   * A folder whose files the contract may reference. Default: the repository of the document.
   */
  readonly root?: string | undefined;
  /**
   * Files with OpenAPI Overlays, which are applied to the document, after those of the
   * configuration.
   */
  readonly overlays?: readonly string[] | undefined;
}

/** A contract with its configuration. */
export interface ChosenContract {
  readonly contract: Contract;
  readonly config: Config;
}

/**
 * Selects the contract: the given one, otherwise the configuration's, otherwise the one OpenAPI
 * document of the current folder (see `findDocuments`). Fixtures, scenarios and assumptions of the
 * configuration apply only to the contract that it names. Throws a VouchError (`usage`) if the
 * folder has no document, or several, or if `config` is false and no contract is given.
 */
export async function chooseContract(choice: ContractChoice = {}): Promise<ChosenContract> {
  const found =
    choice.config === false ? emptyConfig : await readConfigOnce(process.cwd(), choice.config);
  if (choice.demo === true) return openDemo(choice, found);
  if (choice.contract !== undefined) return openNamed(choice.contract, choice, found);
  if (found.contract === undefined && found.documents !== undefined && found.documents.length > 0)
    throw manyDocuments(found.documents);
  if (choice.config === false)
    throw usage('There is no document: `config: false` reads nothing by itself.', {
      hint: 'Pass `contract`, or leave `config` out to use the document of the current folder.',
    });
  const file = found.contract ?? resolve(await findOnlyDocument(process.cwd()));
  return openConfigured({ ...found, contract: file }, choice);
}

async function openNamed(
  named: string | JsonObject | Contract,
  choice: ContractChoice,
  found: Config,
): Promise<ChosenContract> {
  const isConfigured =
    found.contract !== undefined &&
    typeof named === 'string' &&
    absoluteSource(named) === found.contract;
  const contract = await loadChosen(named, choice, {
    overlays: typeof named === 'string' ? configuredOverlays(named, found) : [],
    ...(isConfigured ? factsOf(found) : {}),
  });
  return isConfigured
    ? { contract: overrideOnce(contract, overridesOf(found)), config: found }
    : { contract: overrideOnce(contract, {}), config: withoutRecords(found) };
}

async function openConfigured(
  config: Config & { readonly contract: string },
  choice: ContractChoice,
): Promise<ChosenContract> {
  const contract = await loadContractOnce(
    config.contract,
    loadOptions(choice, { overlays: config.overlays ?? [], ...factsOf(config) }),
  );
  return { contract: overrideOnce(contract, overridesOf(config)), config };
}

/** The bundled contract with its configuration, and the settings of the user's configuration. */
async function openDemo(choice: ContractChoice, own: Config): Promise<ChosenContract> {
  if (choice.contract !== undefined)
    throw usage('--demo uses the bundled contract and takes no document.', {
      hint: 'Remove the document, or remove --demo.',
    });
  const bundled = await readConfigOnce(packageFolder);
  if (bundled.contract === undefined)
    throw new VouchError('internal', 'The bundled configuration names no contract.');
  const config = {
    ...bundled,
    contract: bundled.contract,
    mock: { ...bundled.mock, ...withoutRecords(own).mock },
    targets: own.targets,
    ...defined({ check: own.check, fault: own.fault }),
  };
  return openConfigured(config, choice);
}

function overridesOf(config: Config): ContractOverrides {
  return { resources: config.mock.resources, rulesOf: config };
}

async function loadChosen(
  contract: string | JsonObject | Contract,
  choice: ContractChoice,
  configured: Configured,
): Promise<Contract> {
  const options = loadOptions(choice, configured);
  if (typeof contract === 'string') return loadContractOnce(contract, options);
  return isLoaded(contract) ? contract : loadContract(contract, options);
}

/** The Overlays that the configuration names for a document. */
function configuredOverlays(named: string, config: Config): readonly string[] {
  const path = absoluteSource(named);
  if (path === config.contract) return config.overlays ?? [];
  return config.documents?.find(({ contract }) => contract === path)?.overlays ?? [];
}

/** What the configuration says of a document. */
type Configured = { readonly overlays: readonly string[] } & Pick<LoadOptions, 'facts'>;

function factsOf({ facts, fault = configFault }: Config): Pick<LoadOptions, 'facts'> {
  return facts === undefined
    ? {}
    : {
        facts: {
          statements: facts,
          fault: (at, message, hint) => fault(`/facts${at}`, message, hint),
        },
      };
}

/** An Overlay that is named twice is applied once. */
function loadOptions(choice: ContractChoice, configured: Configured): LoadOptions {
  const all = [...configured.overlays, ...(choice.overlays ?? [])].map((file) => resolve(file));
  return {
    ...pick(choice, wordsIn('allowRefHosts root documentHeaders')),
    overlays: all.length === 0 ? undefined : [...new Set(all)],
    facts: configured.facts,
  };
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

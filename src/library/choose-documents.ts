import { basename, dirname, extname } from 'node:path';
import { type Config, type DocumentConfig, emptyConfig } from '../config/config.ts';
import { absoluteSource } from '../contract/load/source.ts';
import type { Contract } from '../contract/model.ts';
import { suggestWord, usage, VouchError } from '../errors.ts';
import { defined, type JsonObject, type JsonValue } from '../json/value.ts';
import type { Handlers } from '../mock/handlers/handler.ts';
import type { Assumption } from '../mock/model/reply.ts';
import type { Scenario } from '../mock/scenarios/scenario.ts';
import type { Fixtures } from '../store/store.ts';
import { chooseContract, type ChosenContract, type ContractChoice } from './choose-contract.ts';
import { overrideOnce, readConfigOnce } from './load-once.ts';

/** The data of one contract besides the document. */
export interface DocumentRecords {
  /**
   * The folder with the initial records of every session, or the records: parsed, or as written in
   * a file, by resource; `false` starts empty.
   */
  readonly fixtures?: string | Fixtures | Readonly<Record<string, JsonValue>> | false;
  /**
   * The folder with the scenarios, or the scenarios: parsed, or as written in their files, by name.
   */
  readonly scenarios?: string | readonly Scenario[] | Readonly<Record<string, JsonObject>>;
  /** The folder with the handlers, or the handlers: functions, by operation. */
  readonly handlers?: string | Handlers;
  readonly assume?: readonly Assumption[];
}

/** One of several contracts on one port. */
export interface DocumentChoice extends DocumentRecords {
  /** A path, a URL, a document already parsed, or a contract already loaded. */
  readonly contract: string | JsonObject | Contract;
  /** The name in messages; default: the file name. */
  readonly name?: string;
  /** The base path that replaces the document's: `/orders`; `''` for none. */
  readonly base?: string;
}

/** The contracts to serve, with their data. */
export interface DocumentsChoice extends ContractChoice, DocumentRecords {
  /** Several contracts on one port, each under its own base paths. */
  readonly contracts?: readonly (string | DocumentChoice)[];
  /** The base path that replaces that of the contract, if there is only one. */
  readonly base?: string;
  /** Base paths that replace those of the contracts, by contract name. */
  readonly bases?: Readonly<Record<string, string>> | undefined;
}

/** A contract to serve, with its data. */
export interface ChosenDocument extends ChosenContract, DocumentRecords {
  readonly name: string;
  readonly base?: string;
}

/**
 * Selects the contracts: the given ones, otherwise the configuration's, otherwise the one document
 * of the current folder. Never empty.
 */
export async function chooseDocuments(choice: DocumentsChoice): Promise<readonly ChosenDocument[]> {
  const config =
    choice.config === false ? emptyConfig : await readConfigOnce(process.cwd(), choice.config);
  const wanted = wantedDocuments(choice, config);
  const chosen = await Promise.all(wanted.map((document) => chooseOne(document, choice, config)));
  const names = nameDocuments(
    chosen.flatMap(({ name, contract }) => (name === undefined ? [contract] : [])),
  ).values();
  const documents = chosen.map((document): ChosenDocument => {
    const name = document.name ?? names.next().value ?? '';
    return { ...document, name, ...withBase(choice.bases?.[name] ?? document.base ?? choice.base) };
  });
  if (documents.length > 1) refuseCommonRecords(choice);
  refuseNames(documents, Object.keys(choice.bases ?? {}));
  return documents;
}

type Wanted = Omit<DocumentChoice, 'contract'> & Pick<ContractChoice, 'contract'>;

function wantedDocuments(
  { contract, contracts = [], demo = false }: DocumentsChoice,
  config: Config,
): readonly Wanted[] {
  if (contracts.length > 0)
    return contracts.map((document) =>
      typeof document === 'string' ? { contract: document } : document,
    );
  if (contract !== undefined) return [{ contract }];
  return !demo &&
    config.contract === undefined &&
    config.documents !== undefined &&
    config.documents.length > 0
    ? config.documents
    : [{}];
}

/**
 * Completes the options of a document from its entry in the configuration, and a single document
 * also from the rest of the configuration.
 */
async function chooseOne(
  { contract, ...own }: Wanted,
  choice: DocumentsChoice,
  config: Config,
): Promise<Omit<ChosenDocument, 'name'> & Pick<Wanted, 'name'>> {
  const { contract: _one, base: _base, ...rest } = choice;
  const chosen = await chooseContract(contract === undefined ? rest : { ...rest, contract });
  const entry = typeof contract === 'string' ? ofConfig(contract, config) : undefined;
  const { fixtures, scenarios, handlers, assume } = chosen.config.mock;
  const { contract: _entry, resources, ...configured } = entry ?? { contract: '' };
  const { fixtures: given, scenarios: scripts, handlers: functions, assume: assumed } = choice;
  return {
    ...defined({ fixtures, scenarios, handlers, assume }),
    ...configured,
    ...defined({
      fixtures: given,
      scenarios: scripts,
      handlers: functions,
      assume: assumed,
    }),
    ...own,
    ...chosen,
    ...(resources === undefined ? {} : { contract: overrideOnce(chosen.contract, { resources }) }),
  };
}

/** What belongs to one contract: with several contracts, each has its own. */
function refuseCommonRecords(choice: DocumentsChoice): void {
  const { fixtures, scenarios, handlers, assume, base } = choice;
  const named = [
    ...(fixtures === undefined || fixtures === false ? [] : ['fixtures']),
    ...(scenarios === undefined ? [] : ['scenarios']),
    ...(handlers === undefined ? [] : ['handlers']),
    ...(assume === undefined ? [] : ['assume']),
    ...(base === undefined ? [] : ['base']),
  ];
  if (named.length > 0)
    throw usage(`${named.join(' and ')} cannot be for several contracts at once.`, {
      hint:
        'Give each contract its own: contracts: [{ contract, fixtures, scenarios, ' +
        'handlers, assume, base }], or documents in vouch.config.yaml.',
    });
}

function ofConfig(contract: string, { documents = [] }: Config): DocumentConfig | undefined {
  return documents.find((entry) => entry.contract === absoluteSource(contract));
}

function withBase(base: string | undefined): { readonly base?: string } {
  if (base === undefined) return {};
  const path = base.replace(/\/+$/, '');
  if (/^(\/[A-Za-z0-9._~!$&'()*+,;=:@-]+)*$/.test(path)) return { base: path };
  throw usage(`${base} is no base path.`, {
    hint: 'A base path begins with a slash and has no query: /orders or /api/v2.',
  });
}

function refuseNames(documents: readonly ChosenDocument[], bases: readonly string[]): void {
  const names = documents.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new VouchError('config-invalid', `Two contracts are called ${twice}.`, {
      hint: 'Give each a unique name.',
    });
  const unknown = bases.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw usage(`There is no contract ${unknown} to give a base path to.`, {
      hint: suggestWord(unknown, names),
    });
}

/**
 * A unique name for each contract: its file name, its folder name if two files share one, otherwise
 * with a number.
 */
function nameDocuments(contracts: readonly Contract[]): string[] {
  const byFile = contracts.map(({ file, title }) =>
    word(file === '<inline>' ? title : basename(file, extname(file))),
  );
  const names = byFile.map((name, index) =>
    byFile.indexOf(name) === byFile.lastIndexOf(name)
      ? name
      : word(basename(dirname(contracts[index]?.files[0] ?? '')) || name),
  );
  return names.map((name, index) =>
    names.indexOf(name) === index
      ? name
      : `${name}-${String(names.slice(0, index).filter((other) => other === name).length + 1)}`,
  );
}

/** A name of letters, digits, dots and hyphens, which is easy to type after `--base`. */
function word(text: string): string {
  return (
    text
      .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .toLowerCase() || 'document'
  );
}

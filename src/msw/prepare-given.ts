import type { Config } from '../config/config.ts';
import { buildContract } from '../contract/build.ts';
import { fillOpenAnswers, withResources } from '../contract/infer/open-answers.ts';
import { withRules } from '../contract/infer/override-resources.ts';
import type { Contract } from '../contract/model.ts';
import { usage, VouchError } from '../errors.ts';
import { parseJson } from '../json/parse-json.ts';
import { type JsonObject, stringifyJson } from '../json/value.ts';
import type { PreparedDocument, PreparedMock } from '../library/build-mock.ts';
import { buildMock, parseScenarios, readFixtures } from '../library/build-mock.ts';
import type { MockChoice } from '../library/prepare-mock.ts';
import { loadLatePackages } from '../platform.ts';
import { makeMemoryStore } from '../store/local-store.ts';
import { recordLimitFor, type StoredRecord } from '../store/store.ts';

/**
 * What `vouch/vite` read from files at build time: the contract with what it references, records,
 * scenarios and the part of the configuration that concerns the mock. JSON, as texts: they keep
 * every digit.
 */
export interface CompiledSources {
  readonly file: string;
  readonly document: string;
  readonly fixtures: string;
  readonly scenarios: string;
  readonly config: string;
}

/** Options of a mock that needs no files. */
type GivenChoice = MockChoice & { readonly compiled?: CompiledSources };

/**
 * `prepareMock` without files: of compiled sources, of a document that is parsed already, or of one
 * at a URL. The build for browsers puts it in the place of `prepareMock`. Throws a VouchError
 * ('usage') for an option that needs files or the network of a server.
 */
export async function prepareMock(choice: GivenChoice): Promise<PreparedMock> {
  refuseFiles(choice);
  const { maxRecords, maxBytes, bodyLimit } = choice;
  const store = makeMemoryStore({
    ...(maxRecords === undefined ? {} : { records: maxRecords }),
    ...(maxBytes === undefined ? {} : { bytes: maxBytes }),
    ...(bodyLimit === undefined ? {} : { record: recordLimitFor(bodyLimit) }),
  });
  return buildMock([await prepareDocument(choice)], choice, store);
}

async function prepareDocument(choice: GivenChoice): Promise<PreparedDocument> {
  const { compiled } = choice;
  const config = compiled === undefined ? noConfig : (readTrusted(compiled.config) as Config);
  const contract = override(
    compiled === undefined ? await readContract(choice.contract) : await open(compiled, config),
    config,
  );
  const { fixtures = false, scenarios = {}, handlers, base } = choice;
  const { assume = config.mock.assume ?? [] } = choice;
  const known =
    compiled === undefined || choice.fixtures !== undefined
      ? readFixtures(fixtures as Exclude<typeof fixtures, string>, contract)
      : new Map(readTrusted(compiled.fixtures) as [string, StoredRecord[]][]);
  const scripts =
    compiled === undefined || choice.scenarios !== undefined
      ? scenarios
      : (readTrusted(compiled.scenarios) as Record<string, JsonObject>);
  // A text of a scenario may compute in CEL.
  if (!Array.isArray(scripts)) await loadLatePackages(stringifyJson(scripts as JsonObject));
  return {
    name: 'contract',
    base,
    contract,
    config,
    scenarios: parseScenarios(scripts as Exclude<typeof scripts, string>),
    fixtures: known,
    assumptions: assume,
    ...(typeof handlers === 'object' ? { handlers } : {}),
    folders: [],
  };
}

const noConfig: Config = { mock: {}, targets: {} };

/** JSON that `vouch/vite` wrote. */
function readTrusted(text: string): unknown {
  const reading = parseJson(text);
  if (!reading.ok) throw new VouchError('internal', 'The compiled sources cannot be read.');
  return reading.value;
}

async function open({ file, document }: CompiledSources, { rules }: Config): Promise<Contract> {
  await loadLatePackages(rules === undefined ? document : `${document} x-vouch-rules`);
  return buildContract({ file, text: document, value: readTrusted(document) });
}

function override(contract: Contract, { mock, rules = {} }: Config): Contract {
  const placed = withResources(contract, mock.resources ?? {});
  const fault = (_at: string, message: string, hint?: string): VouchError =>
    new VouchError('config-invalid', message, hint === undefined ? {} : { hint });
  const ruled = withRules(placed, { statements: rules, fault });
  // A rule that cannot be read is reported now.
  void ruled.rules;
  return fillOpenAnswers(ruled);
}

async function readContract(given: MockChoice['contract']): Promise<Contract> {
  if (given === undefined)
    throw usage('There is no contract.', {
      hint: 'Pass `contract`: a parsed document, or its URL; or what `virtual:vouch` exports.',
    });
  if (isContract(given)) return given;
  if (typeof given === 'string') return readText(await download(given), given);
  const text = stringifyJson(given);
  await loadLatePackages(text);
  return buildContract({ file: '<inline>', text, value: given });
}

async function readText(text: string, file: string): Promise<Contract> {
  // Most pages have a compiled contract, and need no reader of YAML.
  const [{ parseDocument }] = await Promise.all([
    import('../contract/load/parse-document.ts'),
    loadLatePackages(text),
  ]);
  return buildContract({ file, text, ...parseDocument(text, file) });
}

function isContract(given: string | JsonObject | Contract): given is Contract {
  return typeof given === 'object' && 'soundDocument' in given;
}

async function download(url: string): Promise<string> {
  const unreadable = (reason: string, cause?: unknown): VouchError =>
    new VouchError('contract-unreadable', `${url} cannot be fetched: ${reason}.`, {
      cause,
      hint: 'In a browser, `contract` is a URL. To read files at build time, use vouch/vite.',
    });
  const response = await fetch(url).catch((error: unknown) => {
    throw unreadable(String(error), error);
  });
  if (!response.ok) throw unreadable(`status ${String(response.status)}`);
  return response.text();
}

/** The options that need files or sockets, and what to use instead. */
const serverOptions = {
  contracts: 'Make one mock for each contract.',
  demo: 'Pass the contract of your own.',
  config: 'vouch/vite reads the configuration at build time.',
  overlays: 'vouch/vite applies them at build time.',
  root: 'vouch/vite follows references at build time.',
  allowRefHosts: 'vouch/vite follows references at build time.',
  persist: 'Keep mock.snapshot() in the storage of the browser, and restore it.',
  store: 'Keep mock.snapshot() in the storage of the browser, and restore it.',
} as const satisfies Partial<Record<keyof MockChoice, string>>;

function refuseFiles(choice: GivenChoice): void {
  const refuse = (name: string, hint: string): never => {
    throw usage(`The option ${name} needs files or a network of Node.`, { hint });
  };
  for (const [name, hint] of Object.entries(serverOptions)) {
    const value = choice[name as keyof typeof serverOptions];
    if (value !== undefined && value !== false) refuse(name, hint);
  }
  const hint = 'vouch/vite reads the folder at build time; or pass its content itself.';
  if (typeof choice.fixtures === 'string') refuse('fixtures: a folder', hint);
  if (typeof choice.scenarios === 'string') refuse('scenarios: a folder', hint);
  if (typeof choice.handlers === 'string') refuse('handlers: a folder', hint);
}

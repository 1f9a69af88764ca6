import { wordsIn } from '../words-in.ts';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type {
  EffectOverrides,
  ResourceOverrides,
  RuleStatements,
  SchemaIssue,
} from '../contract/model.ts';
import { isAddress } from '../contract/load/source.ts';
import { parseSchema } from '../contract/schema/standalone-schema.ts';
import type { FactStatements } from '../contract/words/state-facts.ts';
import { suggestWord, VouchError } from '../errors.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { defined, isJsonObject, memberOf, pick } from '../json/value.ts';
import type { Pointer } from '../json/pointer.ts';
import type { Assumption, ValidationMode } from '../mock/model/reply.ts';
import type { MockKey } from '../mock/security/credentials.ts';
import type { TokenSettings } from '../mock/tokens/token-options.ts';
import { type DataFile, readDataFile } from './read-data.ts';

/** Operations or checks to skip, with a reason and an end date. */
export interface SkipConfig {
  readonly operation?: string;
  readonly check?: string;
  readonly reason: string;
  /** The last day on which the skip applies, `YYYY-MM-DD`. */
  readonly until?: string;
}

/** The settings of a check, for all deployments or for one. */
export interface CheckConfig {
  /** Requests per second. */
  readonly rate?: number;
  readonly maxRequests?: number;
  /** In seconds: `maxTime` for the whole run, `timeout` for one request. */
  readonly maxTime?: number;
  readonly timeout?: number;
  readonly concurrency?: number;
  /** Parameter values, by operation id and parameter name. */
  readonly examples?: Readonly<Record<string, Readonly<Record<string, JsonValue>>>>;
  /** Values that vouch cannot generate, by operation or by the pointer of a schema. */
  readonly values?: Readonly<Record<string, JsonValue>>;
  readonly skip?: readonly SkipConfig[];
  /** The severity of a check's findings, by check id. */
  readonly checks?: Readonly<Record<string, 'off' | 'note' | 'warning' | 'error'>>;
  /** An operation that takes longer than this many milliseconds is slow. */
  readonly slowMs?: number;
  readonly failOn?: 'note' | 'warning' | 'error';
  /** The effect of operations, by operation id, if vouch infers it wrongly. */
  readonly effects?: EffectOverrides;
  /** Operation ids to send regardless of their effect. */
  readonly allow?: readonly string[];
}

/** An identity that sends requests to a service. */
export interface IdentityConfig {
  /** `env:NAME`, or one variable for each security scheme, by scheme name. */
  readonly auth?: string | Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** What it may do: words for effects, or operations. */
  readonly may?: readonly string[];
  /** The identity whose records it must not reach, and operations that are excepted. */
  readonly sees?: { readonly 'nothing-of': string; readonly except?: readonly string[] };
}

/** A deployment to check, with its credentials and limits. */
export interface TargetConfig extends CheckConfig {
  readonly url: string;
  readonly mode?: 'read-only' | 'read-write' | 'fuzz';
  /**
   * `env:NAME`, the environment variable with the token; or one variable for each security scheme,
   * by scheme name.
   */
  readonly auth?: string | Readonly<Record<string, string>>;
  /** Headers to send with every request, by name: a literal value, or `env:NAME` for a secret. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The identities of the deployment, by name; replaces the identities of the top level. */
  readonly identities?: Readonly<Record<string, IdentityConfig>>;
  /** Base URLs of servers that operations declare themselves, by `x-name`. */
  readonly servers?: Readonly<Record<string, string>>;
}

/** The section `mock` of `vouch.config.yaml`. */
export interface MockConfig {
  /** The first port to try. */
  readonly port?: number;
  /** The credentials that the mock accepts. Each allows everything, or only its scopes. */
  readonly keys?: readonly MockKey[];
  /** The settings of generated tokens. */
  readonly tokens?: TokenSettings;
  readonly fixtures?: string;
  readonly scenarios?: string;
  /** The folder with the modules that answer operations instead of the mock. */
  readonly handlers?: string;
  readonly seed?: string;
  /** The number of initial records of a collection without fixtures and examples. */
  readonly records?: number;
  /** Whether every response is generated, without examples and records. */
  readonly dynamic?: boolean;
  /** What happens to requests that violate the contract. */
  readonly validate?: ValidationMode;
  /** Overrides of inferred resources. */
  readonly resources?: ResourceOverrides;
  /** The file that keeps changes across restarts. */
  readonly persist?: string;
  /** The URL of a Redis that several mocks share, or `env:NAME`. */
  readonly store?: string;
  /** The maximum number of added records in all sessions. */
  readonly maxRecords?: number;
  /** The approximate maximum memory of added and changed records, in bytes. */
  readonly maxBytes?: number;
  readonly assume?: readonly Assumption[];
}

/** One of several contracts on one port. */
export interface DocumentConfig extends Pick<
  MockConfig,
  'fixtures' | 'scenarios' | 'handlers' | 'assume'
> {
  readonly contract: string;
  /** OpenAPI Overlays, which are applied to the document in this order. */
  readonly overlays?: readonly string[];
  /** The name in messages, and the prefix of names that two contracts share. */
  readonly name?: string;
  /** The base path that replaces the document's. */
  readonly base?: string;
  readonly resources?: ResourceOverrides;
}

/** The content of `vouch.config.yaml`, with absolute paths. */
export interface Config {
  /** The configuration file; undefined if there is none. */
  readonly file?: string;
  readonly contract?: string;
  /** OpenAPI Overlays of `contract`, which are applied to it in this order. */
  readonly overlays?: readonly string[] | undefined;
  /** Arazzo documents, whose workflows a check runs. */
  readonly workflows?: readonly string[] | undefined;
  /** The values of their inputs, by name; `env:NAME` for a secret. */
  readonly workflowInputs?: JsonObject | undefined;
  /** Several contracts on one port. */
  readonly documents?: readonly DocumentConfig[] | undefined;
  readonly mock: MockConfig;
  /** The settings of checks of every deployment; a target can override them. */
  readonly check?: CheckConfig | undefined;
  readonly targets: Readonly<Record<string, TargetConfig>>;
  /** What its owner knows of the contract and OpenAPI cannot say: see `Rule`. */
  readonly rules?: RuleStatements | undefined;
  /** What its owner states or denies of what descriptions say: see `x-vouch-facts`. */
  readonly facts?: FactStatements | undefined;
  /** The identities of all deployments, by name. */
  readonly identities?: Readonly<Record<string, IdentityConfig>> | undefined;
  /**
   * Makes an error for a location in the file, with line and column; undefined if there is no file.
   */
  fault?(pointer: Pointer, message: string, hint?: string): VouchError;
}

/** The configuration without a file. */
export const emptyConfig: Config = { mock: {}, targets: {} };

/** The file names of a configuration, in order of precedence. */
export const configFileNames = [
  'vouch.config.yaml',
  'vouch.config.yml',
  'vouch.config.json',
] as const;

/**
 * Reads the configuration: the named file, otherwise the one in `folder`, otherwise an empty one.
 * Throws a VouchError ('config-invalid') with location and code frame for a file that violates the
 * schema; suggests the nearest name for an unknown key.
 */
export async function readConfig(folder: string, named?: string): Promise<Config> {
  const file = named === undefined ? findConfig(folder) : resolve(folder, named);
  if (file === undefined) return emptyConfig;
  const data = await readDataFile(file, 'config-invalid');
  const schema = parseSchema(
    await readFile(new URL('../../schemas/config.schema.json', import.meta.url), 'utf8'),
    data.value ?? {},
  );
  const issue = schema.validate(data.value ?? {}, 'request')[0];
  if (issue !== undefined) throw complain(data, issue, schema.keysAt(issue.pointer));
  refuseBothNames(data);
  // The value was validated against the schema, so it has this type.
  return {
    ...withAbsolutePaths(dirname(file), file, (data.value ?? {}) as Partial<Config> & JsonObject),
    fault: data.fault,
  };
}

/** `mock.records` and its old name may differ, so only one is allowed. */
function refuseBothNames(data: DataFile): void {
  const mock = memberOf(data.value, 'mock');
  if (!isJsonObject(mock) || mock['records'] === undefined || mock['seedRecords'] === undefined)
    return;
  throw data.fault(
    '/mock/seedRecords',
    `${data.file}: mock.seedRecords is the old name of mock.records, which is set too.`,
    'Remove mock.seedRecords.',
  );
}

/** The configuration in a folder; undefined if there is none. */
export function findConfig(folder: string): string | undefined {
  return configFileNames.map((name) => join(folder, name)).find((path) => existsSync(path));
}

function complain(data: DataFile, issue: SchemaIssue, known: readonly string[]): Error {
  const where = issue.at === '' ? 'the top level' : issue.at.slice(1).replaceAll('/', '.');
  if (issue.keyword === 'additionalProperties' && issue.property !== undefined) {
    return data.fault(
      `${issue.at}/${issue.property}`,
      `${data.file}: there is no setting ${issue.property} at ${where}.`,
      suggestWord(issue.property, known),
    );
  }
  if (issue.keyword === 'pattern' && /\/auth(\/|$)/.test(issue.at))
    return notAToken(data, issue.at, where);
  return data.fault(
    issue.at,
    `${data.file}: ${where} ${issue.message}.`,
    'See schemas/config.schema.json for the valid members.',
  );
}

/** The value may be the token itself, so the error shows no code frame. */
function notAToken(data: DataFile, at: string, where: string): Error {
  const { place } = data.fault(at, '');
  return new VouchError(
    'config-invalid',
    `${data.file}: ${where} names the environment variable that holds the ` +
      'token, as env:NAME; the token itself is never written down.',
    { place, hint: 'Put the token into a variable, and name it: env:MY_TOKEN.' },
  );
}

/** A document that the configuration names: a path relative to it, or a URL. */
function namedIn(folder: string, source: string): string {
  return isAddress(source) ? source : resolve(folder, source);
}

function withAbsolutePaths(folder: string, file: string, config: Partial<Config>): Config {
  const absolute = (path: string | undefined): string | undefined =>
    path === undefined ? undefined : resolve(folder, path);
  const named = (source: string | undefined): string | undefined =>
    source === undefined ? undefined : namedIn(folder, source);
  const absoluteAll = (paths: readonly string[] | undefined): readonly string[] | undefined =>
    paths?.map((path) => resolve(folder, path));
  const { fixtures, scenarios, handlers, persist, seedRecords, ...mock }: WrittenMock =
    config.mock ?? {};
  return {
    file,
    ...optional('contract', named(config.contract)),
    overlays: absoluteAll(config.overlays),
    workflows: absoluteAll(config.workflows),
    documents: config.documents?.map((document) => ({
      ...document,
      contract: namedIn(folder, document.contract),
      ...defined({ overlays: absoluteAll(document.overlays) }),
      ...optional('fixtures', absolute(document.fixtures)),
      ...optional('scenarios', absolute(document.scenarios)),
      ...optional('handlers', absolute(document.handlers)),
    })),
    mock: {
      ...mock,
      ...defined({ records: mock.records ?? seedRecords }),
      ...optional('fixtures', absolute(fixtures)),
      ...optional('scenarios', absolute(scenarios)),
      ...optional('handlers', absolute(handlers)),
      ...optional('persist', absolute(persist)),
    },
    ...pick(config, wordsIn('workflowInputs check rules facts identities')),
    targets: config.targets ?? {},
  };
}

/** The settings of the mock as they are written, with the old name of one. */
type WrittenMock = MockConfig & { readonly seedRecords?: number };

function optional<Key extends string>(
  key: Key,
  value: string | undefined,
): { [key in Key]?: string } {
  // TypeScript does not infer the type of an object with a computed key.
  return (value === undefined ? {} : { [key]: value }) as { [key in Key]?: string };
}

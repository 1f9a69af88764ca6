import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { EffectOverrides, ResourceOverrides, SchemaIssue } from '../contract/model.ts';
import { parseSchema } from '../contract/schema/standalone-schema.ts';
import { VouchError } from '../errors.ts';
import { defined } from '../json/defined.ts';
import type { Pointer } from '../json/pointer.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import type { Assumption } from '../mock/model/reply.ts';
import type { MockKey } from '../mock/security/credentials.ts';
import type { TokenSettings } from '../mock/tokens/token-options.ts';
import { suggestWord } from '../nearest-word.ts';
import { type DataFile, readDataFile } from './read-data.ts';

/** Something that a check is not to ask, or not to count. */
export interface SkipConfig {
  readonly operation?: string;
  readonly check?: string;
  readonly reason: string;
  /** The last day, `YYYY-MM-DD`. */
  readonly until?: string;
}

/** How deployments are checked: for all of them, or for one. */
export interface CheckConfig {
  /** Requests a second. */
  readonly rate?: number;
  readonly maxRequests?: number;
  /** Seconds, for the whole run and for one request. */
  readonly maxTime?: number;
  readonly timeout?: number;
  readonly concurrency?: number;
  /** Values of parameters, by operation id and parameter name. */
  readonly examples?: Readonly<Record<string, Readonly<Record<string, JsonValue>>>>;
  readonly skip?: readonly SkipConfig[];
  /** How bad the findings of a check are, by its id. */
  readonly checks?: Readonly<Record<string, 'off' | 'note' | 'warning' | 'error'>>;
  /** From how many milliseconds on an operation counts as slow. */
  readonly slowMs?: number;
  readonly failOn?: 'note' | 'warning' | 'error';
  /** What operations do where vouch reads it wrongly, by operation id. */
  readonly effects?: EffectOverrides;
  /** Operations that are sent whatever they do, by operation id. */
  readonly allow?: readonly string[];
}

/** A deployment to check, with its credentials and limits. */
export interface TargetConfig extends CheckConfig {
  readonly url: string;
  readonly mode?: 'read-only' | 'read-write' | 'fuzz';
  /**
   * `env:NAME`: the environment variable that holds the token; or one for each security scheme, by
   * its name.
   */
  readonly auth?: string | Readonly<Record<string, string>>;
  /**
   * Headers to send with every request, by name: a literal value, or `env:NAME` for a secret one.
   */
  readonly headers?: Readonly<Record<string, string>>;
  /** Base URLs of servers that operations name for themselves, by `x-name`. */
  readonly servers?: Readonly<Record<string, string>>;
}

/** The part `mock` of `vouch.config.yaml`. */
export interface MockConfig {
  /** The first port to try. */
  readonly port?: number;
  /** The credentials that the mock knows; each opens everything, or what its scopes say. */
  readonly keys?: readonly MockKey[];
  /** How tokens are made. */
  readonly tokens?: TokenSettings;
  readonly fixtures?: string;
  readonly scenarios?: string;
  readonly seed?: string;
  /** How many records a collection starts with that has neither fixtures nor examples. */
  readonly seedRecords?: number;
  /** What people say of resources where inference is wrong. */
  readonly resources?: ResourceOverrides;
  /** The file that keeps what sessions change over restarts. */
  readonly persist?: string;
  /** The URL of a Redis that several mocks share, or `env:NAME`. */
  readonly store?: string;
  /** The most records that may be added, over all sessions. */
  readonly maxRecords?: number;
  /** The most bytes of memory that added and changed records may take, roughly. */
  readonly maxBytes?: number;
  readonly assume?: readonly Assumption[];
}

/** One contract of several that are served on one port. */
export interface DocumentConfig {
  readonly contract: string;
  /** The word for it in messages, and before what two contracts call the same. */
  readonly name?: string;
  /** The base path in the place of the document's own. */
  readonly base?: string;
  readonly fixtures?: string;
  readonly scenarios?: string;
  readonly assume?: readonly Assumption[];
  readonly resources?: ResourceOverrides;
}

/** `vouch.config.yaml` as read; every path in it is absolute. */
export interface Config {
  /** The file that it was read from; undefined where there was none. */
  readonly file?: string;
  readonly contract?: string;
  /** Several contracts on one port. */
  readonly documents?: readonly DocumentConfig[];
  readonly mock: MockConfig;
  /** How every deployment is checked, unless its target says otherwise. */
  readonly check?: CheckConfig;
  readonly targets: Readonly<Record<string, TargetConfig>>;
  /**
   * Complains about a place in the file, with line and column; undefined where there is no file.
   */
  fault?(pointer: Pointer, message: string, hint?: string): VouchError;
}

/** What holds where nobody configured anything. */
export const emptyConfig: Config = { mock: {}, targets: {} };

/** What a configuration is called, in the order in which they are looked for. */
export const configFileNames = [
  'vouch.config.yaml',
  'vouch.config.yml',
  'vouch.config.json',
] as const;

/**
 * Reads the configuration: the named file, else the one in `folder`, else nothing at all. Throws a
 * VouchError ('config-invalid') with place and code frame for a file that breaks the schema; an
 * unknown key gets the nearest right one.
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
  // The schema has just been kept, so the value has the shape that it describes.
  return {
    ...withAbsolutePaths(dirname(file), file, (data.value ?? {}) as Partial<Config> & JsonObject),
    fault: data.fault,
  };
}

function findConfig(folder: string): string | undefined {
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
    'See schemas/config.schema.json for what may stand there.',
  );
}

/** What stands there may be the token itself: the lines around it are not shown. */
function notAToken(data: DataFile, at: string, where: string): Error {
  const { place } = data.fault(at, '');
  return new VouchError(
    'config-invalid',
    `${data.file}: ${where} names the environment variable that holds the ` +
      'token, as env:NAME; the token itself is never written down.',
    {
      ...defined({ place }),
      hint: 'Put the token into a variable, and name it: env:MY_TOKEN.',
    },
  );
}

function withAbsolutePaths(folder: string, file: string, config: Partial<Config>): Config {
  const absolute = (path: string | undefined): string | undefined =>
    path === undefined ? undefined : resolve(folder, path);
  const { fixtures, scenarios, persist, ...mock } = config.mock ?? {};
  return {
    file,
    ...optional('contract', absolute(config.contract)),
    ...(config.documents === undefined
      ? {}
      : {
          documents: config.documents.map((document) => ({
            ...document,
            contract: resolve(folder, document.contract),
            ...optional('fixtures', absolute(document.fixtures)),
            ...optional('scenarios', absolute(document.scenarios)),
          })),
        }),
    mock: {
      ...mock,
      ...optional('fixtures', absolute(fixtures)),
      ...optional('scenarios', absolute(scenarios)),
      ...optional('persist', absolute(persist)),
    },
    ...defined({ check: config.check }),
    targets: config.targets ?? {},
  };
}

function optional<Key extends string>(
  key: Key,
  value: string | undefined,
): { [key in Key]?: string } {
  // A computed key of one known name is that name, which the type of an object literal does not
  // carry.
  return (value === undefined ? {} : { [key]: value }) as { [key in Key]?: string };
}

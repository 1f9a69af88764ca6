import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { VouchError } from '../errors.ts';
import type { JsonObject } from '../json/value.ts';
import { parseSchema } from '../contract/schema/standalone-schema.ts';
import type { SchemaIssue } from '../contract/model.ts';
import { suggestWord } from '../nearest-word.ts';
import { emptyConfig, type Config } from './config.ts';
import { readDataFile, type DataFile } from './read-data.ts';
import { defined } from '../json/defined.ts';

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

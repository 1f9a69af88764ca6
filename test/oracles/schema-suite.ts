import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { VouchError } from '../../src/errors.ts';
import type { Schema } from '../../src/contract/model.ts';
import { Cursor } from '../../src/contract/read/cursor.ts';
import { DocumentLinker } from '../../src/contract/references/link-documents.ts';
import { SchemaFactory } from '../../src/contract/schema/schema-factory.ts';
import { parseJson } from '../../src/json/parse-json.ts';
import type { JsonObject, JsonValue } from '../../src/json/value.ts';

/** One schema of the suite, and the values that it is asked about. */
export interface SuiteGroup {
  readonly description: string;
  readonly schema: JsonValue;
  readonly tests: readonly {
    readonly description: string;
    readonly data: JsonValue;
    readonly valid: boolean;
  }[];
}

const home = fileURLToPath(new URL('./json-schema-test-suite/', import.meta.url));
const cases = `${home}draft2020-12/`;

/** The files of the suite, by their names in the folder of 2020-12. */
export const suiteFiles: readonly string[] = readdirSync(cases, {
  recursive: true,
  encoding: 'utf8',
})
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.replaceAll('\\', '/'))
  .sort();

/** What stands in a file of the suite. */
export function readSuite(file: string): readonly SuiteGroup[] {
  // The suite's own schema says that every file is a list of groups.
  return readJson(cases + file) as unknown as readonly SuiteGroup[];
}

/**
 * A schema of the suite as the check judges by it: references linked as those of a contract are,
 * then compiled.
 */
export function suiteSchema(schema: JsonValue): Schema {
  const remotes: JsonValue[] = [];
  const root: JsonObject = { schema, remotes };
  linkRemotes(schema, remotes);
  const tree = {
    root,
    fault: (pointer: string, message: string) =>
      new VouchError('contract-unreadable', `${message} (${pointer})`),
  };
  return new SchemaFactory(tree, '3.1').at(new Cursor(tree, schema, '/schema'));
}

function linkRemotes(schema: JsonValue, remotes: JsonValue[]): void {
  const linker = new DocumentLinker();
  const known = new Set<string>();
  const open = linker.add({ uri: 'contract:/suite', value: schema, mount: '/schema' });
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    if (next.targets.some((uri) => known.has(uri))) continue;
    for (const uri of next.targets) {
      const value = readRemote(uri);
      if (value === undefined) continue;
      known.add(uri);
      open.push(
        ...linker.add({ uri, value, mount: `/remotes/${String(remotes.push(value) - 1)}` }),
      );
      break;
    }
  }
  linker.rewrite();
}

/** What the suite serves under its own address, and the meta-schema, which Ajv brings along. */
const servers: readonly (readonly [prefix: string, find: (path: string) => string])[] = [
  ['http://localhost:1234/', (path) => `${home}remotes/${path}`],
  [
    'https://json-schema.org/draft/2020-12/',
    (path) =>
      createRequire(import.meta.url).resolve(`ajv/dist/refs/json-schema-2020-12/${path}.json`),
  ],
];

function readRemote(uri: string): JsonValue | undefined {
  const server = servers.find(([prefix]) => uri.startsWith(prefix));
  try {
    return server && readJson(server[1](uri.slice(server[0].length)));
  } catch {
    return undefined;
  }
}

function readJson(file: string): JsonValue {
  const reading = parseJson(readFileSync(file), { forbiddenKeys: [] });
  if (!reading.ok) throw new Error(`${file}: ${reading.problem.message}`);
  return reading.value;
}

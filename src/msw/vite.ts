import { basename, extname } from 'node:path';
import { readDataFolder } from '../config/read-data.ts';
import { isAddress } from '../contract/load/source.ts';
import type { Config } from '../config/config.ts';
import { usage, VouchError, withHint } from '../errors.ts';
import { defined, type JsonObject, stringifyJson } from '../json/value.ts';
import type { ChosenDocument, DocumentsChoice } from '../library/choose-documents.ts';
import { chooseDocuments } from '../library/choose-documents.ts';
import { handlerFiles } from '../library/handlers/load-handlers.ts';
import { filesOf } from '../library/load-once.ts';
import { gatherDocuments } from '../library/prepare-mock.ts';
import type { CompiledSources } from './prepare-given.ts';

/** What the plugin reads: as for `startMock`, by default what `vouch.config.yaml` names. */
export type VouchPluginOptions = Omit<DocumentsChoice, 'contracts' | 'base' | 'bases'>;

/** A plugin for Vite, Rollup and Rolldown. */
export interface VouchPlugin {
  readonly name: 'vouch';
  resolveId(id: string): string | undefined;
  load(
    this: { readonly addWatchFile: (file: string) => void },
    id: string,
  ): Promise<string | undefined>;
}

const virtualId = 'virtual:vouch';
const resolvedId = `\0${virtualId}`;

/**
 * Reads contract, fixtures, scenarios and configuration at build time. `virtual:vouch` exports them
 * as options of `createMswMock`. Errors in them fail the build, with place, frame and hint. The
 * development server reloads the page if one of the files changes.
 */
export function vouch(options: VouchPluginOptions = {}): VouchPlugin {
  return {
    name: 'vouch',
    resolveId: (id) => (id === virtualId ? resolvedId : undefined),
    async load(id) {
      if (id !== resolvedId) return undefined;
      const { compiled, handlers, files } = await compile(options).catch((error: unknown) => {
        throw withHint(error);
      });
      for (const file of files) this.addWatchFile(file);
      return moduleOf(compiled, handlers);
    },
  };
}

/** The sources, and the absolute paths of the files and folders that they come from. */
interface Compilation {
  readonly compiled: CompiledSources;
  /** The modules of the handlers, which the bundler takes as they are. */
  readonly handlers: readonly string[];
  readonly files: readonly string[];
}

async function compile(options: VouchPluginOptions): Promise<Compilation> {
  const [chosen, ...others] = await chooseDocuments(options);
  if (chosen === undefined || others.length > 0)
    throw usage('The plugin takes one contract, and not several.', {
      hint: 'Name one: vouch({ contract: "openapi.yaml" }).',
    });
  const [document] = await gatherDocuments(options);
  if (document === undefined) throw new VouchError('internal', 'There is no contract.');
  const { contract, config, fixtures, folders } = document;
  const files = await Promise.all(folders.map(filesOf));
  return {
    compiled: {
      file: contract.file,
      document: stringifyJson(contract.document),
      fixtures: stringifyJson([...fixtures]),
      scenarios: stringifyJson(await writtenScenarios(chosen)),
      config: stringifyJson(configOf(chosen, config)),
    },
    handlers: await modulesOf(chosen),
    files: [
      ...contract.files.filter((file) => !isAddress(file)),
      ...files.flat(),
      ...(config.file === undefined ? [] : [config.file]),
    ],
  };
}

/** The handlers as the bundler finds them: what is imported is bundled, types and all. */
async function modulesOf({ handlers }: ChosenDocument): Promise<readonly string[]> {
  if (handlers === undefined) return [];
  if (typeof handlers === 'string') return handlerFiles(handlers);
  throw usage('Functions cannot be compiled.', {
    hint: 'Name the folder of the handlers, or pass them to createMswMock.',
  });
}

/** The virtual module: the sources as data, and the handlers as imports. */
function moduleOf(compiled: CompiledSources, files: readonly string[]): string {
  const imports = files.map(
    (file, index) => `import * as handler${String(index)} from ${JSON.stringify(file)};\n`,
  );
  const entries = files.map((file, index) => {
    const name = JSON.stringify(basename(file, extname(file)));
    return `of(${name}, handler${String(index)}.default)`;
  });
  return [
    ...imports,
    "const of = (name, made) => (typeof made === 'function' ? { [name]: made } : made);\n",
    `const handlers = Object.assign(${['{}', ...entries].join(', ')});\n`,
    `export default { compiled: ${JSON.stringify(compiled)}, handlers };\n`,
  ].join('');
}

/** The scenarios as they are written: parsed ones have regular expressions. */
async function writtenScenarios({ scenarios = {} }: ChosenDocument): Promise<JsonObject> {
  if (typeof scenarios === 'string') {
    const files = await readDataFolder(scenarios, 'scenario-invalid');
    return Object.fromEntries(files.map(({ name, value }) => [name, value]));
  }
  if (!Array.isArray(scenarios)) return scenarios as JsonObject;
  throw usage('Parsed scenarios cannot be compiled.', {
    hint: 'Name their folder, or pass them as they are written in files, by name.',
  });
}

/** The settings of the mock that have an effect in a browser. */
function configOf({ assume }: ChosenDocument, { mock, rules }: Config): JsonObject {
  const { keys, tokens, seed, records, dynamic, validate, resources } = mock;
  // These settings were read from a file: they are JSON.
  return {
    mock: { keys, tokens, seed, records, dynamic, validate, resources, assume },
    targets: {},
    ...defined({ rules }),
  } as unknown as JsonObject;
}

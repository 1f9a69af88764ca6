import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, join, relative, resolve } from 'node:path';
import type { ArazzoDocument, SourceDescription } from '../arazzo/model.ts';
import { readArazzo } from '../arazzo/read-arazzo.ts';
import { unreadable } from '../contract/load/parse-document.ts';
import { ReadableFolders, refuseDevice } from '../contract/load/readable-folders.ts';
import { faultsIn, type Locator, makeLocator } from '../contract/locate.ts';
import type { Contract } from '../contract/model.ts';
import { codeOf, type ErrorCode, VouchError } from '../errors.ts';
import type { JsonValue } from '../json/value.ts';
import { parseYaml } from '../json/parse-yaml.ts';
import { joinPointer, type Pointer } from '../json/pointer.ts';
import { parseScenario } from '../mock/scenarios/parse/parse-scenario.ts';
import type { Scenario } from '../mock/scenarios/scenario.ts';
import type { Fixtures } from '../store/store.ts';
import { parseFixtures } from './parse-fixtures.ts';

/** A YAML or JSON file of the user, with a function that reports errors in it. */
export interface DataFile {
  /** The path relative to the current folder. */
  readonly file: string;
  /** The file name without its extension. */
  readonly name: string;
  readonly value: JsonValue;
  readonly locator: Locator;
  fault(pointer: Pointer, message: string, hint?: string): VouchError;
}

/**
 * Reads a YAML or JSON file. Throws a VouchError with the given code, the location and a code
 * frame.
 */
export async function readDataFile(path: string, code: ErrorCode): Promise<DataFile> {
  const file = relative(process.cwd(), path) || path;
  const text = await readText(path, file, code);
  const reading = parseYaml(text);
  if (!reading.ok) {
    throw unreadable(reading.problem, { code, file, text });
  }
  const locator = makeLocator(file, text);
  return {
    file,
    name: basename(path, extname(path)),
    value: reading.value,
    locator,
    fault: faultsIn(locator, code),
  };
}

/** Reads every YAML and JSON file of a folder, sorted by name. */
export async function readDataFolder(folder: string, code: ErrorCode): Promise<DataFile[]> {
  const names = await readNames(folder, code);
  const wanted = names.filter((name) => /\.(ya?ml|json)$/i.test(name)).sort();
  return Promise.all(wanted.map((name) => readDataFile(join(folder, name), code)));
}

async function readText(path: string, file: string, code: ErrorCode): Promise<string> {
  try {
    await refuseDevice(path);
    return await readFile(path, 'utf8');
  } catch (cause) {
    if (cause instanceof VouchError) throw cause;
    throw new VouchError(code, `${file} cannot be read: ${reasonOf(cause)}.`, {
      cause,
      hint: 'Check the path.',
    });
  }
}

async function readNames(folder: string, code: ErrorCode): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (cause) {
    throw new VouchError(
      code,
      `The folder ${relative(process.cwd(), folder) || folder} cannot be read: ${reasonOf(cause)}.`,
      { cause, hint: 'Check the path.' },
    );
  }
}

function reasonOf(cause: unknown): string {
  const code = codeOf(cause);
  if (code === 'ENOENT') return 'it does not exist';
  if (code === 'ENOTDIR') return 'it is not a folder';
  if (code === 'EISDIR') return 'it is a folder';
  return code ?? String(cause);
}

/**
 * Reads every scenario of a folder; the file name is the name of the scenario. Throws a VouchError
 * ('scenario-invalid') with location and code frame.
 */
export async function loadScenarios(folder: string): Promise<Scenario[]> {
  const files = await readDataFolder(folder, 'scenario-invalid');
  return files.map((data) => parseScenario(data.name, data.value, data.fault));
}

/**
 * Reads the initial records of every session: `parseFixtures` of every file of a folder. Throws a
 * VouchError ('fixture-invalid') with location and code frame.
 */
export async function loadFixtures(folder: string, contract: Contract): Promise<Fixtures> {
  return parseFixtures(await readDataFolder(folder, 'fixture-invalid'), contract);
}

/** A larger file is a mistake, or an attack. */
const maxWorkflowBytes = 8 * 1024 * 1024;
const maxWorkflowFiles = 100;

/** Which files workflows may be in. */
export interface WorkflowFolders {
  /** The folder that `--root` names. */
  readonly root?: string | undefined;
  /** The folder of the configuration, if it names the documents. */
  readonly named?: string | undefined;
}

/**
 * Reads Arazzo documents, and the local documents of workflows that they name as sources: only
 * below the folder of the document, the root, and otherwise its repository. Throws a VouchError
 * ('workflow-invalid') with location and code frame.
 */
export async function loadWorkflows(
  paths: readonly string[],
  { root, named }: WorkflowFolders = {},
): Promise<ArazzoDocument[]> {
  const known = new Map<string, ArazzoDocument>();
  const load = async (path: string, folders: ReadableFolders): Promise<ArazzoDocument> => {
    const real = await realpath(path).catch(() => path);
    const before = known.get(real);
    if (before !== undefined) return before;
    const imports = new Map<string, ArazzoDocument>();
    const document = await readWorkflowFile(path, imports);
    if (known.size >= maxWorkflowFiles)
      throw document.fault('', `More than ${String(maxWorkflowFiles)} documents are named.`);
    known.set(real, document);
    // Two documents may name each other: the second finds the first among the known ones.
    for (const source of document.sources)
      if (source.type === 'arazzo' && !/^[a-z][a-z+.-]*:/i.test(source.url))
        imports.set(
          source.name,
          await load(await importedPath(document, source, { path, folders }), folders),
        );
    return document;
  };
  const documents: ArazzoDocument[] = [];
  for (const path of paths.map((each) => resolve(each))) {
    if (named !== undefined) await refuseOutside(path, new ReadableFolders(named, root));
    documents.push(await load(path, new ReadableFolders(dirname(path), root)));
  }
  return [...new Set(documents)];
}

/** The real path of a document that another one names. */
async function importedPath(
  document: ArazzoDocument,
  { name, url, pointer }: SourceDescription,
  { path, folders }: { readonly path: string; readonly folders: ReadableFolders },
): Promise<string> {
  const admission = await folders.admit(resolve(dirname(path), url));
  if (admission.kind === 'file' && !isAbsolute(url)) return admission.path;
  const at = joinPointer(pointer, 'url');
  switch (isAbsolute(url) ? 'outside' : admission.kind) {
    case 'missing':
      throw document.fault(at, `The source ${name} is a file that does not exist: ${url}.`);
    case 'no-file':
      throw document.fault(at, `The source ${name} is not a file: ${url}.`);
    default:
      throw document.fault(
        at,
        `The source ${name} points outside the folder of the document: ${url}.`,
        'Write a path relative to the document; name a folder that contains both with --root.',
      );
  }
}

async function refuseOutside(path: string, folders: ReadableFolders): Promise<void> {
  const { kind } = await folders.admit(path);
  if (kind !== 'outside' && kind !== 'no-file') return;
  const file = relative(process.cwd(), path) || path;
  const what = kind === 'outside' ? 'outside the folder of the configuration' : 'not a file';
  throw new VouchError('workflow-invalid', `${file} is ${what}, which names it.`, {
    hint: 'Name it with --workflows, or a folder that contains both with --root.',
  });
}

async function readWorkflowFile(
  path: string,
  imports: ReadonlyMap<string, ArazzoDocument>,
): Promise<ArazzoDocument> {
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  const file = relative(process.cwd(), path) || path;
  if (size > maxWorkflowBytes)
    throw new VouchError('workflow-invalid', `${file} is larger than 8 MiB.`, {
      hint: 'Divide the workflows into several files.',
    });
  const { value, locator } = await readDataFile(path, 'workflow-invalid');
  return readArazzo({ file, value, locator, imports });
}

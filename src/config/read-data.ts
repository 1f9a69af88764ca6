import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import type { ArazzoDocument } from '../arazzo/model.ts';
import { readArazzo } from '../arazzo/read-arazzo.ts';
import { codeFrame, type Locator, makeLocator } from '../contract/locate.ts';
import type { Contract } from '../contract/model.ts';
import { codeOf, type ErrorCode, VouchError } from '../errors.ts';
import { defined, type JsonValue } from '../json/value.ts';
import { parseYaml, syntaxHint } from '../json/parse-yaml.ts';
import type { Pointer } from '../json/pointer.ts';
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
    const { message, line, column } = reading.problem;
    throw new VouchError(code, `${file} is not readable as YAML: ${message}`, {
      place: { file, line, column },
      frame: codeFrame(text, { line, column }),
      hint: syntaxHint,
    });
  }
  const locator = makeLocator(file, text);
  return {
    file,
    name: basename(path, extname(path)),
    value: reading.value,
    locator,
    fault: (pointer, message, hint) =>
      new VouchError(code, message, {
        place: locator.locate(pointer),
        frame: locator.frame(pointer),
        ...defined({ hint }),
      }),
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
    return await readFile(path, 'utf8');
  } catch (cause) {
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

/**
 * Reads Arazzo documents, and the local documents of workflows that they name as sources. Throws a
 * VouchError ('workflow-invalid') with location and code frame.
 */
export async function loadWorkflows(paths: readonly string[]): Promise<ArazzoDocument[]> {
  const known = new Map<string, ArazzoDocument>();
  const load = async (path: string): Promise<ArazzoDocument> => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const imports = new Map<string, ArazzoDocument>();
    const document = await readWorkflowFile(path, imports);
    if (known.size >= maxWorkflowFiles)
      throw document.fault('', `More than ${String(maxWorkflowFiles)} documents are named.`);
    known.set(path, document);
    // Two documents may name each other: the second finds the first among the known ones.
    for (const { name, url, type } of document.sources)
      if (type === 'arazzo' && !/^[a-z][a-z+.-]*:/i.test(url))
        imports.set(name, await load(resolve(dirname(path), url)));
    return document;
  };
  const documents: ArazzoDocument[] = [];
  for (const path of paths) documents.push(await load(resolve(path)));
  return [...new Set(documents)];
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

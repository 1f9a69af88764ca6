import { readdir, readFile } from 'node:fs/promises';
import { basename, extname, join, relative } from 'node:path';
import { codeFrame, makeLocator } from '../contract/locate.ts';
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
    fault: (pointer, message, hint) =>
      new VouchError(code, message, {
        place: locator.locate(pointer),
        frame: locator.frame(pointer),
        ...defined({ hint }),
      }),
  };
}

/** Reads every YAML and JSON file of a folder, sorted by name. */
async function readDataFolder(folder: string, code: ErrorCode): Promise<DataFile[]> {
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

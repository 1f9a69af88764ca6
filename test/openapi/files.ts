import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { isJsonObject, type JsonObject } from '../../src/json/value.ts';

/** The path of a file of the project, from its root. */
export function projectFile(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}

/** The text of a file of the project. */
export function readText(path: string): string {
  return readFileSync(projectFile(path), 'utf8');
}

/** A YAML file of the project whose top level is a map. With `exact`, every integer is a bigint. */
export function readYaml(path: string, { exact = false } = {}): JsonObject {
  const value: unknown = parse(readText(path), { intAsBigInt: exact });
  if (!isJsonObject(value)) throw new Error(`${path} is not a map.`);
  return value;
}

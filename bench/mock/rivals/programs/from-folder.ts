import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Pet } from './pet-records.ts';

/**
 * The arguments of these programs: where their packages are, where to listen, the contract with
 * the base path of its server, and the records to start with.
 */
const [folder = '', port = '0', contract = '', base = '', records = ''] = process.argv.slice(2);
const resolver = createRequire(join(folder, 'package.json'));

export const listenAt: number = Number(port);
export const contractFile: string = contract;
export const basePath: string = base;

/** The first records; none where the contract has no animals. */
export function firstPets(): Pet[] {
  return records === '' ? [] : (JSON.parse(readFileSync(records, 'utf8')) as Pet[]);
}

/**
 * A package out of the rival's folder; the caller says what it looks like, because its types are
 * not installed here.
 */
export function requirePackage(name: string): unknown {
  return resolver(name);
}

/** The same for a package that is an ES module. */
export function importPackage(name: string): Promise<unknown> {
  return import(pathToFileURL(resolver.resolve(name)).href);
}

process.once('SIGTERM', () => process.exit(0));

import { resolve } from 'node:path';

/** The name under which places show a document from the standard input. */
const standardInput = '<stdin>';

/** Whether the source of a contract is an address on the network, as opposed to a file. */
export function isAddress(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

/** Whether the source of a contract is the standard input: `-`. */
export function isStandardInput(source: string): boolean {
  return source === '-' || source === standardInput;
}

/** The source of a contract as it is found from every folder: addresses and `-` stay. */
export function absoluteSource(source: string, folder: string = process.cwd()): string {
  return isAddress(source) || isStandardInput(source) ? source : resolve(folder, source);
}

/** The name under which places show a source that is no file; a query may hold a secret. */
export function shownSource(source: string): string {
  if (isStandardInput(source)) return standardInput;
  const { origin, pathname, search } = new URL(source);
  return `${origin}${pathname}${search === '' ? '' : '?…'}`;
}

import { relative, resolve } from 'node:path';
import { packageFolder } from '../library/package-files.ts';
import { cleanLine } from '../text/safe-text.ts';
import { fitLines } from './fit-lines.ts';
import type { Io } from './io.ts';
import { asCalled } from './program-name.ts';

/** A command line that names no document. */
export interface Undocumented {
  /** The contract that was taken. */
  readonly file: string;
  /** What was asked for, up to where a document may be named. */
  readonly command: string;
  /** Where it was asked; the current folder unless told. */
  readonly folder?: string;
}

/**
 * Says on stderr that the contract is the one that comes with vouch, where a document lies here
 * that is probably meant.
 */
export async function tellOwnDocument(
  io: Io,
  { file, command, folder = process.cwd() }: Undocumented,
): Promise<void> {
  const isBundled = !relative(packageFolder, resolve(file)).startsWith('..');
  if (!isBundled || resolve(folder) === resolve(packageFolder)) return;
  // Whoever names a document does not pay for the search.
  const { findDocuments } = await import('./init/find-documents.ts');
  const [first] = await findDocuments(folder);
  if (first === undefined) return;
  const text = `No document is named, so this is about the contract that comes with vouch. ${cleanLine(first)} is here: ${cleanLine(`${command} ${first}`)}\n`;
  io.err(fitLines(asCalled(text, io.program), io, 'err'));
}

import { relative, resolve } from 'node:path';
import type { Contract } from '../contract/model.ts';
import { formatPlace } from '../errors.ts';
import { defined } from '../json/defined.ts';
import {
  chooseContract,
  type ChosenContract,
  type ContractChoice,
} from '../library/choose-contract.ts';
import { packageFolder } from '../library/package-files.ts';
import { cleanLine } from '../text/safe-text.ts';
import { fitLines, type Io } from './io.ts';
import { asCalled } from './program-name.ts';

/**
 * The words by which every command is told where its contract comes from, besides the document
 * itself.
 */
export interface ContractFlags {
  readonly config?: string;
  readonly allowRefHost?: readonly string[];
}

/**
 * The contract that a command line means: the document that it names, else the configuration's,
 * else the bundled one.
 */
export async function findContract(
  document: string | undefined,
  flags: ContractFlags = {},
): Promise<ChosenContract> {
  return chooseContract({
    ...defined({ contract: document }),
    ...contractChoice(flags),
  });
}

/** The same words as the library takes them. */
export function contractChoice({
  config,
  allowRefHost,
}: ContractFlags): Pick<ContractChoice, 'config' | 'allowRefHosts'> {
  return {
    ...defined({ config, allowRefHosts: allowRefHost }),
  };
}

/** A command line that names no document. */
export interface MissingDocument {
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
export async function suggestOwnDocument(
  io: Io,
  { file, command, folder = process.cwd() }: MissingDocument,
): Promise<void> {
  const isBundled = !relative(packageFolder, resolve(file)).startsWith('..');
  if (!isBundled || resolve(folder) === resolve(packageFolder)) return;
  // Whoever names a document does not pay for the search.
  const { findDocuments } = await import('./init/find-documents.ts');
  const [first] = await findDocuments(folder);
  if (first === undefined) return;
  const text =
    'No document given: using the bundled contract. To use ' +
    `${cleanLine(first)}, run: ${cleanLine(`${command} ${first}`)}\n`;
  io.err(fitLines(asCalled(text, io.program), io, 'err'));
}

/** More are counted: a document with one wrong indent has many. */
const maxShown = 5;

/** Warns on stderr of the parts of a document that are left out because they are no OpenAPI. */
export function warnOfInvalidParts(io: Io, contract: Pick<Contract, 'faults' | 'file'>): void {
  const { faults, file } = contract;
  if (faults.length === 0) return;
  const lines = faults
    .slice(0, maxShown)
    .map(({ message, place }) => `warning ${cleanLine(formatPlace(place))}  ${cleanLine(message)}`);
  const more = faults.length > maxShown ? `${String(faults.length - maxShown)} more. ` : '';
  const way = `vouch lint ${cleanLine(file)} lists all problems.`;
  const last = `${more}Parts that are not OpenAPI are ignored; ${way}`;
  io.err(fitLines(asCalled(`${[...lines, last].join('\n')}\n`, io.program), io, 'err'));
}

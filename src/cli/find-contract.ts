import { relative, resolve } from 'node:path';
import type { LoadOptions } from '../contract/load.ts';
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

/** The flags that select the contract, besides the document itself. */
export interface ContractFlags {
  readonly config?: string;
  readonly allowRefHost?: readonly string[];
  readonly root?: string;
}

/**
 * The contract of a command line: the given document, else the configuration's, else the bundled
 * one.
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

/** The flags as options of the library. */
export function contractChoice(
  flags: ContractFlags,
): Pick<ContractChoice, 'config' | 'allowRefHosts' | 'root'> {
  return { ...defined({ config: flags.config }), ...referenceChoice(flags) };
}

/** The flags that decide which references of the contract are followed. */
export function referenceChoice({ allowRefHost, root }: ContractFlags): LoadOptions {
  return defined({ allowRefHosts: allowRefHost, root });
}

/** A command line without a document. */
export interface MissingDocument {
  /** The contract that is used instead. */
  readonly file: string;
  /** The command line up to the position of the document. */
  readonly command: string;
  /** The folder in which the command runs; default: the current folder. */
  readonly folder?: string;
}

/**
 * If the bundled contract is used and the current folder contains a document, suggests that
 * document on stderr.
 */
export async function suggestOwnDocument(
  io: Io,
  { file, command, folder = process.cwd() }: MissingDocument,
): Promise<void> {
  const isBundled = !relative(packageFolder, resolve(file)).startsWith('..');
  if (!isBundled || resolve(folder) === resolve(packageFolder)) return;
  // Loaded on demand: most command lines name a document.
  const { findDocuments } = await import('./init/find-documents.ts');
  const [first] = await findDocuments(folder);
  if (first === undefined) return;
  const text =
    'No document given: using the bundled contract. To use ' +
    `${cleanLine(first)}, run: ${cleanLine(`${command} ${first}`)}\n`;
  io.err(fitLines(asCalled(text, io.program), io, 'err'));
}

/** The rest is only counted: one wrong indent can invalidate many parts. */
const maxShown = 5;

/** Warns on stderr of what is wrong in a document, and is repaired or ignored. */
export function warnOfInvalidParts(io: Io, contract: Pick<Contract, 'faults' | 'file'>): void {
  const { faults, file } = contract;
  if (faults.length === 0) return;
  const lines = faults.slice(0, maxShown).map(({ message, place, hint }) => {
    const text = hint === undefined ? message : `${message} ${hint}`;
    return `warning ${cleanLine(formatPlace(place))}  ${cleanLine(text)}`;
  });
  const more = faults.length > maxShown ? `${String(faults.length - maxShown)} more. ` : '';
  const way = `vouch lint ${cleanLine(file)} lists all problems.`;
  const last = `${more}Parts that are not OpenAPI are repaired or ignored; ${way}`;
  io.err(fitLines(asCalled(`${[...lines, last].join('\n')}\n`, io.program), io, 'err'));
}

import type { LoadOptions } from '../contract/load.ts';
import type { Contract } from '../contract/model.ts';
import { formatPlace } from '../errors.ts';
import type { ChosenContract, ContractChoice } from '../library/choose-contract.ts';
import { chooseContract } from '../library/choose-contract.ts';
import { readDocumentHeaders } from '../library/read-header-flags.ts';
import { cleanLine } from '../text/safe-text.ts';
import { asCalled, fitLines, type Io } from './io.ts';

/** The flags that select the contract, besides the document itself. */
export interface ContractFlags {
  readonly config?: string | undefined;
  readonly demo?: boolean;
  readonly allowRefHost?: readonly string[];
  readonly root?: string;
  readonly overlay?: readonly string[];
  /** Header fields for the request of a document that is named by its URL. */
  readonly documentHeaders?: Readonly<Record<string, string>>;
}

/** The flags of a command whose `--header` is for the request of the document. */
export function withDocumentHeaders<Flags extends object>(
  flags: Flags & { readonly header?: readonly string[] },
  { env }: Pick<Io, 'env'>,
): Flags & Pick<ContractFlags, 'documentHeaders'> {
  return { ...flags, documentHeaders: readDocumentHeaders(flags.header ?? [], env) };
}

/**
 * The contract of a command line: the given document, else the configuration's, else the one
 * document of the current folder.
 */
export async function findContract(
  document: string | undefined,
  flags: ContractFlags = {},
): Promise<ChosenContract> {
  return chooseContract({ contract: document, ...contractChoice(flags) });
}

/** The flags as options of the library. */
export function contractChoice(flags: ContractFlags): Omit<ContractChoice, 'contract'> {
  return { config: flags.config, demo: flags.demo, ...referenceChoice(flags) };
}

/** The flags that decide which references of the contract are followed, and its Overlays. */
export function referenceChoice(flags: ContractFlags): LoadOptions {
  const { allowRefHost, root, overlay, documentHeaders } = flags;
  return { allowRefHosts: allowRefHost, root, overlays: overlay, documentHeaders };
}

/** The options that read the document of a contract again, with the same Overlays. */
export function loadAgain(
  { overlays }: Pick<Contract, 'overlays'>,
  flags: ContractFlags,
): LoadOptions {
  return { ...referenceChoice(flags), overlays };
}

/** The rest is only counted: one wrong indent can invalidate many parts. */
const maxShown = 5;

/** Warns on stderr of the errors of a document that are repaired or ignored. */
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

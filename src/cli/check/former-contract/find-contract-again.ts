import { hashContract } from '../../../check/replay/write-replay.ts';
import type { Contract } from '../../../contract/model.ts';
import { codeOf, VouchError } from '../../../errors.ts';
import { type ContractWords, findContract } from '../../find-contract.ts';

/** Where a contract was when it was read. */
export interface FormerContract {
  readonly file: string;
  readonly path?: string;
}

/**
 * The contract of an earlier run: the one that is named now, else the same file, else what a
 * command without a document means.
 */
export async function findContractAgain(
  named: string | undefined,
  { file, path }: FormerContract,
  words: ContractWords,
): Promise<Contract> {
  if (named !== undefined) return (await findContract(named, words)).contract;
  for (const place of [path, file]) {
    if (place === undefined || place === '' || place.startsWith('<')) continue;
    try {
      return (await findContract(place, words)).contract;
    } catch (error) {
      if (
        !(error instanceof VouchError) ||
        !(error.code === 'contract-missing' || codeOf(error.cause) === 'ENOENT')
      )
        throw error;
    }
  }
  return (await findContract(undefined, words)).contract;
}

/** Whether a contract is another one than the one that stood for these digits. */
export function hasChanged(contract: Contract, digits: readonly string[]): boolean {
  return digits.some((former) => former !== hashContract(contract));
}

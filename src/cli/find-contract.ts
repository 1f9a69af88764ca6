import {
  chooseContract,
  type ChosenContract,
  type ContractChoice,
} from '../library/choose-contract.ts';
import { defined } from '../json/defined.ts';

/**
 * The words by which every command is told where its contract comes from, besides the document
 * itself.
 */
export interface ContractWords {
  readonly config?: string;
  readonly allowRefHost?: readonly string[];
}

/**
 * The contract that a command line means: the document that it names, else the configuration's,
 * else the bundled one.
 */
export async function findContract(
  document: string | undefined,
  words: ContractWords = {},
): Promise<ChosenContract> {
  return chooseContract({
    ...defined({ contract: document }),
    ...contractChoice(words),
  });
}

/** The same words as the library takes them. */
export function contractChoice({
  config,
  allowRefHost,
}: ContractWords): Pick<ContractChoice, 'config' | 'allowRefHosts'> {
  return {
    ...defined({ config, allowRefHosts: allowRefHost }),
  };
}

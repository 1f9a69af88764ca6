import { chooseContract, type ChosenContract } from '../library/choose-contract.ts';

/** The contract that a command line means: the document that it names, else the configuration's, else the bundled one. */
export async function findContract(document: string | undefined, config: string | undefined): Promise<ChosenContract> {
  return chooseContract({ ...(document === undefined ? {} : { contract: document }), ...(config === undefined ? {} : { config }) });
}

import type { Contract } from '../contract/model.ts';
import { chooseContract, type ContractChoice } from '../library/choose-contract.ts';

let current: ContractChoice = {};

/** Sets the default contract of a test file. Each test file loads this module anew. */
export function setContract(choice: ContractChoice): void {
  current = choice;
}

/**
 * The contract of a test: the given one, otherwise that of its file, otherwise that of
 * `vouch.config.yaml`, otherwise the one document of the current folder.
 */
export async function currentContract(named: ContractChoice['contract']): Promise<Contract> {
  const { contract } = await chooseContract(
    named === undefined ? current : { ...current, contract: named },
  );
  return contract;
}

/**
 * Makes unique session names, so that parallel tests never share one: the title of the test,
 * shortened, and a number.
 */
export function makeSessionNames(): (title: string) => string {
  let made = 0;
  return (title) =>
    `${
      title
        .replaceAll(/[^\w]+/g, '-')
        .replace(/^-|-$/g, '')
        .slice(0, 40) || 'test'
    }-${String((made += 1))}`;
}

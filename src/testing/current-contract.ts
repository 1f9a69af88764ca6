import type { Contract } from '../contract/model.ts';
import { chooseContract, type ContractChoice } from '../library/choose-contract.ts';

let current: ContractChoice = {};

/**
 * Which contract answers are held against where a test names none: a file of tests has one, and its
 * runner loads this module anew for each.
 */
export function setContract(choice: ContractChoice): void {
  current = choice;
}

/**
 * The contract that a test names, else the one of its file, else the one of `vouch.config.yaml`,
 * else the bundled one.
 */
export async function currentContract(named: ContractChoice['contract']): Promise<Contract> {
  const { contract } = await chooseContract(
    named === undefined ? current : { ...current, contract: named },
  );
  return contract;
}

/** Names sessions so that tests which run side by side never share one: `a title, made short-3`. */
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

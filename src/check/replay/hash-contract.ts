import type { Contract } from '../../contract/model.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import { hash } from '../model/case.ts';

const known = new WeakMap<Contract, string>();

/**
 * Stands for what a contract says, whatever its file is called: the same document gives the same
 * ten digits.
 */
export function hashContract(contract: Contract): string {
  // A document may have many megabytes, and every finding asks.
  const text = known.get(contract) ?? hash(stringifyJson(contract.document));
  known.set(contract, text);
  return text;
}

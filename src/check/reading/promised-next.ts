import { factIn, textsAround } from '../../contract/words/facts.ts';
import type { CheckInput } from '../model/knowledge.ts';

/** Whether the contract says that the pages of a list have a `Link` to the next one. */
export function promisesNext({
  contract,
  operation,
}: Pick<CheckInput, 'contract' | 'operation'>): boolean {
  return factIn(textsAround(contract, operation), 'links-to-next') !== undefined;
}

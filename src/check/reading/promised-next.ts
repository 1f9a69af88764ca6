import { factIn, textsAround } from '../../contract/words/facts.ts';
import type { Resource } from '../../contract/model.ts';
import type { Pages } from '../../contract/protocols/pages.ts';
import { protocolsOf } from '../../contract/protocols/read-protocols.ts';
import type { CheckInput } from '../model/knowledge.ts';

/** Whether the contract says that the pages of a list have a `Link` to the next one. */
export function promisesNext({
  contract,
  operation,
}: Pick<CheckInput, 'contract' | 'operation'>): boolean {
  return factIn(textsAround(contract, operation), 'links-to-next') !== undefined;
}

/** What the contract shows of the pages of a list. */
export function pagesOf(
  { contract }: Pick<CheckInput, 'contract'>,
  resource: Resource,
): Pages | undefined {
  return protocolsOf(contract, resource).pages;
}

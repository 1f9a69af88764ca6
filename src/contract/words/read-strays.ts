import type { Contract } from '../model.ts';
import { documentsRefusal, type Operation } from '../model/operation.ts';
import { contractTexts, factIn, operationTexts } from './facts.ts';

/**
 * Whether an operation refuses query parameters that it does not declare, as its description or
 * that of the API says: `Unknown query parameters are 400`. Only where it documents a refusal.
 */
export function refusesStrays(
  contract: Pick<Contract, 'description'>,
  operation: Operation,
): boolean {
  const told = [...operationTexts(operation), ...contractTexts(contract)];
  return documentsRefusal(operation) && factIn(told, 'refuses-strays') !== undefined;
}

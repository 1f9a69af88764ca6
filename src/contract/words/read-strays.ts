import type { Contract } from '../model.ts';
import { documentsRefusal, type Operation } from '../model/operation.ts';
import { contractTexts, factIn, factsIn, operationTexts } from './facts.ts';

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

/** Whether an API says that it ignores the members of a body that it does not know. */
export function ignoresUnknownMembers(contract: Pick<Contract, 'description'>): boolean {
  return factsIn(contractTexts(contract), 'ignores-unknown').some(({ sentence }) =>
    /\b(?:fields|members|properties|attributes|elements|keys|ones)\b/i.test(sentence),
  );
}

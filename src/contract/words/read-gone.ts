import type { Contract, Operation } from '../model.ts';
import { clausesOn, contractTexts, statusTexts } from './facts.ts';

/** Whether a read answers 410 to what was deleted, as its response or the API says. */
export function isGoneOnceDeleted(
  contract: Pick<Contract, 'description'>,
  operation: Operation,
): boolean {
  const own = statusTexts(operation, '410');
  const isDocumented = operation.responses.some(({ status }) => status === '410');
  const told = isDocumented ? [...own, ...clausesOn('410', contractTexts(contract))] : [];
  return told.some((one) => one.kind !== 'stated' && /\b(?:deleted|removed)\b/i.test(one.text));
}

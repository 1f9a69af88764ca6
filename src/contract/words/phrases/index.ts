import type { Phrase } from '../phrase.ts';
import { amountPhrases } from './amounts.ts';
import { checkedPhrases } from './checked.ts';
import { listPhrases } from './lists.ts';
import { operationPhrases } from './operations.ts';
import { recordPhrases } from './records.ts';
import { statePhrases } from './states.ts';

const table = {
  ...listPhrases,
  ...recordPhrases,
  ...amountPhrases,
  ...statePhrases,
  ...operationPhrases,
  ...checkedPhrases,
} as const;

/** The name of a fact, as `x-vouch-facts` writes it. */
export type FactName = keyof typeof table;

/** All phrases, by the fact that they state. */
export const phrases: Readonly<Record<FactName, Phrase>> = table;

export function isFactName(name: string): name is FactName {
  return Object.hasOwn(phrases, name);
}

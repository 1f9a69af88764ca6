import { type FactName, isFactName } from './phrases/index.ts';

/** The extension in which the owner of a contract states or denies facts. */
export const factsKeyword = 'x-vouch-facts';

/** What the owner of a contract states (a value, or true) or denies (false). */
export type StatedFacts = Readonly<Partial<Record<FactName, boolean | string>>>;

/** The facts of an `x-vouch-facts`; unknown names and other values are left out. */
export function readStatedFacts(value: unknown): StatedFacts | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const facts: { [name in FactName]?: boolean | string } = {};
  for (const [name, given] of Object.entries(value))
    if (isFactName(name) && (typeof given === 'boolean' || typeof given === 'string'))
      facts[name] = given;
  return facts;
}

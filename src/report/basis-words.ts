import type { Basis } from '../check/model/finding.ts';

/** Where a rule comes from, as people say it. */
export const basisWords: Readonly<Record<Basis, string>> = {
  contract: 'by the contract',
  protocol: 'by a standard',
  inferred: 'by convention',
  advice: 'good practice',
};

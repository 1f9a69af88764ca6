import type { Contract } from '../model.ts';

/**
 * Whether the description of an API says that it follows Google's API Improvement Proposals: what
 * they require is then required of it (`AIP-134`, `google.aip.dev`).
 */
export function followsAip({ description = '' }: Pick<Contract, 'description'>): boolean {
  return /\bAIP-\d+\b|\baip\.dev\b/.test(description);
}

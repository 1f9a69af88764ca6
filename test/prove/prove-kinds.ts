import { expect } from 'vitest';
import type { ProofSummary } from '../../src/prove/proof.ts';
import { prove, type ProofOptions } from '../../src/prove/prove.ts';

/** Each mutation is a whole run of the check. */
export const proof = { timeout: 120_000 };

/** What a proof of some kinds found, and how many conforming variants it checked. */
export interface KindsProof {
  readonly summary: ProofSummary;
  readonly variants: number;
}

/** Proves some kinds of mutations of a contract: the check notices each, and accuses no variant. */
export async function proveKinds(
  contract: ProofOptions['choice']['contract'],
  kinds: readonly string[],
): Promise<KindsProof> {
  let variants = 0;
  for await (const event of prove({
    choice: { contract, config: false },
    settings: { seed: 'test' },
    kinds,
    workers: 1,
  })) {
    if (event.type === 'proof-started') ({ variants } = event);
    if (event.type !== 'proof-finished') continue;
    const { summary } = event;
    const { survived, noCoverage, equivalent, falsePositives } = summary;
    expect([...survived, ...noCoverage, ...equivalent].map(({ title }) => title)).toEqual([]);
    expect(falsePositives).toEqual([]);
    return { summary, variants };
  }
  throw new Error('The proof did not finish.');
}

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFolder } from '../../src/library/package-files.ts';
import { prove } from '../../src/prove/prove.ts';
import type { ProofSummary } from '../../src/prove/proof.ts';

/**
 * A small proof of another contract than the Pet Store, as `vouch check --prove` makes it: one
 * mutation or more of each family, and the variants that are most easily misjudged.
 */
const kinds = [
  'drops-required-field',
  'leaves-enum',
  'beyond-int64',
  'truncated-json',
  'undocumented-success',
  'error-without-field',
  'accepts-missing-field',
  'takes-prefix',
  'takes-longer',
  'loses-create',
  'loses-delete',
  'trims-text',
  'upper-case',
  'filter-loses-one',
  'limits-before-filtering',
  'resets',
  'hangs',
  'fails-one-in-twenty',
  'empty-store',
  'eventually-consistent',
  'scattered-identifiers',
  'remembers-creates',
  'random-order',
  'extra-fields',
];

async function proveNotes(): Promise<ProofSummary> {
  const contract = join(packageFolder, 'test/prove/notes.yaml');
  for await (const event of prove({
    choice: { contract, config: false },
    settings: { seed: 'usage' },
    kinds,
    workers: 1,
  }))
    if (event.type === 'proof-finished') return event.summary;
  throw new Error('the proof has no end');
}

test(
  'a check detects planted mutations, and has no finding for conforming variants',
  {
    timeout: 120_000,
  },
  async () => {
    const summary = await proveNotes();
    expect(summary.survived.map(({ title }) => title)).toEqual([]);
    expect([...summary.noCoverage, ...summary.equivalent].map(({ title }) => title)).toEqual([]);
    expect(summary.falsePositives).toEqual([]);
    expect(summary.killed).toBeGreaterThanOrEqual(30);
  },
);

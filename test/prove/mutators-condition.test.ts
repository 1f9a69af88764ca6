import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { prove } from '../../src/prove/prove.ts';

/** Each mutation is a whole run of the check. */
const proof = { timeout: 120_000 };

test(
  'a check kills the mutations of conditional requests, idempotency keys, updates and missing ' +
    'records, and has no finding for conforming variants',
  proof,
  async () => {
    const kinds = [
      'unchanged-for-good',
      'refuses-right-tag',
      'forgets-key',
      'creates-by-replacing',
      'names-lost-place',
      'passes-over-tests',
      'keeps-nulled',
      'weak-tags',
    ];
    const contract = fileURLToPath(new URL('./documents.yaml', import.meta.url));
    for await (const event of prove({
      choice: { contract, config: false },
      settings: { seed: 'test' },
      kinds,
      workers: 1,
    })) {
      if (event.type !== 'proof-finished') continue;
      const { survived, noCoverage, equivalent, killed, falsePositives } = event.summary;
      expect([...survived, ...noCoverage, ...equivalent].map(({ title }) => title)).toEqual([]);
      expect(falsePositives).toEqual([]);
      expect(killed).toBeGreaterThanOrEqual(kinds.length);
    }
    expect.assertions(3);
  },
);

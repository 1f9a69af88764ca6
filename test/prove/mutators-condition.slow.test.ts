import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { proof, proveKinds } from './prove-kinds.ts';

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
    const { summary } = await proveKinds(contract, kinds);
    expect(summary.killed).toBeGreaterThanOrEqual(kinds.length);
  },
);
